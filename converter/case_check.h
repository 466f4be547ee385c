// Names that are one and the same to a file system that ignores case.
#ifndef ULHFF_CONVERTER_CASE_CHECK_H_
#define ULHFF_CONVERTER_CASE_CHECK_H_

#include <functional>
#include <string>
#include <vector>

#include "ulhff/tree.h"

namespace ulhff {

// Calls `report` with the paths of each group of two or more names of one directory that differ in
// case only, by Unicode's rules where names are UTF-8. Holds 8 bytes for each name of a directory.
void CheckCase(const Tree& tree,
               const std::function<void(const std::vector<std::string>& paths)>& report);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_CASE_CHECK_H_
