// Looks at the first rows of a table.
#include "converter/table_peek.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "converter/input_error.h"
#include "converter/text_list.h"

namespace ulhff {
namespace {

void AddRow(const TableRow& row, bool json, TablePeek& peek) {
  std::vector<TablePeek::Cell> cells(peek.columns.size());
  size_t place = 0;
  for (const auto& [name, cell] : row.cells) {
    if (json) {
      const auto at = std::find(peek.columns.begin(), peek.columns.end(), name);
      place = static_cast<size_t>(at - peek.columns.begin());
      if (at == peek.columns.end()) peek.columns.emplace_back(name);
      cells.resize(peek.columns.size());
    }
    cells[place] = {};
    for (auto& text : TextsOf(cell)) cells[place].values.push_back(text.value_or(""));
    ++place;
  }
  peek.rows.push_back(std::move(cells));
  peek.lines.push_back(row.line);
  for (auto& earlier : peek.rows) earlier.resize(peek.columns.size());
}

// Errors end a look: the rows before count, and if there are none, those behind.
TablePeek Peek(const std::string& path, const TableDialect& dialect) {
  TablePeek peek;
  std::string left_out;  // by --lenient, the first
  try {
    const auto reader =
        OpenTable(path, dialect, [&](Odd kind, const std::string& what, uint64_t line) {
          if (kind == Odd::kReplaced || !left_out.empty()) return;
          left_out = fmt::format("{}:{}: {}; no row is left", path, line, what);
        });
    peek.columns = reader->columns();
    while (const TableRow* row = reader->Next()) {
      peek.columns = dialect.json ? peek.columns : reader->columns();
      peek.bytes = row->offset;
      if (peek.rows.size() == TablePeek::kRows) return peek;
      AddRow(*row, dialect.json, peek);
    }
    peek.complete = true;
    if (peek.rows.empty()) peek.error = left_out;
  } catch (const InputError& error) {
    peek.error = error.what();
  }
  return peek;
}

template <typename Is>
bool MostHold(const TablePeek& peek, size_t column, const Is& is) {
  const auto rows = std::count_if(peek.rows.begin(), peek.rows.end(), [&](const auto& row) {
    return std::any_of(row[column].values.begin(), row[column].values.end(), is);
  });
  return 2 * static_cast<size_t>(rows) > peek.rows.size();
}

}  // namespace

TablePeek PeekTable(const std::string& path, const TableDialect& dialect) {
  TablePeek peek = Peek(path, dialect);
  if (peek.error.empty() && peek.rows.empty()) {
    const bool cr = std::any_of(peek.columns.begin(), peek.columns.end(), [](const auto& column) {
      return column.find('\r') != std::string::npos;
    });
    peek.error = fmt::format("{}: the table has no rows{}", path,
                             cr ? "; its lines end in CR, and must end in LF" : "");
    return peek;
  }
  if (!peek.rows.empty() || dialect.lenient) return peek;
  TableDialect lenient = dialect;
  lenient.lenient = true;
  TablePeek whole = Peek(path, lenient);
  if (whole.rows.empty()) return peek;
  whole.error = peek.error;
  return whole;
}

bool HoldsPaths(const TablePeek& peek, size_t column, const MediaTypes& types) {
  return MostHold(peek, column, [&](const std::string& value) {
    return types.IsMedia(value) && value.find("://") == std::string::npos;
  });
}

bool IsUrl(std::string_view text) {
  const size_t colon = text.find("://");
  return colon != std::string_view::npos && colon > 0 &&
         std::all_of(text.begin(), text.begin() + static_cast<ptrdiff_t>(colon),
                     [](unsigned char c) { return std::isalnum(c) != 0; }) &&
         text.find(' ') == std::string_view::npos;
}

bool HoldsUrls(const TablePeek& peek, size_t column) { return MostHold(peek, column, IsUrl); }

}  // namespace ulhff
