// Grows with the answers that wait, up to its limit.
#include "slow_lane.h"

#include <system_error>
#include <utility>

namespace ulhff {

void SlowLane::Note(std::chrono::nanoseconds took) {
  if (took.count() < kInMemoryNs) return;
  const int64_t mean = mean_ns_.load(std::memory_order_relaxed);
  mean_ns_.store(mean + (took.count() - mean) / 8, std::memory_order_relaxed);
}

bool SlowLane::Post(std::function<void()> answer) {
  if (max_threads_ == 0) return false;
  const std::lock_guard lock(mutex_);
  if (closed_) return false;
  if (queue_.size() >= idle_ && threads_.size() < max_threads_) {
    try {
      threads_.emplace_back([this] { Work(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) return false;
    }
  }
  queue_.push_back(std::move(answer));
  posted_.notify_one();
  return true;
}

void SlowLane::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    posted_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    --idle_;
    if (queue_.empty()) return;
    const std::function<void()> answer = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    Timed(answer);
    lock.lock();
  }
}

void SlowLane::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  posted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace ulhff
