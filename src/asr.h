// Adaptive sample retrieval: pair id -> (object, slot), by arithmetic or by the AVLplus tree
// (FFSlim paper; docs/format.md §7).
#ifndef ULHFF_SRC_ASR_H_
#define ULHFF_SRC_ASR_H_

#include <array>
#include <cstdint>

namespace ulhff {

class IndexBlocks;
class PackedSequence;

struct PairLocation {
  uint64_t object = 0;
  uint64_t slot = 0;  // place of the pair among its object's pairs
};

struct PairRange {
  uint64_t first = 0;
  uint64_t count = 0;
};

// Immutable and thread-safe. Preconditions: pair < N, object < M (the Reader checks).
class PairIndex {
 public:
  virtual ~PairIndex() = default;
  virtual PairLocation Locate(uint64_t pair) const = 0;
  virtual PairRange Pairs(uint64_t object) const = 0;
};

class IdentityIndex final : public PairIndex {
 public:
  PairLocation Locate(uint64_t pair) const override { return {pair, 0}; }
  PairRange Pairs(uint64_t object) const override { return {object, 1}; }
};

class FixedRatioIndex final : public PairIndex {
 public:
  explicit FixedRatioIndex(uint64_t ratio) : ratio_(ratio) {}
  PairLocation Locate(uint64_t pair) const override { return {pair / ratio_, pair % ratio_}; }
  PairRange Pairs(uint64_t object) const override { return {object * ratio_, ratio_}; }

 private:
  uint64_t ratio_;  // X >= 2
};

// The height-balanced tree over (start_idx, end_idx, offset), searched in its index blocks.
class AvlPlusIndex final : public PairIndex {
 public:
  // `starts` is PAIR_STARTS, the keys of its blocks are PAIR_TREE, of the size that SizeOfTree
  // says. Both must outlive the index.
  AvlPlusIndex(const IndexBlocks& blocks, const PackedSequence& starts, uint64_t tree_first_block);

  // These throw FormatError if the tree contradicts itself.
  PairLocation Locate(uint64_t pair) const override;
  PairRange Pairs(uint64_t object) const override;

  // What the inner levels over `leaves` (at least 1) blocks of PAIR_STARTS take.
  struct TreeSize {
    uint64_t keys = 0, blocks = 0;
  };
  static TreeSize SizeOfTree(uint64_t leaves);

 private:
  struct Level {
    uint64_t keys = 0;
    uint64_t first_block = 0;
    uint64_t blocks() const;
  };

  [[noreturn]] void ThrowContradiction(uint64_t block, uint64_t pair) const;

  const IndexBlocks& blocks_;
  const PackedSequence& starts_;
  std::array<Level, 8> levels_;  // the lowest first; 512^8 keys are more than a file can hold
  unsigned depth_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_ASR_H_
