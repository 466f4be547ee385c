// Conversions between UTF-8, Latin-1 and escapes.
#include "converter/pickle_text.h"

#include <rapidjson/encodings.h>
#include <rapidjson/stringbuffer.h>

#include <charconv>

namespace ulhff {
namespace {

// Of the hexadecimal digits at the front, all of them.
std::optional<unsigned> HexNumber(std::string_view digits, size_t count) {
  if (digits.size() < count) return std::nullopt;
  unsigned value = 0;
  const char* end = digits.data() + count;
  const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
  if (error != std::errc() || stop != end || value > 0x10ffff) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string> DecodeRawUnicodeEscape(std::string_view bytes) {
  rapidjson::StringBuffer utf8;
  const auto put = [&](unsigned code) { rapidjson::UTF8<>::Encode(utf8, code); };
  while (!bytes.empty()) {
    const char kind = bytes[0] == '\\' && bytes.size() > 1 ? bytes[1] : '\0';
    if (kind == 'u' || kind == 'U') {
      const size_t digits = kind == 'u' ? 4 : 8;
      const std::optional<unsigned> code = HexNumber(bytes.substr(2), digits);
      if (!code) return std::nullopt;
      put(*code);
      bytes.remove_prefix(2 + digits);
      continue;
    }
    put(static_cast<unsigned char>(bytes[0]));
    // A backslash takes the next character with it: "\\u0041" holds no escape.
    if (kind != '\0') put(static_cast<unsigned char>(bytes[1]));
    bytes.remove_prefix(kind != '\0' ? 2 : 1);
  }
  return std::string(utf8.GetString(), utf8.GetSize());
}

std::optional<std::string> EncodeLatin1(std::string_view utf8) {
  std::string bytes;
  bytes.reserve(utf8.size());
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto first = static_cast<unsigned char>(utf8[i]);
    if (first < 0x80) {
      bytes += utf8[i];
      continue;
    }
    // U+0080 to U+00FF are two bytes, c2 or c3 and a continuation.
    const auto second = static_cast<unsigned char>(i + 1 < utf8.size() ? utf8[i + 1] : '\0');
    if ((first & 0xfe) != 0xc2 || (second & 0xc0) != 0x80) return std::nullopt;
    bytes += static_cast<char>((first & 3) << 6 | (second & 0x3f));
    ++i;
  }
  return bytes;
}

}  // namespace ulhff
