// Files that appear complete or not at all: names, locks, what is left behind, what is refused.
#include "ulhff/writer_publish.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>
#include <system_error>

#include "tests/temp_dir.h"
#include "ulhff/writer.h"

namespace ulhff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Hidden = PendingFile::Hidden;

// The error of what `call` throws, 0 if it throws nothing; `path` must be named.
int ErrorOf(const std::function<void()>& call, const std::string& path) {
  try {
    call();
    return 0;
  } catch (const std::system_error& error) {
    EXPECT_THAT(error.what(), HasSubstr(path));
    return error.code().value();
  }
}

class PublishAs : public testing::TestWithParam<Hidden> {
 protected:
  void Put(PendingFile& file, std::string_view bytes) {
    PwriteFull(file.fd(), AsBytes(bytes), 0, file.path());
  }
  const TempDir dir_;
  const std::string path_ = dir_ / "out.ulhff";
};

TEST_P(PublishAs, IsThereOnlyAfterwards) {
  PendingFile file(path_, false, GetParam());
  Put(file, "new");
  EXPECT_FALSE(std::filesystem::exists(path_));
  file.Publish();
  EXPECT_EQ(ReadBytes(path_), "new");
  EXPECT_THAT(dir_.Names(), ElementsAre("out.ulhff"));
}

TEST_P(PublishAs, LeavesNothingIfItIsDropped) {
  {
    PendingFile file(path_, false, GetParam());
    Put(file, "half");
  }
  EXPECT_THAT(dir_.Names(), IsEmpty());
}

