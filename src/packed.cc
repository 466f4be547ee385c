// Fits a line through the values of a block and stores what is left in as few bits as possible.
#include "packed.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ulhff {

namespace {

constexpr uint64_t kMaxRise = uint64_t{1} << 46;  // so that (rise << 16) fits 64 bits

uint64_t Slope(std::span<const PackedValue> values) {
  const uint64_t n = values.size();
  const uint64_t first = values.front().value;
  const uint64_t last = values.back().value;
  if (n < 2 || last <= first || last - first >= kMaxRise) return 0;
  return (((last - first) << 16) + (n - 1) / 2) / (n - 1);
}

// What is left of value j beside the line from 0.
uint64_t Rest(std::span<const PackedValue> values, uint64_t slope, uint64_t j) {
  return values[j].value - ((j * slope) >> 16);
}

struct Fit {
  uint64_t slope = 0;
  uint64_t base = 0;
  unsigned width = 0;
};

// The rests lie around the value at the line's start, on both sides; the base takes up the least.
Fit FitLine(std::span<const PackedValue> values) {
  Fit fit;
  fit.slope = Slope(values);
  auto low = static_cast<int64_t>(Rest(values, fit.slope, 0));
  int64_t high = low;
  for (uint64_t j = 1; j < values.size(); ++j) {
    const auto rest = static_cast<int64_t>(Rest(values, fit.slope, j));
    low = std::min(low, rest);
    high = std::max(high, rest);
  }
  fit.base = static_cast<uint64_t>(low);
  fit.width = static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(high) - fit.base));
  return fit;
}

}  // namespace

bool CheckPackedBlock(ByteSpan block, unsigned extra_bits, uint64_t per_block) {
  const unsigned width = LoadAt<PackedHead>(block, 0).width;
  const unsigned bits = width + extra_bits;
  return bits <= 64 && per_block >= 1 && per_block <= kMaxPerBlock &&
         per_block * bits <= kPackedBits;
}

uint64_t PackedPerBlock(unsigned bits) {
  return bits == 0 ? kMaxPerBlock : std::min(kMaxPerBlock, kPackedBits / bits);
}

unsigned PackedBits(std::span<const PackedValue> values, unsigned extra_bits) {
  return FitLine(values).width + extra_bits;
}

std::array<std::byte, kBlockSize> EncodePackedBlock(std::span<const PackedValue> values,
                                                    unsigned extra_bits) {
  const Fit fit = FitLine(values);
  std::array<std::byte, kBlockSize> block{};
  PackedHead head;
  head.base = fit.base;
  head.slope = fit.slope;
  head.width = static_cast<uint8_t>(fit.width);
  std::memcpy(block.data(), &head, sizeof(head));
  const auto entries = std::span(block).subspan(sizeof(head));
  for (uint64_t j = 0; j < values.size(); ++j) {
    const uint64_t pos = j * (fit.width + extra_bits);
    StoreBits(entries, pos, fit.width, Rest(values, fit.slope, j) - fit.base);
    StoreBits(entries, pos + fit.width, extra_bits, values[j].extra);
  }
  return block;
}

}  // namespace ulhff
