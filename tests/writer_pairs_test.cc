// Sections of datasets too large to make: offsets, texts and pairs far beyond 2^32, a tree of
// several levels. Read back block by block, by docs/format.md.
#include "ulhff/writer_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/temp_dir.h"
#include "ulhff/format.h"
#include "ulhff/packed.h"
#include "ulhff/writer_packed.h"

namespace ulhff {
namespace {

// An index by itself: the file begins with its blocks.
class IndexFile {
 public:
  explicit IndexFile(const std::function<void(IndexWriter&, Superblock&)>& write) {
    OutputFile out(dir_ / "index", false);
    IndexWriter index(out, dir_.path());
    write(index, superblock);
    index.Finish(superblock);
    out.Finish({});
    bytes_ = ReadBytes(dir_ / "index");
  }

  const SectionEntry& section(SectionType type) const {
    const auto end = superblock.table.begin() + superblock.sections;
    const auto found = std::find_if(superblock.table.begin(), end, [&](const SectionEntry& entry) {
      return entry.type == static_cast<uint16_t>(type);
    });
    if (found == end) throw std::out_of_range("no such section");
    return *found;
  }

  ByteSpan block(uint64_t number) const {
    return AsBytes(bytes_).subspan(number * kBlockSize, kBlockSize);
  }

  PackedValue at(SectionType type, uint64_t i) const {
    const SectionEntry& entry = section(type);
    const ByteSpan found = block(entry.first_block + i / entry.per_block);
    EXPECT_TRUE(CheckPackedBlock(found, entry.extra_bits, entry.per_block));
    return PackedBlock(found, entry.extra_bits).at(i % entry.per_block);
  }

  Superblock superblock;

 private:
  TempDir dir_;
  std::string bytes_;
};

Column Numbers(const TempDir& dir, const std::vector<uint64_t>& numbers) {
  Column column(dir.path());
  for (const uint64_t number : numbers) column.Append(number);
  return column;
}

TEST(WriteObjects, HoldsOffsetsAndPaddingsOfMediaOfManyGigabytes) {
  const TempDir dir;
  std::mt19937_64 random(1);
  std::vector<uint64_t> sizes;
  for (int i = 0; i < 5000; ++i)
    sizes.push_back(random() % 3 == 0 ? random() >> 24 : random() % 99);
  for (const unsigned log2 : {6u, 12u}) {
    const Column column = Numbers(dir, sizes);
    const IndexFile file([&](IndexWriter& index, Superblock&) {
      WriteObjects(index, SectionType::kObjects, column, log2);
    });
    const uint64_t unit = uint64_t{1} << log2;
    uint64_t offset = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const PackedValue value = file.at(SectionType::kObjects, i);
      ASSERT_EQ(value.value * unit, offset);
      const uint64_t end = file.at(SectionType::kObjects, i + 1).value * unit;
      ASSERT_EQ(end - offset - value.extra, sizes[i]);
      offset = end;
    }
    EXPECT_GT(offset, uint64_t{1} << 49);
    EXPECT_EQ(file.section(SectionType::kObjects).count, sizes.size() + 1);
    EXPECT_EQ(file.at(SectionType::kObjects, sizes.size()).extra, 0u);
  }
}

TEST(WriteTexts, HoldsPositionsBeyondTwoTo32) {
  const TempDir dir;
  std::mt19937_64 random(2);
  std::vector<uint64_t> codes;
  for (int i = 0; i < 5000; ++i) codes.push_back(TextCode(random() >> 24, false));
  codes[77] = TextCode(0, true);
  codes[78] = TextCode(0, false);
  const Column column = Numbers(dir, codes);
  const IndexFile file([&](IndexWriter& index, Superblock&) { WriteTexts(index, column); });
  uint64_t position = 0;
  for (size_t i = 0; i < codes.size(); ++i) {
    ASSERT_EQ(file.at(SectionType::kTexts, i), (PackedValue{position, i == 77 ? 1u : 0u}));
    position += codes[i] >> 1;
  }
  EXPECT_EQ(file.at(SectionType::kTexts, codes.size()), (PackedValue{position, 0}));
  EXPECT_GT(position, uint64_t{1} << 48);
}

// The tree of a file, searched as section 7 of the page says.
uint64_t ObjectOfPair(const IndexFile& file, uint64_t pair) {
  const SectionEntry& starts = file.section(SectionType::kPairStarts);
  std::vector<uint64_t> levels = {starts.blocks};
  while (levels.back() > 512) levels.push_back((levels.back() + 511) / 512);
  uint64_t block = file.section(SectionType::kPairTree).first_block;
  uint64_t child = 0;
  for (; !levels.empty(); levels.pop_back()) {
    const auto keys = LoadAt<std::array<Le<uint64_t>, 512>>(file.block(block + child), 0);
    const auto after = std::upper_bound(keys.begin(), keys.end(), pair);
    child = child * 512 + static_cast<uint64_t>(after - keys.begin()) - 1;
    block += (levels.back() + 511) / 512;
  }
  uint64_t low = child * starts.per_block;
  uint64_t high = std::min<uint64_t>(low + starts.per_block, starts.count);
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (file.at(SectionType::kPairStarts, middle).value <= pair ? low : high) = middle;
  }
  return low;
}

