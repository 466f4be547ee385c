// Reads a large file piece by piece through one bounded buffer.
#ifndef ULHFF_CONVERTER_FILE_WINDOW_H_
#define ULHFF_CONVERTER_FILE_WINDOW_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "ulhff/bytes.h"
#include "ulhff/file.h"

namespace ulhff {

// Small pieces that stand near each other cost one read. Offsets and sizes must lie within the
// file: whoever knows what they mean checks them and says what is wrong. Throws std::system_error.
class FileWindow {
 public:
  static constexpr size_t kSize = size_t{1} << 20;

  // `window`: bytes read at once, a multiple of 8.
  explicit FileWindow(const std::string& path, size_t window = kSize);
  FileWindow(std::shared_ptr<const InputFile> file, size_t window);

  const std::string& path() const { return file_->path(); }
  const std::shared_ptr<const InputFile>& file() const { return file_; }
  // When it was opened.
  uint64_t size() const { return size_; }

  // Precondition: size <= the window. Valid until the next call of any function.
  ByteSpan Read(uint64_t offset, size_t size);
  template <typename T>
  T Load(uint64_t offset) {
    return LoadAt<T>(Read(offset, sizeof(T)), 0);
  }
  // Ranges of any size, in pieces of a window each, the last one smaller.
  void ForEach(uint64_t offset, uint64_t size, const std::function<void(ByteSpan)>& take);
  std::string ReadText(uint64_t offset, uint64_t size);

 private:
  std::shared_ptr<const InputFile> file_;
  size_t window_;
  uint64_t size_;
  AlignedBuffer buffer_;
  ByteSpan held_;
  uint64_t held_offset_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_FILE_WINDOW_H_
