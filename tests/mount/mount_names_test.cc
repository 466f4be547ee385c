// Names that no directory can hold, in a mount: a listing and every file of it can be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/forged_names.h"
#include "tests/mount_fixture.h"

namespace ulhff {
namespace {

TEST(MountNamesTest, ShowsForgedNamesEscaped) {
  ULHFF_SKIP_WITHOUT_FUSE();
  const PublicDir dir;
  const auto wanted = WriteForgedNames(dir / "file");
  const Mount mount(dir / "file", {"--view", "source"});
  std::map<std::string, std::string> shown;
  for (const auto& entry : std::filesystem::directory_iterator(mount.path())) {
    shown[entry.path().filename()] = ReadFile(entry.path());
  }
  EXPECT_EQ(shown, wanted);
}

}  // namespace
}  // namespace ulhff
