// Pair to object: arithmetic, and the AVLplus tree against a plain search.
#include "ulhff/asr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/index_file.h"
#include "ulhff/error.h"
#include "ulhff/index_sequence.h"

namespace ulhff {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

void ExpectLocation(const PairIndex& index, uint64_t pair, uint64_t object, uint64_t slot) {
  const PairLocation location = index.Locate(pair);
  EXPECT_EQ(location.object, object) << "pair " << pair;
  EXPECT_EQ(location.slot, slot) << "pair " << pair;
}

void ExpectPairs(const PairIndex& index, uint64_t object, uint64_t first, uint64_t count) {
  const PairRange pairs = index.Pairs(object);
  EXPECT_EQ(pairs.first, first) << "object " << object;
  EXPECT_EQ(pairs.count, count) << "object " << object;
}

TEST(AsrTest, IdentityIsOneToOne) {
  const IdentityIndex index;
  ExpectLocation(index, 0, 0, 0);
  ExpectLocation(index, uint64_t{1} << 40, uint64_t{1} << 40, 0);
  ExpectPairs(index, uint64_t{1} << 40, uint64_t{1} << 40, 1);
}

TEST(AsrTest, FixedRatioIsDivision) {
  const FixedRatioIndex index(5);
  ExpectLocation(index, 0, 0, 0);
  ExpectLocation(index, 4, 0, 4);
  ExpectLocation(index, 5, 1, 0);
  ExpectLocation(index, 5'000'000'000'003, 1'000'000'000'000, 3);
  ExpectPairs(index, 1'000'000'000'000, 5'000'000'000'000, 5);
}

// An AvlPlus index in a file: PAIR_STARTS blocks first, the tree behind them.
class AvlPlus {
 public:
  AvlPlus(const std::vector<uint64_t>& starts, uint64_t per_block,
          const std::function<void(std::map<uint64_t, BlockBytes>&, uint64_t tree)>& edit = {}) {
    std::vector<PackedValue> values;
    for (const uint64_t start : starts) values.push_back({start, 0});
    auto blocks = PackBlocks(values, per_block);
    const uint64_t leaves = blocks.size();
    std::vector<std::vector<uint64_t>> levels(1);
    for (uint64_t leaf = 0; leaf < leaves; ++leaf) {
      levels[0].push_back(starts[leaf * per_block]);
    }
    while (levels.back().size() > 512) {
      std::vector<uint64_t> above;
      for (size_t i = 0; i < levels.back().size(); i += 512) above.push_back(levels.back()[i]);
      levels.push_back(above);
    }
    uint64_t next = leaves;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      for (size_t begin = 0; begin < level->size(); begin += 512) {
        blocks[next++] = KeyBlock(*level, begin);
      }
    }
    if (edit) edit(blocks, leaves);
    const auto size = AvlPlusIndex::SizeOfTree(leaves);
    EXPECT_EQ(size.blocks, next - leaves);
    file_ = std::make_unique<IndexFile>(next, blocks);
    blocks_ = file_->Open();
    starts_ = PackedSequence(*blocks_, PackedEntry(starts.size(), per_block));
    index_ = std::make_unique<AvlPlusIndex>(*blocks_, starts_, leaves);
  }

  const AvlPlusIndex& index() const { return *index_; }
  const IndexFile& file() const { return *file_; }

 private:
  static BlockBytes KeyBlock(const std::vector<uint64_t>& keys, size_t begin) {
    std::array<Le<uint64_t>, 512> block;
    block.fill(~uint64_t{0});
    for (size_t i = begin; i < std::min(keys.size(), begin + 512); ++i) block[i - begin] = keys[i];
    BlockBytes bytes;
    std::memcpy(bytes.data(), block.data(), sizeof(block));
    return bytes;
  }

  std::unique_ptr<IndexFile> file_;
  std::unique_ptr<IndexBlocks> blocks_;
  PackedSequence starts_;
  std::unique_ptr<AvlPlusIndex> index_;
};

