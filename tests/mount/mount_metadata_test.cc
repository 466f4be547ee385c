// --hf-metadata: a metadata.jsonl as the kernel shows it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <string>

#include "tests/mount_fixture.h"

namespace ulhff {
namespace {

class MountMetadataTest : public testing::Test {
 protected:
  void SetUp() override { ULHFF_SKIP_WITHOUT_FUSE(); }
  const SampleDataset data_;
};

// M18.
TEST_F(MountMetadataTest, HasATrueSizeAndReadsWhole) {
  const Mount mount(data_.container(), {"--view=pairs", "--hf-metadata"});
  struct stat st {};
  ASSERT_EQ(::stat((mount / "metadata.jsonl").c_str(), &st), 0);
  const std::string rows = ReadFile(mount / "metadata.jsonl");
  EXPECT_EQ(static_cast<size_t>(st.st_size), rows.size());
  EXPECT_EQ(static_cast<uint64_t>(std::count(rows.begin(), rows.end(), '\n')), data_.pairs());
  EXPECT_TRUE(rows.starts_with(R"({"file_name": "00000/000000000.)")) << rows.substr(0, 80);
  EXPECT_EQ(OpenErrno(mount / "metadata.jsonl", O_WRONLY), EROFS);
}

TEST_F(MountMetadataTest, IsListedOnceAndOnlyIfAskedFor) {
  const auto names = [](const Mount& mount) {
    std::multiset<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(mount.path()))
      names.insert(entry.path().filename());
    return names;
  };
  {
    const Mount mount(data_.container(), {"-o", "view=objects,hf_metadata"});
    EXPECT_EQ(names(mount), (std::multiset<std::string>{"00000", "metadata.jsonl"}));
  }
  const Mount mount(data_.container(), {"--view=objects"});
  EXPECT_EQ(names(mount), (std::multiset<std::string>{"00000"}));
}

}  // namespace
}  // namespace ulhff
