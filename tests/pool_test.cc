// The object pool: what it reads for which request, and that nothing unverified leaves it.
#include "ulhff/pool.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "tests/dataset.h"
#include "tests/temp_dir.h"
#include "ulhff/error.h"

namespace {

thread_local uint64_t allocations = 0;

}  // namespace

// Counts what a thread allocates; everything else is as usual. Inlined, GCC takes new and free for
// mismatched.
[[gnu::noinline]] void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace ulhff {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr uint64_t kMiB = uint64_t{1} << 20;

std::string Pattern(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

// A dataset of one field: object o has media_sizes[o] bytes and `texts` texts of `text_size`.
Dataset Objects(const std::vector<size_t>& media_sizes, size_t texts, size_t text_size) {
  Dataset dataset;
  dataset.options.fields = {{"", "txt"}};
  for (size_t o = 0; o < media_sizes.size(); ++o) {
    DatasetObject object{"jpg", Pattern(media_sizes[o], o), {}, {}};
    for (size_t t = 0; t < texts; ++t) {
      object.pairs.push_back({{Pattern(text_size, 1000 * o + t + 7)}, 0});
    }
    dataset.objects.push_back(std::move(object));
  }
  return dataset;
}

class PoolTest : public testing::Test {
 protected:
  void Make(const Dataset& dataset, const PoolOptions& options = {}) {
    dataset_ = dataset;
    dataset.Write(path_);
    reader_.emplace(Reader::Open(path_));
    pool_ = std::make_unique<ObjectPool>(*reader_, options);
  }

  std::string Media(uint64_t object, uint64_t position, size_t size) {
    std::string out(size, '\0');
    out.resize(pool_->ReadMedia(object, position, std::as_writable_bytes(std::span(out))));
    return out;
  }
  std::string Text(uint64_t text, uint64_t position = 0, size_t size = 2 * kMiB) {
    std::string out(size, '\0');
    out.resize(pool_->ReadText(text, position, std::as_writable_bytes(std::span(out))));
    return out;
  }
  std::string ExpectedMedia(uint64_t object, uint64_t position, size_t size) const {
    return dataset_.objects[object].media.substr(position, size);
  }
  const std::string& ExpectedText(uint64_t object, uint64_t slot) const {
    return *dataset_.objects[object].pairs[slot].texts[0];
  }

  // Inverts one byte of the file.
  void Flip(uint64_t offset) const {
    const int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    char byte = 0;
    ASSERT_EQ(::pread(fd, &byte, 1, static_cast<off_t>(offset)), 1);
    byte = static_cast<char>(~byte);
    ASSERT_EQ(::pwrite(fd, &byte, 1, static_cast<off_t>(offset)), 1);
    ::close(fd);
  }

  TempDir dir_;
  std::string path_ = dir_ / "file";
  Dataset dataset_;
  std::optional<Reader> reader_;
  std::unique_ptr<ObjectPool> pool_;
};

TEST_F(PoolTest, OneReadServesTheMediaAndAllTextsOfAnObject) {
  Make(Objects({100'000}, 5, 60));
  EXPECT_EQ(Media(0, 0, 50'000), ExpectedMedia(0, 0, 50'000));
  EXPECT_EQ(Media(0, 50'000, 131'072), ExpectedMedia(0, 50'000, 131'072));
  for (uint64_t slot = 0; slot < 5; ++slot) EXPECT_EQ(Text(slot), ExpectedText(0, slot));
  EXPECT_EQ(pool_->stats().reads, 1);
  EXPECT_EQ(pool_->stats().read_bytes, reader_->Object(0).size);
}

TEST_F(PoolTest, ATextReadsTheTextsAndSumsOnly) {
  Make(Objects({3'000'000}, 5, 60));
  for (uint64_t slot = 0; slot < 5; ++slot) EXPECT_EQ(Text(slot), ExpectedText(0, slot));
  EXPECT_EQ(pool_->stats().reads, 1);
  EXPECT_EQ(pool_->stats().read_bytes, reader_->Object(0).tail_size());
  EXPECT_EQ(Text(2, 10, 20), ExpectedText(0, 2).substr(10, 20));
  EXPECT_EQ(Text(2, 60, 20), "");
}

TEST_F(PoolTest, AReadThatStartsElsewhereGoesByChunkUntilItIsContinued) {
  Make(Objects({3'000'000}, 1, 60));
  EXPECT_EQ(Media(0, 1'000'000, 10'000), ExpectedMedia(0, 1'000'000, 10'000));
  EXPECT_EQ(pool_->stats().reads, 2) << "the chunk and the page of sums";
  EXPECT_LT(pool_->stats().read_bytes, 300'000);
  EXPECT_EQ(Media(0, 1'010'000, 10'000), ExpectedMedia(0, 1'010'000, 10'000));
  EXPECT_EQ(pool_->stats().reads, 3) << "the whole object";
  EXPECT_EQ(Media(0, 2'900'000, 200'000), ExpectedMedia(0, 2'900'000, 100'000));
  EXPECT_EQ(Text(0), ExpectedText(0, 0));
  EXPECT_EQ(pool_->stats().reads, 3);
}

TEST_F(PoolTest, ASmallObjectIsReadWholeWhereverAReadStarts) {
  Make(Objects({100'000}, 1, 60));
  EXPECT_EQ(Media(0, 70'000, 10'000), ExpectedMedia(0, 70'000, 10'000));
  EXPECT_EQ(Media(0, 0, 100'001), ExpectedMedia(0, 0, 100'000));
  EXPECT_EQ(pool_->stats().reads, 1);
}

TEST_F(PoolTest, ALargeObjectIsReadByChunkWithOneReadForManySums) {
  Make(Objects({6'000'000}, 1, 60));
  for (uint64_t position = 0; position < 6'000'000; position += 131'072) {
    EXPECT_EQ(Media(0, position, 131'072), ExpectedMedia(0, position, 131'072));
  }
  EXPECT_EQ(pool_->stats().reads, reader_->Object(0).chunks() + 1);
  EXPECT_EQ(Media(0, 262'000, 600'000), ExpectedMedia(0, 262'000, 600'000));
}

TEST_F(PoolTest, TextsOfAnObjectWithMegabytesOfThemAreReadOneByOne) {
  Make(Objects({1000}, 30'000, 100));
  EXPECT_EQ(Text(29'999), ExpectedText(0, 29'999));
  EXPECT_EQ(Text(29'998), ExpectedText(0, 29'998));
  EXPECT_EQ(pool_->stats().reads, 3) << "two texts and a page of sums";
  EXPECT_LT(pool_->stats().read_bytes, 20'000);
}

TEST_F(PoolTest, ATextTooLargeToKeepIsStreamed) {
  Make(Objects({1000}, 2, 3'000'000), {.whole_object = 4096});
  EXPECT_EQ(Text(1, 2'500'000, kMiB), ExpectedText(0, 1).substr(2'500'000, kMiB));
  EXPECT_EQ(pool_->stats().reads, 0);
}

TEST_F(PoolTest, ManyThreadsThatWantOneObjectShareOneRead) {
  Make(Objects({2'000'000}, 5, 60));
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      ++ready;
      while (ready < 16) std::this_thread::yield();
      EXPECT_EQ(Media(0, 0, 50'000), ExpectedMedia(0, 0, 50'000));
      EXPECT_EQ(Text(static_cast<uint64_t>(i) % 5), ExpectedText(0, static_cast<uint64_t>(i) % 5));
    });
  }
  for (auto& thread : threads) thread.join();
  const PoolStats stats = pool_->stats();
  EXPECT_EQ(stats.reads, 1);
  EXPECT_GE(stats.hits + stats.waits, 15) << "of 16 media; texts may come from the tail";
}

TEST_F(PoolTest, TextsStayWhenTheMediaHasToGo) {
  Make(Objects(std::vector<size_t>(40, 100'000), 3, 60), {.bytes = kMiB});
  for (uint64_t object = 0; object < 40; ++object) Media(object, 0, 100'000);
  for (uint64_t text = 0; text < 120; ++text) {
    EXPECT_EQ(Text(text), ExpectedText(text / 3, text % 3));
  }
  EXPECT_EQ(pool_->stats().reads, 40);
}

TEST_F(PoolTest, TextsReadBeforeTheMediaStayToo) {
  Make(Objects(std::vector<size_t>(40, 100'000), 3, 60), {.bytes = kMiB});
  for (int pass = 0; pass < 2; ++pass) {
    for (uint64_t text = 0; text < 120; ++text) {
      EXPECT_EQ(Text(text), ExpectedText(text / 3, text % 3));
    }
    for (uint64_t object = 0; object < 40; ++object) Media(object, 0, 100'000);
  }
  EXPECT_EQ(pool_->stats().reads, 40 + 80) << "texts once, media in each pass";
}

TEST_F(PoolTest, ADamagedChunkFailsOnlyReadsThatTouchIt) {
  Make(Objects({1'000'000}, 3, 60));
  const uint64_t damage = reader_->Object(0).offset + 300'000;  // chunk 1
  Flip(damage);
  EXPECT_EQ(Media(0, 0, 262'144), ExpectedMedia(0, 0, 262'144));
  EXPECT_THAT([&] { Media(0, 262'143, 2); },
              ThrowsMessage<FormatError>(HasSubstr("media chunk 1")));
  EXPECT_THAT([&] { Media(0, 400'000, 10); },
              ThrowsMessage<FormatError>(
                  HasSubstr("offset " + std::to_string(reader_->Object(0).offset + 262'144))));
  EXPECT_EQ(Media(0, 524'288, 475'712), ExpectedMedia(0, 524'288, 475'712));
  for (uint64_t slot = 0; slot < 3; ++slot) EXPECT_EQ(Text(slot), ExpectedText(0, slot));
  Flip(damage);
  EXPECT_EQ(Media(0, 0, 1'000'000), dataset_.objects[0].media) << "a failure was kept";
}

TEST_F(PoolTest, ADamagedChunkOfALargeObjectFailsOnlyReadsThatTouchIt) {
  Make(Objects({6'000'000}, 1, 60));
  const uint64_t damage = reader_->Object(0).offset + 300'000;
  Flip(damage);
  EXPECT_THROW(Media(0, 262'144, 10), FormatError);
  EXPECT_EQ(Media(0, 0, 262'144), ExpectedMedia(0, 0, 262'144));
  Flip(damage);
  EXPECT_EQ(Media(0, 262'144, 10), ExpectedMedia(0, 262'144, 10));
  const uint64_t sum = reader_->Object(0).offset + reader_->Object(0).media_sum_position(5);
  pool_ = std::make_unique<ObjectPool>(*reader_);
  Flip(sum);
  EXPECT_THROW(Media(0, 5 * kChunkSize, 10), FormatError);
  EXPECT_EQ(Media(0, 4 * kChunkSize, 10), ExpectedMedia(0, 4 * kChunkSize, 10));
  EXPECT_THROW(Media(0, 5 * kChunkSize, 10), FormatError);
  Flip(sum);
  EXPECT_EQ(Media(0, 5 * kChunkSize, 10), ExpectedMedia(0, 5 * kChunkSize, 10));
}

TEST_F(PoolTest, ADamagedTextFailsAlone) {
  Make(Objects({1'000'000, 6'000'000}, 3, 60));
  for (uint64_t object = 0; object < 2; ++object) {
    const uint64_t first = object * 3;
    const ObjectLayout layout = reader_->Object(object);
    const uint64_t damage = layout.offset + reader_->Text(layout, first + 1).position + 5;
    Flip(damage);
    EXPECT_THAT([&] { Text(first + 1); },
                ThrowsMessage<FormatError>(HasSubstr("text " + std::to_string(first + 1))));
    EXPECT_EQ(Media(object, 0, 10), ExpectedMedia(object, 0, 10));
    EXPECT_EQ(Text(first), ExpectedText(object, 0));
    EXPECT_EQ(Text(first + 2), ExpectedText(object, 2));
    EXPECT_THROW(Text(first + 1), FormatError);
    Flip(damage);
    EXPECT_EQ(Text(first + 1), ExpectedText(object, 1));
  }
}

TEST_F(PoolTest, AFileCutUnderItIsAnErrorAndServedAgainWhenRestored) {
  Make(Objects({100'000, 100'000}, 1, 60));
  const std::string bytes = ReadBytes(path_);
  ASSERT_EQ(::truncate(path_.c_str(), 50'000), 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { EXPECT_THROW(Media(0, 0, 100), std::system_error); });
  }
  for (auto& thread : threads) thread.join();
  WriteBytes(path_, bytes);
  EXPECT_EQ(Media(0, 0, 100), ExpectedMedia(0, 0, 100));
}

// Random requests of many threads, through pools that are far too small for the data.
struct Load {
  const char* name;
  PoolOptions options;
  unsigned threads;
};

class PoolLoad : public PoolTest, public testing::WithParamInterface<Load> {
 protected:
  void Run(uint64_t seed, unsigned requests) {
    std::mt19937_64 random(seed);
    std::vector<std::byte> out(200'000);
    for (unsigned i = 0; i < requests; ++i) {
      const uint64_t object = random() % dataset_.objects.size();
      const DatasetObject& expected = dataset_.objects[object];
      if (random() % 3 == 0) {
        const uint64_t slot = random() % 4;
        const size_t n = pool_->ReadText(object * 4 + slot, 0, out);
        EXPECT_TRUE(AsText(std::span(out).first(n)) == expected.pairs[slot].texts[0]);
        continue;
      }
      const uint64_t position = random() % 2 == 0 ? 0 : random() % (expected.media.size() + 1);
      const size_t size = random() % out.size();
      const size_t n = pool_->ReadMedia(object, position, std::span(out).first(size));
      EXPECT_TRUE(AsText(std::span(out).first(n)) ==
                  std::string_view(expected.media).substr(position, size));
    }
  }
};

TEST_P(PoolLoad, HandsOutTheRightBytesToAll) {
  Make(Objects({0, 1, 50'000, 100'000, 262'144, 262'145, 700'000, 1'500'000, 5'000'000}, 4, 300),
       GetParam().options);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < GetParam().threads; ++i) {
    threads.emplace_back([&, i] { Run(i, 1600 / GetParam().threads); });
  }
  for (auto& thread : threads) thread.join();
}

constexpr Load kLoads[] = {
    {"Default", {}, 8},
    {"OneMebibyte", {.bytes = kMiB}, 8},
    {"OneMebibyte64Threads", {.bytes = kMiB}, 64},
    {"NoWholeObjects", {.bytes = 2 * kMiB, .whole_object = 0}, 16},
    {"LargeWholeObjects", {.bytes = 16 * kMiB, .whole_object = 8 * kMiB}, 32},
};
INSTANTIATE_TEST_SUITE_P(Pool, PoolLoad, testing::ValuesIn(kLoads),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_F(PoolTest, AllocatesNothingOnceItHasBeenFull) {
  Make(Objects(std::vector<size_t>(40, 90'000), 4, 300), {.bytes = kMiB});
  std::string out(200'000, '\0');
  const auto bytes = std::as_writable_bytes(std::span(out));
  const auto pass = [&] {
    for (uint64_t object = 0; object < 40; ++object) {
      pool_->ReadText(object * 4, 0, bytes);
      pool_->ReadMedia(object, 0, bytes);
      pool_->ReadText(object * 4 + 1, 0, bytes);
    }
  };
  for (int i = 0; i < 4; ++i) pass();
  const uint64_t before = allocations;
  pass();
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace ulhff
