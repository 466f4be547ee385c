// Sentences about tables, with the commands that go on from there.
#include "converter/table_advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "converter/printable.h"

namespace ulhff {
namespace {

std::string FirstRow(const TablePeek& peek) {
  constexpr size_t kColumns = 12, kBytes = 40;
  std::string row;
  for (size_t i = 0; i < peek.columns.size() && i < kColumns; ++i) {
    const auto& values = peek.rows[0][i].values;
    if (values.empty()) continue;
    row += fmt::format("{}{}='{}'", row.empty() ? "" : ", ", Printable(peek.columns[i]),
                       Printable(values[0].substr(0, kBytes)));
  }
  return row;
}

bool AreCocoResults(const std::vector<std::string>& columns) {
  const auto has = [&](const char* name) {
    return std::find(columns.begin(), columns.end(), name) != columns.end();
  };
  return columns.size() == 2 && has("image_id") && has("caption");
}

}  // namespace

std::string OptionsWithoutHeader(const TablePeek& peek, const MediaTypes& types) {
  if (peek.columns.size() > 2) {
    return fmt::format("--no-header and how its {} columns are called, as in --columns id,raw,text",
                       peek.columns.size());
  }
  std::vector<const char*> names;
  for (const std::string& cell : peek.columns) {
    names.push_back(IsUrl(cell) ? "url" : types.IsMedia(cell) ? "image" : "caption");
  }
  return fmt::format("--no-header --columns {}", fmt::join(names, ","));
}

std::string AboutUrls(const TablePeek& peek, const MediaTypes& types) {
  size_t urls = peek.columns.size();
  for (size_t i = 0; i < peek.columns.size(); ++i) {
    if (HoldsPaths(peek, i, types)) return "";
    if (urls == peek.columns.size() && (IsUrl(peek.columns[i]) || HoldsUrls(peek, i))) urls = i;
  }
  if (urls == peek.columns.size()) return "";
  const std::string& column = peek.columns[urls];
  const std::string which =
      IsUrl(column)
          ? fmt::format("its first row is no header (say {}), and it names URLs, no files",
                        OptionsWithoutHeader(peek, types))
          : fmt::format("its column '{}' holds URLs, and no other names files", Printable(column));
  return which +
         "; nothing is downloaded: fetch them first, as img2dataset does, and convert what it "
         "wrote; of files that are here, --media-template says how they are called";
}

std::string WhyNoMedia(const TablePeek& peek, const KnownTable* known, const MediaFinder& finder,
                       bool leads_outside) {
  if (known != nullptr && !known->templates.empty()) {
    return fmt::format(
        "it names no files, and below {}{} none is called {}; say how they are called with "
        "--media-template, and where they are with --media-root",
        finder.place().root, finder.place().search, fmt::join(known->templates, " or "));
  }
  if (AreCocoResults(peek.columns)) {
    return "COCO results (image_id, caption) name no files: convert the annotations that list the "
           "images, or say how a file is called, as in --media-template "
           "'COCO_val2014_{image_id:012}.jpg', and where they are with --media-root";
  }
  if (std::string about = AboutUrls(peek, finder.types()); !about.empty()) return about;
  if (leads_outside) {
    return "its paths lead out of its directory: take them with --allow-outside, or say with "
           "--media-root and --strip-prefix where they begin";
  }
  return fmt::format(
      "no column of its first rows names media below {}{}; say where they are with --media-root "
      "and how they are called with --media-column, --media-template or --strip-prefix (first "
      "row: {})",
      finder.place().root, finder.place().search, FirstRow(peek));
}

}  // namespace ulhff
