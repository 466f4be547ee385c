// Threads take the objects of a batch in file order; the calling thread is one of them.
#include "reader_batch.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace ulhff {

namespace {

// A distinct object of the batch. Buffers stay from batch to batch.
struct Slot {
  uint64_t object = 0;
  ObjectLayout layout;
  AlignedBuffer buffer;
  ByteSpan bytes;
  std::exception_ptr error;
};

}  // namespace

class BatchReader::Impl {
 public:
  Impl(const Reader& reader, const BatchOptions& options)
      : reader_(reader), fields_(reader.info().fields.size()) {
    try {
      while (threads_.size() + 1 < options.in_flight) threads_.emplace_back([this] { Serve(); });
    } catch (const std::system_error&) {
      // As many as there can be: the caller reads too.
    }
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    started_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  std::span<const PairBytes> Read(std::span<const uint64_t> pairs) {
    Collect(pairs);
    ReadAll();
    for (size_t i = 0; i < used_; ++i) {
      if (slots_[i].error) std::rethrow_exception(slots_[i].error);
    }
    FillPairs(pairs);
    return pairs_;
  }

 private:
  void Collect(std::span<const uint64_t> pairs);
  void ReadAll();
  void FillPairs(std::span<const uint64_t> pairs);
  void Serve();
  void TakeObjects();
  const Slot& SlotOf(uint64_t object) const;

  const Reader& reader_;
  const size_t fields_;

  std::vector<uint64_t> objects_;  // of the pairs of the batch, in their order
  std::vector<uint64_t> distinct_;
  std::vector<Slot> slots_;  // the first `used_` are of this batch, by object
  size_t used_ = 0;
  std::vector<PairBytes> pairs_;
  std::vector<std::optional<ByteSpan>> texts_;

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable started_, ended_;
  uint64_t batch_ = 0;  // number of the batch that threads may work on
  size_t working_ = 0;  // threads that have not ended it
  bool closed_ = false;
  std::atomic<size_t> next_ = 0;  // slot
};

void BatchReader::Impl::Collect(std::span<const uint64_t> pairs) {
  objects_.clear();
  for (const uint64_t pair : pairs) objects_.push_back(reader_.Locate(pair).object);
  distinct_ = objects_;
  std::sort(distinct_.begin(), distinct_.end());
  distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
  used_ = distinct_.size();
  if (slots_.size() < used_) slots_.resize(used_);
  for (size_t i = 0; i < used_; ++i) {
    slots_[i].object = distinct_[i];
    slots_[i].error = nullptr;
  }
}

void BatchReader::Impl::TakeObjects() {
  for (size_t i = next_.fetch_add(1); i < used_; i = next_.fetch_add(1)) {
    Slot& slot = slots_[i];
    try {
      slot.layout = reader_.Object(slot.object);
      slot.bytes = reader_.ReadObject(slot.layout, slot.buffer);
    } catch (...) {
      slot.error = std::current_exception();
    }
  }
}

void BatchReader::Impl::ReadAll() {
  next_ = 0;
  // One object is not worth waking anybody.
  const bool alone = used_ <= 1 || threads_.empty();
  if (!alone) {
    const std::lock_guard lock(mutex_);
    ++batch_;
    working_ = threads_.size();
  }
  if (!alone) started_.notify_all();
  TakeObjects();
  if (alone) return;
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return working_ == 0; });
}

void BatchReader::Impl::Serve() {
  uint64_t done = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    started_.wait(lock, [&] { return closed_ || batch_ != done; });
    if (closed_) return;
    done = batch_;
    lock.unlock();
    TakeObjects();
    lock.lock();
    if (--working_ == 0) ended_.notify_one();
  }
}

const Slot& BatchReader::Impl::SlotOf(uint64_t object) const {
  const auto end = slots_.begin() + static_cast<std::ptrdiff_t>(used_);
  return *std::lower_bound(slots_.begin(), end, object,
                           [](const Slot& slot, uint64_t wanted) { return slot.object < wanted; });
}

void BatchReader::Impl::FillPairs(std::span<const uint64_t> pairs) {
  texts_.resize(pairs.size() * fields_);
  pairs_.clear();
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Slot& slot = SlotOf(objects_[i]);
    const std::span<std::optional<ByteSpan>> texts(texts_.data() + i * fields_, fields_);
    for (size_t field = 0; field < fields_; ++field) {
      const TextLayout text = reader_.Text(slot.layout, pairs[i] * fields_ + field);
      texts[field].reset();
      if (!text.absent) texts[field] = slot.bytes.subspan(text.position, text.size);
    }
    pairs_.push_back({slot.bytes.first(slot.layout.media_size), texts});
  }
}

BatchReader::BatchReader(const Reader& reader, const BatchOptions& options)
    : impl_(std::make_unique<Impl>(reader, options)) {}

BatchReader::~BatchReader() = default;

std::span<const PairBytes> BatchReader::Read(std::span<const uint64_t> pairs) {
  return impl_->Read(pairs);
}

}  // namespace ulhff
