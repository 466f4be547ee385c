// A fixed amount of memory in frames of 16 KiB: what bounds the object pool.
#ifndef ULHFF_SRC_POOL_FRAMES_H_
#define ULHFF_SRC_POOL_FRAMES_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "file.h"

namespace ulhff {

// Pieces of the pool differ in size; frames make every freed byte fit the next piece. Small against
// an object, and large enough that one read of 4 MiB takes few vectors. Thread-safe. Memory is
// touched only as far as it is used.
class Frames {
 public:
  static constexpr size_t kSize = size_t{16} << 10;  // a multiple of AlignedBuffer::kAlignment

  explicit Frames(size_t count);

  size_t count() const { return count_; }
  std::byte* data(uint32_t frame) const { return memory_.data() + size_t{frame} * kSize; }

  size_t taken() const;

  // Moves `wanted` frames to the empty `frames`, or none and returns false.
  bool Take(size_t wanted, std::vector<uint32_t>& frames);
  void Give(std::vector<uint32_t>& frames);  // leaves it empty

 private:
  size_t count_;
  mutable AlignedBuffer memory_;
  mutable std::mutex mutex_;
  std::vector<uint32_t> free_;  // the last one given is taken first: it is warm
};

}  // namespace ulhff

#endif  // ULHFF_SRC_POOL_FRAMES_H_
