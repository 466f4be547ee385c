// The records of FFRecord files: pickled dicts, or files as they are.
#ifndef ULHFF_CONVERTER_FFRECORD_READER_H_
#define ULHFF_CONVERTER_FFRECORD_READER_H_

#include <memory>

#include "converter/record.h"

namespace ulhff {

// A pickled dict {'image': bytes, 'caption': str} has a column for each key. A record that is no
// pickle has one column without a name, which is a media.
std::unique_ptr<RecordReader> ReadFfrecord(const RecordContext& context);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_FFRECORD_READER_H_
