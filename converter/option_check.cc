// One table: which kinds of source heed which option.
#include "converter/option_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "converter/input_error.h"
#include "converter/printable.h"

namespace ulhff {

namespace {

// Bits of the kinds that heed the same options.
constexpr unsigned kFiles = 1;
constexpr unsigned kTables = 2;
constexpr unsigned kAnnotations = 4;
constexpr unsigned kRecords = 8;
constexpr unsigned kTars = 16;
constexpr unsigned kUlhff = 32;
constexpr unsigned kColumns = kTables | kRecords | kTars;

struct Kind {
  std::string_view from;
  unsigned bit;
};
// All others are tables of some shape.
constexpr Kind kKinds[] = {
    {"files", kFiles},          {"libritts", kFiles},   {"coco", kAnnotations},
    {"karpathy", kAnnotations}, {"vqa", kAnnotations},  {"gqa", kAnnotations},
    {"msrvtt", kAnnotations},   {"msvd", kAnnotations}, {"sbu", kAnnotations},
    {"token", kAnnotations},    {"ffrecord", kRecords}, {"tfrecord", kRecords},
    {"mds", kRecords},          {"tar", kTars},         {"ulhff", kUlhff}};

struct Option {
  const char* name;
  unsigned kinds;
  bool (*given)(const ConvertOptions& options);
};
using Given = const ConvertOptions&;
constexpr Option kOptions[] = {
    {"--media-column", kColumns, [](Given o) { return !o.media_column.empty(); }},
    {"--text-column", kColumns, [](Given o) { return !o.text_columns.empty(); }},
    {"--field", kColumns, [](Given o) { return !o.fields.empty(); }},
    {"--keep-columns", kColumns, [](Given o) { return o.keep_columns; }},
    {"--id-column", kColumns, [](Given o) { return !o.id_column.empty(); }},
    {"--split-column", kColumns, [](Given o) { return !o.split_column.empty(); }},
    {"--media-root", kTables | kAnnotations, [](Given o) { return !o.media_root.empty(); }},
    {"--strip-prefix", kTables | kAnnotations, [](Given o) { return !o.strip_prefix.empty(); }},
    {"--media-template", kTables, [](Given o) { return !o.media_templates.empty(); }},
    {"--no-header", kTables, [](Given o) { return o.no_header; }},
    {"--columns", kTables, [](Given o) { return !o.columns.empty(); }},
    {"--delimiter", kTables, [](Given o) { return o.delimiter.has_value(); }},
    {"--quote", kTables, [](Given o) { return o.quoting.has_value(); }},
    {"--last-column-rest", kTables, [](Given o) { return o.last_column_rest; }},
    {"--key-rule", kTars, [](Given o) { return o.key_rule != KeyRule::kFirstDot; }},
    {"--media-ext", ~kUlhff, [](Given o) { return !o.media_extensions.empty(); }},
    // Packed folders in FFRecord pair as plain files do.
    {"--text-ext", kFiles | kRecords | kTars, [](Given o) { return !o.text_extensions.empty(); }},
    {"--split-dirs", kFiles | kRecords | kTars, [](Given o) { return o.split_dirs; }},
    {"--pair-dirs", kFiles, [](Given o) { return !o.pair_dirs.empty(); }},
    {"--texts lines", kFiles | kTars, [](Given o) { return o.texts == TextsMode::kLines; }},
    {"--missing-media", kTables | kAnnotations,
     [](Given o) { return o.missing_media != OnMissingMedia::kError; }},
    {"--multi-media", kColumns, [](Given o) { return o.multi_media != OnMultiMedia::kError; }},
    {"--unpaired-text", kFiles | kRecords | kTars,
     [](Given o) { return o.unpaired_text != OnUnpairedText::kExtra; }},
    {"--unpaired-media", ~kUlhff,
     [](Given o) { return o.unpaired_media != OnUnpairedMedia::kKeep; }},
    {"--lenient", ~(kFiles | kUlhff), [](Given o) { return o.lenient; }},
    {"--from with a file", kTables | kAnnotations,
     [](Given o) { return o.from.find(':') != std::string::npos; }},
};

unsigned BitOf(std::string_view from) {
  from = from.substr(0, from.find(':'));
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                 [from](const Kind& known) { return known.from == from; });
  return kind == std::end(kKinds) ? kTables : kind->bit;
}

}  // namespace

void CheckOptionsApply(const ConvertOptions& options, const std::vector<std::string_view>& kinds) {
  if (!options.media_templates.empty() && !options.media_column.empty()) {
    throw UsageError("--media-column: contradicts --media-template, which names the columns");
  }
  unsigned bits = 0;
  for (const std::string_view kind : kinds) bits |= BitOf(kind);
  for (const Option& option : kOptions) {
    if ((option.kinds & bits) != 0 || !option.given(options)) continue;
    throw UsageError(fmt::format("{} means nothing for this source, which is read as {}",
                                 option.name, Printable(kinds.front())));
  }
}

}  // namespace ulhff
