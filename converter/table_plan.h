// Which columns of a table are media, texts and the rest: as told, or found in its first rows.
#ifndef ULHFF_CONVERTER_TABLE_PLAN_H_
#define ULHFF_CONVERTER_TABLE_PLAN_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "converter/media_finder.h"
#include "converter/media_template.h"
#include "converter/options.h"
#include "converter/table_peek.h"
#include "converter/table_reader.h"

namespace ulhff {

struct TablePlan {
  // One of these two says where the media of a row is.
  std::vector<std::string> media_columns;
  std::vector<MediaTemplate> media_templates;  // the first that gives a file
  std::vector<std::string> text_columns;       // names, or globs (JSON: its rows say their columns)
  std::set<std::string> list_columns;          // of these, CSV cells that are list literals
  std::vector<std::string> json;               // instead of these: the members of one text in JSON
  std::vector<std::pair<std::string, std::string>> fields;  // name and column
  bool keep_columns = false;
  std::string split_column;  // empty: none

  std::string known;  // the kind of known tables that it is; empty: none

  uint64_t pairs_peeked = 0;  // what the first rows give
  uint64_t media_peeked = 0;  // of these rows, how many name a media that is there
  // Not empty: what is looked at has texts and names media, none of which is there: why, and in
  // which row.
  std::string lost;
  bool names_urls = false;  // instead of files
  // Not empty: what the header does that only a row should ("names a media"), or a first row that
  // should be a header.
  std::string odd_header;
  std::string problem;  // not empty: what must be told before the table can be used
  bool broken = false;  // the problem is that it cannot be read
};

// `base`: the table's directory, from the finder's root. Throws UsageError for columns that were
// asked for and are not there.
TablePlan PlanTable(const TablePeek& peek, const std::string& base, const TableDialect& dialect,
                    const ConvertOptions& options, MediaFinder& finder);
// The same for metadata of a Hugging Face folder: media are in the columns called file_name.
TablePlan PlanHuggingFace(const TablePeek& peek, const std::string& base,
                          const TableDialect& dialect, const ConvertOptions& options,
                          MediaFinder& finder);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TABLE_PLAN_H_
