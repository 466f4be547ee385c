// What a mount shows, against the files it was made of: names, attributes, listings.
#include <dirent.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/mount_fixture.h"
#include "ulhff/writer.h"

namespace ulhff {
namespace {

namespace fs = std::filesystem;

struct stat StatOf(const fs::path& path) {
  struct stat st {};
  EXPECT_EQ(::lstat(path.c_str(), &st), 0) << path;
  return st;
}

int64_t Nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; }

class MountTreeTest : public testing::Test {
 protected:
  void SetUp() override { ULHFF_SKIP_WITHOUT_FUSE(); }
  const SampleDataset data_;
};

// T2.
TEST_F(MountTreeTest, ShowsExactlyTheSourcesNamesAndBytes) {
  const Mount mount(data_.container());
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(mount.path())) {
    names.insert(entry.path().lexically_relative(mount.path()));
  }
  std::set<std::string> expected(data_.directories().begin(), data_.directories().end());
  expected.erase("");
  for (const auto& [path, bytes] : data_.files()) {
    expected.insert(path);
    EXPECT_EQ(ReadFile(mount / path), bytes) << path;
  }
  EXPECT_EQ(names, expected);
}

TEST_F(MountTreeTest, DiffFindsNoDifference) {
  const Mount mount(data_.container());
  const PublicDir temp;
  data_.WriteFiles(temp / "files");
  const CommandResult diff = RunCommand({"diff", "-r", temp / "files", mount.path()});
  EXPECT_EQ(diff.status, 0) << diff.out << diff.err;
}

// M5, M10, T15, T16.
TEST_F(MountTreeTest, KeepsSizesAndTimes) {
  const Mount mount(data_.container());
  for (const auto& [path, bytes] : data_.files()) {
    const struct stat st = StatOf(mount / path);
    EXPECT_EQ(static_cast<size_t>(st.st_size), bytes.size()) << path;
    EXPECT_EQ(Nanoseconds(st.st_mtim), data_.TimeOf(path)) << path;
    EXPECT_EQ(st.st_mode, static_cast<mode_t>(S_IFREG | 0444)) << path;
    EXPECT_EQ(st.st_uid, ::getuid());
    EXPECT_EQ(st.st_blocks, (st.st_size + 511) / 512) << path;
    EXPECT_GT(st.st_blksize, 0);
  }
  for (const std::string& path : data_.directories()) {
    const struct stat st = StatOf(mount / path);
    EXPECT_EQ(Nanoseconds(st.st_mtim), data_.TimeOf(path)) << path;
    EXPECT_EQ(st.st_mode, static_cast<mode_t>(S_IFDIR | 0555)) << path;
    EXPECT_GT(st.st_size, 0) << path;
    EXPECT_GT(st.st_blocks, 0) << path;
  }
}

// T14.
TEST_F(MountTreeTest, CountsSubdirectoriesInTheLinksOfADirectory) {
  const Mount mount(data_.container());
  EXPECT_EQ(StatOf(mount / "").st_nlink, 2 + 6u);  // annotations deep empty odd test train
  EXPECT_EQ(StatOf(mount / "train").st_nlink, 2 + 3u);
  EXPECT_EQ(StatOf(mount / "empty/inner").st_nlink, 2u);
}

// T13, T14.
TEST_F(MountTreeTest, NamesOfOneMediaShareAnInodeAndTextsNever) {
  const Mount mount(data_.container());
  const struct stat a = StatOf(mount / "train/class 0/twin_a.jpg");
  const struct stat b = StatOf(mount / "test/twin_b.jpg");
  EXPECT_EQ(a.st_ino, b.st_ino);
  EXPECT_EQ(a.st_nlink, 2u);
  std::set<ino_t> inodes;
  size_t files = 0;
  for (const auto& [path, bytes] : data_.files()) {
    inodes.insert(StatOf(mount / path).st_ino);
    ++files;
  }
  EXPECT_EQ(inodes.size(), files - 1);
}

// T12.
TEST_F(MountTreeTest, KeepsInodeNumbersAcrossMounts) {
  const auto numbers = [this] {
    const Mount mount(data_.container());
    std::vector<ino_t> inodes;
    for (const auto& [path, bytes] : data_.files()) inodes.push_back(StatOf(mount / path).st_ino);
    return inodes;
  };
  EXPECT_EQ(numbers(), numbers());
}

