// Gathers what is appended into writes of 1 MiB at multiples of it.
#include "writer_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "format.h"

namespace ulhff {

namespace {

constexpr size_t kBufferSize = 1 << 20;

}  // namespace

OutputFile::OutputFile(const std::string& path, bool overwrite)
    : file_(path, overwrite), buffer_(kBufferSize) {}

void OutputFile::Append(ByteSpan bytes) {
  if (bytes.size() > kMaxFileSize - offset()) {
    throw std::invalid_argument(file_.path() + ": would exceed the largest file size");
  }
  while (!bytes.empty()) {
    size_t n = std::min(bytes.size(), kBufferSize - used_);
    if (used_ == 0 && n == kBufferSize) {
      n = bytes.size() / kBufferSize * kBufferSize;
      PwriteFull(file_.fd(), bytes.first(n), flushed_, file_.path());
      flushed_ += n;
    } else {
      std::memcpy(buffer_.data() + used_, bytes.data(), n);
      used_ += n;
      if (used_ == kBufferSize) Flush();
    }
    bytes = bytes.subspan(n);
  }
}

void OutputFile::Flush() {
  PwriteFull(file_.fd(), ByteSpan(buffer_.data(), used_), flushed_, file_.path());
  flushed_ += used_;
  used_ = 0;
}

void OutputFile::AppendZeros(uint64_t count) {
  static constexpr std::array<std::byte, kBlockSize> kZeros{};
  for (; count > kZeros.size(); count -= kZeros.size()) Append(kZeros);
  Append(ByteSpan(kZeros).first(count));
}

void OutputFile::PadTo(uint64_t alignment) {
  AppendZeros((alignment - offset() % alignment) % alignment);
}

void OutputFile::Finish(ByteSpan start) {
  Flush();
  PwriteFull(file_.fd(), start, 0, file_.path());
  file_.Publish();
}

}  // namespace ulhff
