// Where a conversion spills what it sorts.
#ifndef ULHFF_CONVERTER_TMP_DIR_H_
#define ULHFF_CONVERTER_TMP_DIR_H_

#include <string>

#include "converter/options.h"

namespace ulhff {

// --tmp-dir, or the directory of the output.
std::string TemporaryDirectory(const ConvertOptions& options);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TMP_DIR_H_
