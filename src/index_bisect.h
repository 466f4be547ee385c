// Bisection over blocks of the index, some of which may be damaged.
#ifndef ULHFF_SRC_INDEX_BISECT_H_
#define ULHFF_SRC_INDEX_BISECT_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <system_error>

#include "error.h"

namespace ulhff {

struct BisectedRange {
  uint64_t low, high;  // low < high
};

// Narrows `range`, of which `low` is known to be at most what is sought and `high` is above it or
// the end, until only `low` is left, or as far as it gets: where a block cannot be read, its
// neighbours are asked, so that damage stays local. What is sought is in [low, high).
// is_at_most(block) throws FormatError or std::system_error if it cannot read the block.
template <typename IsAtMost>
void Bisect(BisectedRange& range, const IsAtMost& is_at_most) {
  constexpr uint64_t kNeighbours = 4;  // more, where a whole file is gone, would take for ever
  const auto ask = [&](uint64_t block) -> std::optional<bool> {
    try {
      return is_at_most(block);
    } catch (const FormatError&) {
    } catch (const std::system_error&) {
    }
    return std::nullopt;
  };
  while (range.high - range.low > 1) {
    const uint64_t middle = range.low + (range.high - range.low) / 2;
    const uint64_t last = std::min(range.high - 1, middle + kNeighbours);
    const uint64_t first = std::max(range.low + 1, middle - std::min(middle, kNeighbours));
    uint64_t pivot = middle;
    std::optional<bool> answer = ask(middle);
    while (!answer && pivot < last) answer = ask(++pivot);
    if (!answer) pivot = middle;
    while (!answer && pivot > first) answer = ask(--pivot);
    if (!answer) return;
    (*answer ? range.low : range.high) = pivot;
  }
}

}  // namespace ulhff

#endif  // ULHFF_SRC_INDEX_BISECT_H_
