// Tests that a conversion which cannot finish says why and leaves nothing behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "converter/input_error.h"
#include "converter/interrupt.h"
#include "converter/scan.h"
#include "converter/source_file.h"
#include "tests/conversion.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

class ConversionFailureTest : public ConversionTest {
 protected:
  static constexpr int kMedia = 40;

  ConversionFailureTest() {
    for (int i = 0; i < kMedia; ++i)
      tree.Write(Name(i), std::string(100'000, static_cast<char>(i)));
  }
  static std::string Name(int i) { return std::to_string(i) + ".bin"; }
  void ConvertAll() {
    Convert([&](SourceSink& sink) {
      for (int i = 0; i < kMedia; ++i) Pair(sink, Name(i), "text");
    });
  }
  // Runs `fn` in a child process, which exits with what it returns, and returns the wait status.
  template <typename Fn>
  int InChild(Fn fn) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(fn());
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status;
  }
  // 0, or the code of the system error.
  int ErrorOfConvertAll() {
    try {
      ConvertAll();
      return 0;
    } catch (const std::system_error& e) {
      return e.code().value();
    } catch (...) {
      return 255;
    }
  }
};

TEST_F(ConversionFailureTest, KilledAtAnyTimeLeavesTheOldOutput) {
  // Of kMedia calls each: scanning, looking for duplicates, copying.
  for (const int calls : {5, kMedia + 5, 2 * kMedia + 5, 3 * kMedia - 1}) {
    for (const int signal : {SIGKILL, SIGTERM}) {
      SCOPED_TRACE(testing::Message() << calls << " calls, signal " << signal);
      WriteBytes(options.output, "old");
      options.force = true;
      int left = calls;
      on_progress = [&] {
        if (--left == 0) ::raise(signal);
      };
      const int status = InChild([&] {
        const InterruptGuard guard;
        try {
          ConvertAll();
          return 1;
        } catch (const Interrupted& e) {
          return e.signal() == SIGTERM ? 0 : 2;
        }
      });
      if (signal == SIGKILL) {
        EXPECT_TRUE(WIFSIGNALED(status));
      } else {
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
      }
      EXPECT_THAT(out.Names(), SizeIs(1));
      EXPECT_EQ(ReadBytes(options.output), "old");
    }
  }
}

TEST_F(ConversionFailureTest, FullDiskLeavesNothing) {
  for (const rlim_t limit : {50'000u, 1'000'000u, 3'999'000u}) {
    const int status = InChild([&] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit size{limit, limit};
      if (::setrlimit(RLIMIT_FSIZE, &size) != 0) return 254;
      return ErrorOfConvertAll();
    });
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), EFBIG);
    EXPECT_THAT(out.Names(), SizeIs(0));
  }
}

TEST_F(ConversionFailureTest, NamesAFileThatCannotBeRead) {
  ::chmod(tree(Name(7)).c_str(), 0);
  ::chmod(tree.root().c_str(), 0755);
  ::chmod(out.path().c_str(), 0777);
  const int status = InChild([&] {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 254;
    return ErrorOfConvertAll();
  });
  EXPECT_EQ(WEXITSTATUS(status), EACCES);
  EXPECT_THAT(out.Names(), SizeIs(0));
}

TEST_F(ConversionFailureTest, NamesAFileThatVanishes) {
  EXPECT_THAT(
      [&] {
        Convert([&](SourceSink& sink) {
          Pair(sink, Name(0), "text");
          Pair(sink, Name(1), "text");
          std::filesystem::remove(tree(Name(1)));
        });
      },
      ThrowsMessage<std::system_error>(AllOf(HasSubstr(tree(Name(1))), HasSubstr("No such file"))));
  EXPECT_THAT(out.Names(), SizeIs(0));
}

struct Change {
  const char* name;
  std::uintmax_t before, after;
};

class ChangedFile : public ConversionFailureTest, public testing::WithParamInterface<Change> {};

