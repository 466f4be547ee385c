// Temporary files without a name.
#ifndef ULHFF_SRC_SPILL_FILE_H_
#define ULHFF_SRC_SPILL_FILE_H_

#include <string>

#include "file.h"

namespace ulhff {

// A file without a name in `dir`, open for reading and writing: it vanishes with its descriptor,
// however the process ends. Throws std::system_error naming `dir`.
UniqueFd OpenSpillFile(const std::string& dir);

}  // namespace ulhff

#endif  // ULHFF_SRC_SPILL_FILE_H_
