// A spill file under the name that the kernel gives to open descriptors.
#include "converter/spooled_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

#include "converter/tmp_dir.h"
#include "ulhff/error.h"
#include "ulhff/writer_spool.h"

namespace ulhff {

namespace {

constexpr std::string_view kDescriptors = "/proc/self/fd/";

}  // namespace

SpooledFile::SpooledFile(const ConvertOptions& options) : dir_(TemporaryDirectory(options)) {}

void SpooledFile::Open() {
  if (file_.valid()) return;
  file_ = OpenSpillFile(dir_);
  path_ = fmt::format("{}{}", kDescriptors, file_.get());
}

bool SpooledFile::IsSpooled(std::string_view path) { return path.starts_with(kDescriptors); }

uint64_t SpooledFile::Append(ByteSpan bytes) {
  Open();
  const uint64_t offset = size_;
  PwriteFull(file_.get(), bytes, size_, "temporary file in " + dir_);
  size_ += bytes.size();
  return offset;
}

void SpooledFile::AppendHole(uint64_t size) {
  Open();
  constexpr uint64_t kMost = std::numeric_limits<off_t>::max();
  if (size > kMost - size_) ThrowErrno(EFBIG, "temporary file in " + dir_);
  size_ += size;
  if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) {
    ThrowErrno("temporary file in " + dir_);
  }
}

void SpooledFile::SetTime(int64_t mtime_ns) {
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t part = (mtime_ns % kSecond + kSecond) % kSecond;
  const timespec time{.tv_sec = (mtime_ns - part) / kSecond, .tv_nsec = part};
  const timespec times[2] = {time, time};
  if (::futimens(file_.get(), times) != 0) ThrowErrno("temporary file in " + dir_);
}

}  // namespace ulhff
