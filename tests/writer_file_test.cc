// The buffered output: the same bytes however they come, padding, holes.
#include "ulhff/writer_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "tests/temp_dir.h"

namespace ulhff {
namespace {

constexpr size_t kMiB = 1 << 20;

class OutputInPieces : public testing::TestWithParam<size_t> {};

TEST_P(OutputInPieces, IsTheSameFile) {
  const TempDir dir;
  std::string bytes;
  for (int i = 0; bytes.size() < 5 * kMiB + 123; ++i) bytes += std::to_string(i);
  OutputFile out(dir / "out", false);
  for (size_t at = 0; at < bytes.size(); at += GetParam()) {
    out.Append(AsBytes(std::string_view(bytes).substr(at, GetParam())));
  }
  EXPECT_EQ(out.offset(), bytes.size());
  out.Finish(AsBytes("start"));
  EXPECT_TRUE(ReadBytes(dir / "out") == bytes.replace(0, 5, "start"));
}

INSTANTIATE_TEST_SUITE_P(Sizes, OutputInPieces,
                         testing::Values(1000, kMiB - 1, kMiB, kMiB + 1, 3 * kMiB + 7, 6 * kMiB));

TEST(OutputFileTest, PadsWithZerosUpToAMultiple) {
  const TempDir dir;
  OutputFile out(dir / "out", false);
  out.PadTo(64);
  EXPECT_EQ(out.offset(), 0u);
  out.Append(AsBytes("abc"));
  out.PadTo(64);
  EXPECT_EQ(out.offset(), 64u);
  out.PadTo(64);
  EXPECT_EQ(out.offset(), 64u);
  out.AppendZeros(10000);
  out.Append(AsBytes("d"));
  out.Finish(AsBytes("A"));
  EXPECT_EQ(ReadBytes(dir / "out"), "Abc" + std::string(10061, '\0') + "d");
}

TEST(OutputFileTest, LeavesHolesWhereZerosAre) {
  const TempDir dir;
  OutputFile out(dir / "out", false);
  const std::string zeros(kMiB + kMiB / 2, '\0');
  for (int i = 0; i < 100; ++i) out.Append(AsBytes(zeros));
  out.Finish(AsBytes("start"));
  struct stat st {};
  ASSERT_EQ(::stat((dir / "out").c_str(), &st), 0);
  EXPECT_EQ(st.st_size, static_cast<off_t>(150 * kMiB));  // though it ends in a hole
  EXPECT_LT(st.st_blocks, static_cast<blkcnt_t>(2 * kMiB / 512));
}

}  // namespace
}  // namespace ulhff
