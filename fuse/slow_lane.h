// Threads for answers that wait for slow storage, where the transport itself has one a CPU.
#ifndef ULHFF_FUSE_SLOW_LANE_H_
#define ULHFF_FUSE_SLOW_LANE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace ulhff {

// libfuse serves each io_uring queue with one thread, so an answer that waits for a read holds up
// all requests of its CPU. That is right as long as reads take less than two wake-ups of a thread;
// on slower storage answers are handed to threads of our own, as many as there are answers waiting.
// Thread-safe.
class SlowLane {
 public:
  // At most `max_threads`; they start when they are needed and stay. 0: all answers are given at
  // once.
  explicit SlowLane(unsigned max_threads) : max_threads_(max_threads) {}
  ~SlowLane() { Close(); }

  // Runs `answer` (which must not throw) here, or a copy of it in another thread if answers have
  // been slow.
  template <typename Answer>
  void Run(const Answer& answer) {
    if (mean_ns_.load(std::memory_order_relaxed) > kSlowNs && TryPost(answer)) return;
    Timed(answer);
  }

  // Returns when all answers are given; from now on they are given at once.
  void Close();

 private:
  // A thread's hand-over and back costs 30 to 90 us; what takes less than kInMemoryNs waited for
  // nothing and says nothing about the storage.
  static constexpr int64_t kSlowNs = 500'000;
  static constexpr int64_t kInMemoryNs = 50'000;

  template <typename Answer>
  void Timed(const Answer& answer) {
    const auto start = std::chrono::steady_clock::now();
    answer();
    Note(std::chrono::steady_clock::now() - start);
  }
  template <typename Answer>
  bool TryPost(const Answer& answer) {
    try {
      return Post(answer);
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  void Note(std::chrono::nanoseconds took);
  // False: closed, or no thread can be had. Throws std::bad_alloc.
  bool Post(std::function<void()> answer);
  void Work();

  const unsigned max_threads_;
  std::atomic<int64_t> mean_ns_{0};  // of the last answers that waited; races lose a sample

  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<std::function<void()>> queue_;
  std::vector<std::thread> threads_;
  size_t idle_ = 0;  // threads that wait for an answer
  bool closed_ = false;
};

}  // namespace ulhff

#endif  // ULHFF_FUSE_SLOW_LANE_H_
