// Small files come whole from the feed; large ones are read side by side, a chunk at a time.
#include "converter/equal_files.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "converter/interrupt.h"
#include "converter/source_file.h"

namespace ulhff {

namespace {

constexpr size_t kChunk = size_t{1} << 20;
// Large files open at once beside their leader; each has a chunk in memory.
constexpr size_t kSideBySide = 8;

bool SameBytes(ByteSpan a, ByteSpan b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

// A large candidate that has been equal so far.
struct Rival {
  Loaded loaded;
  SourceFile file;
  Buffer chunk{kChunk};
  bool equal = true;

  explicit Rival(Loaded candidate) : loaded(std::move(candidate)), file(loaded.file) {}
  // Compares the file from `position` on with `bytes`.
  bool Matches(uint64_t position, ByteSpan bytes) const {
    file.WillRead(position + bytes.size(), kChunk);
    const auto own = chunk.span().first(bytes.size());
    file.Read(position, own);
    return SameBytes(own, bytes);
  }
};

// One leader and its candidates.
class Group {
 public:
  Group(Feed& feed, const FileList& files, WorkerPool& pool, GroupSink& sink, Progress& progress)
      : feed_(&feed), files_(&files), pool_(&pool), sink_(&sink), progress_(&progress) {}

  void Merge(Loaded leader) {
    leader_ = leader.entry;
    settled_ = leader.settled;
    sink_->Begin(leader);
    if (leader.is_whole()) {
      MergeSmall(std::move(leader));
    } else {
      MergeLarge(std::move(leader));
    }
    SettleLinks();
    sink_->End();
    PutBackLosers();
  }

 private:
  std::optional<Loaded> NextCandidate() {
    if (feed_->NextLeader() != leader_.first) return std::nullopt;
    return feed_->Next();
  }

  void MergeSmall(Loaded leader) {
    const Buffer bytes = std::move(leader.bytes);
    sink_->Append(bytes.bytes());
    progress_->Advance(bytes.size);
    sink_->Add(std::move(leader));
    while (std::optional<Loaded> candidate = NextCandidate()) {
      progress_->Advance(candidate->bytes.size);
      const PlanEntry& entry = candidate->entry;
      const bool equal = entry.is_link() ? lost_.count(entry.same) == 0
                                         : SameBytes(candidate->bytes.bytes(), bytes.bytes());
      if (equal) {
        candidate->bytes = {};
        sink_->Add(std::move(*candidate));
      } else {
        Lose(entry);
        // Now, because its bytes are here.
        if (!entry.is_link()) hashes_[entry.first] = Checksum128(candidate->bytes.bytes());
      }
    }
  }

  // A first pass writes the leader; more are made if there are more candidates than fit in one.
  void MergeLarge(Loaded leader) {
    const SourceFile file(leader.file);
    std::deque<Rival> rivals = TakeRivals();
    CompareSideBySide(file, rivals, /*write=*/true);
    sink_->Add(std::move(leader));
    Settle(rivals);
    for (rivals = TakeRivals(); !rivals.empty(); rivals = TakeRivals()) {
      CompareSideBySide(file, rivals, /*write=*/false);
      Settle(rivals);
    }
  }

  void Settle(std::deque<Rival>& rivals) {
    for (Rival& rival : rivals) {
      if (rival.equal) {
        sink_->Add(std::move(rival.loaded));
      } else {
        Lose(rival.loaded.entry);
      }
    }
  }

  void Lose(const PlanEntry& entry) {
    losers_.push_back(entry);
    lost_.insert(entry.first);
  }

  std::deque<Rival> TakeRivals() {
    std::deque<Rival> rivals;
    while (rivals.size() < kSideBySide) {
      std::optional<Loaded> candidate = NextCandidate();
      if (!candidate) break;
      if (!candidate->entry.is_link()) {
        rivals.emplace_back(std::move(*candidate));
      } else {
        links_.push_back(candidate->entry);
      }
    }
    return rivals;
  }

  // The next chunk of the leader is read while this one is compared and written.
  void CompareSideBySide(const SourceFile& file, std::deque<Rival>& rivals, bool write) {
    Buffer chunk(kChunk);
    Buffer next_chunk(kChunk);
    const auto read = [&](uint64_t position, Buffer& to) {
      const auto out = to.span().first(std::min<uint64_t>(kChunk, file.size() - position));
      return pool_->Submit([&file, position, out]() -> ByteSpan {
        file.WillRead(position + out.size(), kChunk);
        file.Read(position, out);
        return out;
      });
    };
    Pending<ByteSpan> next = read(0, next_chunk);
    for (uint64_t position = 0; position < file.size();) {
      CheckInterrupt();
      const ByteSpan bytes = next.Get();
      std::swap(chunk, next_chunk);
      const uint64_t after = position + bytes.size();
      if (after < file.size()) next = read(after, next_chunk);
      CompareAndAppend(position, bytes, rivals, write);
      position = after;
      if (!write &&
          std::none_of(rivals.begin(), rivals.end(), [](const Rival& r) { return r.equal; }))
        break;
    }
  }

  void CompareAndAppend(uint64_t position, ByteSpan bytes, std::deque<Rival>& rivals, bool write) {
    std::vector<std::pair<Rival*, Pending<bool>>> verdicts;
    for (Rival& rival : rivals) {
      if (!rival.equal) continue;
      verdicts.emplace_back(&rival, pool_->Submit([&rival, position, bytes] {
        return rival.Matches(position, bytes);
      }));
    }
    if (write) {
      sink_->Append(bytes);
      progress_->Advance(bytes.size());
    }
    for (auto& [rival, verdict] : verdicts) {
      rival->equal = verdict.Get();
      progress_->Advance(bytes.size());
    }
  }

  // A hard link to a candidate shares its verdict.
  void SettleLinks() {
    for (const PlanEntry& link : links_) {
      if (lost_.count(link.same) > 0) {
        Lose(link);
      } else {
        sink_->Add({.entry = link, .file = files_->Read(link.file)});
      }
    }
  }

  void PutBackLosers();
  void HashLosers();

  Feed* feed_;
  const FileList* files_;
  WorkerPool* pool_;
  GroupSink* sink_;
  Progress* progress_;
  PlanEntry leader_;
  bool settled_ = false;
  std::vector<PlanEntry> links_;          // to large candidates
  std::vector<PlanEntry> losers_;         // candidates that differ
  std::set<uint64_t> lost_;               // their `first`
  std::map<uint64_t, Digest128> hashes_;  // of losers, by `same`
};

// Candidates that differ get groups of their own, by a hash of all their bytes, so that a thousand
// different files with equal samples are not compared a million times. Who differs even then
// (hashes collide) stays alone.
void Group::PutBackLosers() {
  if (losers_.empty()) return;
  if (settled_) {
    hashes_.clear();
  } else {
    HashLosers();
  }
  std::sort(losers_.begin(), losers_.end(),
            [](const PlanEntry& a, const PlanEntry& b) { return a.first < b.first; });
  std::map<Digest128, uint64_t> leaders;
  for (PlanEntry& loser : losers_) {
    const auto hash = hashes_.find(loser.same);
    loser.leader = hash == hashes_.end() ? loser.same
                                         : leaders.emplace(hash->second, loser.first).first->second;
    feed_->PutBack(loser, true);
  }
}

// A large one that lost alone needs no hash.
void Group::HashLosers() {
  std::deque<std::pair<uint64_t, Pending<Digest128>>> running;
  const auto take = [&] {
    hashes_[running.front().first] = running.front().second.Get();
    running.pop_front();
  };
  for (const PlanEntry& loser : losers_) {
    if (loser.is_link() || losers_.size() == 1 || hashes_.count(loser.first) > 0) continue;
    if (running.size() == kSideBySide) take();
    running.emplace_back(loser.first, pool_->Submit([files = files_, file = loser.file] {
      return FullHash(files->Read(file));
    }));
  }
  while (!running.empty()) take();
}

}  // namespace

void MergeEqualFiles(Feed& feed, const FileList& files, WorkerPool& pool, GroupSink& sink,
                     Progress& progress) {
  while (std::optional<Loaded> leader = feed.Next()) {
    Group(feed, files, pool, sink, progress).Merge(std::move(*leader));
  }
}

}  // namespace ulhff
