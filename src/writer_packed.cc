// Chooses the elements per block and encodes the blocks.
#include "writer_packed.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

namespace ulhff {

namespace {

constexpr unsigned kMaxBits = 64;

// Calls visit(values) for each block of the source until it returns false; tells whether it never
// did.
template <typename Visit>
bool ForEachBlock(const PackedSource& source, uint64_t per_block, Visit visit) {
  const PackedStream next = source.start();
  std::vector<PackedValue> values;
  values.reserve(std::min(per_block, source.count));
  for (uint64_t done = 0; done < source.count; done += values.size()) {
    const uint64_t n = std::min(per_block, source.count - done);
    values.clear();
    for (uint64_t i = 0; i < n; ++i) values.push_back(next());
    if (!visit(values)) return false;
  }
  return true;
}

}  // namespace

PackedSource ColumnSource(const Column& column) {
  const auto start = [&column]() -> PackedStream {
    return [cursor = Column::Cursor(column)]() mutable { return PackedValue{cursor.Next(), 0}; };
  };
  return {column.size(), 0, start};
}

PackedPlan PlanPacked(const PackedSource& source) {
  for (unsigned bits = source.extra_bits; bits <= kMaxBits; ++bits) {
    const uint64_t per_block = PackedPerBlock(bits);
    const auto fits = [&](const std::vector<PackedValue>& values) {
      return PackedBits(values, source.extra_bits) <= bits;
    };
    if (ForEachBlock(source, per_block, fits)) {
      return {per_block, (source.count + per_block - 1) / per_block};
    }
  }
  throw std::invalid_argument("values too far apart for a packed sequence");
}

void WritePacked(IndexWriter& index, SectionType type, const PackedSource& source,
                 const PackedPlan& plan) {
  ForEachBlock(source, plan.per_block, [&](const std::vector<PackedValue>& values) {
    index.AddBlock(EncodePackedBlock(values, source.extra_bits));
    return true;
  });
  index.EndSection(type, source.count, plan.per_block, source.extra_bits);
}

void WritePacked(IndexWriter& index, SectionType type, const PackedSource& source) {
  WritePacked(index, type, source, PlanPacked(source));
}

void WriteTimes(IndexWriter& index, SectionType type, const Column& times,
                int64_t default_mtime_ns) {
  if (times.size() == 0) return;
  if (times.uniform() && times.first() == static_cast<uint64_t>(default_mtime_ns)) return;
  WritePacked(index, type, ColumnSource(times));
}

}  // namespace ulhff
