// Text files of a source: what their first bytes give away, chunks, and physical lines.
#ifndef ULHFF_CONVERTER_TEXT_FILE_H_
#define ULHFF_CONVERTER_TEXT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ulhff/file.h"

namespace ulhff {

// By its first bytes: control characters that no text has in such number.
bool LooksBinary(const std::string& path);

// Sequential reader of one file. The constructor skips a UTF-8 BOM and names, as InputError, what
// only looks like a text: UTF-16/32 (by BOM), a Git LFS pointer, gzip. std::system_error: I/O.
class TextFile {
 public:
  explicit TextFile(const std::string& path);

  const std::string& path() const { return path_; }
  // Of the byte that Read() delivers next: 3 after a BOM, 0 otherwise.
  uint64_t offset() const { return offset_; }
  // Up to `size` bytes; 0 only at the end of the file.
  size_t Read(char* to, size_t size);

 private:
  std::string path_;
  UniqueFd fd_;
  uint64_t offset_ = 0;
};

struct TextLine {
  std::string_view bytes;  // without the line end; valid until the next Next()
  std::string_view end;    // "\n", "\r\n", or "" at the end of the file
  uint64_t number;         // from 1
  uint64_t offset;         // of the first byte, from the start of the file
};

// Physical lines of a TextFile. A CR that no LF follows is part of the line.
class LineReader {
 public:
  // A line of more than `max_line_bytes` is an InputError.
  LineReader(const std::string& path, uint64_t max_line_bytes, size_t chunk_bytes);

  const TextFile& file() const { return file_; }
  // nullptr at the end.
  const TextLine* Next();

 private:
  bool Fill();

  TextFile file_;
  const uint64_t max_line_bytes_;
  const size_t chunk_bytes_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // of the bytes not yet delivered, in buffer_
  size_t end_ = 0;
  TextLine line_{};
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TEXT_FILE_H_
