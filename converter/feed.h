// Reads the files of a plan ahead of their use, on several threads, and delivers them in order.
#ifndef ULHFF_CONVERTER_FEED_H_
#define ULHFF_CONVERTER_FEED_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "converter/file_list.h"
#include "converter/plan.h"
#include "converter/source_file.h"
#include "converter/text_store.h"
#include "converter/worker_pool.h"

namespace ulhff {

// Files up to this size are held whole; larger ones are read by those who need them.
inline constexpr uint64_t kWholeSize = uint64_t{2} << 20;

struct ReadyPair {
  PairList::Item item;
  StoredPair pair;
  std::vector<std::optional<int64_t>> mtimes_ns;  // of texts in files
};

struct Loaded {
  PlanEntry entry;
  FileRecord file;
  Buffer bytes = {};  // if is_whole()
  std::vector<ReadyPair> pairs =
      {};                // the first ones, with the bytes of texts in files; may be fewer
  bool settled = false;  // equal hashes of all bytes: who differs is not compared again

  bool is_whole() const { return entry.size <= kWholeSize && !entry.is_link(); }
};

// Reads the pairs of an entry on a worker thread.
using PairLoader = std::function<std::vector<ReadyPair>(const PlanEntry& entry)>;

class Feed {
 public:
  // All but `plan` must outlive it. `load_pairs` may be empty.
  Feed(const FileList& files, Plan plan, WorkerPool& pool, PairLoader load_pairs);

  // The next file by (leader, first). Throws what reading it threw.
  std::optional<Loaded> Next();
  // The leader of what Next will return.
  std::optional<uint64_t> NextLeader();
  // Puts an entry back, under a leader that was not delivered yet.
  void PutBack(const PlanEntry& entry, bool settled);

 private:
  struct Ahead {
    PlanEntry entry;
    Pending<Loaded> loaded;
  };
  struct Back {
    PlanEntry entry;
    bool settled;
    bool operator<(const Back& other) const {  // the smallest is on top
      return std::pair(entry.leader, entry.first) >
             std::pair(other.entry.leader, other.entry.first);
    }
  };

  void Fill();
  Pending<Loaded> Load(const PlanEntry& entry);
  bool BackIsNext() const;

  const FileList* files_;
  Plan plan_;
  WorkerPool* pool_;
  PairLoader load_pairs_;
  bool plan_ended_ = false;
  std::deque<Ahead> ahead_;
  uint64_t ahead_bytes_ = 0;
  std::priority_queue<Back> back_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_FEED_H_
