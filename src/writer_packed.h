// Writes packed sections (docs/format.md §6.2) from numbers that are read as often as needed.
#ifndef ULHFF_SRC_WRITER_PACKED_H_
#define ULHFF_SRC_WRITER_PACKED_H_

#include <cstdint>
#include <functional>

#include "packed.h"
#include "writer_index.h"
#include "writer_spool.h"

namespace ulhff {

// Gives the values of a sequence one after another.
using PackedStream = std::function<PackedValue()>;

struct PackedSource {
  uint64_t count = 0;
  unsigned extra_bits = 0;
  std::function<PackedStream()> start;  // a stream from the first value on
};

// The values of a column, which must outlive the source.
PackedSource ColumnSource(const Column& column);

// How a source is cut into blocks.
struct PackedPlan {
  uint64_t per_block = 0;
  uint64_t blocks = 0;
};

// By the rule of the reference writer: the smallest number of bits at which every block fits.
PackedPlan PlanPacked(const PackedSource& source);

void WritePacked(IndexWriter& index, SectionType type, const PackedSource& source,
                 const PackedPlan& plan);
void WritePacked(IndexWriter& index, SectionType type, const PackedSource& source);

// Writes a section of modification times unless all are the default.
void WriteTimes(IndexWriter& index, SectionType type, const Column& times,
                int64_t default_mtime_ns);

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_PACKED_H_
