// Numbers as keys of the external sorter, whose keys are compared byte by byte.
#ifndef ULHFF_CONVERTER_SORT_KEY_H_
#define ULHFF_CONVERTER_SORT_KEY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "ulhff/bytes.h"

namespace ulhff {

// The numbers most significant byte first, so that keys sort as tuples of numbers do.
template <typename... Numbers>
std::array<std::byte, 8 * sizeof...(Numbers)> SortKey(Numbers... numbers) {
  std::array<std::byte, 8 * sizeof...(Numbers)> key;
  size_t at = 0;
  for (const uint64_t number : {static_cast<uint64_t>(numbers)...}) {
    for (unsigned shift = 64; shift > 0; shift -= 8) {
      key[at++] = static_cast<std::byte>(number >> (shift - 8));
    }
  }
  return key;
}

// The n-th number of a key.
inline uint64_t KeyNumber(ByteSpan key, size_t n) {
  uint64_t number = 0;
  for (const std::byte b : key.subspan(8 * n, 8)) number = (number << 8) | static_cast<uint64_t>(b);
  return number;
}

// A plain struct as a payload of the sorter or bytes of a store, in memory order.
template <typename T>
requires std::is_trivially_copyable_v<T> ByteSpan Raw(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}
template <typename T>
requires std::is_trivially_copyable_v<T> std::span<std::byte> RawOut(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_SORT_KEY_H_
