// The external sort against std::stable_sort, in memory, spilled, and merged in several passes.
#include "ulhff/sorter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tests/temp_dir.h"

namespace ulhff {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using Records = std::vector<std::pair<std::string, std::string>>;

Records Sorted(const Records& records, uint64_t memory, const std::string& dir) {
  Sorter sorter(dir, memory);
  for (const auto& [key, payload] : records) sorter.Add(AsBytes(key), AsBytes(payload));
  EXPECT_EQ(sorter.count(), records.size());
  Records sorted;
  while (const auto record = sorter.Next()) {
    sorted.emplace_back(AsText(record->key), AsText(record->payload));
  }
  EXPECT_FALSE(sorter.Next().has_value());
  return sorted;
}

// Keys of few values, so that many are equal; payloads tell the order of their adding.
Records RandomRecords(size_t count, size_t max_key, size_t max_payload) {
  std::mt19937_64 random(count + max_key);
  Records records;
  for (size_t i = 0; i < count; ++i) {
    std::string key(random() % (max_key + 1), '\0');
    for (char& c : key) c = static_cast<char>(random() % 3 * 127);
    records.emplace_back(key, std::to_string(i) + std::string(random() % (max_payload + 1), 'p'));
  }
  return records;
}

struct Load {
  const char* name;
  size_t count;
  size_t max_key;
  size_t max_payload;
  uint64_t memory;
};
constexpr Load kLoads[] = {
    {"Nothing", 0, 0, 0, 1 << 20},
    {"OneInMemory", 1, 5, 5, 1 << 20},
    {"OneSpilled", 1, 5, 5, 0},
    {"InMemory", 20000, 8, 20, 16 << 20},
    {"Spilled", 20000, 8, 20, 256 << 10},
    {"EachRecordARun", 300, 4, 8, 0},
    {"SeveralPasses", 5000, 6, 30, 8 << 10},
    {"RecordsBeyondTheMemory", 50, 20000, 100000, 16 << 10},
};

class SorterOf : public testing::TestWithParam<Load> {};

TEST_P(SorterOf, AgreesWithStableSort) {
  const Load& load = GetParam();
  const TempDir dir;
  const Records records = RandomRecords(load.count, load.max_key, load.max_payload);
  Records want = records;
  std::stable_sort(want.begin(), want.end(), [](const auto& a, const auto& b) {
    return std::lexicographical_compare(
        a.first.begin(), a.first.end(), b.first.begin(), b.first.end(),
        [](char x, char y) { return static_cast<uint8_t>(x) < static_cast<uint8_t>(y); });
  });
  EXPECT_EQ(Sorted(records, load.memory, dir.path()), want);
  EXPECT_THAT(dir.Names(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, SorterOf, testing::ValuesIn(kLoads),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(SorterTest, ComparesUnsignedBytesAndPutsPrefixesFirst) {
  const TempDir dir;
  const std::string nul("a\0", 2);
  const Records records = {{"\xff", "1"}, {"ab", "2"}, {"a", "3"},
                           {"", "4"},     {nul, "5"},  {"B", "6"}};
  for (const uint64_t memory : {0U, 1U << 20U}) {
    EXPECT_THAT(Sorted(records, memory, dir.path()),
                ElementsAre(Pair("", "4"), Pair("B", "6"), Pair("a", "3"), Pair(nul, "5"),
                            Pair("ab", "2"), Pair("\xff", "1")));
  }
}

TEST(SorterTest, NeedsNoDirectoryWhileAllFitsMemory) {
  EXPECT_THAT(Sorted({{"b", ""}, {"a", ""}}, 1 << 20, "/nowhere"),
              ElementsAre(Pair("a", ""), Pair("b", "")));
}

TEST(SorterTest, NamesTheDirectoryItCannotSpillTo) {
  Sorter sorter("/nowhere", 0);
  EXPECT_THAT([&] { sorter.Add(AsBytes("a")); },
              testing::ThrowsMessage<std::system_error>(testing::HasSubstr("/nowhere")));
}

}  // namespace
}  // namespace ulhff
