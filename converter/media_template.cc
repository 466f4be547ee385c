// Expansion of --media-template.
#include "converter/media_template.h"

#include <fmt/format.h>

#include <charconv>

#include "converter/input_error.h"

namespace ulhff {

MediaTemplate::MediaTemplate(const std::string& pattern) : pattern_(pattern), parts_(1) {
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if ((c == '{' || c == '}') && i + 1 < pattern.size() && pattern[i + 1] == c) {
      parts_.back().literal += c;
      ++i;
    } else if (c == '{') {
      const size_t end = pattern.find('}', i);
      if (end == std::string::npos) {
        throw UsageError(fmt::format("--media-template '{}': a '{{' is not closed", pattern));
      }
      AddColumn(pattern, std::string_view{pattern}.substr(i + 1, end - i - 1));
      i = end;
    } else {
      parts_.back().literal += c;
    }
  }
  if (parts_.size() == 1) {
    throw UsageError(
        fmt::format("--media-template '{}': names no column; write it as {{column}}", pattern));
  }
}

void MediaTemplate::AddColumn(const std::string& pattern, std::string_view inside) {
  Part& part = parts_.back();
  const size_t colon = inside.rfind(":0");
  part.column = inside.substr(0, colon);
  if (const size_t percent = part.column.rfind('%'); percent != std::string::npos) {
    part.suffix = part.column.substr(percent + 1);
    part.column.resize(percent);
  }
  if (colon != std::string_view::npos) {
    std::string_view width = inside.substr(colon + 2);
    if (width.ends_with('d')) width.remove_suffix(1);
    const auto [end, error] =
        std::from_chars(width.data(), width.data() + width.size(), part.width);
    if (error != std::errc() || end != width.data() + width.size() || part.width > 255) {
      throw UsageError(fmt::format(
          "--media-template '{}': after a column's name only its width may stand, as in "
          "{{id:012}}",
          pattern));
    }
  }
  parts_.emplace_back();
}

std::vector<std::string> MediaTemplate::columns() const {
  std::vector<std::string> names;
  for (const Part& part : parts_) {
    if (!part.column.empty()) names.push_back(part.column);
  }
  return names;
}

std::optional<std::string> MediaTemplate::Expand(const Cells& cells) const {
  std::string path;
  for (const Part& part : parts_) {
    path += part.literal;
    if (part.column.empty()) continue;
    const auto cell = cells(part.column);
    if (!cell || cell->empty()) return std::nullopt;
    std::string_view text = *cell;
    if (text.ends_with(part.suffix)) text.remove_suffix(part.suffix.size());
    if (text.size() < part.width) path.append(part.width - text.size(), '0');
    path += text;
  }
  return path;
}

}  // namespace ulhff