TEST_P(PublishAs, HasTheModeThatTheUmaskLeaves) {
  const mode_t old = ::umask(027);
  PendingFile(path_, false, GetParam()).Publish();
  ::umask(old);
  struct stat st {};
  ASSERT_EQ(::stat(path_.c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 07777, 0640u);
}

TEST_P(PublishAs, KeepsAnExistingFileUnlessToldOtherwise) {
  WriteBytes(path_, "old");
  EXPECT_EQ(ErrorOf([&] { PendingFile(path_, false, GetParam()); }, path_), EEXIST);
  {
    PendingFile file(path_, true, GetParam());
    Put(file, "dropped");
  }
  EXPECT_EQ(ReadBytes(path_), "old");
  PendingFile file(path_, true, GetParam());
  Put(file, "new");
  EXPECT_EQ(ReadBytes(path_), "old");
  file.Publish();
  EXPECT_EQ(ReadBytes(path_), "new");
  EXPECT_THAT(dir_.Names(), ElementsAre("out.ulhff"));
}

TEST_P(PublishAs, DoesNotReplaceAFileThatCameMeanwhile) {
  {
    PendingFile file(path_, false, GetParam());
    WriteBytes(path_, "other");
    EXPECT_EQ(ErrorOf([&] { file.Publish(); }, path_), EEXIST);
  }
  EXPECT_EQ(ReadBytes(path_), "other");
  EXPECT_THAT(dir_.Names(), ElementsAre("out.ulhff"));
}

TEST_P(PublishAs, FailsIfADirectoryCameMeanwhile) {
  {
    PendingFile file(path_, true, GetParam());
    std::filesystem::create_directory(path_);
    EXPECT_EQ(ErrorOf([&] { file.Publish(); }, path_), EISDIR);
  }
  EXPECT_THAT(dir_.Names(), ElementsAre("out.ulhff"));
}

TEST_P(PublishAs, TakesTheLongestName) {
  const std::string name(255, 'x');
  PendingFile(dir_ / name, false, GetParam()).Publish();
  PendingFile(dir_ / name, true, GetParam()).Publish();
  EXPECT_THAT(dir_.Names(), ElementsAre(name));
}

TEST_P(PublishAs, RemovesWhatKilledMakersOfTheSameFileLeft) {
  WriteBytes(dir_ / ".out.ulhff.ulhff-abc123.tmp", "stale");
  WriteBytes(dir_ / ".out.ulhff.ulhff-abc1234.tmp", "not ours");
  WriteBytes(dir_ / ".other.ulhff-abc123.tmp", "of another file");
  PendingFile(path_, false, GetParam()).Publish();
  EXPECT_THAT(dir_.Names(),
              ElementsAre(".other.ulhff-abc123.tmp", ".out.ulhff.ulhff-abc1234.tmp", "out.ulhff"));
}

INSTANTIATE_TEST_SUITE_P(Both, PublishAs,
                         testing::Values(Hidden::kNamelessIfPossible, Hidden::kNamed),
                         [](const auto& info) {
                           return info.param == Hidden::kNamed ? "Named" : "Nameless";
                         });

TEST(PendingFileTest, LeavesTheFilesOfRunningMakersAlone) {
  const TempDir dir;
  PendingFile first(dir / "out", true, Hidden::kNamed);
  ASSERT_EQ(dir.Names().size(), 1u);
  EXPECT_THAT(dir.Names()[0], StartsWith(".out.ulhff-"));
  PendingFile second(dir / "out", true, Hidden::kNamed);
  EXPECT_EQ(dir.Names().size(), 2u);
  second.Publish();
  first.Publish();
  EXPECT_THAT(dir.Names(), ElementsAre("out"));
}

TEST(PendingFileTest, RefusesWhatCannotBecomeAFile) {
  const TempDir dir;
  WriteBytes(dir / "file", "");
  std::filesystem::create_directory(dir / "dir");
  std::filesystem::create_symlink("file", dir / "link");
  std::filesystem::create_symlink("nowhere", dir / "dangling");
  ASSERT_EQ(::mkfifo((dir / "fifo").c_str(), 0600), 0);
  const std::pair<std::string, int> cases[] = {
      {dir / "dir", EISDIR},
      {dir / "dir/", EISDIR},
      {dir / "new/", EISDIR},
      {dir / "link", EINVAL},
      {dir / "dangling", EINVAL},
      {dir / "fifo", EINVAL},
      {dir / "none/out", ENOENT},
      {dir / "file/out", ENOTDIR},
      {"/dev/stdout", EINVAL},
      {"/dev/null", EINVAL},
      {"", ENOENT},
      {std::string(256, 'x'), ENAMETOOLONG},
  };
  for (const auto& entry : cases) {
    const std::string& path = entry.first;
    // For a missing directory it is the directory that is named.
    const std::string named = path.substr(0, path.rfind("/out"));
    EXPECT_EQ(ErrorOf([&] { PendingFile(path, true); }, named), entry.second) << path;
  }
  EXPECT_THAT(dir.Names(), ElementsAre("dangling", "dir", "fifo", "file", "link"));
}

TEST(PendingFileTest, TakesAPathWithoutDirectory) {
  const TempDir dir;
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  PendingFile("out", false).Publish();
  std::filesystem::current_path(here);
  EXPECT_THAT(dir.Names(), ElementsAre("out"));
}

// --- the Writer on a disk that ends

void WriteMuch(const std::string& path) {
  Writer writer(path, {});
  const std::string media(1 << 20, 'm');
  for (int i = 0; i < 64; ++i) {
    writer.BeginObject("jpg");
    writer.AppendMedia(AsBytes(media));
    writer.AddPair({});
    writer.EndObject();
  }
  writer.Finish();
}

TEST(FullDisk, IsAnErrorThatNamesTheFile) {
  const TempDir dir;
  if (::mount("tmpfs", dir.path().c_str(), "tmpfs", 0, "size=4m") != 0) {
    GTEST_SKIP() << "cannot mount a small tmpfs (not root)";
  }
  EXPECT_EQ(ErrorOf([&] { WriteMuch(dir / "out"); }, dir / "out"), ENOSPC);
  EXPECT_THAT(dir.Names(), IsEmpty());
  ::umount(dir.path().c_str());
}

TEST(LimitOfFileSizes, IsAnErrorThatNamesTheFile) {
  const TempDir dir;
  struct rlimit old {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const struct rlimit low = {4 << 20, old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &low), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  EXPECT_EQ(ErrorOf([&] { WriteMuch(dir / "out"); }, dir / "out"), EFBIG);
  std::signal(SIGXFSZ, handler);
  ::setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_THAT(dir.Names(), IsEmpty());
}

}  // namespace
}  // namespace ulhff