// M7, M9.
TEST_F(MountTreeTest, SaysNoSuchFileTwice) {
  const Mount mount(data_.container());
  for (const char* name : {"missing.jpg", "train/missing", "LICENSE.txt", "Train"}) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(OpenErrno(mount / name, O_RDONLY), ENOENT) << name;
  }
  EXPECT_EQ(OpenErrno(mount / "LICENSE/x", O_RDONLY), ENOTDIR);
  EXPECT_EQ(OpenErrno(mount / std::string(256, 'x'), O_RDONLY), ENAMETOOLONG);
}

// M1, M9, M10.
TEST_F(MountTreeTest, FillsStatfs) {
  const Mount mount(data_.container());
  struct statvfs st {};
  ASSERT_EQ(::statvfs(mount.path().c_str(), &st), 0);
  EXPECT_EQ(st.f_namemax, 255u);
  EXPECT_EQ(st.f_files, data_.files().size());
  EXPECT_EQ(st.f_blocks, (fs::file_size(data_.container()) + 4095) / 4096);
  EXPECT_EQ(st.f_bfree, 0u);
  EXPECT_TRUE(st.f_flag & ST_RDONLY);
  EXPECT_TRUE(st.f_flag & ST_NOATIME);
  EXPECT_EQ(::pathconf(mount.path().c_str(), _PC_NAME_MAX), 255);
}

// M10.
TEST_F(MountTreeTest, IsSeenByTheUsualTools) {
  const Mount mount(data_.container());
  const std::string path = mount.path();
  const std::string container = fs::canonical(data_.container());
  const CommandResult df = RunCommand({"df", "--output=source,fstype,used", path});
  EXPECT_THAT(df.out, testing::HasSubstr(container));
  EXPECT_THAT(df.out, testing::HasSubstr("fuse.ulhff-fuse"));
  EXPECT_NE(std::stoul(RunCommand({"du", "-s", path}).out), 0u);
  const CommandResult found = RunCommand({"find", path, "-size", "+0", "-name", "LICENSE"});
  EXPECT_EQ(found.out, path + "/LICENSE\n");
}

// M8.
TEST_F(MountTreeTest, ListingsCarryTypesAndInodeNumbers) {
  const Mount mount(data_.container());
  DIR* const directory = ::opendir(mount.path().c_str());
  ASSERT_NE(directory, nullptr);
  size_t dots = 0;
  while (const dirent* const entry = ::readdir(directory)) {
    const struct stat st = StatOf(mount / entry->d_name);
    const std::string name = entry->d_name;
    dots += name == "." || name == ".." ? 1 : 0;
    if (name != "..") {
      EXPECT_EQ(entry->d_ino, st.st_ino) << name;
    }
    EXPECT_EQ(entry->d_type, S_ISDIR(st.st_mode) ? DT_DIR : DT_REG) << name;
  }
  ::closedir(directory);
  EXPECT_EQ(dots, 2u);
}

// A directory of many names, which takes many calls to read.
class MountHugeDirectoryTest : public testing::Test {
 protected:
  static constexpr unsigned kNames = 70'000;  // more than readdirplus primes

  void SetUp() override {
    ULHFF_SKIP_WITHOUT_FUSE();
    WriterOptions options;
    Writer writer(container(), options);
    const uint64_t blob = writer.BeginBlob();
    writer.EndBlob();
    for (unsigned i = 0; i < kNames; ++i) writer.AddName(Name(i), {TargetKind::kBlob, blob});
    writer.Finish();
  }

  static std::string Name(unsigned i) { return "a rather long name, number " + std::to_string(i); }
  fs::path container() const { return temp_ / "many.ulhff"; }

  const PublicDir temp_;
};

TEST_F(MountHugeDirectoryTest, ListsEachNameOnce) {
  const Mount mount(container());
  for (int pass = 0; pass < 2; ++pass) {
    std::set<std::string> names;
    size_t entries = 0;
    for (const auto& entry : fs::directory_iterator(mount.path())) {
      names.insert(entry.path().filename());
      ++entries;
    }
    EXPECT_EQ(entries, kNames);
    EXPECT_EQ(names.size(), kNames);
  }
}

