// The sections of an open file: the table checked, each packed section as a sequence
// (docs/format.md §6).
#ifndef ULHFF_SRC_READER_SECTIONS_H_
#define ULHFF_SRC_READER_SECTIONS_H_

#include <array>
#include <cstdint>

#include "file.h"
#include "format.h"
#include "index.h"
#include "index_sequence.h"
#include "reader_superblock.h"

namespace ulhff {

// Section table entries by type; an absent section has type 0.
using SectionTable = std::array<SectionEntry, kLastSectionType + 1>;

// Checks the table: known types, blocks that exist, counts that agree with the superblock's.
// Throws FormatError.
SectionTable CheckSections(const InputFile& file, const CheckedSuperblock& superblock);

// Views into the index blocks, which must outlive them.
class Sections {
 public:
  Sections(const IndexBlocks& blocks, const SectionTable& table);

  // The sequence of a packed section, not present() if the file has none.
  const PackedSequence& operator[](SectionType type) const {
    return sequences_[static_cast<size_t>(type)];
  }
  // For NAMES and PAIR_TREE, and for sizes.
  const SectionEntry& entry(SectionType type) const { return table_[static_cast<size_t>(type)]; }
  const IndexBlocks& blocks() const { return blocks_; }

 private:
  const IndexBlocks& blocks_;
  SectionTable table_;
  std::array<PackedSequence, kLastSectionType + 1> sequences_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_SECTIONS_H_
