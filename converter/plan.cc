// Candidates by external sorts: by (size, place on disk), by (size, sample), by (leader, first).
#include "converter/plan.h"

#include <deque>
#include <utility>

#include "converter/interrupt.h"
#include "converter/sort_key.h"
#include "converter/source_file.h"

namespace ulhff {

namespace {

// Samples on their way: enough to keep slow storage busy.
constexpr size_t kSamplesAhead = 256;

// Finds out who may be equal to whom. Add all, then Build.
class CandidateFinder {
 public:
  CandidateFinder(const FileList& files, const std::string& dir, WorkerPool& pool,
                  Progress& progress)
      : files_(&files),
        dir_(dir),
        pool_(&pool),
        progress_(&progress),
        by_size_(dir, kSortMemory),
        by_sample_(dir, kSortMemory) {}

  void Add(const PlanEntry& entry, const FileRecord& record) {
    by_size_.Add(SortKey(record.size, record.device, record.inode, record.offset, entry.first),
                 Raw(entry));
  }

  Plan Build() {
    progress_->Stage("looking for duplicates", by_size_.count(), Progress::Unit::kCount);
    Plan plan(dir_);
    TakeSizes(plan);
    TakeSamples(plan);
    return plan;
  }

 private:
  // A place on disk: device, inode, offset. Equal ones of one size are the same bytes.
  using Place = std::array<uint64_t, 3>;
  struct Sized {
    PlanEntry entry;
    Place place;
  };
  struct Sampled {
    PlanEntry entry;
    Pending<uint64_t> sample;  // of a link: that of the one before
  };

  std::optional<Sized> NextBySize() {
    const auto record = by_size_.Next();
    if (!record) return std::nullopt;
    CheckInterrupt();
    progress_->Advance(1);
    return Sized{LoadAt<PlanEntry>(record->payload, 0),
                 {KeyNumber(record->key, 1), KeyNumber(record->key, 2), KeyNumber(record->key, 3)}};
  }

  // A size that one media has alone needs no sample.
  void TakeSizes(Plan& plan) {
    std::optional<Sized> current = NextBySize();
    std::optional<Sized> before;
    while (current) {
      std::optional<Sized> next = NextBySize();
      const bool linked =
          before && before->entry.size == current->entry.size && before->place == current->place;
      current->entry.same = linked ? before->entry.same : current->entry.first;
      const bool alone = (!before || before->entry.size != current->entry.size) &&
                         (!next || next->entry.size != current->entry.size);
      if (alone) {
        current->entry.leader = current->entry.first;
        plan.Add(current->entry);
      } else {
        Sample(current->entry);
      }
      before = std::exchange(current, next);
    }
    while (!ahead_.empty()) TakeSample();
  }

  void Sample(const PlanEntry& entry) {
    if (ahead_.size() == kSamplesAhead) TakeSample();
    Sampled sampled{entry, {}};
    if (!entry.is_link()) {
      sampled.sample = pool_->Submit(
          [files = files_, file = entry.file] { return SampleHash(files->Read(file)); });
    }
    ahead_.push_back(std::move(sampled));
  }

  void TakeSample() {
    Sampled& oldest = ahead_.front();
    if (oldest.sample.valid()) last_sample_ = oldest.sample.Get();
    by_sample_.Add(SortKey(oldest.entry.size, last_sample_, oldest.entry.first), Raw(oldest.entry));
    ahead_.pop_front();
  }

  void TakeSamples(Plan& plan) {
    std::optional<std::pair<uint64_t, uint64_t>> group;
    uint64_t leader = 0;
    while (const auto record = by_sample_.Next()) {
      auto entry = LoadAt<PlanEntry>(record->payload, 0);
      const std::pair this_group(KeyNumber(record->key, 0), KeyNumber(record->key, 1));
      if (group != this_group) leader = entry.first;
      group = this_group;
      entry.leader = leader;
      plan.Add(entry);
    }
  }

  const FileList* files_;
  std::string dir_;
  WorkerPool* pool_;
  Progress* progress_;
  Sorter by_size_;
  Sorter by_sample_;
  std::deque<Sampled> ahead_;
  uint64_t last_sample_ = 0;
};

// Pairs by (media, sequence), one media after the other.
class PairsByMedia {
 public:
  explicit PairsByMedia(Sorter& sorter) : sorter_(&sorter) { Advance(); }

  // Calls take(item) for the pairs of the media at `position`; those of smaller ones are passed.
  template <typename Take>
  void Of(uint64_t position, Take take) {
    for (; next_ && media_ <= position; Advance()) {
      if (media_ == position) take(*next_);
    }
  }

 private:
  void Advance() {
    next_.reset();
    if (const auto record = sorter_->Next()) {
      media_ = KeyNumber(record->key, 0);
      next_ = {KeyNumber(record->key, 1), LoadAt<uint64_t>(record->payload, 0)};
    }
  }

