// Reads media and texts of the body and verifies what it read.
#ifndef ULHFF_SRC_READER_BODY_H_
#define ULHFF_SRC_READER_BODY_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "bytes.h"
#include "file.h"
#include "reader_layout.h"

namespace ulhff {

// Immutable and thread-safe; layouts come from ObjectTable. Reads use buffers of the calling thread
// of about 1 MiB, however large the media or text is.
class BodyReader {
 public:
  explicit BodyReader(const InputFile& file) : file_(file) {}  // which must outlive it

  // Each fills `out` from `position` on and returns how much there was.
  size_t ReadMedia(const ObjectLayout& object, uint64_t position, std::span<std::byte> out) const;
  size_t ReadText(const ObjectLayout& object, const TextLayout& text, uint64_t position,
                  std::span<std::byte> out) const;

  // Throw FormatError, naming the place, if the sum of the bytes read is not the stored one.
  void CheckChunk(const ObjectLayout& object, uint64_t chunk, uint64_t sum, uint64_t stored) const;
  void CheckText(const ObjectLayout& object, const TextLayout& text, uint64_t sum,
                 uint64_t stored) const;

 private:
  void ReadChunks(const ObjectLayout& object, uint64_t first, uint64_t count, uint64_t position,
                  std::span<std::byte> out) const;
  void StreamText(const ObjectLayout& object, const TextLayout& text, uint64_t position,
                  std::span<std::byte> out) const;

  const InputFile& file_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_BODY_H_
