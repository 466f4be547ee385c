// Addresses elements of a packed sequence and bisects it, first over blocks and then within one.
#include "index_sequence.h"

#include <fmt/format.h>

#include <algorithm>

#include "error.h"
#include "index_bisect.h"

namespace ulhff {

PackedSequence::PackedSequence(const IndexBlocks& blocks, const SectionEntry& section)
    : blocks_(&blocks),
      first_block_(section.first_block),
      block_count_(section.blocks),
      count_(section.count),
      per_block_(section.per_block),
      extra_bits_(section.extra_bits) {}

uint64_t PackedSequence::OffsetOf(uint64_t i) const {
  return blocks_->OffsetOf(first_block_ + i / per_block_);
}

void PackedSequence::ThrowMalformed(uint64_t i, const std::string& what) const {
  throw FormatError(blocks_->file().path(), OffsetOf(i), fmt::format("element {}: {}", i, what));
}

PackedBlock PackedSequence::Checked(const IndexBlocks::Ref& ref, uint64_t block) const {
  if (!CheckPackedBlock(ref.bytes(), extra_bits_, per_block_)) {
    ThrowMalformed(block * per_block_, "packed block: its entries do not fit its 4096 bytes");
  }
  return PackedBlock(ref.bytes(), extra_bits_);
}

PackedValue PackedSequence::at(uint64_t i) const {
  const uint64_t block = i / per_block_;
  const IndexBlocks::Ref ref = blocks_->Get(first_block_ + block);
  return Checked(ref, block).at(i - block * per_block_);
}

PackedSequence::Step PackedSequence::StepAt(uint64_t i) const {
  Step step;
  const uint64_t block = i / per_block_;
  const uint64_t j = i - block * per_block_;
  const bool one_block = j + 1 < per_block_;
  {
    const IndexBlocks::Ref ref = blocks_->Get(first_block_ + block);
    const PackedBlock packed = Checked(ref, block);
    step.from = packed.at(j);
    if (one_block) step.to = packed.at(j + 1);
  }
  if (!one_block) step.to = at(i + 1);
  if (step.to.value < step.from.value) {
    ThrowMalformed(i + 1,
                   fmt::format("values decrease: {} after {}", step.to.value, step.from.value));
  }
  return step;
}

// Whatever the bytes are, the element found is not greater than what is wanted and the one behind
// it is.
PackedSequence::Found PackedSequence::Find(Key key, uint64_t wanted, uint64_t begin,
                                           uint64_t end) const {
  BisectedRange blocks = {begin / per_block_, (end - 1) / per_block_ + 1};
  Bisect(blocks, [&](uint64_t block) { return at(block * per_block_).*key <= wanted; });
  for (uint64_t block = blocks.low;; ++block) {
    const uint64_t behind = (block + 1) * per_block_;
    const Found found =
        FindInBlock(key, wanted, block, std::max(begin, block * per_block_), std::min(end, behind));
    // Behind the last element there are more blocks only where Bisect met damage.
    const bool last = found.index + 1 == behind && block + 1 < blocks.high;
    if (!last || at(behind).*key > wanted) return found;
  }
}

PackedSequence::Found PackedSequence::FindLastInBlock(uint64_t value, uint64_t block) const {
  return FindInBlock(&PackedValue::value, value, block, block * per_block_,
                     std::min(count_, (block + 1) * per_block_));
}

PackedSequence::Found PackedSequence::FindInBlock(Key key, uint64_t wanted, uint64_t block,
                                                  uint64_t begin, uint64_t end) const {
  const uint64_t first = block * per_block_;
  const IndexBlocks::Ref ref = blocks_->Get(first_block_ + block);
  const PackedBlock packed = Checked(ref, block);
  Found found{begin, packed.at(begin - first).*key};
  if (found.value > wanted) {
    ThrowMalformed(begin, fmt::format("{} is greater than {}", found.value, wanted));
  }
  while (end - found.index > 1) {
    const uint64_t middle = found.index + (end - found.index) / 2;
    const uint64_t at_middle = packed.at(middle - first).*key;
    if (at_middle <= wanted) {
      found = {middle, at_middle};
    } else {
      end = middle;
    }
  }
  return found;
}

}  // namespace ulhff
