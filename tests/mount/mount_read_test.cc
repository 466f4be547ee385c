// Reading through the kernel, in every way that a loader may; and that nothing can be written.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "tests/mount_fixture.h"
#include "ulhff/file.h"

namespace ulhff {
namespace {

constexpr const char* kVideo = "video.mp4";  // larger than an object of the pool

UniqueFd Open(const std::filesystem::path& path, int flags = 0) {
  return UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags));
}

class MountReadTest : public testing::Test {
 protected:
  void SetUp() override { ULHFF_SKIP_WITHOUT_FUSE(); }
  const std::string& Bytes(const std::string& path) const { return data_.files().at(path); }

  const SampleDataset data_;
};

// M6.
TEST_F(MountReadTest, ReadsAnyPartOfAnyFile) {
  const Mount mount(data_.container());
  std::mt19937 random(7);
  for (const auto& [path, bytes] : data_.files()) {
    const UniqueFd fd = Open(mount / path);
    ASSERT_TRUE(fd.valid()) << path;
    for (int i = 0; i < 20; ++i) {
      const size_t offset = random() % (bytes.size() + 2);
      const size_t size = random() % (i % 2 == 0 ? 300'000 : 300);
      std::string part(size, '\0');
      const ssize_t got = ::pread(fd.get(), part.data(), size, static_cast<off_t>(offset));
      ASSERT_GE(got, 0) << path;
      part.resize(static_cast<size_t>(got));
      EXPECT_EQ(part, offset > bytes.size() ? "" : bytes.substr(offset, size))
          << path << " at " << offset << " for " << size;
    }
  }
}

// M6.
TEST_F(MountReadTest, ReadsDirectlyUpToAShortLastRead) {
  const Mount mount(data_.container());
  AlignedBuffer buffer(4096);
  for (const auto& [path, bytes] : data_.files()) {
    const UniqueFd fd = Open(mount / path, O_DIRECT);
    ASSERT_TRUE(fd.valid()) << path;
    std::string read;
    while (true) {
      const ssize_t n = ::read(fd.get(), buffer.data(), 4096);
      ASSERT_GE(n, 0) << path << ": " << errno;
      if (n == 0) break;
      read.append(reinterpret_cast<const char*>(buffer.data()), static_cast<size_t>(n));
      if (n < 4096) {
        EXPECT_EQ(read.size(), bytes.size()) << path;
      }
    }
    EXPECT_EQ(read, bytes) << path;
  }
}

// M6.
TEST_F(MountReadTest, MapsFiles) {
  const Mount mount(data_.container());
  for (const char* path : {kVideo, "LICENSE", "train/class 0/twin_a.jpg"}) {
    const std::string& bytes = Bytes(path);
    const UniqueFd fd = Open(mount / path);
    void* const map = ::mmap(nullptr, bytes.size(), PROT_READ, MAP_SHARED, fd.get(), 0);
    ASSERT_NE(map, MAP_FAILED) << path << ": " << errno;
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), static_cast<const char*>(map))) << path;
    ::munmap(map, bytes.size());
  }
}

// M6.
TEST_F(MountReadTest, SendsFiles) {
  const Mount mount(data_.container());
  const std::string& bytes = Bytes("LICENSE");
  const UniqueFd from = Open(mount / "LICENSE");
  const UniqueFd to(::memfd_create("copy", MFD_CLOEXEC));
  off_t offset = 1000;
  while (static_cast<size_t>(offset) < bytes.size()) {
    ASSERT_GT(::sendfile(to.get(), from.get(), &offset, bytes.size()), 0) << errno;
  }
  std::string copy(bytes.size() - 1000, '\0');
  EXPECT_EQ(PreadFull(to.get(), std::as_writable_bytes(std::span(copy)), 0, "copy"), copy.size());
  EXPECT_EQ(copy, bytes.substr(1000));
}

// M6.
TEST_F(MountReadTest, FindsNoHoles) {
  const Mount mount(data_.container());
  const UniqueFd fd = Open(mount / kVideo);
  EXPECT_EQ(::lseek(fd.get(), 5, SEEK_DATA), 5);
  EXPECT_EQ(::lseek(fd.get(), 5, SEEK_HOLE), static_cast<off_t>(Bytes(kVideo).size()));
}

// Each compares every file with what it must be, in an order of its own.
int CompareAll(const Mount& mount, const SampleDataset& data, unsigned seed) {
  std::vector<std::string> paths;
  for (const auto& [path, bytes] : data.files()) paths.push_back(path);
  std::shuffle(paths.begin(), paths.end(), std::mt19937(seed));
  for (const std::string& path : paths) {
    if (ReadFile(mount / path) != data.files().at(path)) return 1;
  }
  return 0;
}

