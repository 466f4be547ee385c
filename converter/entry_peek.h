// The first entries of annotations in JSON, whatever is wrong with some of them.
#ifndef ULHFF_CONVERTER_ENTRY_PEEK_H_
#define ULHFF_CONVERTER_ENTRY_PEEK_H_

#include <cstdint>
#include <string>

#include "converter/annotation_source.h"
#include "converter/entry_count.h"
#include "converter/input_error.h"
#include "converter/json_stream.h"

namespace ulhff {

// What is malformed or cut says nothing about what a file is: it is passed over, and told when all
// entries are read. The first such fault is kept in the AnnotationPeek, which must outlive it.
class EntryPeek {
 public:
  EntryPeek(const std::string& path, AnnotationPeek& peek)
      : json_(path, {.left_out =
                         [this, &peek](const JsonLeftOut& part) {
                           if (faults_++ == 0) peek.fault = part.fault.what();
                         },
                     .lenient = true}) {}
  EntryPeek(const EntryPeek&) = delete;
  EntryPeek& operator=(const EntryPeek&) = delete;

  bool is_object() const { return json_.shape() == JsonShape::kObject; }
  // nullptr: at the end, or after so many faults that this is no JSON.
  const JsonRecord* Next() { return faults_ < EntryCount::kSample ? json_.Next() : nullptr; }
  void SkipSection() { json_.SkipSection(); }

 private:
  uint64_t faults_ = 0;
  JsonStream json_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_ENTRY_PEEK_H_
