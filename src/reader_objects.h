// The object table: which object a pair belongs to, and where objects, blobs and texts lie.
#ifndef ULHFF_SRC_READER_OBJECTS_H_
#define ULHFF_SRC_READER_OBJECTS_H_

#include <cstdint>
#include <memory>

#include "asr.h"
#include "format.h"
#include "reader_layout.h"
#include "reader_sections.h"

namespace ulhff {

// Immutable and thread-safe. Numbers must be in range (Reader checks). FormatError if the index
// contradicts itself or the body's limits: every layout returned lies within the body.
class ObjectTable {
 public:
  // `sections` must outlive it.
  ObjectTable(const Sections& sections, const Superblock& superblock);

  PairLocation Locate(uint64_t pair) const { return pairs_->Locate(pair); }
  ObjectLayout Object(uint64_t object) const;
  ObjectLayout ObjectOfText(uint64_t text) const;
  ObjectLayout Blob(uint64_t blob) const;
  // Precondition: `text` is one of `object`.
  TextLayout Text(const ObjectLayout& object, uint64_t text) const;

 private:
  // Sets offset and size from element `i` of `table`, whose values count from `begin`.
  void Place(const PackedSequence& table, uint64_t i, uint64_t begin, uint64_t end,
             ObjectLayout& layout) const;
  void PlaceTexts(const PairRange& range, ObjectLayout& layout) const;
  // §4.1: what remains of the size is the media and its sums.
  void DeriveMediaSize(const PackedSequence& table, uint64_t i, ObjectLayout& layout) const;

  const Sections& sections_;
  const PackedSequence& objects_;
  const PackedSequence& blobs_;
  const PackedSequence& texts_;
  uint64_t pair_count_, object_count_, fields_;
  unsigned alignment_;  // log2
  uint64_t body_offset_, blobs_offset_, index_offset_;
  std::unique_ptr<const PairIndex> pairs_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_OBJECTS_H_