TEST(WritePairIndex, MakesATreeOfTwoLevelsOverPairsBeyondTwoTo32) {
  const TempDir dir;
  std::mt19937_64 random(3);
  std::vector<uint64_t> counts(600'000);
  for (uint64_t& count : counts) count = 1 + (random() % 9 == 0 ? random() >> 38 : random() % 9);
  const Column column = Numbers(dir, counts);
  const IndexFile file([&](IndexWriter& index, Superblock& superblock) {
    superblock.fields = 1;
    WritePairIndex(index, column, dir.path(), superblock);
  });
  EXPECT_EQ(file.superblock.index, static_cast<uint8_t>(IndexKind::kAvlPlus));
  const uint64_t leaves = file.section(SectionType::kPairStarts).blocks;
  ASSERT_GT(leaves, 512u);
  EXPECT_EQ(file.section(SectionType::kPairTree).count, leaves + (leaves + 511) / 512);
  uint64_t first = 0;
  for (size_t object = 0; object < counts.size(); ++object) {
    if (object % 97 == 0) {
      ASSERT_EQ(ObjectOfPair(file, first), object);
      ASSERT_EQ(ObjectOfPair(file, first + counts[object] - 1), object);
    }
    first += counts[object];
  }
  EXPECT_GT(first, uint64_t{1} << 38);
  EXPECT_EQ(file.at(SectionType::kPairStarts, counts.size()).value, first);
}

// --- how sequences are cut into blocks

PackedSource SourceOf(const std::vector<uint64_t>& values, unsigned extra_bits) {
  return {values.size(), extra_bits, [&values]() -> PackedStream {
            return [&values, i = size_t{0}]() mutable { return PackedValue{values[i++], 0}; };
          }};
}

struct PlanCase {
  const char* name;
  std::vector<uint64_t> values;
  unsigned extra_bits;
  uint64_t per_block;
  uint64_t blocks;
};

// Values that need `bits` bits: they jump up and down.
std::vector<uint64_t> Jumping(size_t count, unsigned bits) {
  std::vector<uint64_t> values(count);
  for (size_t i = 0; i < count; i += 2) values[i] = (uint64_t{1} << bits) - 1;
  return values;
}

std::vector<uint64_t> JumpingAtTheEnd(size_t count, size_t jumps, unsigned bits) {
  std::vector<uint64_t> values(count, 0);
  const auto tail = Jumping(jumps, bits);
  values.insert(values.end(), tail.begin(), tail.end());
  return values;
}

const PlanCase kPlans[] = {
    {"Nothing", {}, 0, 65536, 0},
    {"One", {5}, 0, 65536, 1},
    {"OneWithExtra", {5}, 8, 4072, 1},
    {"ConstantOfABlockAndOne", std::vector<uint64_t>(65537, 3), 0, 65536, 2},
    {"TenBits", Jumping(10000, 10), 0, 3257, 4},
    {"TenBitsAndOne", Jumping(10000, 10), 1, 2961, 4},
    {"SixtyFourBits", {0, ~uint64_t{0} >> 1, 0, ~uint64_t{0} >> 1, uint64_t{1} << 63}, 0, 509, 1},
    // The least that fits the last block is what all have.
    {"OneWideBlock", JumpingAtTheEnd(70000, 10, 20), 0, 1628, 44},
};

class Plan : public testing::TestWithParam<PlanCase> {};

TEST_P(Plan, TakesTheLeastBitsAtWhichEveryBlockFits) {
  const PlanCase& plan = GetParam();
  const PackedPlan found = PlanPacked(SourceOf(plan.values, plan.extra_bits));
  EXPECT_EQ(found.per_block, plan.per_block);
  EXPECT_EQ(found.blocks, plan.blocks);
  const IndexFile file([&](IndexWriter& index, Superblock&) {
    WritePacked(index, SectionType::kOrder, SourceOf(plan.values, plan.extra_bits));
    index.AddBlock({});  // an index has a block
  });
  EXPECT_EQ(file.section(SectionType::kOrder).blocks, plan.blocks);
  EXPECT_EQ(file.section(SectionType::kOrder).count, plan.values.size());
  for (size_t i = 0; i < plan.values.size(); ++i) {
    ASSERT_EQ(file.at(SectionType::kOrder, i).value, plan.values[i]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Sequences, Plan, testing::ValuesIn(kPlans),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace ulhff
