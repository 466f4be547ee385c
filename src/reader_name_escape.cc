// Escapes as URLs do; of what is shown, one stored name at most can be meant.
#include "reader_name_escape.h"

#include <fmt/format.h>

#include <charconv>

#include "format.h"
#include "reader_superblock.h"

namespace ulhff {

namespace {

constexpr size_t kEscapeSize = 3;

std::string Escape(char c) { return fmt::format("%{:02X}", static_cast<unsigned char>(c)); }

}  // namespace

std::string EscapedName(std::string_view stored) {
  const bool dots = stored == "." || stored == "..";
  std::string shown;
  for (const char c : stored) {
    if (dots || c == '/' || c == '\0' || c == '%') {
      shown += Escape(c);
    } else {
      shown += c;
    }
  }
  return shown.size() <= kMaxNameSize ? shown : std::string();
}

std::optional<std::string> UnescapedName(std::string_view shown) {
  std::string stored;
  for (size_t i = 0; i < shown.size(); ++i) {
    if (shown[i] != '%') {
      stored += shown[i];
      continue;
    }
    unsigned code = 0;
    const std::string_view digits = shown.substr(i + 1, kEscapeSize - 1);
    const char* end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, code, 16).ptr != end) return std::nullopt;
    stored += static_cast<char>(code);
    i += digits.size();
  }
  if (IsValidName(stored) || EscapedName(stored) != shown) return std::nullopt;
  return stored;
}

std::string NameOfPlace(uint64_t place) { return fmt::format("%{}", place); }

std::optional<uint64_t> PlaceOfName(std::string_view shown) {
  uint64_t place = 0;
  const char* end = shown.data() + shown.size();
  if (shown.size() < 2 || std::from_chars(shown.data() + 1, end, place).ptr != end)
    return std::nullopt;
  if (NameOfPlace(place) != shown) return std::nullopt;
  return place;
}

}  // namespace ulhff
