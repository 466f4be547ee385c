// Single flight, eviction and memory of the object pool.
#include "pool_pieces.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include "checksum.h"
#include "error.h"

namespace ulhff {

namespace {

// Spreads keys that count upwards.
uint64_t Hash(const PieceKey& key) {
  uint64_t h = (key.owner * 0x9E3779B97F4A7C15) ^ (key.part * 0xC2B2AE3D27D4EB4F);
  h ^= h >> 32;
  return h * 0xD6E8FEB86659FD93 >> 32;
}

}  // namespace

// Everything but `notes`, and the bytes in the frames of a piece that is ready, is guarded by
// the shard's lock; while it is loading, range and frames belong to the thread that loads.
struct PieceCache::Piece {
  enum class State : uint8_t { kLoading, kReady, kFailed };

  PieceKey key;
  PieceRange range;
  std::vector<uint32_t> frames;  // hold the range from `offset` rounded down to kAlignment on
  std::atomic<uint64_t> notes{0};
  uint32_t pins = 0;
  int error = 0;  // errno, if failed
  State state = State::kLoading;
  bool used = false;    // since the hand passed
  bool listed = false;  // can be found; else it goes when the last pin does

  uint64_t skew() const { return range.offset % AlignedBuffer::kAlignment; }
};

struct PieceCache::Shard {
  struct Entry {
    PieceKey key;
    std::unique_ptr<Piece> piece;
  };

  std::mutex mutex;
  std::condition_variable loaded;
  std::vector<Entry> entries;  // few: found by scanning
  std::vector<std::unique_ptr<Piece>> unlisted;
  std::vector<std::unique_ptr<Piece>> spare;
  size_t hand = 0;
  PieceStats stats;

  Piece* Find(const PieceKey& key) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
    return found == entries.end() ? nullptr : found->piece.get();
  }

  Piece& Insert(const PieceKey& key) {
    if (spare.empty()) spare.push_back(std::make_unique<Piece>());
    Piece& piece = *spare.back();
    piece.key = key;
    piece.state = Piece::State::kLoading;
    piece.notes.store(0, std::memory_order_relaxed);
    piece.pins = 1;
    piece.used = false;
    piece.listed = true;
    entries.push_back({key, std::move(spare.back())});
    spare.pop_back();
    return piece;
  }

  // Moves the entry's piece to `to`.
  void Remove(size_t entry, std::vector<std::unique_ptr<Piece>>& to) {
    entries[entry].piece->listed = false;
    to.push_back(std::move(entries[entry].piece));
    std::swap(entries[entry], entries.back());
    entries.pop_back();
  }

  void Unlist(const Piece& piece) {
    for (size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].piece.get() == &piece) return Remove(i, unlisted);
    }
  }

  // Of a piece that nobody can find or holds.
  void Recycle(const Piece& piece) {
    for (auto& candidate : unlisted) {
      if (candidate.get() != &piece) continue;
      spare.push_back(std::move(candidate));
      std::swap(candidate, unlisted.back());
      return unlisted.pop_back();
    }
  }
};

PieceCache::PieceCache(const InputFile& file, size_t bytes)
    : file_(file),
      frames_(bytes / Frames::kSize),
      shards_(std::make_unique<std::array<Shard, kShards>>()) {}

PieceCache::~PieceCache() = default;

PieceCache::Shard& PieceCache::ShardOf(const PieceKey& key) {
  return (*shards_)[Hash(key) % kShards];
}

std::optional<PieceCache::Ref> PieceCache::Find(const PieceKey& key) {
  Shard& shard = ShardOf(key);
  std::unique_lock lock(shard.mutex);
  Piece* piece = shard.Find(key);
  if (piece == nullptr) return std::nullopt;
  return Await(shard, *piece, lock);
}

PieceCache::Ref PieceCache::Get(const PieceKey& key, const PieceRange& range) {
  Shard& shard = ShardOf(key);
  std::unique_lock lock(shard.mutex);
  if (Piece* piece = shard.Find(key)) return Await(shard, *piece, lock);
  Piece& piece = shard.Insert(key);
  lock.unlock();
  Ref ref(*this, piece);
  Fill(piece, range);
  return ref;
}

PieceCache::Ref PieceCache::Await(Shard& shard, Piece& piece, std::unique_lock<std::mutex>& lock) {
  ++piece.pins;
  piece.used = true;
  if (piece.state == Piece::State::kLoading) {
    ++shard.stats.waits;
    shard.loaded.wait(lock, [&] { return piece.state != Piece::State::kLoading; });
  } else {
    ++shard.stats.hits;
  }
  const int error = piece.state == Piece::State::kFailed ? piece.error : 0;
  lock.unlock();
  Ref ref(*this, piece);
  if (error != 0) ThrowErrno(error, file_.path());
  return ref;
}

void PieceCache::Fill(Piece& piece, const PieceRange& range) {
  piece.range = range;
  try {
    Read(piece);
  } catch (const std::system_error& e) {
    Fail(piece, e.code().value());
    throw;
  } catch (const std::bad_alloc&) {
    Fail(piece, ENOMEM);
    throw;
  }
  Shard& shard = ShardOf(piece.key);
  {
    const std::lock_guard lock(shard.mutex);
    piece.state = Piece::State::kReady;
    ++shard.stats.reads;
    shard.stats.read_bytes += range.size;
  }
  shard.loaded.notify_all();
}

