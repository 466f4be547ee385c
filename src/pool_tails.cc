// A ring of bytes a shard, and a set-associative table of where in it each tail begins.
#include "pool_tails.h"

#include <algorithm>

namespace ulhff {

TailCache::TailCache(size_t bytes)
    : ring_bytes_(std::max<size_t>(bytes / kShards, AlignedBuffer::kAlignment)),
      shards_(std::make_unique<Shard[]>(kShards)) {
  for (size_t i = 0; i < kShards; ++i) {
    shards_[i].ring.Reserve(ring_bytes_);
    shards_[i].sets.resize(ring_bytes_ / kTypicalTail / kWays);
  }
}

// Offsets are multiples of the file's alignment.
uint64_t TailCache::Hash(uint64_t offset) {
  uint64_t h = offset * 0x9E3779B97F4A7C15;
  h ^= h >> 32;
  return h * 0xD6E8FEB86659FD93 >> 20;
}

std::array<TailCache::Slot, TailCache::kWays>& TailCache::SetOf(Shard& shard,
                                                                uint64_t offset) const {
  return shard.sets[Hash(offset) / kShards % shard.sets.size()];
}

bool TailCache::IsGood(const Shard& shard, const Slot& slot) const {
  return slot.size > 0 && shard.head - slot.begin <= ring_bytes_;
}

TailCache::Slot* TailCache::Seek(Shard& shard, uint64_t offset) const {
  for (Slot& slot : SetOf(shard, offset)) {
    if (slot.offset == offset && IsGood(shard, slot)) return &slot;
  }
  return nullptr;
}

// A slot for these bytes at the head of the ring: the object's own, an empty one, or the oldest.
TailCache::Slot& TailCache::Claim(Shard& shard, uint64_t offset, size_t size) const {
  Slot* slot = Seek(shard, offset);
  if (slot == nullptr) {
    auto& set = SetOf(shard, offset);
    slot = std::min_element(set.begin(), set.end(), [&](const Slot& a, const Slot& b) {
      const bool a_good = IsGood(shard, a);
      const bool b_good = IsGood(shard, b);
      return a_good != b_good ? b_good : a.begin < b.begin;
    });
  }
  const size_t left = ring_bytes_ - shard.head % ring_bytes_;
  if (size > left) shard.head += left;  // a tail does not wrap
  *slot = {offset, shard.head, static_cast<uint32_t>(size)};
  shard.head += size;
  return *slot;
}

void TailCache::Forget(uint64_t offset) {
  Shard& shard = ShardOf(offset);
  const std::lock_guard lock(shard.mutex);
  if (Slot* const slot = Seek(shard, offset)) slot->size = 0;
}

}  // namespace ulhff
