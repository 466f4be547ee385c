// Reads tables of all kinds, CSV to JSON, as rows of named cells.
#ifndef ULHFF_CONVERTER_TABLE_READER_H_
#define ULHFF_CONVERTER_TABLE_READER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "converter/csv_stream.h"
#include "converter/json_value.h"
#include "converter/odd_kind.h"
#include "converter/options.h"

namespace ulhff {

// A cell of a delimited table is text, always; one of a JSON table can be absent or a list.
class TableCell {
 public:
  explicit TableCell(std::string_view text) : value_(text) {}
  explicit TableCell(JsonValue value) : value_(value) {}

  // JSON null and [].
  bool absent() const;
  bool is_list() const;
  // A string's bytes; the raw JSON of anything else.
  std::string_view text() const;
  // The JSON value, or nullptr: text of a delimited table.
  const JsonValue* json() const { return std::get_if<JsonValue>(&value_); }

 private:
  std::variant<std::string_view, JsonValue> value_;
};

struct TableRow {
  std::vector<std::pair<std::string_view, TableCell>> cells;  // valid until the next row
  uint64_t line = 0;                                          // of the file, from 1
  uint64_t offset = 0;
  std::string_view json;  // the bytes of a JSON row

  const TableCell* Find(std::string_view column) const;  // nullptr: the row has none
  std::string ToJson() const;                            // as one object
};

// How the bytes of a table are cut into rows.
struct TableDialect {
  bool json = false;
  CsvOptions csv;
  bool header = true;
  std::vector<std::string> columns;  // without a header
  bool last_column_rest = false;
  bool lenient = false;
};
// From --delimiter and its like, the name, and the first line. Throws InputError, UsageError.
TableDialect DialectOf(const std::string& path, const ConvertOptions& options);

class TableReader {
 public:
  // Told of what --lenient left out or replaced: what, line.
  using Report = std::function<void(Odd kind, const std::string&, uint64_t line)>;

  virtual ~TableReader() = default;
  // The columns of a delimited table; empty for JSON, whose rows say themselves.
  virtual const std::vector<std::string>& columns() const = 0;
  // nullptr at the end. Throws InputError, for a row of the wrong length too.
  virtual const TableRow* Next() = 0;
};
std::unique_ptr<TableReader> OpenTable(const std::string& path, const TableDialect& dialect,
                                       TableReader::Report report);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TABLE_READER_H_
