// Finds the valid superblock of a file and checks it (docs/format.md §3, §9).
#ifndef ULHFF_SRC_READER_SUPERBLOCK_H_
#define ULHFF_SRC_READER_SUPERBLOCK_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "file.h"
#include "format.h"
#include "reader_info.h"

namespace ulhff {

struct CheckedSuperblock {
  Superblock fields;
  uint64_t offset = 0;  // of the slot, in the file
  Info info;            // but for what the section table says
};

// Reads both slots and returns the valid one of the greater generation, every constraint of §3
// checked. The section table is left to CheckSections. Throws FormatError, std::system_error.
CheckedSuperblock ReadSuperblock(const InputFile& file);

// True if `name` may stand in a directory (§8).
bool IsValidName(std::string_view name);

// Throws FormatError about the byte at `offset` of `file`.
[[noreturn]] void ThrowMalformed(const InputFile& file, uint64_t offset, const std::string& what);

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_SUPERBLOCK_H_
