// Batches give what single reads give, whatever their order, size and number of threads.
#include "ulhff/reader_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/sample_dataset.h"
#include "ulhff/error.h"

namespace ulhff {
namespace {

// What the file must hold, by pair.
struct Wanted {
  const std::string* media;
  const std::string* text;
};

std::vector<Wanted> PairsOf(const SampleDataset& data) {
  std::vector<Wanted> pairs;
  for (const SampleMedia& media : data.media()) {
    for (const std::string& text : media.texts) pairs.push_back({&media.bytes, &text});
  }
  return pairs;
}

void ExpectPairs(std::span<const PairBytes> got, std::span<const uint64_t> pairs,
                 const std::vector<Wanted>& wanted) {
  ASSERT_EQ(got.size(), pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(AsText(got[i].media), *wanted[pairs[i]].media) << "pair " << pairs[i];
    ASSERT_EQ(got[i].texts.size(), 1U);
    ASSERT_TRUE(got[i].texts[0].has_value()) << "pair " << pairs[i];
    EXPECT_EQ(AsText(*got[i].texts[0]), *wanted[pairs[i]].text) << "pair " << pairs[i];
  }
}

std::vector<uint64_t> RandomPairs(std::mt19937& random, size_t count, uint64_t end) {
  std::vector<uint64_t> pairs(count);
  for (uint64_t& pair : pairs) pair = random() % end;
  return pairs;
}

class BatchReaderTest : public testing::TestWithParam<unsigned> {};

TEST_P(BatchReaderTest, ReturnsThePairsInTheOrderAskedFor) {
  const SampleDataset data;
  const std::vector<Wanted> wanted = PairsOf(data);
  const Reader reader = Reader::Open(data.container());
  ASSERT_EQ(reader.info().pairs, wanted.size());
  BatchReader batches(reader, {.in_flight = GetParam()});
  std::mt19937 random(7);
  // Larger, smaller, empty, with repetitions: buffers are used again.
  for (const size_t size : {size_t{5}, 3 * wanted.size(), size_t{1}, size_t{0}, size_t{40}}) {
    const std::vector<uint64_t> pairs = RandomPairs(random, size, wanted.size());
    ExpectPairs(batches.Read(pairs), pairs, wanted);
  }
}

TEST_P(BatchReaderTest, FailsForDamageAndReadsTheOthersAfterwards) {
  const SampleDataset data;
  const std::vector<Wanted> wanted = PairsOf(data);
  uint64_t offset = 0, damaged = 0;
  {
    const Reader reader = Reader::Open(data.container());
    while (wanted[damaged].media->size() < 100) ++damaged;
    offset = reader.Object(reader.Locate(damaged).object).offset + 50;
  }
  std::fstream file(data.container(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  const char byte = static_cast<char>(file.get() ^ 1);
  file.seekp(static_cast<std::streamoff>(offset));
  file.put(byte);
  file.close();

  const Reader reader = Reader::Open(data.container());
  BatchReader batches(reader, {.in_flight = GetParam()});
  std::vector<uint64_t> all(wanted.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_THROW(batches.Read(all), FormatError);
  const uint64_t object = reader.Locate(damaged).object;
  std::erase_if(all, [&](uint64_t pair) { return reader.Locate(pair).object == object; });
  ExpectPairs(batches.Read(all), all, wanted);
}

TEST_P(BatchReaderTest, RefusesPairsThatAreNotThere) {
  const SampleDataset data;
  const Reader reader = Reader::Open(data.container());
  BatchReader batches(reader, {.in_flight = GetParam()});
  EXPECT_THROW(batches.Read(std::vector<uint64_t>{0, reader.info().pairs}), std::out_of_range);
  EXPECT_EQ(batches.Read(std::vector<uint64_t>{0}).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(InFlight, BatchReaderTest, testing::Values(1U, 2U, 16U));

TEST(BatchReaders, ShareAReader) {
  const SampleDataset data;
  const std::vector<Wanted> wanted = PairsOf(data);
  const Reader reader = Reader::Open(data.container());
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      BatchReader batches(reader, {.in_flight = 3});
      std::mt19937 random(seed);
      for (int i = 0; i < 20; ++i) {
        const std::vector<uint64_t> pairs = RandomPairs(random, 16, wanted.size());
        ExpectPairs(batches.Read(pairs), pairs, wanted);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ulhff
