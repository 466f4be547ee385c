// One buffer that moves over a file.
#include "converter/file_window.h"

#include <algorithm>

namespace ulhff {

FileWindow::FileWindow(const std::string& path, size_t window)
    : FileWindow(std::make_shared<InputFile>(InputFile::Open(path, ReadMode::kBuffered)), window) {}

FileWindow::FileWindow(std::shared_ptr<const InputFile> file, size_t window)
    : file_(std::move(file)), window_(window), size_(file_->Size()) {}

ByteSpan FileWindow::Read(uint64_t offset, size_t size) {
  const bool holds = offset >= held_offset_ && offset - held_offset_ <= held_.size() &&
                     size <= held_.size() - (offset - held_offset_);
  if (!holds) {
    held_ = {};
    const size_t more = static_cast<size_t>(std::min<uint64_t>(window_, size_ - offset));
    held_ = file_->Read(offset, std::max(size, more), buffer_);
    held_offset_ = offset;
  }
  return held_.subspan(static_cast<size_t>(offset - held_offset_), size);
}

void FileWindow::ForEach(uint64_t offset, uint64_t size,
                         const std::function<void(ByteSpan)>& take) {
  while (size > 0) {
    const size_t piece = static_cast<size_t>(std::min<uint64_t>(size, window_));
    take(Read(offset, piece));
    offset += piece;
    size -= piece;
  }
}

std::string FileWindow::ReadText(uint64_t offset, uint64_t size) {
  std::string text;
  text.reserve(size);
  ForEach(offset, size, [&](ByteSpan piece) { text += AsText(piece); });
  return text;
}

}  // namespace ulhff
