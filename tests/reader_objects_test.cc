// Layouts computed from handcrafted sections, with numbers that no real test file could hold.
#include "ulhff/reader_objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <vector>

#include "tests/index_file.h"
#include "ulhff/error.h"

namespace ulhff {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

BlockBytes Line(uint64_t base, uint64_t slope) {
  BlockBytes block{};
  PackedHead head;
  head.base = base;
  head.slope = slope << 16;
  std::memcpy(block.data(), &head, sizeof(head));
  return block;
}

SectionTable TableOf(const std::map<SectionType, SectionEntry>& sections) {
  SectionTable table{};
  for (const auto& [type, entry] : sections) {
    table[static_cast<size_t>(type)] = entry;
    table[static_cast<size_t>(type)].type = static_cast<uint16_t>(type);
  }
  return table;
}

// 2^33 pairs of 2^13 objects with 2^20 pairs each, all texts empty but for the last 65536 of one
// byte each. What is not a line of its own block is zeros, hence a hole.
TEST(ObjectTableTest, NumbersBeyond32Bits) {
  constexpr uint64_t kPairs = uint64_t{1} << 33;
  constexpr uint64_t kRatio = uint64_t{1} << 20;
  constexpr uint64_t kObjects = kPairs / kRatio;
  constexpr uint64_t kTextBlocks = kPairs / kMaxPerBlock + 1;
  constexpr uint64_t kObjectsPerBlock = 5000;
  // 8 MiB of text sums, and a media of 66552 bytes (of 1016 in the last object) with its sum.
  constexpr uint64_t kUnits = (kRatio * kSumSize + 65536 + 1024) / 64;
  IndexFile file(kTextBlocks + 2, {{kTextBlocks - 2, Line(0, 1)},
                                   {kTextBlocks - 1, Line(65536, 0)},
                                   {kTextBlocks, Line(0, kUnits)},
                                   {kTextBlocks + 1, Line(kObjectsPerBlock * kUnits, kUnits)}});
  const auto blocks = file.Open();
  const Sections sections(*blocks,
                          TableOf({{SectionType::kTexts, PackedEntry(kPairs + 1, kMaxPerBlock, 0)},
                                   {SectionType::kObjects,
                                    PackedEntry(kObjects + 1, kObjectsPerBlock, 0, kTextBlocks)}}));
  Superblock sb;
  sb.pairs = kPairs;
  sb.objects = kObjects;
  sb.ratio = kRatio;
  sb.fields = 1;
  sb.index = static_cast<uint8_t>(IndexKind::kFixedRatio);
  sb.alignment = 6;
  sb.body_offset = 8192;
  sb.blobs_offset = sb.index_offset = 8192 + kObjects * kUnits * 64;
  const ObjectTable table(sections, sb);

  EXPECT_EQ(table.Locate(kPairs - 1).object, kObjects - 1);
  EXPECT_EQ(table.Locate(kPairs - 1).slot, kRatio - 1);
  const ObjectLayout second_last = table.Object(kObjects - 2);
  EXPECT_EQ(second_last.media_size, 66'552);
  EXPECT_EQ(second_last.texts_size, 0);
  const ObjectLayout last = table.Object(kObjects - 1);
  EXPECT_EQ(last.offset, 8192 + (kObjects - 1) * kUnits * 64);
  EXPECT_EQ(last.first_pair, kPairs - kRatio);
  EXPECT_EQ(last.first_text, kPairs - kRatio);
  EXPECT_EQ(last.texts, kRatio);
  EXPECT_EQ(last.texts_size, 65'536);
  EXPECT_EQ(last.media_size, 1'016);
  EXPECT_EQ(last.text_sum_position(kPairs - 1) + kSumSize, last.size);
  EXPECT_EQ(table.Text(last, kPairs - 65'537).size, 0);
  EXPECT_EQ(table.Text(last, kPairs - 1).size, 1);
  EXPECT_EQ(table.Text(last, kPairs - 1).position, 1'016 + 65'535);
  EXPECT_EQ(table.ObjectOfText(kPairs - 1).offset, last.offset);
}

// One object of one text; what its sections say is varied.
struct LayoutCase {
  const char* name;
  std::vector<PackedValue> objects;  // value in units of 64, padding
  std::vector<PackedValue> texts;    // value, absent
  const char* error;                 // "": the object is sound, with a media of `media_size`
  uint64_t media_size;
};

class ObjectLayouts : public testing::TestWithParam<LayoutCase> {};

TEST_P(ObjectLayouts, AreSoundOrRefused) {
  auto file_blocks = PackBlocks(GetParam().objects, 10, 6);
  file_blocks.merge(PackBlocks(GetParam().texts, 10, 1, 1));
  IndexFile file(2, file_blocks);
  const auto blocks = file.Open();
  const Sections sections(*blocks, TableOf({{SectionType::kObjects, PackedEntry(2, 10, 6)},
                                            {SectionType::kTexts, PackedEntry(2, 10, 1, 1)}}));
  Superblock sb;
  sb.pairs = sb.objects = sb.ratio = 1;
  sb.fields = 1;
  sb.alignment = 6;
  sb.body_offset = 8192;
  sb.blobs_offset = sb.index_offset = 8192 + 64 * 10'000;
  const ObjectTable table(sections, sb);
  const auto use = [&] { return table.Text(table.Object(0), 0); };
  if (*GetParam().error == '\0') {
    EXPECT_EQ(table.Object(0).media_size, GetParam().media_size);
    EXPECT_NO_THROW(use());
  } else {
    EXPECT_THAT(use, ThrowsMessage<FormatError>(HasSubstr(GetParam().error)));
  }
}

const LayoutCase kLayoutCases[] = {
    {"Sound", {{0, 4}, {2, 0}}, {{0, 0}, {8, 0}}, "", 100},
    {"EmptyMedia", {{0, 48}, {1, 0}}, {{0, 0}, {8, 0}}, "", 0},
    {"TwoChunks", {{0, 32}, {4098, 0}}, {{0, 0}, {8, 0}}, "", 262'208},
    {"Decreases", {{5, 0}, {3, 0}}, {{0, 0}, {8, 0}}, "values decrease: 3 after 5", 0},
    {"BehindTheBody", {{0, 0}, {10'001, 0}}, {{0, 0}, {8, 0}}, "ends behind the body", 0},
    {"FarBehindTheBody", {{0, 0}, {uint64_t{1} << 57, 0}}, {{0, 0}, {8, 0}}, "ends behind the", 0},
    {"Padding", {{1, 63}, {1, 0}}, {{0, 0}, {8, 0}}, "padding 63, more than the 0 bytes", 0},
    {"TextsLargerThanTheObject", {{0, 0}, {1, 0}}, {{0, 0}, {65, 0}}, "less than its texts", 0},
    {"NoRoomForTheSum", {{0, 0}, {1, 0}}, {{0, 0}, {57, 0}}, "less than its texts (57) and th", 0},
    {"NoMediaOfThatSize",
     {{0, 0}, {1, 0}},
     {{0, 0}, {50, 0}},
     "no media has 6 bytes with its sums",
     0},
    {"NoMediaOfThatSizeOfTwoChunks", {{0, 8}, {4098, 0}}, {{0, 0}, {100, 0}}, "no media has", 0},
    {"TextsDecrease", {{0, 4}, {2, 0}}, {{9, 0}, {8, 0}}, "text positions decrease", 0},
    {"AbsentTextOfBytes", {{0, 4}, {2, 0}}, {{0, 1}, {8, 0}}, "an absent text of 8 bytes", 0},
};
INSTANTIATE_TEST_SUITE_P(Reader, ObjectLayouts, testing::ValuesIn(kLayoutCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace ulhff
