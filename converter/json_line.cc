// Canonical JSON lines, token by token.
#include "converter/json_line.h"

#include <fmt/format.h>

namespace ulhff {

std::string CompactJson(std::string_view json) {
  std::string compact;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (!in_string && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) continue;
    compact += c;
    if (c == '"') in_string = !in_string;
    if (c == '\\' && ++i < json.size()) compact += json[i];
  }
  return compact;
}

std::string JsonLine(const JsonValue& object, std::span<const std::string_view> keys) {
  std::string line = "{";
  for (const std::string_view key : keys) {
    const auto value = object.Find(key);
    if (!value) continue;
    if (line.size() > 1) line += ',';
    line += fmt::format("\"{}\":{}", key, CompactJson(value->raw()));
  }
  return line + "}";
}

}  // namespace ulhff
