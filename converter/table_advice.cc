// Sentences about tables, with the commands that go on from there.
#include "converter/table_advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "converter/column_names.h"
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

std::string OptionsWithoutHeader(const TablePeek& peek, const MediaTypes& types,
                                 const std::string& media) {
  if (peek.columns.size() > 2) {
    return fmt::format("--no-header and how its {} columns are called, as in --columns id,raw,text",
                       peek.columns.size());
  }
  const auto names_media = [&](const std::string& cell) {
    return media.empty() ? IsUrl(cell) || types.IsMedia(cell) : cell == media;
  };
  const auto first = std::find_if(peek.columns.begin(), peek.columns.end(), names_media);
  std::vector<const char*> names(peek.columns.size(), "caption");
  if (first != peek.columns.end()) {
    names[static_cast<size_t>(first - peek.columns.begin())] = IsUrl(*first)           ? "url"
                                                               : types.IsMedia(*first) ? "image"
                                                                                       : "id";
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
                        OptionsWithoutHeader(peek, types, column))
          : fmt::format("its column '{}' holds URLs, and no other names files", Printable(column));
  return which +
         "; nothing is downloaded: fetch them first, as img2dataset does, and convert what it "
         "wrote; of files that are here, --media-template says how they are called";
}

std::string AboutHeader(const TablePeek& peek, const MediaTypes& types) {
  // Where lines end in CR, all of them are the first.
  const auto media = std::find_if(peek.columns.begin(), peek.columns.end(), [&](const auto& name) {
    return types.IsMedia(name) && name.find('\r') == std::string::npos;
  });
  if (media == peek.columns.end()) return "";
  return fmt::format("its {} names a media ('{}'), so it has no header: say {}",
                     peek.rows.empty() ? "only line" : "first row", Printable(*media),
                     OptionsWithoutHeader(peek, types, *media));
}

bool HoldsTexts(const TablePeek& peek, const MediaTypes& types) {
  if (std::any_of(peek.columns.begin(), peek.columns.end(), IsTextColumnName)) return true;
  bool media = false;
  bool words = false;
  for (const std::string& cell : peek.columns) {
    const bool is_media = IsUrl(cell) || types.IsMedia(cell);
    media = media || is_media;
    words = words || (!is_media && cell.find(' ') != std::string::npos);
  }
  return media && words;
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
  if (std::string about = AboutHeader(peek, finder.types()); !about.empty()) {
    return peek.rows.empty() ? about
                             : fmt::format(
                                   "{}; none of its first rows names one below {}{}: say "
                                   "where they are with --media-root and --strip-prefix",
                                   about, finder.place().root, finder.place().search);
  }
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

std::string WhyNoTexts(const TablePeek& peek, const TableDialect& dialect, const MediaTypes& types,
                       const std::string& media, const std::string& odd_header) {
  if (!odd_header.empty() && dialect.header) {
    return fmt::format("its first row {}, so it has no header: say {}", odd_header,
                       OptionsWithoutHeader(peek, types, media));
  }
  if (!odd_header.empty()) {
    return fmt::format("its first row {}: leave out --no-header; {}", odd_header,
                       DescribeColumns(peek.columns, {}));
  }
  const std::string columns = DescribeColumns(peek.columns, {});
  if (!dialect.header && dialect.columns.empty()) {
    return fmt::format("its columns have no names yet: say {}, or choose with --text-column; {}",
                       OptionsWithoutHeader(peek, types, media), columns);
  }
  if (IsTextColumnName(media)) {
    return fmt::format(
        "its column '{}' names the media, though it is called like a text, and no other is: are "
        "they called the wrong way round? Choose with --text-column; {}",
        Printable(media), columns);
  }
  return fmt::format("no column is called like a text ({}, ...): choose one with --text-column; {}",
                     fmt::join(KnownTextNames().begin(), KnownTextNames().begin() + 5, ", "),
                     DescribeColumns(peek.columns, KnownTextNames()));
}

}  // namespace ulhff
