// Finds runs by bisection: positions of the order, and pairs of a split.
#include "reader_order.h"

#include <fmt/format.h>

namespace ulhff {

SourceOrder::SourceOrder(const Sections& sections, const Superblock& sb)
    : starts_(sections[SectionType::kOrderStarts]),
      pairs_(sections[SectionType::kOrderPairs]),
      order_(sections[SectionType::kOrder]),
      pair_count_(sb.pairs) {}

uint64_t SourceOrder::PairAt(uint64_t position) const {
  if (order_.present()) {
    const uint64_t pair = order_.at(position).value;
    if (pair >= pair_count_) order_.ThrowMalformed(position, fmt::format("no pair {}", pair));
    return pair;
  }
  if (!starts_.present()) return position;
  const auto [run, start] = starts_.FindLast(position, 0, starts_.size());
  const uint64_t first = pairs_.at(run).value;
  if (first >= pair_count_ || position - start >= pair_count_ - first) {
    pairs_.ThrowMalformed(run, fmt::format("no pair {}+{}", first, position - start));
  }
  return first + (position - start);
}

SplitIndex::SplitIndex(const Sections& sections, const Superblock& sb)
    : pairs_(sections[SectionType::kSplitPairs]),
      counts_(sections[SectionType::kSplitCounts]),
      split_count_(sb.splits),
      pair_count_(sb.pairs) {}

uint64_t SplitIndex::FirstRun(uint64_t split) const {
  if (split == 0 || pairs_.size() == 0 || pairs_.at(0).extra >= split) return 0;
  return pairs_.FindLastExtra(split - 1, 0, pairs_.size()).index + 1;
}

uint64_t SplitIndex::PairCount(uint64_t split) const {
  const Runs runs = RunsOf(split);
  if (runs.begin == runs.end) return 0;
  const uint64_t before = counts_.at(runs.begin).value;
  const uint64_t after = counts_.at(runs.end).value;
  if (after < before || after > pair_count_) {
    counts_.ThrowMalformed(runs.end, fmt::format("a split of pairs {}..{}", before, after));
  }
  return after - before;
}

uint64_t SplitIndex::PairAt(uint64_t split, uint64_t number) const {
  const Runs runs = RunsOf(split);
  // No overflow: number < PairCount(split), and the sum is at most its last count.
  const uint64_t count = counts_.at(runs.begin).value + number;
  const auto [run, before] = counts_.FindLast(count, runs.begin, runs.end);
  const uint64_t first = pairs_.at(run).value;
  if (first >= pair_count_ || count - before >= pair_count_ - first) {
    pairs_.ThrowMalformed(run, fmt::format("no pair {}+{}", first, count - before));
  }
  return first + (count - before);
}

SplitNumber SplitIndex::SplitOf(uint64_t pair) const {
  for (uint64_t split = 0; split < split_count_; ++split) {
    const Runs runs = RunsOf(split);
    if (runs.begin == runs.end || pairs_.at(runs.begin).value > pair) continue;
    const auto [run, first] = pairs_.FindLast(pair, runs.begin, runs.end);
    const PackedSequence::Step counts = counts_.StepAt(run);
    if (pair - first >= counts.length()) continue;
    const uint64_t base = counts_.at(runs.begin).value;
    if (counts.from.value < base) counts_.ThrowMalformed(run, "counts decrease");
    return {split, counts.from.value - base + (pair - first)};
  }
  pairs_.ThrowMalformed(0, fmt::format("pair {} is in no split", pair));
}

}  // namespace ulhff
