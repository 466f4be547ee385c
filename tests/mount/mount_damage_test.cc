// Damage and failure of the file under a live mount: EIO for exactly what is lost, a log line, no
// more.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "tests/mount_fixture.h"
#include "ulhff/file.h"
#include "ulhff/reader.h"

namespace ulhff {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kChunk = 256 * 1024;

int ReadErrno(const fs::path& path) {
  try {
    ReadFile(path);
    return 0;
  } catch (const std::system_error& error) {
    return error.code().value();
  }
}

class MountDamageTest : public testing::Test {
 protected:
  void SetUp() override {
    ULHFF_SKIP_WITHOUT_FUSE();
    fs::copy_file(data_.container(), file());
  }

  fs::path file() const { return temp_ / "copy.ulhff"; }
  const std::string& Bytes(const std::string& path) const { return data_.files().at(path); }

  // Flips a byte of the copy.
  void Damage(uint64_t offset) const {
    const UniqueFd fd(::open(file().c_str(), O_RDWR | O_CLOEXEC));
    char byte = 0;
    ASSERT_EQ(::pread(fd.get(), &byte, 1, static_cast<off_t>(offset)), 1);
    byte = static_cast<char>(byte ^ 1);
    ASSERT_EQ(::pwrite(fd.get(), &byte, 1, static_cast<off_t>(offset)), 1);
  }

  uint64_t OffsetOf(const std::string& media) const {
    const Reader reader = Reader::Open(file());
    for (uint64_t object = 0; object < data_.media().size(); ++object) {
      if (data_.media()[object].paths[0] == media) return reader.Object(object).offset;
    }
    throw std::logic_error(media);
  }

  // Every file but those in `lost` reads as it was.
  void ExpectAllBut(const Mount& mount, const std::vector<std::string>& lost) const {
    for (const auto& [path, bytes] : data_.files()) {
      if (std::find(lost.begin(), lost.end(), path) != lost.end()) continue;
      EXPECT_EQ(ReadErrno(mount / path), 0) << path;
    }
  }

  const SampleDataset data_;
  const PublicDir temp_;
};

// M12.
TEST_F(MountDamageTest, LosesOneChunkOfALargeMedia) {
  Damage(OffsetOf("video.mp4") + 2 * kChunk + 5);
  const Mount mount(file());
  const UniqueFd fd(::open((mount / "video.mp4").c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
  AlignedBuffer buffer(kChunk);
  const std::string& bytes = Bytes("video.mp4");
  for (uint64_t chunk = 0; chunk * kChunk < bytes.size(); ++chunk) {
    const ssize_t n = ::pread(fd.get(), buffer.data(), kChunk, static_cast<off_t>(chunk * kChunk));
    if (chunk == 2) {
      EXPECT_EQ(n, -1);
      EXPECT_EQ(errno, EIO);
    } else {
      const std::string got(reinterpret_cast<const char*>(buffer.data()), static_cast<size_t>(n));
      EXPECT_EQ(got, bytes.substr(chunk * kChunk, kChunk)) << chunk;
    }
  }
  ExpectAllBut(mount, {"video.mp4"});
}

// M13.
TEST_F(MountDamageTest, LogsADamagedChunkOnceWithItsPathAndOffset) {
  const uint64_t offset = OffsetOf("train/class 0/twin_a.jpg");
  Damage(offset + 100);
  const Mount mount(file());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ReadErrno(mount / "train/class 0/twin_a.jpg"), EIO);
  EXPECT_EQ(ReadErrno(mount / "test/twin_b.jpg"), EIO);
  EXPECT_EQ(mount.CountInLog("twin_"), 1u) << mount.Log();
  const std::string where = fmt::format("{}: offset {}: ", file().string(), offset);
  EXPECT_EQ(mount.CountInLog(where), 1u) << mount.Log();
  EXPECT_EQ(mount.CountInLog(where + file().string()), 0u) << mount.Log();
  EXPECT_EQ(ReadFile(mount / "train/class 0/twin_a.jpg.1.txt"), "two");
  ExpectAllBut(mount, {"train/class 0/twin_a.jpg", "test/twin_b.jpg"});
}

// M12.
TEST_F(MountDamageTest, LosesOneTextOnly) {
  const uint64_t offset = OffsetOf("train/class 0/twin_a.jpg");
  Damage(offset + 70'000);  // the first byte behind the media
  const Mount mount(file());
  EXPECT_EQ(ReadErrno(mount / "train/class 0/twin_a.jpg.0.txt"), EIO);
  ExpectAllBut(mount, {"train/class 0/twin_a.jpg.0.txt"});
}

// M12, T19.
TEST_F(MountDamageTest, MountsAndAnswersWithAnyIndexBlockDamaged) {
  const uint64_t size = fs::file_size(file());
  const Reader sound = Reader::Open(file());
  const uint64_t index = (sound.info().file_bytes - sound.info().file_bytes % 4096) / 4096 * 4096;
  // From the last block but the root backwards, as many as there are before the body begins.
  for (uint64_t offset = index - 2 * 4096, n = 0; n < 24 && offset > 8192; offset -= 4096, ++n) {
    Damage(offset);
    {
      const Mount mount(file());
      size_t failed = 0;
      for (const auto& [path, bytes] : data_.files()) {
        const int error = ReadErrno(mount / path);
        EXPECT_TRUE(error == 0 || error == EIO) << path << ": " << error;
        if (error != 0) {
          ++failed;
        } else {
          EXPECT_EQ(ReadFile(mount / path), bytes) << path;
        }
      }
      EXPECT_LE(mount.CountInLog("\n"), 2 + failed) << mount.Log();
    }
    Damage(offset);  // as it was
  }
  EXPECT_EQ(fs::file_size(file()), size);
}

// M14.
TEST_F(MountDamageTest, ATruncatedFileIsEio) {
  const Mount mount(file());
  fs::resize_file(file(), 8192);
  for (const auto& [path, bytes] : data_.files()) {
    const int error = ReadErrno(mount / path);
    EXPECT_TRUE(error == EIO || (error == 0 && bytes.empty())) << path << ": " << error;
  }
  EXPECT_TRUE(IsMounted(mount.path()));
  EXPECT_GE(mount.CountInLog("copy.ulhff"), 2u) << mount.Log();
}

// M14.
TEST_F(MountDamageTest, AnOverwrittenFileIsEio) {
  const Mount mount(file());
  const UniqueFd fd(::open(file().c_str(), O_WRONLY | O_CLOEXEC));
  const std::string other(1 << 20, 'x');
  for (uint64_t at = 0; at < fs::file_size(file()); at += other.size()) {
    PwriteFull(fd.get(), AsBytes(other), at, "copy");
  }
  for (const auto& [path, bytes] : data_.files()) {
    const int error = ReadErrno(mount / path);
    EXPECT_TRUE(error == EIO || (error == 0 && bytes.empty())) << path << ": " << error;
  }
}

// M14.
TEST_F(MountDamageTest, ServesAFileThatWasRenamedReplacedOrDeleted) {
  const Mount mount(file());
  fs::rename(file(), temp_ / "elsewhere");
  fs::resize_file(temp_ / "elsewhere", fs::file_size(temp_ / "elsewhere"));
  std::error_code ignored;
  fs::permissions(temp_ / "elsewhere", fs::perms::none, ignored);
  ExpectAllBut(mount, {});
  fs::copy_file(FuseProgram(), file());
  fs::remove(temp_ / "elsewhere");
  ExpectAllBut(mount, {});
  EXPECT_EQ(ReadFile(mount / "LICENSE"), Bytes("LICENSE"));
}

}  // namespace
}  // namespace ulhff
