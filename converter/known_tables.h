// Tables known by their columns: where their media are, and what their texts are.
#ifndef ULHFF_CONVERTER_KNOWN_TABLES_H_
#define ULHFF_CONVERTER_KNOWN_TABLES_H_

#include <span>
#include <string>
#include <vector>

#include "converter/options.h"

namespace ulhff {

struct KnownTable {
  const char* from;  // value of --from; several tables may share one
  const char* summary;
  std::vector<std::string> needs;               // it has all of these columns
  std::vector<std::string> media_columns = {};  // it has one of these, and all it has are media
  // Where no column is a path: patterns as of --media-template, tried in order.
  std::vector<std::string> templates = {};
  std::vector<std::string> texts = {};  // columns, or globs
  // Instead: one text, of these members in JSON; of one alone, its value.
  std::vector<std::string> json = {};
  std::string split = {};  // column
  // Whether it is taken for what it is without --from. The others are found by what they hold.
  bool by_itself = true;
};

std::span<const KnownTable> KnownTables();
bool IsKnownTable(const std::string& from);
// The table of these columns: of the kind asked for, or by itself. nullptr: none. `complete`: no
// row has columns beside these.
const KnownTable* FindKnownTable(const std::vector<std::string>& columns, bool complete,
                                 const ConvertOptions& options);
// What tables of this kind are known by.
std::string DescribeKnownTable(const std::string& from);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_KNOWN_TABLES_H_
