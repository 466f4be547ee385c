// Fits a line through the values of a block and stores what is left in as few bits as possible.
#include "packed.h"

#include <algorithm>
#include <bit>
#include <vector>

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

std::optional<std::array<std::byte, kBlockSize>> EncodePackedBlock(
    std::span<const PackedValue> values, unsigned extra_bits, unsigned max_bits) {
  const uint64_t slope = Slope(values);
  // Residuals are signed around the line; the base takes up the least of them.
  auto residual = [&](uint64_t j) {
    return static_cast<int64_t>(values[j].value - ((j * slope) >> 16));
  };
  int64_t low = residual(0);
  int64_t high = low;
  for (uint64_t j = 1; j < values.size(); ++j) {
    low = std::min(low, residual(j));
    high = std::max(high, residual(j));
  }
  const uint64_t spread = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  const auto width = static_cast<unsigned>(std::bit_width(spread));
  if (width + extra_bits > max_bits) return std::nullopt;

  std::array<std::byte, kBlockSize> block{};
  PackedHead head;
  head.base = static_cast<uint64_t>(low);
  head.slope = slope;
  head.width = static_cast<uint8_t>(width);
  std::memcpy(block.data(), &head, sizeof(head));
  const auto entries = std::span(block).subspan(sizeof(head));
  for (uint64_t j = 0; j < values.size(); ++j) {
    const uint64_t pos = j * (width + extra_bits);
    StoreBits(entries, pos, width, static_cast<uint64_t>(residual(j)) - static_cast<uint64_t>(low));
    StoreBits(entries, pos + width, extra_bits, values[j].extra);
  }
  return block;
}

}  // namespace ulhff
