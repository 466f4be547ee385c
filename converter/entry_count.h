// For looks at the first entries of annotations: how to read them, how many there are in all.
#ifndef ULHFF_CONVERTER_ENTRY_COUNT_H_
#define ULHFF_CONVERTER_ENTRY_COUNT_H_

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>

#include "converter/annotation_source.h"
#include "converter/input_error.h"
#include "converter/json_stream.h"

namespace ulhff {

// What is odd about the first entries is told when all are read.
inline JsonOptions OptionsToPeek(const AnnotationPeek& peek) {
  JsonOptions options{.lenient = true};
  if (peek.lenient) options.left_out = [](const JsonLeftOut&) {};
  return options;
}

// nullptr at the end, and at what is wrong behind entries that tell what the file is.
inline const JsonRecord* NextToPeek(JsonStream& json, bool is_told) {
  try {
    return json.Next();
  } catch (const InputError&) {
    if (!is_told) throw;
    return nullptr;
  }
}

class EntryCount {
 public:
  static constexpr uint64_t kSample = 100;

  void Add(uint64_t offset, uint64_t pairs = 1) {
    if (entries_++ == 0) first_ = offset;
    last_ = offset;
    pairs_ += pairs;
  }
  uint64_t entries() const { return entries_; }
  bool enough() const { return entries_ >= kSample; }

  // `complete`: there are no more entries than were added.
  void Tell(const std::string& path, bool complete, AnnotationPeek& peek) const {
    peek.pairs = pairs_;
    peek.estimated = !complete && entries_ > 1;
    if (!peek.estimated) return;
    const uint64_t each = std::max<uint64_t>((last_ - first_) / (entries_ - 1), 1);
    peek.pairs = (std::filesystem::file_size(path) - first_) / each * pairs_ / entries_;
  }

 private:
  uint64_t entries_ = 0, pairs_ = 0, first_ = 0, last_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_ENTRY_COUNT_H_
