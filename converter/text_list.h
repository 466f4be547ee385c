// Lists of texts in one cell: JSON arrays, and list literals of Python or JSON in a CSV cell.
#ifndef ULHFF_CONVERTER_TEXT_LIST_H_
#define ULHFF_CONVERTER_TEXT_LIST_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "converter/table_reader.h"

namespace ulhff {

// The strings of `["a", "b"]` or `['a', "b"]`. nullopt: the cell is not such a list as a whole.
std::optional<std::vector<std::string>> ParseListLiteral(std::string_view cell);

// The texts of a cell, one for each pair; nullopt stands for a null in a list. None if the cell is
// absent. Elements that are no strings give their raw JSON.
std::vector<std::optional<std::string>> TextsOf(const TableCell& cell);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TEXT_LIST_H_
