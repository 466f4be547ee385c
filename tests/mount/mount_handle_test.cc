// File handles as an NFS server uses them: they find their file when the kernel has forgotten it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "tests/mount_fixture.h"
#include "ulhff/file.h"

namespace ulhff {
namespace {

struct Handle {
  alignas(file_handle) std::array<char, sizeof(file_handle) + MAX_HANDLE_SZ> bytes{};
  file_handle* get() { return reinterpret_cast<file_handle*>(bytes.data()); }
};

class MountHandleTest : public testing::Test {
 protected:
  void SetUp() override {
    ULHFF_SKIP_WITHOUT_FUSE();
    if (::geteuid() != 0) GTEST_SKIP() << "open_by_handle_at is for root";
  }

  static Handle HandleOf(const std::filesystem::path& path) {
    Handle handle;
    handle.get()->handle_bytes = MAX_HANDLE_SZ;
    int mount_id = 0;
    EXPECT_EQ(::name_to_handle_at(AT_FDCWD, path.c_str(), handle.get(), &mount_id, 0), 0) << errno;
    return handle;
  }

  static UniqueFd OpenHandle(const Mount& mount, Handle& handle) {
    const UniqueFd root(::open(mount.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return UniqueFd(::open_by_handle_at(root.get(), handle.get(), O_RDONLY | O_CLOEXEC));
  }

  static void ForgetAll() { std::ofstream("/proc/sys/vm/drop_caches") << "2\n"; }

  const SampleDataset data_;
};

// M15.
TEST_F(MountHandleTest, OpensFilesAndDirectories) {
  const Mount mount(data_.container());
  for (const char* name : {"LICENSE", "train/class 1/image_001.jpg", "deep/a/b/c", ""}) {
    Handle handle = HandleOf(mount / name);
    struct stat before {};
    ASSERT_EQ(::stat((mount / name).c_str(), &before), 0);
    ForgetAll();
    const UniqueFd fd = OpenHandle(mount, handle);
    ASSERT_TRUE(fd.valid()) << name << ": " << errno;
    struct stat after {};
    ASSERT_EQ(::fstat(fd.get(), &after), 0);
    EXPECT_EQ(after.st_ino, before.st_ino) << name;
    EXPECT_EQ(after.st_size, before.st_size) << name;
  }
}

// M15.
TEST_F(MountHandleTest, OutliveTheMount) {
  Handle handle;
  {
    const Mount mount(data_.container());
    handle = HandleOf(mount / "video.mp4");
  }
  const Mount again(data_.container());
  const UniqueFd fd = OpenHandle(again, handle);
  ASSERT_TRUE(fd.valid()) << errno;
  std::string bytes(data_.files().at("video.mp4").size(), '\0');
  EXPECT_EQ(PreadFull(fd.get(), std::as_writable_bytes(std::span(bytes)), 0, "video"),
            bytes.size());
  EXPECT_EQ(bytes, data_.files().at("video.mp4"));
}

TEST_F(MountHandleTest, OfNoNodeAreStale) {
  const Mount mount(data_.container());
  Handle handle = HandleOf(mount / "video.mp4");
  handle.get()->f_handle[0] = 0x55;  // the low bits of the object's number
  EXPECT_FALSE(OpenHandle(mount, handle).valid());
  EXPECT_EQ(errno, ESTALE);
}

}  // namespace
}  // namespace ulhff
