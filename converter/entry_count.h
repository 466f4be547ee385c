// For looks at the first entries of annotations: what most of them say, how many there are in all.
#ifndef ULHFF_CONVERTER_ENTRY_COUNT_H_
#define ULHFF_CONVERTER_ENTRY_COUNT_H_

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>

#include "converter/annotation_source.h"

namespace ulhff {

class EntryCount {
 public:
  static constexpr uint64_t kSample = 100;

  void Add(uint64_t offset, uint64_t pairs = 1) {
    if (entries_++ == 0) first_ = offset;
    last_ = offset;
    pairs_ += pairs;
  }
  // An entry that is none of the format. Half of the entries say what a file is: fewer others are
  // told when all are read.
  void AddOther() { ++others_; }
  bool any() const { return entries_ > 0; }
  bool enough() const { return entries_ + others_ >= kSample; }
  bool tells() const { return any() && entries_ >= others_; }
  bool tells_other() const { return others_ > 0 && !tells(); }

  // `complete`: there are no more entries than were added.
  void Tell(const std::string& path, bool complete, AnnotationPeek& peek) const {
    peek.pairs = pairs_;
    peek.estimated = !complete && entries_ > 1;
    if (!peek.estimated) return;
    const uint64_t each = std::max<uint64_t>((last_ - first_) / (entries_ - 1), 1);
    peek.pairs = (std::filesystem::file_size(path) - first_) / each * pairs_ / entries_;
  }

 private:
  uint64_t entries_ = 0, others_ = 0, pairs_ = 0, first_ = 0, last_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_ENTRY_COUNT_H_
