// A packed sequence of the index (docs/format.md §6.2): values by number, and search.
#ifndef ULHFF_SRC_INDEX_SEQUENCE_H_
#define ULHFF_SRC_INDEX_SEQUENCE_H_

#include <cstdint>
#include <string>

#include "format.h"
#include "index.h"
#include "packed.h"

namespace ulhff {

// Immutable and thread-safe; a view of IndexBlocks, which must outlive it. Blocks are checked when
// used: FormatError if they are damaged or malformed.
class PackedSequence {
 public:
  PackedSequence() = default;  // absent, no elements
  // Precondition: `section` was checked against docs/format.md §6 (its blocks exist, there are
  // enough of them, per_block is not 0).
  PackedSequence(const IndexBlocks& blocks, const SectionEntry& section);

  bool present() const { return blocks_ != nullptr; }
  uint64_t size() const { return count_; }
  uint64_t per_block() const { return per_block_; }
  uint64_t blocks() const { return block_count_; }
  uint64_t OffsetOf(uint64_t i) const;  // file offset of the block that holds element i

  // Precondition: i < size().
  PackedValue at(uint64_t i) const;

  // Elements i and i + 1 of a sequence that never decreases; throws FormatError if it does here.
  // Precondition: i + 1 < size().
  struct Step {
    PackedValue from, to;
    uint64_t length() const { return to.value - from.value; }
  };
  Step StepAt(uint64_t i) const;

  // The last element of [begin, end) that is not greater than `value`, in a sequence that never
  // decreases. Precondition: begin < end <= size(). Throws FormatError if the first is greater.
  // A damaged block is an error only for what may stand in it.
  struct Found {
    uint64_t index, value;
  };
  Found FindLast(uint64_t value, uint64_t begin, uint64_t end) const {
    return Find(&PackedValue::value, value, begin, end);
  }
  // The same by the extra value, in a sequence whose extra values never decrease.
  Found FindLastExtra(uint64_t extra, uint64_t begin, uint64_t end) const {
    return Find(&PackedValue::extra, extra, begin, end);
  }
  // FindLast among the elements of one block.
  Found FindLastInBlock(uint64_t value, uint64_t block) const;

  // Calls visit(i, PackedValue) for all elements of [begin, end), each block being fetched once.
  // `visit` must not use the index.
  template <typename Visit>
  void ForEach(uint64_t begin, uint64_t end, Visit&& visit) const;

  [[noreturn]] void ThrowMalformed(uint64_t i, const std::string& what) const;

 private:
  PackedBlock Checked(const IndexBlocks::Ref& ref, uint64_t block) const;
  using Key = uint64_t PackedValue::*;
  Found Find(Key key, uint64_t wanted, uint64_t begin, uint64_t end) const;
  Found FindInBlock(Key key, uint64_t wanted, uint64_t block, uint64_t begin, uint64_t end) const;

  const IndexBlocks* blocks_ = nullptr;
  uint64_t first_block_ = 0;
  uint64_t block_count_ = 0;
  uint64_t count_ = 0;
  uint64_t per_block_ = 1;
  unsigned extra_bits_ = 0;
};

template <typename Visit>
void PackedSequence::ForEach(uint64_t begin, uint64_t end, Visit&& visit) const {
  for (uint64_t i = begin; i < end;) {
    const uint64_t block = i / per_block_;
    const uint64_t first = block * per_block_;
    const IndexBlocks::Ref ref = blocks_->Get(first_block_ + block);
    const PackedBlock packed = Checked(ref, block);
    for (; i < end && i - first < per_block_; ++i) visit(i, packed.at(i - first));
  }
}

}  // namespace ulhff

#endif  // ULHFF_SRC_INDEX_SEQUENCE_H_
