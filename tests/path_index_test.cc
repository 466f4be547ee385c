// Tests that media are found by their names, whatever the names and their hashes.
#include "converter/path_index.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/temp_dir.h"

namespace ulhff {
namespace {

uint64_t SameHash(std::string_view) { return 0x1234567890abcdef; }
uint64_t SizeAsHash(std::string_view name) { return name.size() << 60 | name.size(); }

class PathIndexTest : public testing::TestWithParam<PathIndex::Hash> {
 protected:
  uint64_t Add(const std::string& name) {
    FileRecord record;
    record.name = name;
    record.path = "/somewhere/" + name;
    return files.Add(record);
  }
  TempDir dir;
  FileList files{dir.path()};
};

TEST_P(PathIndexTest, FindsEveryNameAndNoOther) {
  PathIndex index(files, GetParam());
  std::vector<uint64_t> positions;
  for (int i = 0; i < 3000; ++i) {  // grows twice
    const std::string name = "n" + std::to_string(i);
    ASSERT_FALSE(index.Find(name));
    positions.push_back(Add(name));
    index.Insert(name, positions.back());
    if (GetParam() != &PathIndex::DefaultHash && i == 300) break;  // every name is compared
  }
  for (size_t i = 0; i < positions.size(); ++i) {
    EXPECT_EQ(index.Find("n" + std::to_string(i)), positions[i]);
  }
  EXPECT_FALSE(index.Find("n"));
  EXPECT_FALSE(index.Find("n" + std::to_string(positions.size())));
}

TEST_P(PathIndexTest, ReplacesARecord) {
  PathIndex index(files, GetParam());
  const uint64_t old = Add("a");
  index.Insert("a", old);
  index.Insert("b", Add("b"));
  files.Drop(old);
  const uint64_t replacement = Add("a");
  index.Replace("a", replacement);
  EXPECT_EQ(index.Find("a"), replacement);
  for (int i = 0; i < 1000; ++i) index.Insert(std::to_string(i), Add(std::to_string(i)));
  EXPECT_EQ(index.Find("a"), replacement);
}

INSTANTIATE_TEST_SUITE_P(Hashes, PathIndexTest,
                         testing::Values(&PathIndex::DefaultHash, &SameHash, &SizeAsHash));

TEST(FileListTest, GivesRecordsBackInAnyOrder) {
  TempDir dir;
  FileList files(dir.path());
  std::vector<uint64_t> positions;
  for (uint64_t i = 0; i < 3000; ++i) {
    FileRecord record;
    record.name = std::string(i % 600, 'n') + std::to_string(i);
    record.path = std::string(i % 500, 'p') + std::to_string(i);
    record.offset = i;
    record.size = i * i;
    record.mtime_ns = -static_cast<int64_t>(i);
    record.to_end = i % 2 == 0;
    record.origin = {i, i + 1, i + 2};
    positions.push_back(files.Add(record));
  }
  files.Rename(positions[1234], "new name longer than the old~2");
  files.Drop(positions[77]);
  FileList::Cursor cursor(files);
  for (uint64_t i = 0; i < positions.size(); ++i) {
    const auto item = cursor.Next();
    ASSERT_TRUE(item);
    ASSERT_EQ(item->position, positions[i]);
    const FileRecord record = files.Read(positions[i]);
    const std::string name = i == 1234 ? "new name longer than the old~2"
                                       : std::string(i % 600, 'n') + std::to_string(i);
    for (const FileRecord& read : {record, item->record}) {
      ASSERT_EQ(read.name, name);
      ASSERT_EQ(read.path, std::string(i % 500, 'p') + std::to_string(i));
      ASSERT_EQ(read.size, i * i);
      ASSERT_EQ(read.mtime_ns, -static_cast<int64_t>(i));
      ASSERT_EQ(read.to_end, i % 2 == 0);
      ASSERT_EQ(read.origin.line, i + 1);
      ASSERT_EQ(read.dropped, i == 77);
    }
    ASSERT_EQ(files.HasName(positions[i], name), i != 77) << "dropped";
    ASSERT_FALSE(files.HasName(positions[i], name + "x"));
  }
  EXPECT_FALSE(cursor.Next());
}

}  // namespace
}  // namespace ulhff
