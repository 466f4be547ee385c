// What the header of a file tells of the source it was made of (docs/format.md §3).
#ifndef ULHFF_SRC_SOURCE_FACTS_H_
#define ULHFF_SRC_SOURCE_FACTS_H_

#include <cstdint>

namespace ulhff {

// Known to the caller of a Writer only; stored as they are.
struct SourceFacts {
  uint64_t duplicates_merged = 0;  // media files merged into the object of another
  uint64_t files = 0;              // regular files or records
  uint64_t bytes = 0;              // of the files
};

}  // namespace ulhff

#endif  // ULHFF_SRC_SOURCE_FACTS_H_
