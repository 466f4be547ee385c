// The order of the pairs in the source, and the splits (docs/format.md §6.5, §6.6).
#ifndef ULHFF_SRC_READER_ORDER_H_
#define ULHFF_SRC_READER_ORDER_H_

#include <cstdint>

#include "format.h"
#include "reader_info.h"
#include "reader_sections.h"

namespace ulhff {

// Immutable and thread-safe views of the sections, which must outlive them. Numbers must be in
// range (Reader checks). FormatError if the sections contradict themselves.
class SourceOrder {
 public:
  SourceOrder(const Sections& sections, const Superblock& superblock);
  uint64_t PairAt(uint64_t position) const;

 private:
  const PackedSequence& starts_;
  const PackedSequence& pairs_;
  const PackedSequence& order_;
  uint64_t pair_count_;
};

class SplitIndex {
 public:
  SplitIndex(const Sections& sections, const Superblock& superblock);
  uint64_t PairCount(uint64_t split) const;
  // Precondition: number < PairCount(split).
  uint64_t PairAt(uint64_t split, uint64_t number) const;
  SplitNumber SplitOf(uint64_t pair) const;

 private:
  struct Runs {
    uint64_t begin, end;
  };
  uint64_t FirstRun(uint64_t split) const;  // the first run of `split` or of a greater one
  Runs RunsOf(uint64_t split) const { return {FirstRun(split), FirstRun(split + 1)}; }

  const PackedSequence& pairs_;
  const PackedSequence& counts_;
  uint64_t split_count_;
  uint64_t pair_count_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_ORDER_H_
