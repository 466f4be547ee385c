// A window over the plan whose files are being read.
#include "converter/feed.h"

#include <utility>

#include "converter/interrupt.h"

namespace ulhff {

namespace {

// What may be in memory ahead of use: 24 MiB keep both a disk and the writer busy. Small files are
// bounded by their number.
constexpr uint64_t kAheadBytes = uint64_t{24} << 20;
constexpr size_t kAheadFiles = 64;

uint64_t Cost(const PlanEntry& entry) { return entry.size <= kWholeSize ? entry.size : 0; }

}  // namespace

Feed::Feed(const FileList& files, Plan plan, WorkerPool& pool, PairLoader load_pairs)
    : files_(&files), plan_(std::move(plan)), pool_(&pool), load_pairs_(std::move(load_pairs)) {}

Pending<Loaded> Feed::Load(const PlanEntry& entry) {
  return pool_->Submit([files = files_, load_pairs = load_pairs_, entry] {
    Loaded loaded{.entry = entry, .file = files->Read(entry.file)};
    if (loaded.is_whole()) loaded.bytes = ReadWhole(loaded.file);
    if (load_pairs) loaded.pairs = load_pairs(entry);
    return loaded;
  });
}

void Feed::Fill() {
  while (!plan_ended_ && ahead_.size() < kAheadFiles &&
         (ahead_.empty() || ahead_bytes_ < kAheadBytes)) {
    const std::optional<PlanEntry> entry = plan_.Next();
    if (!entry) {
      plan_ended_ = true;
      return;
    }
    ahead_.push_back({*entry, Load(*entry)});
    ahead_bytes_ += Cost(*entry);
  }
}

bool Feed::BackIsNext() const {
  return !back_.empty() &&
         (ahead_.empty() || back_.top().entry.leader <= ahead_.front().entry.leader);
}

std::optional<uint64_t> Feed::NextLeader() {
  Fill();
  if (BackIsNext()) return back_.top().entry.leader;
  if (ahead_.empty()) return std::nullopt;
  return ahead_.front().entry.leader;
}

std::optional<Loaded> Feed::Next() {
  CheckInterrupt();
  Fill();
  if (BackIsNext()) {
    const Back back = back_.top();
    back_.pop();
    Loaded loaded = Load(back.entry).Get();
    loaded.settled = back.settled;
    return loaded;
  }
  if (ahead_.empty()) return std::nullopt;
  Ahead next = std::move(ahead_.front());
  ahead_.pop_front();
  ahead_bytes_ -= Cost(next.entry);
  Loaded loaded = next.loaded.Get();
  Fill();  // the caller is going to be busy
  return loaded;
}

void Feed::PutBack(const PlanEntry& entry, bool settled) { back_.push({entry, settled}); }

}  // namespace ulhff
