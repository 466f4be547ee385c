// Searches the inner levels of the AVLplus tree, then one block of its leaves.
#include "asr.h"

#include <fmt/format.h>

#include <algorithm>

#include "error.h"
#include "index_sequence.h"

namespace ulhff {

namespace {

constexpr uint64_t kFanOut = kBlockSize / sizeof(uint64_t);

uint64_t Key(ByteSpan block, uint64_t k) { return LoadAt<Le<uint64_t>>(block, k * 8); }

// The last of the first `keys` keys that is not greater than `pair`; `keys` if there is none.
uint64_t FindKey(ByteSpan block, uint64_t keys, uint64_t pair) {
  if (Key(block, 0) > pair) return keys;
  uint64_t low = 0;
  uint64_t high = keys;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (Key(block, middle) <= pair ? low : high) = middle;
  }
  return low;
}

}  // namespace

AvlPlusIndex::AvlPlusIndex(const IndexBlocks& blocks, const PackedSequence& starts,
                           uint64_t tree_first_block)
    : blocks_(blocks), starts_(starts) {
  for (uint64_t keys = starts.blocks();; keys = levels_[depth_ - 1].blocks()) {
    levels_[depth_++].keys = keys;
    if (keys <= kFanOut) break;
  }
  // The root stands first.
  for (unsigned level = depth_; level-- > 0;) {
    levels_[level].first_block = tree_first_block;
    tree_first_block += levels_[level].blocks();
  }
}

uint64_t AvlPlusIndex::Level::blocks() const { return keys / kFanOut + (keys % kFanOut != 0); }

AvlPlusIndex::TreeSize AvlPlusIndex::SizeOfTree(uint64_t leaves) {
  TreeSize size;
  for (Level level{leaves, 0};; level.keys = level.blocks()) {
    size.keys += level.keys;
    size.blocks += level.blocks();
    if (level.keys <= kFanOut) return size;
  }
}

PairLocation AvlPlusIndex::Locate(uint64_t pair) const {
  uint64_t child = 0;
  for (unsigned level = depth_; level-- > 0;) {
    const uint64_t block = levels_[level].first_block + child;
    const uint64_t first = child * kFanOut;
    const uint64_t keys = std::min(kFanOut, levels_[level].keys - first);
    const uint64_t key = FindKey(blocks_.Get(block).bytes(), keys, pair);
    if (key == keys) ThrowContradiction(block, pair);
    child = first + key;
  }
  const auto [object, start] = starts_.FindLastInBlock(pair, child);
  // Element M is no object but the end; it is N, which no pair reaches.
  if (object + 1 >= starts_.size()) starts_.ThrowMalformed(object, "ends before the last pair");
  return {object, pair - start};
}

PairRange AvlPlusIndex::Pairs(uint64_t object) const {
  const PackedSequence::Step step = starts_.StepAt(object);
  if (step.length() == 0) starts_.ThrowMalformed(object, "an object without pairs");
  return {step.from.value, step.length()};
}

void AvlPlusIndex::ThrowContradiction(uint64_t block, uint64_t pair) const {
  throw FormatError(blocks_.file().path(), blocks_.OffsetOf(block),
                    fmt::format("pair tree: no key is as small as pair {}", pair));
}

}  // namespace ulhff
