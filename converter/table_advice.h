// What to say of a table that cannot be used as it is, and which options would help.
#ifndef ULHFF_CONVERTER_TABLE_ADVICE_H_
#define ULHFF_CONVERTER_TABLE_ADVICE_H_

#include <string>

#include "converter/known_tables.h"
#include "converter/media_finder.h"
#include "converter/table_peek.h"

namespace ulhff {

// "--no-header --columns caption,url": for a table whose columns are called like a row. `media`:
// the column that names the media; empty: the one that looks so.
std::string OptionsWithoutHeader(const TablePeek& peek, const MediaTypes& types,
                                 const std::string& media);
// That media are named by their URLs. Empty: no column holds URLs, or another one holds paths.
std::string AboutUrls(const TablePeek& peek, const MediaTypes& types);
// That the first row is no header, as it names a media. Empty: it names none.
std::string AboutHeader(const TablePeek& peek, const MediaTypes& types);
// Are there texts: by the columns' names, or, where these are a row, words in a column?
bool HoldsTexts(const TablePeek& peek, const MediaTypes& types);
// Why none of the first rows, of which there are some, names a media. `known`: nullptr, or the kind
// of table that it is; `leads_outside`: a value is a path that does.
std::string WhyNoMedia(const TablePeek& peek, const KnownTable* known, const MediaFinder& finder,
                       bool leads_outside);
// Why no column is taken for the texts. `media`: the column that names the media, if one does;
// `odd_header`: as in TablePlan.
std::string WhyNoTexts(const TablePeek& peek, const TableDialect& dialect, const MediaTypes& types,
                       const std::string& media, const std::string& odd_header);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TABLE_ADVICE_H_
