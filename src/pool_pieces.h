// A bounded cache of ranges of a file, each read once however many ask for it.
#ifndef ULHFF_SRC_POOL_PIECES_H_
#define ULHFF_SRC_POOL_PIECES_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "file.h"
#include "pool_frames.h"

namespace ulhff {

struct PieceKey {
  uint64_t owner = 0;
  uint64_t part = 0;
  friend bool operator==(const PieceKey&, const PieceKey&) = default;
};

// Bytes [offset, offset + size) of the file.
struct PieceRange {
  uint64_t offset = 0;
  uint64_t size = 0;
  Caching caching = Caching::kAsOpened;
};

// Counts of what happened since the start.
struct PieceStats {
  uint64_t reads = 0, read_bytes = 0;
  uint64_t hits = 0;   // pieces found in memory
  uint64_t waits = 0;  // pieces that another thread was reading
};

// Thread-safe, without a lock that all hits take. A thread holds one piece at a time: memory for a
// new one may have to wait until those in use are released. Allocates nothing once it has been
// full.
class PieceCache {
  struct Piece;

 public:
  // Keeps a piece in memory while it lives.
  class Ref {
   public:
    Ref(Ref&& other) noexcept
        : cache_(other.cache_), piece_(std::exchange(other.piece_, nullptr)) {}
    Ref& operator=(Ref&&) = delete;
    ~Ref() {
      if (piece_ != nullptr) cache_->Release(*piece_);
    }
    // Positions count from the start of the range. Preconditions: they lie within it.
    void Copy(uint64_t position, std::span<std::byte> out) const;
    uint64_t Checksum(uint64_t position, uint64_t size) const;
    // 64 notes of the caller's about the bytes (what was verified), lost with the piece.
    bool noted(unsigned note) const;
    void Note(unsigned note) const;

   private:
    friend class PieceCache;
    Ref(PieceCache& cache, Piece& piece) : cache_(&cache), piece_(&piece) {}
    // Calls use(bytes) for the contiguous parts of a range, in order.
    template <typename Use>
    void ForEachPart(uint64_t position, uint64_t size, Use&& use) const;

    PieceCache* cache_;
    Piece* piece_;
  };

  // Pieces that nobody holds have a quarter of the memory: enough for who comes next, and touched
  // so often that it stays in the processor's cache. `file` must outlive it.
  PieceCache(const InputFile& file, size_t bytes);
  ~PieceCache();

  // The largest range that Get takes.
  uint64_t max_size() const { return frames_.count() / 2 * Frames::kSize - kBlockSlack; }

  // The piece if it is there, or is being read (then waits for it).
  std::optional<Ref> Find(const PieceKey& key);
  // The same, and reads it if it is not. Throws std::system_error, as all do that waited for the
  // read; a failed read leaves nothing behind.
  Ref Get(const PieceKey& key, const PieceRange& range);
  // Makes the next Get read the range afresh. Who holds the piece keeps it.
  void Forget(const PieceKey& key);

  PieceStats stats() const;

 private:
  static constexpr size_t kShards = 64;
  // Direct reads begin and end at multiples of this.
  static constexpr uint64_t kBlockSlack = AlignedBuffer::kAlignment;

  struct Shard;

  Shard& ShardOf(const PieceKey& key);
  Ref Await(Shard& shard, Piece& piece, std::unique_lock<std::mutex>& lock);
  void Fill(Piece& piece, const PieceRange& range);
  void Fail(Piece& piece, int error);
  void Read(Piece& piece);
  void TakeFrames(size_t wanted, std::vector<uint32_t>& frames);
  bool EvictOne();
  void Drop(Shard& shard, size_t entry);
  void Release(Piece& piece);

  const InputFile& file_;
  Frames frames_;
  std::unique_ptr<std::array<Shard, kShards>> shards_;

  // Who needs memory takes it in turn, so that a large piece is not overtaken for ever. Taken
  // before a shard's lock.
  std::mutex taking_;
  size_t hand_ = 0;                    // the shard where the next victim is sought; under taking_
  std::atomic<bool> starving_{false};  // somebody waits for a piece to be released
  std::atomic<uint32_t> releases_{0};  // counted while starving_
};

}  // namespace ulhff

#endif  // ULHFF_SRC_POOL_PIECES_H_
