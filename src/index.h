// The 4 KiB blocks of the index, verified against the sum tree and kept in a bounded cache
// (docs/format.md §5).
#ifndef ULHFF_SRC_INDEX_H_
#define ULHFF_SRC_INDEX_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <utility>
#include <vector>

#include "bytes.h"
#include "checksum.h"
#include "file.h"
#include "format.h"

namespace ulhff {

// Index blocks and, numbered after them, sum blocks. Thread-safe, without a global lock: where the
// whole index fits the cache a hit takes no lock at all, else the shared lock of a set of four
// blocks. A damaged block is a FormatError, with its file offset, for those who ask for it, and is
// read again each time; all others are served.
class IndexBlocks {
 public:
  struct Place {
    uint64_t offset = 0;  // index_offset
    uint64_t blocks = 0;  // index blocks; at least 1
    Digest128 root_sum{};
  };

  // A verified block. A thread holds one at a time: with two, threads could wait for each other.
  class Ref {
   public:
    ByteSpan bytes() const { return bytes_; }

   private:
    friend class IndexBlocks;
    explicit Ref(ByteSpan bytes, std::shared_lock<std::shared_mutex> lock = {})
        : bytes_(bytes), lock_(std::move(lock)) {}
    ByteSpan bytes_;
    std::shared_lock<std::shared_mutex> lock_;
  };

  // Reads the root sum block; throws FormatError "root checksum" if it is not the one of `place`.
  // `file` must outlive this object, which takes at most about `cache_bytes` of memory, as needed.
  IndexBlocks(const InputFile& file, const Place& place, uint64_t cache_bytes);

  // Precondition: block < all_blocks(). Throws FormatError, std::system_error.
  Ref Get(uint64_t block) const;

  const InputFile& file() const { return file_; }
  uint64_t index_blocks() const { return place_.blocks; }
  uint64_t all_blocks() const { return root_ + 1; }  // sum blocks included
  uint64_t OffsetOf(uint64_t block) const { return place_.offset + block * kBlockSize; }

  // Sum blocks of `index_blocks` (at least 1) index blocks.
  static uint64_t SumBlocks(uint64_t index_blocks);

 private:
  static constexpr uint64_t kWays = 4;      // blocks of a set
  static constexpr uint64_t kCluster = 32;  // blocks read at once where the whole index is kept
  static constexpr uint64_t kLoaders = 64;  // locks that let one thread load a block
  static constexpr uint64_t kEmpty = ~uint64_t{0};

  // Where the index does not fit: the blocks b with equal b % sets share kWays slots.
  struct Set {
    std::shared_mutex mutex;        // shared: the slots are read; else: one is replaced
    std::atomic<uint32_t> used{0};  // bit per slot, cleared when a victim is sought
  };
  struct Run {
    uint64_t first, count;
  };

  std::optional<Ref> Find(uint64_t block) const;
  void Load(uint64_t block) const;
  void LoadInPlace(uint64_t block, Run run, std::span<const uint64_t> sums) const;
  void LoadIntoSet(uint64_t block, uint64_t sum) const;
  void Replace(uint64_t block, ByteSpan bytes) const;
  Run ClusterOf(uint64_t block) const;
  void ExpectedSums(Run run, std::span<uint64_t> sums) const;
  void ReadBlocks(Run run, std::byte* to) const;
  [[noreturn]] void ThrowDamaged(uint64_t block) const;
  std::byte* Slot(uint64_t slot) const { return memory_.data() + slot * kBlockSize; }

  const InputFile& file_;
  Place place_;
  std::vector<uint64_t> level_starts_;  // first block of the index, of sum level 0, 1, ...
  uint64_t root_ = 0;                   // number of the root block
  AlignedBuffer root_block_;
  bool all_fit_ = false;  // every block has its own slot, never replaced
  uint64_t set_count_ = 0;
  mutable AlignedBuffer memory_;                   // the slots; untouched until used
  std::unique_ptr<std::atomic<uint64_t>[]> held_;  // the block in each slot, or kEmpty
  std::unique_ptr<Set[]> sets_;
  mutable std::array<std::mutex, kLoaders> loaders_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_INDEX_H_
