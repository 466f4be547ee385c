// The records of TFRecord files: tf.train.Example or SequenceExample each.
#ifndef ULHFF_CONVERTER_TFRECORD_READER_H_
#define ULHFF_CONVERTER_TFRECORD_READER_H_

#include <memory>
#include <optional>
#include <string>

#include "converter/record.h"

namespace ulhff {

// A column for each feature. Shards that are gzip or zlib as a whole are decompressed into the
// spool; then offsets in messages are those of the decompressed data.
std::unique_ptr<RecordReader> ReadTfrecord(const RecordContext& context);

// What recognition wants to know. nullopt: no TFRecord file.
struct TfrecordPeek {
  uint64_t first_length = 0;  // bytes of the first record
  bool compressed = false;
};
std::optional<TfrecordPeek> PeekTfrecord(const std::string& path);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TFRECORD_READER_H_
