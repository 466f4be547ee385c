// How the sizes of a file's tables are told.
#ifndef ULHFF_CONVERTER_INDEX_TEXT_H_
#define ULHFF_CONVERTER_INDEX_TEXT_H_

#include <string>

#include "ulhff/reader_info.h"

namespace ulhff {

// "12.0 KiB; besides it order 4.0 KiB, text lengths 4.0 KiB, names 20.0 KiB; all tables 60.0 KiB"
std::string DescribeIndex(const Info& info);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_INDEX_TEXT_H_
