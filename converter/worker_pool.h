// A few threads that run tasks in the order they were submitted.
#ifndef ULHFF_CONVERTER_WORKER_POOL_H_
#define ULHFF_CONVERTER_WORKER_POOL_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace ulhff {

// What a task returns, later. Waits for the task when destroyed, so that a task may refer to what
// was there before its Pending. Move-only.
template <typename T>
class Pending {
 public:
  Pending() = default;
  explicit Pending(std::future<T> future) : future_(std::move(future)) {}
  ~Pending() { Wait(); }
  Pending(Pending&&) noexcept = default;
  Pending& operator=(Pending&& other) noexcept {
    Wait();
    future_ = std::move(other.future_);
    return *this;
  }
  bool valid() const { return future_.valid(); }
  // Once: returns what the task returned, or throws what it threw.
  T Get() { return future_.get(); }

 private:
  void Wait() {
    if (future_.valid()) future_.wait();
  }
  std::future<T> future_;
};

class WorkerPool {
 public:
  explicit WorkerPool(unsigned threads);
  ~WorkerPool();  // precondition: no Pending is left
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(threads_.size()); }

  template <typename Task>
  Pending<std::invoke_result_t<Task>> Submit(Task task) {
    // std::function wants something that can be copied.
    auto packaged =
        std::make_shared<std::packaged_task<std::invoke_result_t<Task>()>>(std::move(task));
    Pending<std::invoke_result_t<Task>> pending(packaged->get_future());
    Enqueue([packaged] { (*packaged)(); });
    return pending;
  }

 private:
  void Enqueue(std::function<void()> task);
  void Run();

  std::mutex mutex_;  // guards tasks_ and ending_
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_WORKER_POOL_H_
