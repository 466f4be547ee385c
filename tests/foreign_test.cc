// Tests that formats which only a library reads are named, with the script that helps.
#include "converter/foreign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"
#include "converter/source.h"
#include "tests/temp_tree.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// As mindspore writes it: the header's length, the header, zeros to the end of a page.
const std::string kMindRecord =
    std::string("\xbb\x02\0\0\0\0\0\0", 8) +
    R"({"header_size":16777216,"index_fields":[],"page":[{"end_row_id":7,"page_id":0}],)"
    R"("schema":[{"desc":"","schema":{}}],"version":"3.0"})" +
    std::string(8000, '\0');

TEST(ForeignTest, FilesAndDirectoriesNameTheScript) {
  TempTree tree;
  tree.Write("a.parquet", "PAR1, and so on");
  tree.Write("set/data/train-0.parquet", "PAR1");
  tree.Write("b.mindrecord", kMindRecord);
  tree.Write("records/b0", kMindRecord);
  tree.Write("saved/state.json", "{}");
  tree.Write("saved/dataset_info.json", "{}");
  tree.Write("saved/data-0.arrow", "\xff\xff\xff\xff");
  tree.Write("splits/dataset_dict.json", "{}");
  tree.Write("splits/train/data-0.arrow", "\xff\xff\xff\xff");
  const std::pair<const char*, const char*> cases[] = {
      {"a.parquet",
       "is Parquet, which only a library reads: examples/parquet_to_tar.py FILE... | "},
      {"set", "holds Parquet"},
      {"b.mindrecord", "mindrecord_to_tar.py"},
      {"records", "mindrecord_to_tar.py"},
      {"saved", "is an Arrow dataset"},
      {"saved/data-0.arrow", "datasets_to_tar.py DIRECTORY"},
      {"splits", "datasets_to_tar.py"}};
  for (const auto& [path, what] : cases) {
    EXPECT_THAT([file = tree(path)] { Recognise(file, {}); },
                ThrowsMessage<UsageError>(AllOf(HasSubstr(path), HasSubstr(what))))
        << path;
  }
}

TEST(ForeignTest, ShardsOfMdsNeedTheirIndex) {
  TempTree tree{"d/shard.00000.mds", "e/train/shard.00000.mds.zstd"};
  for (const char* directory : {"d", "e"}) {
    EXPECT_THAT([&] { Recognise(tree(directory), {}); },
                ThrowsMessage<UsageError>(AllOf(HasSubstr("MDS"), HasSubstr("no index.json"))));
  }
  EXPECT_THAT([&] { Recognise(tree("d/shard.00000.mds"), {}); },
              ThrowsMessage<UsageError>(HasSubstr("name its directory")));
}

TEST(ForeignTest, OtherFilesAreNone) {
  TempTree tree{"a.csv", "d/b.jpg"};
  tree.Write("c.json", R"({"schema": 1, "page": 2})");
  EXPECT_EQ(ForeignFormat(tree("a.csv"), false, {}), "");
  EXPECT_EQ(ForeignFormat(tree("c.json"), false, {}), "");
  EXPECT_EQ(ForeignFormat(tree("d"), true, {}), "");
}

TEST(ForeignTest, BesideWhatIsReadTheyAreExtras) {
  TempTree tree{"a.jpg", "a.txt"};
  tree.Write("a.parquet", "PAR1");
  EXPECT_EQ(Recognise(tree.root(), {}).reading.from, "files");
}

TEST(ForeignTest, RealParquetIsKnown) {
  const std::string path = FixturePath("img2dataset_inputs/test_1000.parquet");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  EXPECT_THAT([&] { Recognise(path, {}); },
              ThrowsMessage<UsageError>(HasSubstr("examples/parquet_to_tar.py")));
}

}  // namespace
}  // namespace ulhff
