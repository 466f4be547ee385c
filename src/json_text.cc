// Every byte comes out as JSON, whatever it is; RapidJSON's writer takes UTF-8 only.
#include "json_text.h"

#include <fmt/format.h>

#include <iterator>

namespace ulhff {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// What stands behind the backslash of a short escape; 0: the character has none.
char ShortEscape(char c) {
  if (c == '"' || c == '\\') return c;
  constexpr std::string_view kControls = "\b\f\n\r\t";
  const size_t known = kControls.find(c);
  return known == std::string_view::npos ? '\0' : "bfnrt"[known];
}

void AppendAscii(std::string& out, char c) {
  if (const char escape = ShortEscape(c); escape != '\0') {
    out += '\\';
    out += escape;
  } else if (static_cast<unsigned char>(c) < 0x20) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
  } else {
    out += c;
  }
}

void AppendOddByte(std::string& out, char c, OddByte odd) {
  if (odd == OddByte::kReplace) {
    out += kReplacement;
  } else {
    fmt::format_to(std::back_inserter(out), "\\udc{:02x}", static_cast<unsigned char>(c));
  }
}

}  // namespace

size_t Utf8Length(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (first < 0x80) return 1;
  const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || bytes.size() < size) return 0;
  uint32_t code = first & (0x7fu >> size);
  for (size_t i = 1; i < size; ++i) {
    if (!IsContinuation(bytes[i])) return 0;
    code = (code << 6) | (static_cast<unsigned char>(bytes[i]) & 0x3fu);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return overlong || surrogate || code > 0x10ffff ? 0 : size;
}

void AppendJsonString(std::string& out, std::string_view bytes, OddByte odd) {
  out += '"';
  while (!bytes.empty()) {
    const size_t size = Utf8Length(bytes);
    if (size == 0) {
      AppendOddByte(out, bytes[0], odd);
    } else if (size == 1) {
      AppendAscii(out, bytes[0]);
    } else {
      out += bytes.substr(0, size);
    }
    bytes.remove_prefix(size == 0 ? 1 : size);
  }
  out += '"';
}

std::string JsonString(std::string_view bytes) {
  std::string out;
  AppendJsonString(out, bytes);
  return out;
}

void JsonObject::AddKey(std::string_view key) {
  text_ += text_.empty() ? "{" : ", ";
  AppendJsonString(text_, key, odd_);
  text_ += ": ";
}

void JsonObject::AddValue(const std::optional<std::string_view>& value) {
  if (value) {
    AppendJsonString(text_, *value, odd_);
  } else {
    text_ += "null";
  }
}

void JsonObject::Add(std::string_view key, const std::optional<std::string_view>& value) {
  AddKey(key);
  AddValue(value);
}

void JsonObject::Add(std::string_view key, uint64_t number) {
  AddKey(key);
  fmt::format_to(std::back_inserter(text_), "{}", number);
}

void JsonObject::BeginArray(std::string_view key) {
  AddKey(key);
  text_ += '[';
  first_element_ = true;
}

void JsonObject::AddElement(const std::optional<std::string_view>& value) {
  if (!first_element_) text_ += ", ";
  first_element_ = false;
  AddValue(value);
}

void JsonObject::EndArray() { text_ += ']'; }

std::string_view JsonObject::Finish() {
  if (text_.empty()) text_ += '{';
  text_ += '}';
  return text_;
}

}  // namespace ulhff