TEST_P(ChangedFile, IsNamed) {
  const std::string path = tree("changing.bin");
  std::filesystem::copy_file(tree(Name(0)), path);
  std::filesystem::resize_file(path, GetParam().before);
  EXPECT_THAT(
      [&] {
        Convert([&](SourceSink& sink) {
          Pair(sink, "changing.bin", "text");
          std::filesystem::resize_file(path, GetParam().after);
        });
      },
      ThrowsMessage<std::runtime_error>(AllOf(HasSubstr(path), HasSubstr("changed"))));
  EXPECT_THAT(out.Names(), SizeIs(0));
}
INSTANTIATE_TEST_SUITE_P(Sizes, ChangedFile,
                         testing::Values(Change{"Grows", 10, 11}, Change{"Shrinks", 10, 9},
                                         Change{"LargeOneGrows", 3'000'000, 3'000'001},
                                         Change{"LargeOneShrinks", 3'000'000, 10}),
                         [](const auto& info) { return std::string(info.param.name); });

class RewrittenFile : public ConversionFailureTest,
                      public testing::WithParamInterface<std::uintmax_t> {
 protected:
  // As many bytes as before, others.
  void Rewrite(const std::string& path) const { WriteBytes(path, std::string(GetParam(), 'B')); }
};

TEST_P(RewrittenFile, IsNamedIfItIsAMedia) {
  const std::string path = tree("changing.bin");
  WriteBytes(path, std::string(GetParam(), 'A'));
  EXPECT_THAT(
      [&] {
        Convert([&](SourceSink& sink) {
          Pair(sink, "changing.bin", "text");
          Rewrite(path);
        });
      },
      ThrowsMessage<std::runtime_error>(AllOf(HasSubstr(path), HasSubstr("changed"))));
  EXPECT_THAT(out.Names(), SizeIs(0));
}

TEST_P(RewrittenFile, IsNamedIfItIsWrittenWhileItIsRead) {
  const std::string path = tree("changing.bin");
  WriteBytes(path, std::string(GetParam(), 'A'));
  FileRecord record;
  record.path = path;
  record.size = GetParam();
  record.to_end = true;
  const auto state = StatFile(path);
  record.stamp = {state->mtime_ns, state->ctime_ns};
  const SourceFile file(record);
  std::vector<std::byte> half(GetParam() / 2);
  file.Read(0, half);
  Rewrite(path);
  EXPECT_THAT([&] { file.Read(GetParam() / 2, half); },
              ThrowsMessage<std::runtime_error>(AllOf(HasSubstr(path), HasSubstr("changed"))));
}
INSTANTIATE_TEST_SUITE_P(Sizes, RewrittenFile, testing::Values(10, 3'000'000));

TEST_F(ConversionFailureTest, NamesATextFileThatIsNotThere) {
  EXPECT_THAT([&] { Convert([&](SourceSink& sink) { FilePair(sink, Name(0), "none.txt"); }); },
              ThrowsMessage<std::system_error>(HasSubstr("none.txt")));
}

TEST_F(ConversionFailureTest, NeedsItsTemporaryDirectory) {
  options.tmp_dir = out / "none";
  // Enough pairs for a temporary file.
  EXPECT_THAT(
      [&] {
        Convert([&](SourceSink& sink) {
          for (int i = 0; i < 400; ++i) Pair(sink, Name(0), std::string(1000, 't'));
        });
      },
      ThrowsMessage<std::system_error>(HasSubstr(options.tmp_dir)));
}

TEST_F(ConversionFailureTest, DryRunWritesNothingAndExpectsTheRightSize) {
  const auto convert = [&] {
    return Convert([&](SourceSink& sink) {
      for (int i = 0; i < kMedia; ++i) Pair(sink, Name(i), std::to_string(i));
      Pair(sink, Name(3), std::string(1000, 'x'));
      Extra(sink, Name(0) + "");
    });
  };
  options.duplicates = OnDuplicate::kFirst;
  options.dry_run = true;
  const ConversionResult expected = convert();
  EXPECT_THAT(out.Names(), SizeIs(0));
  EXPECT_EQ(expected.file.uuid, "");
  options.dry_run = false;
  const ConversionResult result = convert();
  EXPECT_EQ(expected.objects, result.objects);
  EXPECT_EQ(expected.pairs, result.pairs);
  EXPECT_EQ(expected.type, result.type);
  const auto body = [](const ConversionResult& r) {
    return r.file.file_bytes - r.file.table_bytes;
  };
  EXPECT_EQ(body(expected), body(result));
  EXPECT_NEAR(static_cast<double>(expected.file.table_bytes),
              static_cast<double>(result.file.table_bytes), 30'000);
}

}  // namespace
}  // namespace ulhff
