// Reads a whole file and reports everything that is damaged or breaks docs/format.md.
#ifndef ULHFF_SRC_VERIFY_H_
#define ULHFF_SRC_VERIFY_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reader.h"

namespace ulhff {

// One fault. What it is about is told as a number, which Tree::PathOf turns into a path.
struct Finding {
  enum class Subject : uint8_t { kFile, kMedia, kText, kBlob, kDirectory };
  Subject subject = Subject::kFile;
  uint64_t number = 0;  // object, text number, blob or directory
  uint64_t offset = 0;  // in the file
  std::string what;
};

struct VerifyOptions {
  unsigned threads = 0;  // 0: as many as there are processors
  // Called now and then, by one thread at a time.
  std::function<void(uint64_t done_bytes, uint64_t total_bytes)> progress;
};

// Checks every block and every sum, the invariants of every section, and the totals. Findings come
// in the order of the file's parts: index blocks, sections, names, objects, blobs, totals. What
// stands in a damaged index block is not reported again for each thing it describes. Faults are
// findings; what is thrown is std::bad_alloc.
std::vector<Finding> Verify(const Reader& reader, const VerifyOptions& options = {});

}  // namespace ulhff

#endif  // ULHFF_SRC_VERIFY_H_
