// Little-endian integers and bounds-checked reading of untrusted bytes.
#ifndef ULHFF_SRC_BYTES_H_
#define ULHFF_SRC_BYTES_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace ulhff {

using ByteSpan = std::span<const std::byte>;

inline ByteSpan AsBytes(std::string_view s) { return std::as_bytes(std::span(s.data(), s.size())); }
inline std::string_view AsText(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A T as little-endian bytes, alignment 1: the only code that knows byte order.
template <std::unsigned_integral T>
class Le {
 public:
  constexpr Le() = default;
  // Implicit both ways, so that on-disk structs read as plain integers.
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Le(T v) {
    for (auto& b : bytes_) {
      b = static_cast<uint8_t>(v);
      if constexpr (sizeof(T) > 1) v = static_cast<T>(v >> 8);
    }
  }
  constexpr operator T() const {  // NOLINT(google-explicit-constructor)
    T v = 0;
    for (size_t i = sizeof(T); i-- > 0;) {
      if constexpr (sizeof(T) > 1) v = static_cast<T>(v << 8);
      v = static_cast<T>(v | bytes_[i]);
    }
    return v;
  }

 private:
  std::array<uint8_t, sizeof(T)> bytes_{};
};

// The T whose bytes stand at `bytes[pos]`. Precondition: pos + sizeof(T) <= bytes.size().
template <typename T>
requires std::is_trivially_copyable_v<T> T LoadAt(ByteSpan bytes, size_t pos) {
  T value;
  std::memcpy(&value, bytes.data() + pos, sizeof(T));
  return value;
}

// `width` (0..64) bits of `bytes` from bit `pos` on, bit n being bit n%8 of byte n/8. Precondition:
// the bits lie within bytes.
inline uint64_t LoadBits(ByteSpan bytes, uint64_t pos, unsigned width) {
  if (width == 0) return 0;
  const size_t first = static_cast<size_t>(pos / 8);
  const auto shift = static_cast<unsigned>(pos % 8);
  uint64_t low = 0;
  if (first + 8 <= bytes.size()) {
    low = LoadAt<Le<uint64_t>>(bytes, first);
  } else {
    for (size_t i = first; i < bytes.size(); ++i)
      low |= static_cast<uint64_t>(bytes[i]) << (8 * (i - first));
  }
  uint64_t value = low >> shift;
  if (shift + width > 64) value |= static_cast<uint64_t>(bytes[first + 8]) << (64 - shift);
  return width == 64 ? value : value & ((uint64_t{1} << width) - 1);
}

// Sets `width` bits from bit `pos` on; they must be zero before. Precondition: value < 2^width, the
// bits lie within bytes.
inline void StoreBits(std::span<std::byte> bytes, uint64_t pos, unsigned width, uint64_t value) {
  for (unsigned done = 0; done < width;) {
    const size_t at = static_cast<size_t>((pos + done) / 8);
    const auto shift = static_cast<unsigned>((pos + done) % 8);
    bytes[at] |= static_cast<std::byte>((value >> done) << shift);
    done += 8 - shift;
  }
}

}  // namespace ulhff

#endif  // ULHFF_SRC_BYTES_H_