// M8, T17.
TEST_F(MountHugeDirectoryTest, SeeksBackToWhereItWas) {
  const Mount mount(container());
  DIR* const directory = ::opendir(mount.path().c_str());
  ASSERT_NE(directory, nullptr);
  std::vector<std::pair<long, std::string>> places;
  while (true) {
    const long place = ::telldir(directory);
    const dirent* const entry = ::readdir(directory);
    if (entry == nullptr) break;
    places.emplace_back(place, entry->d_name);
  }
  ASSERT_EQ(places.size(), kNames + 2);
  for (size_t i = 0; i < places.size(); i = i * 3 / 2 + 1) {
    ::seekdir(directory, places[i].first);
    const dirent* const entry = ::readdir(directory);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->d_name, places[i].second) << i;
  }
  ::rewinddir(directory);
  EXPECT_STREQ(::readdir(directory)->d_name, places[0].second.c_str());
  ::closedir(directory);
}

TEST_F(MountHugeDirectoryTest, ReadsThroughTinyBuffers) {
  const Mount mount(container());
  const int fd = ::open(mount.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  size_t entries = 0;
  alignas(8) std::array<char, 72> buffer{};  // room for one entry, hardly for two
  while (true) {
    const long n = ::syscall(SYS_getdents64, fd, buffer.data(), buffer.size());
    ASSERT_GE(n, 0) << errno;
    if (n == 0) break;
    for (long at = 0; at < n; ++entries) {
      unsigned short length = 0;  // d_reclen stands behind d_ino and d_off
      std::copy_n(buffer.data() + at + 16, sizeof(length), reinterpret_cast<char*>(&length));
      at += length;
    }
  }
  ::close(fd);
  EXPECT_EQ(entries, kNames + 2);
}

// T18.
TEST_F(MountHugeDirectoryTest, FindsNamesWithoutListing) {
  const Mount mount(container());
  EXPECT_EQ(OpenErrno(mount / Name(kNames - 1), O_RDONLY), 0);
  EXPECT_EQ(OpenErrno(mount / Name(kNames), O_RDONLY), ENOENT);
  EXPECT_EQ(StatOf(mount / Name(7)).st_nlink, kNames);
}

// M11.
TEST_F(MountTreeTest, ShowsNumbersAsXattrsIfAskedTo) {
  const Mount plain(data_.container());
  std::array<char, 64> value{};
  EXPECT_EQ(::getxattr((plain / "video.mp4").c_str(), "user.ulhff.object", value.data(), 64), -1);
  EXPECT_EQ(errno, EOPNOTSUPP);

  const Mount mount(data_.container(), {"-o", "xattr"});
  const std::string video = mount / "video.mp4";
  const ssize_t size = ::getxattr(video.c_str(), "user.ulhff.object", value.data(), 64);
  ASSERT_GT(size, 0) << errno;
  EXPECT_EQ(
      data_.media()[std::stoul(std::string(value.data(), static_cast<size_t>(size)))].paths[0],
      "video.mp4");
  EXPECT_EQ(::listxattr(video.c_str(), value.data(), 64), 18);
  EXPECT_EQ(::getxattr(video.c_str(), "user.other", value.data(), 64), -1);
  EXPECT_EQ(errno, ENODATA);
  EXPECT_EQ(::getxattr(video.c_str(), "user.ulhff.object", value.data(), 0), size);
  EXPECT_EQ(::listxattr(mount.path().c_str(), value.data(), 64), 0);
}

TEST_F(MountTreeTest, ShowsAllViewsWithTheSameInodes) {
  const Mount mount(data_.container(), {"--view=all"});
  EXPECT_EQ(StatOf(mount / "source/video.mp4").st_ino,
            StatOf(mount / "objects/00000/000000013.mp4").st_ino);
  size_t pairs = 0;
  for (const auto& entry : fs::recursive_directory_iterator(mount / "pairs")) {
    pairs += entry.path().extension() == ".txt" ? 1 : 0;
  }
  EXPECT_EQ(pairs, data_.pairs());
}

}  // namespace
}  // namespace ulhff
