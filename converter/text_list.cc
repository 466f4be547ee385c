// List literals and JSON arrays of texts.
#include "converter/text_list.h"

#include <rapidjson/document.h>
#include <utf8proc.h>

#include <algorithm>
#include <charconv>

namespace ulhff {
namespace {

std::optional<std::vector<std::string>> ParseJsonList(std::string_view cell) {
  rapidjson::Document list;
  // Not by recursion: the cell may be a million brackets.
  list.Parse<rapidjson::kParseIterativeFlag>(cell.data(), cell.size());
  if (list.HasParseError() || !list.IsArray()) return std::nullopt;
  std::vector<std::string> texts;
  for (const auto& element : list.GetArray()) {
    if (!element.IsString()) return std::nullopt;
    texts.emplace_back(element.GetString(), element.GetStringLength());
  }
  return texts;
}

// A list of plain strings as Python's repr() writes them.
class PythonList {
 public:
  explicit PythonList(std::string_view cell) : rest_(cell) {}

  std::optional<std::vector<std::string>> Parse() {
    std::vector<std::string> texts;
    if (!Take('[')) return std::nullopt;
    while (!Take(']')) {
      if (!texts.empty() && !Take(',')) return std::nullopt;
      if (!texts.empty() && Take(']')) break;  // [a, b,]
      std::string text;
      if (!TakeString(text)) return std::nullopt;
      texts.push_back(std::move(text));
    }
    SkipSpace();
    if (!rest_.empty()) return std::nullopt;
    return texts;
  }

 private:
  void SkipSpace() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  bool Take(char c) {
    SkipSpace();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool TakeString(std::string& text) {
    SkipSpace();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return false;
    const char quote = rest_[0];
    for (rest_.remove_prefix(1); !rest_.empty();) {
      const char c = rest_[0];
      rest_.remove_prefix(1);
      if (c == quote) return true;
      if (c != '\\') {
        text += c;
      } else if (!TakeEscape(text)) {
        return false;
      }
    }
    return false;
  }

  bool TakeEscape(std::string& text) {
    if (rest_.empty()) return false;
    const char c = rest_[0];
    constexpr std::string_view kPlain = "\\'\"abfnrtv";
    constexpr std::string_view kMeaning = "\\'\"\a\b\f\n\r\t\v";
    if (const size_t at = kPlain.find(c); at != std::string_view::npos) {
      text += kMeaning[at];
      rest_.remove_prefix(1);
      return true;
    }
    if (c >= '0' && c <= '7') {
      const size_t digits =
          std::min<size_t>({rest_.find_first_not_of("01234567"), 3, rest_.size()});
      return TakeCodePoint(text, digits, 8);
    }
    if (const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0; digits > 0) {
      rest_.remove_prefix(1);
      return TakeCodePoint(text, digits, 16);
    }
    text += '\\';  // an unknown escape means itself
    return true;
  }

  bool TakeCodePoint(std::string& text, size_t digits, int base) {
    if (rest_.size() < digits) return false;
    int32_t code_point = 0;
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + digits, code_point, base);
    if (error != std::errc() || end != rest_.data() + digits) return false;
    if (!utf8proc_codepoint_valid(code_point)) return false;
    rest_.remove_prefix(digits);
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t size = utf8proc_encode_char(code_point, bytes);
    text.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
    return true;
  }

  std::string_view rest_;
};

}  // namespace

std::optional<std::vector<std::string>> ParseListLiteral(std::string_view cell) {
  if (cell.find('[') == std::string_view::npos) return std::nullopt;
  if (auto texts = ParseJsonList(cell)) return texts;
  return PythonList(cell).Parse();
}

std::vector<std::optional<std::string>> TextsOf(const TableCell& cell) {
  std::vector<std::optional<std::string>> texts;
  if (cell.absent()) return texts;
  if (!cell.is_list()) {
    texts.emplace_back(cell.text());
    return texts;
  }
  for (const JsonValue element : cell.json()->elements()) {
    texts.push_back(element.is_null() ? std::nullopt : std::optional<std::string>(element.text()));
  }
  return texts;
}

}  // namespace ulhff