TEST(AsrTest, TheTreeOfTheLeavesHasTheSizeOfTheFormat) {
  const auto expect = [](uint64_t leaves, uint64_t keys, uint64_t blocks) {
    const auto size = AvlPlusIndex::SizeOfTree(leaves);
    EXPECT_EQ(size.keys, keys) << leaves;
    EXPECT_EQ(size.blocks, blocks) << leaves;
  };
  expect(1, 1, 1);
  expect(512, 512, 1);
  expect(513, 513 + 2, 2 + 1);
  expect(512 * 512, 512 * 512 + 512, 512 + 1);
  expect(512 * 512 + 1, 512 * 512 + 1 + 513 + 2, 513 + 2 + 1);
}

TEST(AsrTest, AvlPlusFindsTheObjectOfEveryPair) {
  struct Case {
    uint64_t objects, per_block, max_pairs;
  };
  for (const auto& [objects, per_block, max_pairs] :
       {Case{1, 10, 3}, Case{7, 100, 9}, Case{1000, 10, 4}, Case{3000, 2, 3}, Case{1100, 1, 2}}) {
    std::mt19937_64 random(objects);
    std::vector<uint64_t> starts = {0};
    for (uint64_t o = 0; o < objects; ++o)
      starts.push_back(starts.back() + 1 + random() % max_pairs);
    const AvlPlus avl(starts, per_block);
    for (uint64_t object = 0; object < objects; ++object) {
      const uint64_t count = starts[object + 1] - starts[object];
      ExpectPairs(avl.index(), object, starts[object], count);
      for (uint64_t slot = 0; slot < count; ++slot) {
        ExpectLocation(avl.index(), starts[object] + slot, object, slot);
      }
    }
  }
}

TEST(AsrTest, AvlPlusFindsPairsBeyond32Bits) {
  std::vector<uint64_t> starts;
  for (uint64_t o = 0; o <= 1000; ++o) starts.push_back(o * 40'000'000 + o % 7);
  const AvlPlus avl(starts, 20);
  ExpectLocation(avl.index(), 39'960'000'004, 998, 40'000'000);
  ExpectLocation(avl.index(), 39'960'000'005, 999, 0);
  ExpectLocation(avl.index(), starts[1000] - 1, 999, starts[1000] - starts[999] - 1);
  ExpectLocation(avl.index(), (uint64_t{1} << 32) + 9, 107, (uint64_t{1} << 32) + 9 - starts[107]);
}

TEST(AsrTest, ATreeThatContradictsItsLeavesIsAnError) {
  const std::vector<uint64_t> starts = {0, 3, 5, 6, 9, 12};
  const auto set_key = [](size_t key, uint64_t value) {
    return [=](std::map<uint64_t, BlockBytes>& blocks, uint64_t tree) {
      const Le<uint64_t> stored = value;
      std::memcpy(blocks[tree].data() + 8 * key, &stored, 8);
    };
  };
  // Leaves of two elements begin at 0, 5 and 9.
  EXPECT_THAT([&] { AvlPlus(starts, 2, set_key(0, 4)).index().Locate(2); },
              ThrowsMessage<FormatError>(HasSubstr("pair tree: no key is as small as pair 2")));
  EXPECT_THAT([&] { AvlPlus(starts, 2, set_key(1, 4)).index().Locate(4); },
              ThrowsMessage<FormatError>(HasSubstr("element 2: 5 is greater than 4")));
  EXPECT_THAT(
      [&] {
        AvlPlus({0, 2, 2, 4}, 4).index().Pairs(1);
      },
      ThrowsMessage<FormatError>(HasSubstr("element 1: an object without pairs")));
  EXPECT_THAT(
      [&] {
        AvlPlus({0, 2, 4}, 4).index().Locate(5);
      },
      ThrowsMessage<FormatError>(HasSubstr("ends before the last pair")));
}

}  // namespace
}  // namespace ulhff
