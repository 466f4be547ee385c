// What the parts of a pair are called where a pair is a row.
#ifndef ULHFF_SRC_READER_COLUMNS_H_
#define ULHFF_SRC_READER_COLUMNS_H_

#include <string>
#include <vector>

#include "reader_info.h"

namespace ulhff {

// The media first, then one for each field: `text` for the first, the field's name for a further
// one, or its extension if it has none. Throws std::invalid_argument, one line, if two are the same
// or one is `reserved`.
std::vector<std::string> ColumnNames(const Info& info, const std::string& media = "file_name",
                                     const std::string& text = "text",
                                     const std::string& reserved = {});

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_COLUMNS_H_
