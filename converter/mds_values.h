// Decodes the values of MDS columns.
#ifndef ULHFF_CONVERTER_MDS_VALUES_H_
#define ULHFF_CONVERTER_MDS_VALUES_H_

#include <cstdint>

#include "converter/file_window.h"
#include "converter/mds_index.h"
#include "converter/record.h"

namespace ulhff {

// The value of a column, whose bytes lie within the file. A list whose lengths do not fit has one
// value of Kind::kOther.
RecordColumn DecodeMds(const MdsColumn& column, FileWindow& file, uint64_t offset, uint64_t size);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_MDS_VALUES_H_
