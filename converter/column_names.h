// Columns of tables that are known by their names, and how names are compared.
#ifndef ULHFF_CONVERTER_COLUMN_NAMES_H_
#define ULHFF_CONVERTER_COLUMN_NAMES_H_

#include <string>
#include <vector>

namespace ulhff {

// The names that are texts without being asked for, in this order.
const std::vector<std::string>& KnownTextNames();
bool IsKnownTextName(const std::string& column);
// caption_1, caption 2, text3: a known name with a number.
bool IsNumberedTextName(const std::string& column);
// Either of the two.
bool IsTextColumnName(const std::string& column);
// What tables call the column of their media; not of the addresses they come from.
bool IsMediaColumnName(const std::string& column);
bool IsHuggingFaceColumn(const std::string& column);

// Does `column` match, as itself or as a glob?
bool MatchesColumn(const std::string& pattern, const std::string& column);

// "its columns are a, b, Caption; did you mean 'Caption'?"
std::string DescribeColumns(const std::vector<std::string>& columns,
                            const std::vector<std::string>& wanted);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_COLUMN_NAMES_H_
