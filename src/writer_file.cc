// Gathers what is appended into writes of 1 MiB at multiples of 1 MiB.
#include "writer_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "error.h"
#include "format.h"

namespace ulhff {

namespace {

constexpr size_t kBufferSize = 1 << 20;

// The first byte is 0 and each equals the next.
bool AllZero(ByteSpan bytes) {
  return bytes.empty() || (bytes[0] == std::byte{0} &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace

OutputFile::OutputFile(const std::string& path, bool overwrite)
    : file_(path, overwrite), buffer_(kBufferSize) {}

void OutputFile::Append(ByteSpan bytes) {
  if (bytes.size() > kMaxFileSize - offset()) {
    throw std::invalid_argument(file_.path() + ": would exceed the largest file size");
  }
  while (!bytes.empty()) {
    const size_t n = std::min(bytes.size(), kBufferSize - used_);
    if (n == kBufferSize) {
      Flush(bytes.first(n));  // a whole buffer need not be copied
    } else {
      std::memcpy(buffer_.data() + used_, bytes.data(), n);
      used_ += n;
      if (used_ == kBufferSize) Flush(ByteSpan(buffer_.data(), std::exchange(used_, 0)));
    }
    bytes = bytes.subspan(n);
  }
}

void OutputFile::Flush(ByteSpan bytes) {
  if (!AllZero(bytes)) PwriteFull(file_.fd(), bytes, flushed_, file_.path());
  flushed_ += bytes.size();
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
  Flush(ByteSpan(buffer_.data(), std::exchange(used_, 0)));
  PwriteFull(file_.fd(), start, 0, file_.path());
  if (::ftruncate(file_.fd(), static_cast<off_t>(flushed_)) != 0) ThrowErrno(file_.path());
  file_.Publish();
}

}  // namespace ulhff
