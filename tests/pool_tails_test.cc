// The cache of texts: it gives back what was put in, or nothing.
#include "ulhff/pool_tails.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace ulhff {
namespace {

// What is put for an object tells who it is for and how long it is.
std::string TailOf(uint64_t offset, size_t size) {
  std::string tail = std::to_string(offset);
  tail.resize(size, static_cast<char>('a' + offset / 64 % 26));
  return tail;
}

void Put(TailCache& cache, uint64_t offset, size_t size) {
  const std::string tail = TailOf(offset, size);
  cache.Put(offset, size, [&](std::span<std::byte> out) {
    ASSERT_EQ(out.size(), size);
    std::transform(tail.begin(), tail.end(), out.begin(),
                   [](char c) { return static_cast<std::byte>(c); });
  });
}

// False if it is not there; a wrong tail fails the test.
bool Holds(TailCache& cache, uint64_t offset) {
  return cache.Find(offset,
                    [&](ByteSpan tail) { EXPECT_EQ(AsText(tail), TailOf(offset, tail.size())); });
}

TEST(TailCacheTest, GivesBackWhatWasPut) {
  TailCache cache(1 << 20);
  for (uint64_t i = 0; i < 1000; ++i) Put(cache, 64 * i, 100 + i % 300);
  uint64_t held = 0;
  for (uint64_t i = 0; i < 1000; ++i) held += Holds(cache, 64 * i);
  EXPECT_GT(held, 990);
}

TEST(TailCacheTest, KnowsNothingOfOthers) {
  TailCache cache(1 << 20);
  Put(cache, 64, 100);
  EXPECT_FALSE(Holds(cache, 128));
  EXPECT_FALSE(Holds(cache, 0)) << "an empty slot is not the object at offset 0";
}

TEST(TailCacheTest, ANewTailTakesThePlaceOfTheOld) {
  TailCache cache(1 << 20);
  Put(cache, 64, 100);
  Put(cache, 64, 200);
  size_t size = 0;
  EXPECT_TRUE(cache.Find(64, [&](ByteSpan tail) { size = tail.size(); }));
  EXPECT_EQ(size, 200);
}

TEST(TailCacheTest, ForgetsOnlyWhatItIsTold) {
  TailCache cache(1 << 20);
  Put(cache, 64, 100);
  Put(cache, 128, 100);
  cache.Forget(64);
  EXPECT_FALSE(Holds(cache, 64));
  EXPECT_TRUE(Holds(cache, 128));
}

TEST(TailCacheTest, WhatComesInLastStays) {
  TailCache cache(1 << 16);
  for (uint64_t i = 0; i < 100'000; ++i) {
    Put(cache, 64 * i, 1 + i % cache.max_size());
    EXPECT_TRUE(Holds(cache, 64 * i));
  }
  EXPECT_FALSE(Holds(cache, 0));
}

TEST(TailCacheTest, ThreadsNeverSeeAnothersBytes) {
  TailCache cache(1 << 17);
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&cache, seed] {
      std::mt19937_64 random(seed);
      for (int i = 0; i < 50'000; ++i) {
        const uint64_t offset = 64 * (random() % 2000);
        if (random() % 2 == 0) {
          Put(cache, offset, 1 + random() % cache.max_size());
        } else {
          Holds(cache, offset);
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace ulhff
