// Formats that only a library reads, and the script in examples/ that makes a tar of each.
#ifndef ULHFF_CONVERTER_FOREIGN_H_
#define ULHFF_CONVERTER_FOREIGN_H_

#include <string>

#include "converter/options.h"

namespace ulhff {

// "is Parquet, ...: examples/..."; empty: it is none of these. Of a directory: it is one, or holds
// such files, at its top or one level below. `path` is there.
std::string ForeignFormat(const std::string& path, bool is_directory,
                          const ConvertOptions& options);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_FOREIGN_H_
