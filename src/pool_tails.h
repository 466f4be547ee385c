// Keeps the texts of objects in memory after their media has left the pool.
#ifndef ULHFF_SRC_POOL_TAILS_H_
#define ULHFF_SRC_POOL_TAILS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "bytes.h"
#include "file.h"

namespace ulhff {

// The tail of an object (its texts and sums) is a few hundred bytes where its media is a hundred
// thousand, and the kernel, which keeps the media's pages, asks for each text again: without this,
// each pair of a media would cost a read of the file. First in, first out; objects are told apart
// by their offset. Thread-safe, a lock a shard; allocates when it is made, and touches memory only
// as it fills.
class TailCache {
 public:
  explicit TailCache(size_t bytes);

  size_t max_size() const { return ring_bytes_ / 16; }  // of a tail

  // Calls use(tail), which must not throw, if it is there.
  template <typename Use>
  bool Find(uint64_t offset, Use&& use) {
    Shard& shard = ShardOf(offset);
    const std::lock_guard lock(shard.mutex);
    const Slot* const slot = Seek(shard, offset);
    if (slot == nullptr) return false;
    use(ByteSpan(Bytes(shard, *slot)));
    return true;
  }

  // fill(bytes) writes the tail, of at most max_size() bytes, and must not throw.
  template <typename Fill>
  void Put(uint64_t offset, size_t size, Fill&& fill) {
    Shard& shard = ShardOf(offset);
    const std::lock_guard lock(shard.mutex);
    fill(Bytes(shard, Claim(shard, offset, size)));
  }

  void Forget(uint64_t offset);

 private:
  static constexpr size_t kShards = 16;
  static constexpr size_t kWays = 4;
  static constexpr size_t kTypicalTail = 256;  // bytes; decides how many slots there are

  // `begin` counts all bytes ever written to the ring: a slot is good until the ring has gone
  // round.
  struct Slot {
    uint64_t offset = 0;
    uint64_t begin = 0;
    uint32_t size = 0;  // 0: empty
  };
  struct Shard {
    std::mutex mutex;
    AlignedBuffer ring;
    uint64_t head = 0;
    std::vector<std::array<Slot, kWays>> sets;
  };

  static uint64_t Hash(uint64_t offset);
  Shard& ShardOf(uint64_t offset) { return shards_[Hash(offset) % kShards]; }
  std::array<Slot, kWays>& SetOf(Shard& shard, uint64_t offset) const;
  bool IsGood(const Shard& shard, const Slot& slot) const;
  Slot* Seek(Shard& shard, uint64_t offset) const;
  Slot& Claim(Shard& shard, uint64_t offset, size_t size) const;
  std::span<std::byte> Bytes(Shard& shard, const Slot& slot) const {
    return {shard.ring.data() + slot.begin % ring_bytes_, slot.size};
  }

  size_t ring_bytes_;  // of a shard
  std::unique_ptr<Shard[]> shards_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_POOL_TAILS_H_
