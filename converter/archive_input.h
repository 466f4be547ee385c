// What libarchive reads from: a part of a file, through a window.
#ifndef ULHFF_CONVERTER_ARCHIVE_INPUT_H_
#define ULHFF_CONVERTER_ARCHIVE_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>

#include "converter/file_window.h"

struct archive;

namespace ulhff {

struct FreeArchive {
  void operator()(archive* reader) const;
};
using ArchivePtr = std::unique_ptr<archive, FreeArchive>;
// Reads no format yet. Throws std::bad_alloc.
ArchivePtr NewArchive();

class ArchiveInput {
 public:
  ArchiveInput(FileWindow& file, uint64_t offset, uint64_t size)
      : file_(&file), position_(offset), end_(offset + size) {}

  // Opens `reader` on this, which must outlive it and stay where it is. Returns libarchive's code.
  int Open(archive* reader);
  // Throws what a read threw while libarchive was between us and it.
  void Rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static constexpr uint64_t kPiece = uint64_t{16} << 10;

  FileWindow* file_;
  uint64_t position_;
  uint64_t end_;
  std::exception_ptr error_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_ARCHIVE_INPUT_H_
