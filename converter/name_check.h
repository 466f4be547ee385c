// Finds names of the source tree that were used twice, before any media is read.
#ifndef ULHFF_CONVERTER_NAME_CHECK_H_
#define ULHFF_CONVERTER_NAME_CHECK_H_

#include "converter/catalogue.h"
#include "converter/options.h"
#include "converter/report.h"

namespace ulhff {

// Notes each use after the one that keeps the name, and applies options.duplicates to it: an extra
// is dropped or renamed; a text stays in its pair, but shows under no name or another. A media
// keeps its name against others. A text file that several pairs share keeps the name of its first
// pair. Empties catalogue.names.
void FindNamesUsedTwice(Catalogue& catalogue, const ConvertOptions& options, Report& report);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_NAME_CHECK_H_
