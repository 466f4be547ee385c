// Index blocks: the sum tree, the cache, damage, many threads; and sequences packed into them.
#include "ulhff/index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/index_file.h"
#include "ulhff/error.h"
#include "ulhff/index_sequence.h"

namespace ulhff {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr uint64_t kSmallCache = 8 * kBlockSize;
constexpr uint64_t kLargeCache = uint64_t{8} << 20;

// Each block begins with its number, the way that a test knows it again.
std::map<uint64_t, BlockBytes> Numbered(const std::vector<uint64_t>& numbers) {
  std::map<uint64_t, BlockBytes> blocks;
  for (const uint64_t number : numbers) {
    const Le<uint64_t> mark = number + 1;
    std::memcpy(blocks[number].data(), &mark, sizeof(mark));
  }
  return blocks;
}

std::vector<uint64_t> AllBelow(uint64_t count) {
  std::vector<uint64_t> numbers(count);
  for (uint64_t i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

uint64_t MarkOf(const IndexBlocks& blocks, uint64_t block) {
  return LoadAt<Le<uint64_t>>(blocks.Get(block).bytes(), 0) - 1;
}

// Read calls of this process so far.
uint64_t ReadCalls() {
  std::ifstream io("/proc/self/io");
  std::string key;
  uint64_t value = 0;
  while (io >> key >> value) {
    if (key == "syscr:") return value;
  }
  ADD_FAILURE() << "no /proc/self/io";
  return 0;
}

TEST(IndexTest, CountsTheSumBlocks) {
  const std::array<std::pair<uint64_t, uint64_t>, 6> cases = {{{1, 1},
                                                               {512, 1},
                                                               {513, 2 + 1},
                                                               {512 * 512, 512 + 1},
                                                               {512 * 512 + 1, 513 + 2 + 1},
                                                               {uint64_t{1} << 45, 0}}};
  for (const auto& [blocks, sums] : cases) {
    if (sums != 0) {
      EXPECT_EQ(IndexBlocks::SumBlocks(blocks), sums) << blocks;
    }
  }
  // 2^45 = 512^5: levels of 512^4, 512^3, 512^2, 512 and 1.
  EXPECT_EQ(IndexBlocks::SumBlocks(uint64_t{1} << 45),
            (uint64_t{1} << 36) + (uint64_t{1} << 27) + (uint64_t{1} << 18) + 512 + 1);
}

struct IndexCase {
  const char* name;
  uint64_t blocks;
  uint64_t cache_bytes;
};

class IndexOfSize : public testing::TestWithParam<IndexCase> {
 protected:
  // Some of every level's edges.
  std::vector<uint64_t> Interesting() const {
    std::vector<uint64_t> numbers;
    for (const uint64_t near : {uint64_t{0}, uint64_t{32}, uint64_t{512}, uint64_t{5000},
                                uint64_t{512 * 512}, GetParam().blocks}) {
      for (uint64_t i = near < 3 ? 0 : near - 3; i < near + 3; ++i) {
        if (i < GetParam().blocks) numbers.push_back(i);
      }
    }
    return numbers;
  }
};

TEST_P(IndexOfSize, HandsOutEveryBlock) {
  const auto numbers = Interesting();
  IndexFile file(GetParam().blocks, Numbered(numbers));
  const auto blocks = file.Open(GetParam().cache_bytes);
  for (int pass = 0; pass < 2; ++pass) {
    for (const uint64_t number : numbers) EXPECT_EQ(MarkOf(*blocks, number), number);
  }
}

TEST_P(IndexOfSize, ADamagedBlockFailsAlone) {
  const auto numbers = Interesting();
  IndexFile file(GetParam().blocks, Numbered(numbers));
  for (const uint64_t damaged : {numbers.front(), numbers[numbers.size() / 2], numbers.back()}) {
    file.Flip(damaged);
    const auto blocks = file.Open(GetParam().cache_bytes);
    for (const uint64_t number : numbers) {
      if (number == damaged) {
        EXPECT_THAT([&] { blocks->Get(number); },
                    ThrowsMessage<FormatError>(
                        HasSubstr("index block " + std::to_string(number) + ": checksum")));
      } else {
        EXPECT_EQ(MarkOf(*blocks, number), number);
      }
    }
    file.Flip(damaged);
  }
}

const IndexCase kIndexCases[] = {
    {"OneBlock", 1, kLargeCache},
    {"OneCluster", 20, kLargeCache},
    {"OneRoot", 512, kLargeCache},
    {"TwoLevels", 600, kLargeCache},
    {"OneRootSmallCache", 512, kSmallCache},
    {"TwoLevelsSmallCache", 600, kSmallCache},
    {"ThreeLevels", 512 * 512 + 5, kLargeCache},
    {"ThreeLevelsSmallCache", 512 * 512 + 5, kSmallCache},
};
INSTANTIATE_TEST_SUITE_P(Index, IndexOfSize, testing::ValuesIn(kIndexCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(IndexTest, ADamagedSumBlockFailsForTheBlocksBelowIt) {
  IndexFile file(1200, Numbered({0, 511, 512, 1023, 1024, 1199}));
  file.Flip(1201);  // the sums of blocks 512..1023
  const auto blocks = file.Open();
  for (const uint64_t number : {0U, 511U, 1024U, 1199U}) EXPECT_EQ(MarkOf(*blocks, number), number);
  for (const uint64_t number : {512U, 700U, 1023U}) {
    EXPECT_THAT([&] { blocks->Get(number); },
                ThrowsMessage<FormatError>(HasSubstr("sum block 1201: checksum")));
  }
}

TEST(IndexTest, ADamagedRootIsRefused) {
  IndexFile file(10, {});
  file.Flip(10);
  EXPECT_THAT([&] { file.Open(); }, ThrowsMessage<FormatError>(HasSubstr("root checksum")));
}

TEST(IndexTest, AnIndexThatFitsTheCacheComesInFewReads) {
  IndexFile file(320, Numbered(AllBelow(320)));
  const auto blocks = file.Open();
  const uint64_t before = ReadCalls();
  for (int pass = 0; pass < 3; ++pass) {
    for (uint64_t i = 0; i < 320; ++i) EXPECT_EQ(MarkOf(*blocks, i * 7 % 320), i * 7 % 320);
  }
  EXPECT_LE(ReadCalls() - before, 10 + 2) << "a read for each 32 blocks, and those of this test";
}

TEST(IndexTest, ABlockThatIsUsedOftenStaysInASmallCache) {
  IndexFile file(400, Numbered(AllBelow(400)));
  const auto blocks = file.Open(16 * kBlockSize);
  blocks->Get(0);
  const uint64_t before = ReadCalls();
  for (uint64_t i = 1; i < 400; ++i) {
    blocks->Get(i);
    blocks->Get(0);
  }
  EXPECT_LE(ReadCalls() - before, 399 + 5);
}

TEST(IndexTest, ServesManyThreads) {
  constexpr uint64_t kBlocks = 700;
  IndexFile file(kBlocks, Numbered(AllBelow(kBlocks)));
  for (const uint64_t cache : {kSmallCache, kLargeCache}) {
    const auto blocks = file.Open(cache);
    std::vector<std::thread> threads;
    for (uint64_t t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        std::mt19937_64 random(t);
        for (int i = 0; i < 2000; ++i) {
          const uint64_t number = random() % kBlocks;
          ASSERT_EQ(MarkOf(*blocks, number), number);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// --- packed sequences ---

std::vector<PackedValue> Growing(size_t count, uint64_t max_step, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<PackedValue> values(count);
  uint64_t value = random() % 100;
  for (PackedValue& v : values) {
    v = {value, random() % 4};
    value += random() % (max_step + 1);
  }
  return values;
}

TEST(PackedSequenceTest, FindsElementsByNumberAndByValue) {
  for (const uint64_t per_block : {1U, 3U, 64U, 500U}) {
    for (const uint64_t max_step : {uint64_t{0}, uint64_t{1}, uint64_t{1000}, uint64_t{1} << 40}) {
      const auto values = Growing(500, max_step, per_block + max_step);
      IndexFile file(500, PackBlocks(values, per_block, 2));
      const auto blocks = file.Open();
      const PackedSequence sequence(*blocks, PackedEntry(500, per_block, 2));
      std::mt19937_64 random(7);
      for (uint64_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(sequence.at(i), values[i]);
        if (i + 1 < values.size()) {
          const PackedSequence::Step step = sequence.StepAt(i);
          EXPECT_EQ(step.from, values[i]);
          EXPECT_EQ(step.to, values[i + 1]);
        }
        const uint64_t begin = random() % (i + 1);
        const uint64_t end = i + 1 + random() % (values.size() - i);
        const uint64_t wanted = values[i].value + random() % 3;
        const auto above =
            std::upper_bound(values.begin() + static_cast<ptrdiff_t>(begin),
                             values.begin() + static_cast<ptrdiff_t>(end), wanted,
                             [](uint64_t a, const PackedValue& b) { return a < b.value; });
        const auto expected = static_cast<uint64_t>(above - values.begin()) - 1;
        const PackedSequence::Found found = sequence.FindLast(wanted, begin, end);
        EXPECT_EQ(found.index, expected);
        EXPECT_EQ(found.value, values[expected].value);
      }
      uint64_t visited = 0;
      sequence.ForEach(3, 499, [&](uint64_t i, const PackedValue& value) {
        EXPECT_EQ(i, 3 + visited++);
        EXPECT_EQ(value, values[i]);
      });
      EXPECT_EQ(visited, 496);
    }
  }
}

TEST(PackedSequenceTest, ValuesThatDecreaseAreAnErrorWhereTheyAreUsed) {
  IndexFile file(3, PackBlocks({{10}, {20}, {15}, {30}, {25}, {40}}, 2));
  const auto blocks = file.Open();
  const PackedSequence sequence(*blocks, PackedEntry(6, 2));
  EXPECT_EQ(sequence.StepAt(0).length(), 10);
  EXPECT_THAT([&] { sequence.StepAt(1); },
              ThrowsMessage<FormatError>(HasSubstr("element 2: values decrease: 15 after 20")));
  EXPECT_THAT([&] { sequence.FindLast(9, 0, 6); },
              ThrowsMessage<FormatError>(HasSubstr("element 0: 10 is greater than 9")));
}

TEST(PackedSequenceTest, ABlockWhoseEntriesDoNotFitIsAnError) {
  auto packed = PackBlocks({{10}, {20}, {15}, {30}, {25}, {40}}, 6);
  packed[0][16] = std::byte{60};
  IndexFile file(1, packed);
  const auto blocks = file.Open();
  const PackedSequence sequence(*blocks, PackedEntry(600, 600));
  EXPECT_THAT([&] { sequence.at(0); },
              ThrowsMessage<FormatError>(HasSubstr("do not fit its 4096 bytes")));
}

TEST(PackedSequenceTest, ElementNumbersBeyond32Bits) {
  constexpr uint64_t kCount = (uint64_t{1} << 33) + 10;
  constexpr uint64_t kBlocks = kCount / kMaxPerBlock + 1;
  // A line of slope 3 through the last whole block and the one behind it.
  const auto line = [](uint64_t base) {
    BlockBytes block{};
    PackedHead head;
    head.base = base;
    head.slope = 3 << 16;
    std::memcpy(block.data(), &head, sizeof(head));
    return block;
  };
  constexpr uint64_t kBase = uint64_t{1} << 40;
  IndexFile file(kBlocks, {{kBlocks - 2, line(kBase)}, {kBlocks - 1, line(kBase + 3 * 65536)}});
  const auto blocks = file.Open();
  const PackedSequence sequence(*blocks, PackedEntry(kCount, kMaxPerBlock));
  const uint64_t first = kCount - 10 - 65536;
  EXPECT_EQ(sequence.at(uint64_t{1} << 32).value, 0);
  EXPECT_EQ(sequence.at(first).value, kBase);
  EXPECT_EQ(sequence.StepAt(kCount - 11).from.value, kBase + 3 * 65535);
  EXPECT_EQ(sequence.StepAt(kCount - 11).to.value, kBase + 3 * 65536);
  EXPECT_EQ(sequence.FindLast(kBase + 301, 0, kCount).index, first + 100);
  EXPECT_EQ(sequence.FindLast(kBase - 1, 0, kCount).index, first - 1);
  EXPECT_EQ(sequence.FindLast(~uint64_t{0}, 0, kCount).index, kCount - 1);
}

}  // namespace
}  // namespace ulhff