  Sorter* sorter_;
  uint64_t media_ = 0;
  std::optional<PairList::Item> next_;
};

}  // namespace

void PairList::Add(const Item& item) { items_.Append(Raw(item)); }

void PairList::Read(uint64_t first, std::span<Item> out) const {
  items_.Read(first * sizeof(Item), std::as_writable_bytes(out));
}

void Plan::Add(const PlanEntry& entry) {
  entries_.Add(SortKey(entry.leader, entry.first), Raw(entry));
  bytes_ += entry.size;
  if (!entry.is_link()) to_read_ += entry.size;
}

std::optional<PlanEntry> Plan::Next() {
  const auto record = entries_.Next();
  if (!record) return std::nullopt;
  return LoadAt<PlanEntry>(record->payload, 0);
}

namespace {

// Aliases have no pairs; this keeps them behind all media that do.
constexpr uint64_t kFirstAlias = uint64_t{1} << 62;

// Fills `pairs` and calls take(entry, record) for the media with pairs, each before its aliases.
// The others become extras.
template <typename Take>
void ForEachMedia(Catalogue& catalogue, PairList& pairs, Take take) {
  PairsByMedia by_media(catalogue.pairs);
  FileList::Cursor media(catalogue.media);
  uint64_t aliases = 0;
  bool has_pairs = false;  // the media that aliases belong to
  while (const auto item = media.Next()) {
    if (item->record.dropped) continue;
    PlanEntry entry{.file = item->position, .size = item->record.size, .first_pair = pairs.size()};
    if (item->record.is_alias) {
      entry.first = kFirstAlias + aliases++;
    } else {
      by_media.Of(item->position, [&](const PairList::Item& pair) {
        if (entry.pairs++ == 0) entry.first = pair.sequence;
        pairs.Add(pair);
      });
      has_pairs = entry.pairs > 0;
    }
    if (has_pairs) {
      take(entry, item->record);
    } else if (!item->record.name.empty() && !item->record.is_twin) {
      catalogue.extras.Add(item->record);
    }
  }
  catalogue.pairs = Sorter(catalogue.tmp_dir, kSortMemory);
}

uint64_t WeightOfExtras(const FileList& extras) {
  uint64_t weight = 0;
  FileList::Cursor cursor(extras);
  while (const auto item = cursor.Next()) {
    if (!item->record.dropped) weight += ShardCut::Weight(item->record.size);
  }
  return weight;
}

// Gives `finder` the media that the shard takes, by their place in the source.
void FindInShard(Catalogue& catalogue, PairList& pairs, ShardCut& cut, CandidateFinder& finder) {
  Sorter in_order(catalogue.tmp_dir, kSortMemory);
  uint64_t weight = 0;
  uint64_t place = 0;
  ForEachMedia(catalogue, pairs, [&](const PlanEntry& entry, const FileRecord& record) {
    if (!record.is_alias) {
      weight += ShardCut::Weight(entry.size);
      place = entry.first;
    }
    in_order.Add(SortKey(place), Raw(entry));
  });
  cut.SetTotal(weight + WeightOfExtras(catalogue.extras));
  bool taken = false;
  while (const auto sorted = in_order.Next()) {
    const auto entry = LoadAt<PlanEntry>(sorted->payload, 0);
    // Aliases follow their media.
    if (entry.first < kFirstAlias) taken = cut.Takes(entry.size);
    if (taken) finder.Add(entry, catalogue.media.Read(entry.file));
  }
}

}  // namespace

Plan PlanMedia(Catalogue& catalogue, PairList& pairs, ShardCut& cut, WorkerPool& pool,
               Progress& progress) {
  CandidateFinder finder(catalogue.media, catalogue.tmp_dir, pool, progress);
  if (cut.is_whole()) {
    ForEachMedia(catalogue, pairs, [&finder](const PlanEntry& entry, const FileRecord& record) {
      finder.Add(entry, record);
    });
  } else {
    FindInShard(catalogue, pairs, cut, finder);
  }
  return finder.Build();
}

Plan PlanExtras(const Catalogue& catalogue, ShardCut& cut, WorkerPool& pool, Progress& progress) {
  CandidateFinder finder(catalogue.extras, catalogue.tmp_dir, pool, progress);
  FileList::Cursor extras(catalogue.extras);
  uint64_t place = 0;
  while (const auto item = extras.Next()) {
    if (item->record.dropped) continue;
    PlanEntry entry{.file = item->position, .size = item->record.size};
    entry.first = place++;
    if (cut.is_whole() || cut.Takes(entry.size)) finder.Add(entry, item->record);
  }
  return finder.Build();
}

}  // namespace ulhff
