// What the names of columns give away.
#include "converter/column_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "converter/media_types.h"

namespace ulhff {

const std::vector<std::string>& KnownTextNames() {
  static const std::vector<std::string> names{
      "caption", "captions",      "text",  "texts",       "sentence",   "sentences",
      "raw",     "image_caption", "title", "description", "transcript", "transcription"};
  return names;
}

bool IsKnownTextName(const std::string& column) {
  return std::find(KnownTextNames().begin(), KnownTextNames().end(), column) !=
         KnownTextNames().end();
}

namespace {

// What people mean to be the same: no case, no outer spaces, no '_', '-' and inner spaces.
std::string Fold(std::string_view name) {
  std::string folded = LowerAscii(name);
  folded.erase(std::remove_if(folded.begin(), folded.end(),
                              [](char c) { return c == ' ' || c == '_' || c == '-'; }),
               folded.end());
  return folded;
}

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

bool IsNear(const std::string& a, const std::string& b) {
  const std::string x = Fold(a), y = Fold(b);
  return x == y || (std::min(x.size(), y.size()) > 3 && EditDistance(x, y) <= 1);
}

}  // namespace

bool IsNumberedTextName(const std::string& column) {
  const size_t last = column.find_last_not_of("0123456789");
  if (last == std::string::npos || last + 1 == column.size()) return false;
  std::string stem = column.substr(0, last + 1);
  if (stem.ends_with('_') || stem.ends_with(' ')) stem.pop_back();
  return IsKnownTextName(stem);
}

bool IsTextColumnName(const std::string& column) {
  return IsKnownTextName(column) || IsNumberedTextName(column);
}

bool IsMediaColumnName(const std::string& column) {
  static constexpr std::string_view kNames[] = {"image", "images", "img",   "video",    "videos",
                                                "audio", "audios", "media", "wav",      "clip",
                                                "file",  "path",   "files", "filename", "filepath"};
  static constexpr std::string_view kEnds[] = {"path", "file", "filename", "filepath", "name"};
  const std::string name = Fold(column);
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view known) {
    if (!name.starts_with(known)) return false;
    const std::string_view rest = std::string_view{name}.substr(known.size());
    return rest.empty() || std::find(std::begin(kEnds), std::end(kEnds), rest) != std::end(kEnds);
  });
}

bool IsHuggingFaceColumn(const std::string& column) {
  return column == "file_name" || column == "file_names" || column.ends_with("_file_name") ||
         column.ends_with("_file_names");
}

bool MatchesColumn(const std::string& pattern, const std::string& column) {
  return pattern == column || fnmatch(pattern.c_str(), column.c_str(), 0) == 0;
}

std::string DescribeColumns(const std::vector<std::string>& columns,
                            const std::vector<std::string>& wanted) {
  const bool named = std::any_of(columns.begin(), columns.end(),
                                 [](const std::string& column) { return !column.empty(); });
  if (!named) return "it has no named columns";
  std::string text = fmt::format("its columns are '{}'", fmt::join(columns, "', '"));
  for (const std::string& column : columns) {
    const bool near = std::any_of(wanted.begin(), wanted.end(),
                                  [&](const std::string& name) { return IsNear(name, column); });
    if (near) return text + fmt::format("; did you mean '{}'?", column);
  }
  return text;
}

}  // namespace ulhff
