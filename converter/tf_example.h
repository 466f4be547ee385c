// Reads tf.train.Example and tf.train.SequenceExample without their generated code, so that large
// values stay where they are.
#ifndef ULHFF_CONVERTER_TF_EXAMPLE_H_
#define ULHFF_CONVERTER_TF_EXAMPLE_H_

#include <cstdint>
#include <vector>

#include "converter/file_window.h"
#include "converter/record.h"

namespace ulhff {

// Replaces `columns` by the features of the message: bytes stand in the file, numbers are tokens,
// lists of features are sequences. False: these bytes are no such message (or one of absurd size).
bool ParseExample(FileWindow& file, uint64_t offset, uint64_t size,
                  std::vector<RecordColumn>& columns);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TF_EXAMPLE_H_
