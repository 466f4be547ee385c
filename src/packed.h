// The packed sequence block of docs/format.md §6.2: encoding and decoding of one block.
#ifndef ULHFF_SRC_PACKED_H_
#define ULHFF_SRC_PACKED_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bytes.h"
#include "format.h"

namespace ulhff {

struct PackedValue {
  uint64_t value = 0;
  uint64_t extra = 0;
  friend bool operator==(const PackedValue&, const PackedValue&) = default;
};

// View of one block. The block must have been checked with `CheckPackedBlock`.
class PackedBlock {
 public:
  PackedBlock(ByteSpan block, unsigned extra_bits)
      : head_(LoadAt<PackedHead>(block, 0)),
        entries_(block.subspan(sizeof(PackedHead))),
        extra_bits_(extra_bits) {}

  PackedValue at(uint64_t j) const {
    const unsigned width = head_.width;
    const uint64_t pos = j * (width + extra_bits_);
    return {head_.base + ((j * head_.slope) >> 16) + LoadBits(entries_, pos, width),
            LoadBits(entries_, pos + width, extra_bits_)};
  }

 private:
  PackedHead head_;
  ByteSpan entries_;
  unsigned extra_bits_;
};

// True if a block of `per_block` elements with this head fits its 4096 bytes.
bool CheckPackedBlock(ByteSpan block, unsigned extra_bits, uint64_t per_block);

// Elements per block at `bits` bits an element.
uint64_t PackedPerBlock(unsigned bits);

// Bits an element that a block of `values` needs, extra bits included; more than 64 cannot be
// encoded. Precondition: there is a value.
unsigned PackedBits(std::span<const PackedValue> values, unsigned extra_bits);

// Preconditions: PackedBits(values, extra_bits) <= 64, and so many values fit a block at that.
std::array<std::byte, kBlockSize> EncodePackedBlock(std::span<const PackedValue> values,
                                                    unsigned extra_bits);

}  // namespace ulhff

#endif  // ULHFF_SRC_PACKED_H_
