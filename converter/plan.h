// The second stage of a conversion: in which order objects are written, and which media may be
// equal.
#ifndef ULHFF_CONVERTER_PLAN_H_
#define ULHFF_CONVERTER_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>

#include "converter/catalogue.h"
#include "converter/progress.h"
#include "converter/shard_cut.h"
#include "converter/temp_store.h"
#include "converter/worker_pool.h"
#include "ulhff/sorter.h"

namespace ulhff {

// One media, or one extra.
struct PlanEntry {
  uint64_t leader = 0;      // `first` of the earliest media that may have equal bytes, or its own
  uint64_t first = 0;       // source position of its first pair (an extra: its place): unique
  uint64_t same = 0;        // `first` of the earliest one with the same bytes on disk (a hard link)
  uint64_t file = 0;        // in the FileList
  uint64_t size = 0;        // bytes
  uint64_t first_pair = 0;  // in the PairList
  uint64_t pairs = 0;

  bool is_link() const { return same != first; }
};

// Source position and texts of each pair; those of a media lie together, in source order.
class PairList {
 public:
  struct Item {
    uint64_t sequence = 0;
    uint64_t texts = 0;  // position in the TextStore
  };

  explicit PairList(const std::string& dir) : items_(dir) {}
  uint64_t size() const { return items_.size() / sizeof(Item); }
  void Add(const Item& item);
  // Thread-safe while nothing is added.
  void Read(uint64_t first, std::span<Item> out) const;

 private:
  TempStore items_;
};

// Entries by (leader, first): a group of candidates stands where its first one has to be written.
class Plan {
 public:
  explicit Plan(const std::string& dir) : entries_(dir, kSortMemory) {}
  void Add(const PlanEntry& entry);
  std::optional<PlanEntry> Next();

  uint64_t files() const { return entries_.count(); }
  uint64_t bytes() const { return bytes_; }            // of all files
  uint64_t bytes_to_read() const { return to_read_; }  // hard links once

 private:
  Sorter entries_;
  uint64_t bytes_ = 0;
  uint64_t to_read_ = 0;
};

// Fills `pairs` and plans those of the media with pairs that `cut` takes; media left without become
// extras. Empties catalogue.pairs. Reads samples of media of equal size on `pool`.
Plan PlanMedia(Catalogue& catalogue, PairList& pairs, ShardCut& cut, WorkerPool& pool,
               Progress& progress);
// The extras, after PlanMedia. Dropped ones are left out.
Plan PlanExtras(const Catalogue& catalogue, ShardCut& cut, WorkerPool& pool, Progress& progress);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PLAN_H_
