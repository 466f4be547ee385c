// Temporary files of exports: those of dead ones go, those of running ones stay.
#include "converter/target_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temp_dir.h"

namespace ulhff {
namespace {

using testing::ElementsAre;

TEST(TargetDirectoryTest, RemovesWhatKilledExportsLeft) {
  const TempDir dir;
  WriteBytes(dir / ".ulhff-export.12.3", "half");
  WriteBytes(dir / ".ulhff-export.txt", "not ours");
  TargetDirectory::OpenRoot(dir.path()).RemoveAbandoned();
  EXPECT_THAT(dir.Names(), ElementsAre(".ulhff-export.txt"));
}

TEST(TargetDirectoryTest, LeavesWhatARunningExportWritesOrLinks) {
  const TempDir dir;
  const TargetDirectory root = TargetDirectory::OpenRoot(dir.path());
  TargetFile file(root);
  file.Write(AsBytes("whole"));
  root.RemoveAbandoned();
  file.Publish("a", false);
  TargetFile link(root, root, "a");
  root.RemoveAbandoned();
  link.Publish("b", false);
  EXPECT_THAT(dir.Names(), ElementsAre("a", "b"));
  EXPECT_EQ(ReadBytes(dir / "b"), "whole");
}

}  // namespace
}  // namespace ulhff
