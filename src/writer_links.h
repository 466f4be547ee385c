// Counts the names that objects, texts and blobs have in the source tree.
#ifndef ULHFF_SRC_WRITER_LINKS_H_
#define ULHFF_SRC_WRITER_LINKS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "format.h"
#include "sorter.h"
#include "writer_index.h"
#include "writer_spool.h"

namespace ulhff {

class LinkCounter {
 public:
  LinkCounter(const std::string& tmp_dir, uint64_t memory)
      : tmp_dir_(tmp_dir), sorter_(tmp_dir, memory) {}

  // In any order. Precondition: `number` is one of those that Write is called for.
  void Add(TargetKind kind, uint64_t number);

  // The counts of targets 0..count-1 of one kind: returns the one of all, or writes the section
  // `type` and returns 0. To be called once for each kind, in ascending order of kinds. Throws
  // std::invalid_argument for a text of several names.
  uint64_t Write(IndexWriter& index, TargetKind kind, uint64_t count, SectionType type);

 private:
  std::optional<uint64_t> NextOf(TargetKind kind);
  std::string tmp_dir_;
  Sorter sorter_;
  std::optional<Sorter::Record> next_;
  bool started_ = false;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_LINKS_H_
