// The first rows of a table, to see what it is.
#ifndef ULHFF_CONVERTER_TABLE_PEEK_H_
#define ULHFF_CONVERTER_TABLE_PEEK_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "converter/media_types.h"
#include "converter/table_reader.h"

namespace ulhff {

// The first rows of a table.
struct TablePeek {
  static constexpr size_t kRows = 100;
  struct Cell {
    std::vector<std::string> values;  // none: absent; several: a list
  };
  std::vector<std::string> columns;     // of JSON: of these rows, in order of appearance
  std::vector<std::vector<Cell>> rows;  // by column
  std::vector<uint64_t> lines;          // of the rows
  bool complete = false;                // there are no more rows
  uint64_t bytes = 0;                   // of the file, that these rows take
  // Not empty: what ended them early, or stands before the first of them.
  std::string error;
};
// A table without rows is an error of it.
TablePeek PeekTable(const std::string& path, const TableDialect& dialect);
// Are most values of the column called like media?
bool HoldsPaths(const TablePeek& peek, size_t column, const MediaTypes& types);
// "https://...", without blanks: a text may have one in it.
bool IsUrl(std::string_view text);
// Are most values of the column URLs?
bool HoldsUrls(const TablePeek& peek, size_t column);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TABLE_PEEK_H_
