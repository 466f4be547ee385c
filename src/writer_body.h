// Streams one object or blob after another into the body, with the sums of its bytes
// (docs/format.md §4).
#ifndef ULHFF_SRC_WRITER_BODY_H_
#define ULHFF_SRC_WRITER_BODY_H_

#include <cstdint>
#include <vector>

#include "bytes.h"
#include "checksum.h"
#include "writer_file.h"

namespace ulhff {

// Memory: 8 bytes a chunk and 8 bytes a text of the open object. `out` must outlive it.
class BodyWriter {
 public:
  BodyWriter(OutputFile& out, uint64_t alignment) : out_(out), alignment_(alignment) {}

  void Begin();
  void AppendMedia(ByteSpan bytes);
  void AppendText(ByteSpan bytes);
  void AppendAbsentText() { text_sums_.emplace_back(0); }
  // Writes the sums and the padding. Returns the object's size, padding excluded.
  uint64_t End();

  Digest128 digest() const { return digest_.Digest(); }  // of all sums areas so far

 private:
  void EndChunk();
  OutputFile& out_;
  uint64_t alignment_;
  uint64_t start_ = 0;
  StreamChecksum chunk_;
  uint64_t chunk_used_ = 0;
  std::vector<Le<uint64_t>> media_sums_;
  std::vector<Le<uint64_t>> text_sums_;
  StreamChecksum digest_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_BODY_H_