void PieceCache::Fail(Piece& piece, int error) {
  Shard& shard = ShardOf(piece.key);
  {
    const std::lock_guard lock(shard.mutex);
    piece.state = Piece::State::kFailed;
    piece.error = error;
    shard.Unlist(piece);
  }
  shard.loaded.notify_all();
}

void PieceCache::Read(Piece& piece) {
  const uint64_t skew = piece.skew();
  const size_t size = skew + piece.range.size;
  TakeFrames((size + Frames::kSize - 1) / Frames::kSize, piece.frames);
  thread_local std::vector<iovec> parts;
  parts.clear();
  size_t left = (size + AlignedBuffer::kAlignment - 1) / AlignedBuffer::kAlignment *
                AlignedBuffer::kAlignment;
  for (const uint32_t frame : piece.frames) {
    std::byte* const data = frames_.data(frame);
    const size_t part = std::min(left, Frames::kSize);
    left -= part;
    if (!parts.empty() &&
        static_cast<std::byte*>(parts.back().iov_base) + parts.back().iov_len == data) {
      parts.back().iov_len += part;
    } else {
      parts.push_back({data, part});
    }
  }
  file_.ReadInto(piece.range.offset - skew, size, parts, piece.range.caching);
}

void PieceCache::TakeFrames(size_t wanted, std::vector<uint32_t>& frames) {
  const std::lock_guard turn(taking_);
  while (frames_.taken() + wanted > frames_.count() / 4 && EvictOne()) {
  }
  if (frames_.Take(wanted, frames)) return;
  starving_ = true;
  for (;;) {
    const uint32_t seen = releases_;
    if (frames_.Take(wanted, frames)) break;
    if (!EvictOne()) releases_.wait(seen);
  }
  starving_ = false;
}

// CLOCK over all shards: a piece that was used since the hand passed is spared once.
bool PieceCache::EvictOne() {
  for (size_t step = 0; step < 2 * kShards + 1; ++step) {
    Shard& shard = (*shards_)[hand_];
    const std::lock_guard lock(shard.mutex);
    for (; shard.hand < shard.entries.size(); ++shard.hand) {
      Piece& piece = *shard.entries[shard.hand].piece;
      if (piece.pins > 0 || std::exchange(piece.used, false)) continue;
      Drop(shard, shard.hand);
      return true;
    }
    shard.hand = 0;
    hand_ = (hand_ + 1) % kShards;
  }
  return false;
}

void PieceCache::Release(Piece& piece) {
  Shard& shard = ShardOf(piece.key);
  {
    const std::lock_guard lock(shard.mutex);
    if (--piece.pins > 0) return;
    if (!piece.listed) {
      frames_.Give(piece.frames);
      shard.Recycle(piece);
    }
  }
  // Whoever starves set the flag before it looked at this shard, and counted before that.
  if (starving_) {
    ++releases_;
    releases_.notify_all();
  }
}

void PieceCache::Forget(const PieceKey& key) {
  Shard& shard = ShardOf(key);
  const std::lock_guard lock(shard.mutex);
  for (size_t i = 0; i < shard.entries.size(); ++i) {
    if (shard.entries[i].key == key) return Drop(shard, i);
  }
}

// Under the shard's lock. A piece in use goes when it is released.
void PieceCache::Drop(Shard& shard, size_t entry) {
  Piece& piece = *shard.entries[entry].piece;
  if (piece.pins == 0) frames_.Give(piece.frames);
  shard.Remove(entry, piece.pins == 0 ? shard.spare : shard.unlisted);
}

PieceStats PieceCache::stats() const {
  PieceStats sum;
  for (Shard& shard : *shards_) {
    const std::lock_guard lock(shard.mutex);
    sum.reads += shard.stats.reads;
    sum.read_bytes += shard.stats.read_bytes;
    sum.hits += shard.stats.hits;
    sum.waits += shard.stats.waits;
  }
  return sum;
}

template <typename Use>
void PieceCache::Ref::ForEachPart(uint64_t position, uint64_t size, Use&& use) const {
  uint64_t at = piece_->skew() + position;
  while (size > 0) {
    const uint64_t within = at % Frames::kSize;
    const uint64_t part = std::min<uint64_t>(size, Frames::kSize - within);
    use(ByteSpan(cache_->frames_.data(piece_->frames[at / Frames::kSize]) + within, part));
    at += part;
    size -= part;
  }
}

void PieceCache::Ref::Copy(uint64_t position, std::span<std::byte> out) const {
  ForEachPart(position, out.size(), [&](ByteSpan part) {
    std::memcpy(out.data(), part.data(), part.size());
    out = out.subspan(part.size());
  });
}

uint64_t PieceCache::Ref::Checksum(uint64_t position, uint64_t size) const {
  const uint64_t at = piece_->skew() + position;
  if (at % Frames::kSize + size <= Frames::kSize) {
    uint64_t sum = Checksum64({});
    ForEachPart(position, size, [&](ByteSpan part) { sum = Checksum64(part); });
    return sum;
  }
  thread_local StreamChecksum stream;
  stream.Reset();
  ForEachPart(position, size, [&](ByteSpan part) { stream.Update(part); });
  return stream.Digest64();
}

bool PieceCache::Ref::noted(unsigned note) const {
  return (piece_->notes.load(std::memory_order_relaxed) >> note & 1) != 0;
}

void PieceCache::Ref::Note(unsigned note) const {
  piece_->notes.fetch_or(uint64_t{1} << note, std::memory_order_relaxed);
}

}  // namespace ulhff
