// Sorts in memory while everything fits; else spills sorted runs and merges them.
#include "sorter.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sorter_run.h"

namespace ulhff {

namespace {

// A pointer in a vector that may have just doubled.
constexpr uint64_t kPointerCost = 2 * sizeof(void*);
constexpr size_t kMaxFanIn = 256;

// Records held in memory, in chunks so that nothing is copied when it grows.
class RecordArena {
 public:
  explicit RecordArena(uint64_t memory)
      : chunk_size_(std::clamp<uint64_t>(memory / 16, 4096, uint64_t{256} << 10)) {}
  uint64_t cost() const { return bytes_ + records_.size() * kPointerCost; }
  bool empty() const { return records_.empty(); }
  const std::vector<const std::byte*>& records() const { return records_; }

  void Add(ByteSpan key, ByteSpan payload) {
    const RecordHead head{static_cast<uint32_t>(key.size()), static_cast<uint32_t>(payload.size())};
    std::byte* out = Allocate(sizeof(head) + key.size() + payload.size());
    records_.push_back(out);
    std::memcpy(out, &head, sizeof(head));
    out = std::copy(key.begin(), key.end(), out + sizeof(head));
    std::copy(payload.begin(), payload.end(), out);
  }

  void Sort() {
    std::stable_sort(records_.begin(), records_.end(), [](const std::byte* a, const std::byte* b) {
      return CompareKeys(RecordAt(a).key, RecordAt(b).key) < 0;
    });
  }

  void Clear() {
    chunks_.clear();
    records_.clear();
    records_.shrink_to_fit();
    left_ = 0;
    bytes_ = 0;
  }

 private:
  std::byte* Allocate(size_t size) {
    if (chunks_.empty() || size > left_) {
      left_ = std::max<size_t>(size, chunk_size_);
      chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(left_));
      next_ = chunks_.back().get();
      bytes_ += left_;
    }
    left_ -= size;
    return std::exchange(next_, next_ + size);
  }

  uint64_t chunk_size_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* next_ = nullptr;
  size_t left_ = 0;
  uint64_t bytes_ = 0;
  std::vector<const std::byte*> records_;
};

}  // namespace

class Sorter::Impl {
 public:
  Impl(std::string tmp_dir, uint64_t memory)
      : memory_(memory), arena_(memory), runs_(std::make_unique<RunFile>(std::move(tmp_dir))) {}

  void Add(ByteSpan key, ByteSpan payload) {
    constexpr size_t kMax = std::numeric_limits<uint32_t>::max();
    if (key.size() > kMax || payload.size() > kMax) throw std::length_error("record of 4 GiB");
    arena_.Add(key, payload);
    ++count_;
    if (arena_.cost() >= memory_) Spill();
  }

  std::optional<Record> Next() {
    if (!sorted_) Sort();
    if (merger_) return merger_->Next();
    if (position_ == arena_.records().size()) return std::nullopt;
    return RecordAt(arena_.records()[position_++]);
  }

  uint64_t count() const { return count_; }

 private:
  void Spill() {
    arena_.Sort();
    for (const std::byte* record : arena_.records()) runs_->Append(RecordAt(record));
    runs_->EndRun();
    arena_.Clear();
  }

  void Sort() {
    sorted_ = true;
    if (runs_->runs().empty()) {
      arena_.Sort();
      return;
    }
    if (!arena_.empty()) Spill();
    const size_t fan_in =
        std::clamp(static_cast<size_t>(memory_ / RunReader::kBufferSize), size_t{2}, kMaxFanIn);
    while (runs_->runs().size() > fan_in) MergePass(fan_in);
    merger_ = std::make_unique<RunMerger>(*runs_, 0, runs_->runs().size());
  }

  // Makes one run of each `fan_in` neighbouring ones, which keeps equal keys in their order.
  void MergePass(size_t fan_in) {
    auto merged = std::make_unique<RunFile>(runs_->dir());
    const size_t count = runs_->runs().size();
    for (size_t first = 0; first < count; first += fan_in) {
      RunMerger merger(*runs_, first, std::min(fan_in, count - first));
      while (const auto record = merger.Next()) merged->Append(*record);
      merged->EndRun();
    }
    runs_ = std::move(merged);
  }

  uint64_t memory_;
  uint64_t count_ = 0;
  RecordArena arena_;
  std::unique_ptr<RunFile> runs_;  // pointed at by merger_
  std::unique_ptr<RunMerger> merger_;
  bool sorted_ = false;
  size_t position_ = 0;
};

Sorter::Sorter(std::string tmp_dir, uint64_t memory)
    : impl_(std::make_unique<Impl>(std::move(tmp_dir), memory)) {}
Sorter::~Sorter() = default;
Sorter::Sorter(Sorter&&) noexcept = default;
Sorter& Sorter::operator=(Sorter&&) noexcept = default;

void Sorter::Add(ByteSpan key, ByteSpan payload) { impl_->Add(key, payload); }
uint64_t Sorter::count() const { return impl_->count(); }
std::optional<Sorter::Record> Sorter::Next() { return impl_->Next(); }

}  // namespace ulhff
