// Looks at one UTF-8 character after the other.
#include "converter/printable.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace ulhff {

namespace {

constexpr std::string_view kGap = " ... ";

// C0, DEL and C1, and what reverses the direction of a line (U+202A..202E, U+2066..2069).
bool Steers(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  if (character.size() == 2)
    return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
  const auto second = static_cast<unsigned char>(character[1]);
  const auto third = static_cast<unsigned char>(character[2]);
  return first == 0xe2 && ((second == 0x80 && third >= 0xaa && third <= 0xae) ||
                           (second == 0x81 && third >= 0xa6 && third <= 0xa9));
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

void AppendHex(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
  }
}

}  // namespace

std::string Printable(std::string_view bytes, size_t limit) {
  if (bytes.size() > limit) {
    size_t head = limit / 2;
    while (head > 0 && IsContinuation(bytes[head])) --head;
    size_t tail = bytes.size() - limit / 2;
    while (tail < bytes.size() && IsContinuation(bytes[tail])) ++tail;
    return Printable(bytes.substr(0, head), limit).append(kGap) +
           Printable(bytes.substr(tail), limit);
  }
  std::string out;
  while (!bytes.empty()) {
    const size_t size = Utf8Length(bytes);
    const std::string_view character = bytes.substr(0, size == 0 ? 1 : size);
    if (size == 0 || Steers(character)) {
      AppendHex(out, character);
    } else {
      out += character;
    }
    bytes.remove_prefix(character.size());
  }
  return out;
}

}  // namespace ulhff
