// Buffered sequential writing of one file that appears complete or not at all.
#ifndef ULHFF_SRC_WRITER_FILE_H_
#define ULHFF_SRC_WRITER_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "bytes.h"
#include "file.h"
#include "writer_publish.h"

namespace ulhff {

// Stretches of zeros become holes, so that a sparse media stays sparse. Throws std::system_error
// naming the path, std::invalid_argument beyond kMaxFileSize.
class OutputFile {
 public:
  OutputFile(const std::string& path, bool overwrite);

  uint64_t offset() const { return flushed_ + used_; }  // of the next byte
  void Append(ByteSpan bytes);
  void AppendZeros(uint64_t count);
  void PadTo(uint64_t alignment);  // zeros up to a multiple of it
  // Writes `start` over the first bytes of the file and publishes it.
  void Finish(ByteSpan start);

 private:
  void Flush(ByteSpan bytes);
  PendingFile file_;
  AlignedBuffer buffer_;
  size_t used_ = 0;
  uint64_t flushed_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_FILE_H_
