// What a Writer makes of the data: exact bytes, and the sections and types that follow from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/dataset.h"
#include "tests/temp_dir.h"
#include "ulhff/format.h"
#include "ulhff/writer.h"

namespace ulhff {
namespace {

using testing::ElementsAre;

// --- exact bytes

// The image that section 12 of docs/format.md lists: lines of an offset and bytes in hexadecimal,
// two blanks before what they mean.
std::string DocumentedExample() {
  std::istringstream page(ReadBytes(std::string(ULHFF_SOURCE_DIR) + "/docs/format.md"));
  std::string image;
  for (std::string line; std::getline(page, line);) {
    if (line.find(" bytes; all that are not listed are 0") != std::string::npos) {
      image.resize(std::stoul(line));
    }
    const bool is_row = line.find_first_not_of("0123456789abcdef") == 8 && line.find("  ") == 8;
    if (!is_row) continue;
    size_t at = std::stoul(line, nullptr, 16);
    std::istringstream bytes(line.substr(10, line.find("  ", 10) - 10));
    for (std::string byte; bytes >> byte;) {
      image.at(at++) = static_cast<char>(std::stoul(byte, nullptr, 16));
    }
  }
  return image;
}

TEST(WorkedExample, IsWhatTheWriterMakes) {
  const TempDir dir;
  SmallestDataset().Write(dir / "smallest.ulhff");
  const std::string made = ReadBytes(dir / "smallest.ulhff");
  const std::string documented = DocumentedExample();
  ASSERT_EQ(made.size(), documented.size());
  const auto differ = std::mismatch(made.begin(), made.end(), documented.begin());
  EXPECT_TRUE(differ.first == made.end()) << "at " << differ.first - made.begin();
}

TEST(WorkedExample, IsTheGoldenFile) {
  const std::string golden = std::string(ULHFF_SOURCE_DIR) + "/tests/golden/v1/smallest.ulhff";
  EXPECT_TRUE(ReadBytes(golden) == DocumentedExample());
}

TEST(WriterLayout, MakesTheSameBytesOfTheSameCalls) {
  const TempDir dir;
  Dataset data = RandomDataset(1, {.objects = 100, .splits = 2, .shuffled_order = true});
  const std::string uuid = data.Write(dir / "a.ulhff");
  data.options.sort_memory = 16 << 20;  // how it sorts does not show
  EXPECT_EQ(data.Write(dir / "b.ulhff"), uuid);
  EXPECT_TRUE(ReadBytes(dir / "a.ulhff") == ReadBytes(dir / "b.ulhff"));
}

TEST(WriterLayout, NamesAFileByItsContents) {
  const TempDir dir;
  Dataset data = SmallestDataset();
  const std::string uuid = data.Write(dir / "a.ulhff");
  EXPECT_EQ(uuid, "4f1c1083-c77b-aea0-a79a-7b06c97a1c06");
  data.objects[0].media = "n";
  EXPECT_NE(data.Write(dir / "b.ulhff"), uuid);
}

// --- sections that are there only where needed

std::vector<SectionType> Sections(const std::string& path) {
  const std::string bytes = ReadBytes(path);
  const auto superblock = LoadAt<Superblock>(AsBytes(bytes), 0);
  std::vector<SectionType> types;
  for (size_t i = 0; i < superblock.sections; ++i) {
    types.push_back(static_cast<SectionType>(static_cast<uint16_t>(superblock.table.at(i).type)));
  }
  return types;
}

Dataset TableOf(std::vector<uint64_t> pair_counts) {
  Dataset data;
  data.options.fields = {{"text", "txt"}};
  for (const uint64_t count : pair_counts) {
    data.objects.push_back({"jpg", "m", std::vector<DatasetPair>(count, {{"t"}}), std::nullopt});
  }
  return data;
}

using enum SectionType;

TEST(WriterSections, OfAnEvenTableAreTheLeast) {
  const TempDir dir;
  TableOf({5, 5, 5}).Write(dir / "out");
  EXPECT_THAT(Sections(dir / "out"), ElementsAre(kObjects, kTexts, kDirectoryStarts,
                                                 kDirectoryParents, kDirectoryChildren));
}

TEST(WriterSections, OfAnUnevenTableHoldTheTree) {
  const TempDir dir;
  TableOf({5, 4}).Write(dir / "out");
  EXPECT_THAT(Sections(dir / "out"),
              ElementsAre(kObjects, kPairStarts, kPairTree, kTexts, kDirectoryStarts,
                          kDirectoryParents, kDirectoryChildren));
}

TEST(WriterSections, HoldAnOrderOnlyIfItDiffers) {
  const TempDir dir;
  Dataset data = TableOf({1, 1, 1, 1});
  data.order = {0, 1, 2, 3};
  data.Write(dir / "same");
  EXPECT_THAT(Sections(dir / "same"), testing::Not(testing::Contains(kOrder)));
  EXPECT_THAT(Sections(dir / "same"), testing::Not(testing::Contains(kOrderStarts)));
  data.order = {2, 3, 0, 1};
  data.Write(dir / "rotated");
  // A permutation of few is one block, runs are two.
  EXPECT_THAT(Sections(dir / "rotated"), testing::Contains(kOrder));
}

TEST(WriterSections, HoldRunsWhereTheyTakeFewerBlocks) {
  const TempDir dir;
  Dataset data = TableOf(std::vector<uint64_t>(9000, 1));
  for (uint64_t i = 0; i < 9000; ++i) data.order.push_back((i + 4000) % 9000);
  data.Write(dir / "out");
  EXPECT_THAT(Sections(dir / "out"), testing::Contains(kOrderStarts));
  EXPECT_THAT(Sections(dir / "out"), testing::Not(testing::Contains(kOrder)));
}

TEST(WriterSections, HoldTimesAndExtensionsOnlyIfTheyDiffer) {
  const TempDir dir;
  Dataset data = TableOf({1, 1});
  data.options.default_mtime_ns = 7;
  data.objects[0].mtime_ns = 7;
  data.Write(dir / "same");
  EXPECT_THAT(Sections(dir / "same"), testing::Not(testing::Contains(kObjectTimes)));
  data.objects[0].mtime_ns = 8;
  data.objects[1].extension = "png";
  data.Write(dir / "differ");
  EXPECT_THAT(Sections(dir / "differ"), testing::Contains(kObjectTimes));
  EXPECT_THAT(Sections(dir / "differ"), testing::Contains(kObjectExtensions));
  EXPECT_THAT(Sections(dir / "differ"), testing::Not(testing::Contains(kTextTimes)));
}

struct PairingCase {
  const char* name;
  size_t fields;
  std::vector<uint64_t> pair_counts;
  PairingType type;
  IndexKind index;
  uint64_t ratio;
};
const PairingCase kPairings[] = {
    {"None", 1, {}, PairingType::kOneToOne, IndexKind::kIdentity, 1},
    {"OneToOne", 1, {1, 1, 1}, PairingType::kOneToOne, IndexKind::kIdentity, 1},
    {"Fixed", 1, {5, 5}, PairingType::kFixedOneToMany, IndexKind::kFixedRatio, 5},
    {"FixedOfOneObject", 1, {3}, PairingType::kFixedOneToMany, IndexKind::kFixedRatio, 3},
    {"Hybrid", 1, {10, 5, 5, 5}, PairingType::kHybridOneToMany, IndexKind::kAvlPlus, 0},
    {"UniModal", 0, {1, 1}, PairingType::kUniModal, IndexKind::kIdentity, 1},
    {"UniModalWithDuplicates", 0, {2, 1}, PairingType::kUniModal, IndexKind::kAvlPlus, 0},
    {"UniModalInTwos", 0, {2, 2}, PairingType::kUniModal, IndexKind::kFixedRatio, 2},
};

class Pairing : public testing::TestWithParam<PairingCase> {};

TEST_P(Pairing, FollowsFromTheData) {
  const TempDir dir;
  Dataset data = TableOf(GetParam().pair_counts);
  if (GetParam().fields == 0) {
    data.options.fields.clear();
    for (auto& object : data.objects) {
      for (auto& pair : object.pairs) pair.texts.clear();
    }
  }
  data.Write(dir / "out");
  const auto superblock = LoadAt<Superblock>(AsBytes(ReadBytes(dir / "out")), 0);
  EXPECT_EQ(superblock.type, static_cast<uint8_t>(GetParam().type));
  EXPECT_EQ(superblock.index, static_cast<uint8_t>(GetParam().index));
  EXPECT_EQ(superblock.ratio, GetParam().ratio);
  EXPECT_EQ(superblock.pairs, data.pairs());
}

INSTANTIATE_TEST_SUITE_P(Types, Pairing, testing::ValuesIn(kPairings),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace ulhff
