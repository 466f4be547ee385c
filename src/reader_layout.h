// Where objects, blobs and texts lie in the file.
#ifndef ULHFF_SRC_READER_LAYOUT_H_
#define ULHFF_SRC_READER_LAYOUT_H_

#include <cstdint>

#include "format.h"

namespace ulhff {

// Offsets are from the start of the file, positions from the start of the object. A blob is laid
// out as an object without texts.
struct ObjectLayout {
  uint64_t offset = 0;
  uint64_t size = 0;  // media, texts and sums
  uint64_t media_size = 0;
  uint64_t first_pair = 0;
  uint64_t pairs = 0;
  uint64_t first_text = 0;  // text number
  uint64_t texts = 0;       // their number: pairs * fields
  uint64_t texts_size = 0;  // their bytes
  uint64_t text_base = 0;   // TEXTS value of first_text

  uint64_t chunks() const { return media_size / kChunkSize + (media_size % kChunkSize != 0); }
  uint64_t chunk_size(uint64_t chunk) const {
    const uint64_t left = media_size - chunk * kChunkSize;
    return left < kChunkSize ? left : kChunkSize;
  }
  uint64_t tail_size() const { return size - media_size; }  // texts and sums
  uint64_t media_sums_position() const { return media_size + texts_size; }
  uint64_t text_sums_position() const { return media_sums_position() + chunks() * kSumSize; }
  uint64_t media_sum_position(uint64_t chunk) const {
    return media_sums_position() + chunk * kSumSize;
  }
  uint64_t text_sum_position(uint64_t text) const {
    return text_sums_position() + (text - first_text) * kSumSize;
  }
};

// A text within its object.
struct TextLayout {
  uint64_t number = 0;
  uint64_t position = 0;  // from the start of the object
  uint64_t size = 0;
  bool absent = false;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_LAYOUT_H_
