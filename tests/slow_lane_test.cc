// Answers are given at once while they are quick, side by side when they are slow, and all of them.
#include "fuse/slow_lane.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <mutex>
#include <semaphore>
#include <set>
#include <thread>

namespace ulhff {
namespace {

using std::chrono::milliseconds;

constexpr auto kSlow = milliseconds(5);

// Afterwards the lane knows that storage is slow.
void GiveSlowAnswers(SlowLane& lane) {
  for (int i = 0; i < 3; ++i) {
    lane.Run([] { std::this_thread::sleep_for(kSlow); });
  }
}

TEST(SlowLane, AnswersInTheCallingThreadWhileAnswersAreQuick) {
  SlowLane lane(4);
  for (int i = 0; i < 100; ++i) {
    std::thread::id thread;
    lane.Run([&thread] { thread = std::this_thread::get_id(); });
    EXPECT_EQ(thread, std::this_thread::get_id());
  }
}

TEST(SlowLane, LetsSlowAnswersWaitSideBySide) {
  constexpr int kAnswers = 16;
  // Each waits for all others: with fewer threads than answers this would never end.
  std::latch all(kAnswers + 1);
  SlowLane lane(kAnswers);
  GiveSlowAnswers(lane);
  for (int i = 0; i < kAnswers; ++i) {
    lane.Run([&all] { all.arrive_and_wait(); });
  }
  all.arrive_and_wait();
}

TEST(SlowLane, StartsNoMoreThreadsThanAllowed) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  SlowLane lane(3);
  GiveSlowAnswers(lane);
  threads.clear();
  for (int i = 0; i < 30; ++i) {
    lane.Run([&] {
      std::this_thread::sleep_for(kSlow);
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
  }
  lane.Close();
  EXPECT_EQ(threads.size(), 3U);
}

TEST(SlowLane, CloseWaitsForAllAnswersAndLaterOnesAreGivenAtOnce) {
  std::atomic<int> given = 0;
  SlowLane lane(2);
  GiveSlowAnswers(lane);
  for (int i = 0; i < 20; ++i) {
    lane.Run([&given] {
      std::this_thread::sleep_for(kSlow);
      ++given;
    });
  }
  lane.Close();
  EXPECT_EQ(given, 20);
  lane.Run([&given] { ++given; });
  EXPECT_EQ(given, 21);
}

TEST(SlowLane, GoesBackToTheCallingThreadWhenReadsAreFastAgain) {
  const auto caller = std::this_thread::get_id();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  std::thread::id thread;
  std::binary_semaphore given(0);
  SlowLane lane(2);
  GiveSlowAnswers(lane);
  do {
    lane.Run([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(60));
      thread = std::this_thread::get_id();
      given.release();
    });
    given.acquire();
  } while (thread != caller && std::chrono::steady_clock::now() < deadline);
  EXPECT_EQ(thread, caller);
}

}  // namespace
}  // namespace ulhff
