// The framing of TFRecord: length, data, and a sum of each.
#ifndef ULHFF_CONVERTER_TFRECORD_FRAMES_H_
#define ULHFF_CONVERTER_TFRECORD_FRAMES_H_

#include <cstdint>
#include <optional>

#include "converter/file_window.h"
#include "converter/record.h"

namespace ulhff {

// u64 length, u32 masked CRC-32C of it, data, u32 masked CRC-32C of the data; all little-endian.
class TfrecordFrames {
 public:
  // The frames in `size` bytes from `offset` of a file. Places in messages count from there.
  TfrecordFrames(FileWindow& file, uint64_t offset, uint64_t size, const Damage& damage)
      : file_(file), begin_(offset), pos_(offset), end_(offset + size), damage_(damage) {}

  struct Frame {
    uint64_t number = 0;  // from 0; those left out count
    uint64_t offset = 0;  // of the data in the file
    uint64_t size = 0;
  };
  // nullopt at the end, also where damage hides where the next one is; `damage` was told then.
  std::optional<Frame> Next();
  // From the beginning, of the next frame.
  uint64_t position() const { return pos_ - begin_; }
  bool at_end() const { return pos_ == end_; }

 private:
  // The next frame's data, without looking at them.
  std::optional<Frame> NextHeader();

  FileWindow& file_;
  const uint64_t begin_;
  uint64_t pos_;
  const uint64_t end_;
  const Damage& damage_;
  uint64_t next_ = 0;
};

// Of a file's first bytes, all there are: the length of the first record, if they are a frame's.
std::optional<uint64_t> FirstLength(ByteSpan head);
inline constexpr size_t kFrameHeader = 12;

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TFRECORD_FRAMES_H_