TEST_F(MountReadTest, ServesManyProcessesAtOnce) {
  const Mount mount(data_.container(), {"-o", "pool=1"});
  std::vector<pid_t> children;
  for (unsigned i = 0; i < 24; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int status = 2;
      try {
        status = CompareAll(mount, data_, i);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
      }
      ::_exit(status);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

TEST_F(MountReadTest, ReadsTheSameWithEveryWayOfReadingTheFile) {
  for (const char* how : {"io=auto", "io=direct", "io=uncached", "io=buffered", "threads=1",
                          "transport=device", "clone_fd", "pool=1", "threads=1024"}) {
    const Mount mount(data_.container(), {"-o", how});
    EXPECT_EQ(CompareAll(mount, data_, 1), 0) << how;
  }
}

struct WritingCall {
  const char* name;
  int (*call)(const std::string& file, const std::string& fresh);
};

int OpenForWriting(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
  return fd < 0 ? -1 : ::close(fd);
}

const WritingCall kWritingCalls[] = {
    {"OpenWriteOnly", [](const auto& file, const auto&) { return OpenForWriting(file, O_WRONLY); }},
    {"OpenReadWrite", [](const auto& file, const auto&) { return OpenForWriting(file, O_RDWR); }},
    {"OpenTruncate",
     [](const auto& file, const auto&) { return OpenForWriting(file, O_WRONLY | O_TRUNC); }},
    {"Create",
     [](const auto&, const auto& fresh) { return OpenForWriting(fresh, O_WRONLY | O_CREAT); }},
    {"Truncate", [](const auto& file, const auto&) { return ::truncate(file.c_str(), 0); }},
    {"Unlink", [](const auto& file, const auto&) { return ::unlink(file.c_str()); }},
    {"Rename",
     [](const auto& file, const auto& fresh) { return ::rename(file.c_str(), fresh.c_str()); }},
    {"Link",
     [](const auto& file, const auto& fresh) { return ::link(file.c_str(), fresh.c_str()); }},
    {"Symlink", [](const auto&, const auto& fresh) { return ::symlink("x", fresh.c_str()); }},
    {"Mkdir", [](const auto&, const auto& fresh) { return ::mkdir(fresh.c_str(), 0755); }},
    {"Rmdir",
     [](const auto& file, const auto&) {
       return ::rmdir((std::filesystem::path(file).parent_path() / "empty/inner").c_str());
     }},
    {"Mkfifo", [](const auto&, const auto& fresh) { return ::mkfifo(fresh.c_str(), 0644); }},
    {"Chmod", [](const auto& file, const auto&) { return ::chmod(file.c_str(), 0644); }},
    {"Chown",
     [](const auto& file, const auto&) { return ::chown(file.c_str(), ::getuid(), ::getgid()); }},
    {"Utimens",
     [](const auto& file, const auto&) { return ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0); }},
    {"Setxattr",
     [](const auto& file, const auto&) { return ::setxattr(file.c_str(), "user.a", "b", 1, 0); }},
    {"Removexattr",
     [](const auto& file, const auto&) { return ::removexattr(file.c_str(), "user.a"); }},
};

void ExpectReadOnly(const Mount& mount) {
  const std::string file = mount / "LICENSE";
  const std::string fresh = mount / "new";
  for (const WritingCall& writing : kWritingCalls) {
    errno = 0;
    EXPECT_EQ(writing.call(file, fresh), -1) << writing.name;
    EXPECT_EQ(errno, EROFS) << writing.name;
  }
}

// M1.
TEST_F(MountReadTest, RefusesEveryWritingCall) {
  const Mount mount(data_.container());
  ExpectReadOnly(mount);
  EXPECT_EQ(::access((mount / "LICENSE").c_str(), W_OK), -1);
  EXPECT_EQ(errno, EROFS);
}

// M1.
TEST_F(MountReadTest, RefusesEveryWritingCallEvenWhenRemountedForWriting) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may remount";
  const Mount mount(data_.container(), {"-o", "rw"});
  if (::mount(nullptr, mount.path().c_str(), nullptr, MS_REMOUNT, nullptr) != 0) {
    GTEST_SKIP() << "remount is refused";
  }
  struct stat before {};
  ASSERT_EQ(::stat((mount / "LICENSE").c_str(), &before), 0);
  for (const WritingCall& writing : kWritingCalls) {
    // Opens are not asked for; the calls on what they opened are.
    if (std::string(writing.name).starts_with("OpenW") ||
        writing.name == std::string("OpenReadWrite"))
      continue;
    errno = 0;
    EXPECT_EQ(writing.call(mount / "LICENSE", mount / "new"), -1) << writing.name;
    EXPECT_EQ(errno, EROFS) << writing.name;
  }
  const int fd = ::open((mount / "LICENSE").c_str(), O_RDWR | O_CLOEXEC);
  if (fd >= 0) {
    EXPECT_EQ(::pwrite(fd, "x", 1, 0), -1);
    EXPECT_EQ(errno, EROFS);
    EXPECT_EQ(::posix_fallocate(fd, 0, 1 << 20), EROFS);
    ::close(fd);
  }
  EXPECT_EQ(ReadFile(mount / "LICENSE"), Bytes("LICENSE"));
}

}  // namespace
}  // namespace ulhff
