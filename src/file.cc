// Positioned reads with and without the page cache.
#include "file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <new>

#include "error.h"

namespace ulhff {

namespace {

constexpr uint64_t kAlign = AlignedBuffer::kAlignment;

// `parts` without their first `size` bytes.
std::span<iovec> Skip(std::span<iovec> parts, size_t size) {
  while (!parts.empty() && size >= parts.front().iov_len) {
    size -= parts.front().iov_len;
    parts = parts.subspan(1);
  }
  if (size > 0) {
    iovec& part = parts.front();
    part.iov_base = static_cast<std::byte*>(part.iov_base) + size;
    part.iov_len -= size;
  }
  return parts;
}

}  // namespace

void UniqueFd::Reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void AlignedBuffer::Free::operator()(std::byte* p) const { std::free(p); }

void AlignedBuffer::Reserve(size_t size) {
  if (size <= capacity_) return;
  const size_t rounded = (size + kAlign - 1) / kAlign * kAlign;
  data_.reset();
  capacity_ = 0;
  data_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlign, rounded)));
  if (!data_) throw std::bad_alloc();
  capacity_ = rounded;
}

size_t PreadFull(int fd, std::span<std::byte> out, uint64_t offset, const std::string& path) {
  size_t done = 0;
  while (done < out.size()) {
    const ssize_t n =
        ::pread(fd, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (n == 0) break;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ThrowErrno(path);
    done += static_cast<size_t>(n);
  }
  return done;
}

void PwriteFull(int fd, ByteSpan bytes, uint64_t offset, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ThrowErrno(path);
    bytes = bytes.subspan(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
}

InputFile::InputFile(std::string path, UniqueFd fd, UniqueFd direct, ReadMode mode)
    : path_(std::move(path)), fd_(std::move(fd)), direct_(std::move(direct)), mode_(mode) {}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::move(other.fd_)),
      direct_(std::move(other.direct_)),
      mode_(other.mode()) {}

InputFile InputFile::Open(const std::string& path, ReadMode mode) {
  // O_NONBLOCK: a FIFO must be refused, not waited for. It means nothing for regular files.
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) ThrowErrno(path);
  struct stat st {};
  if (::fstat(fd.get(), &st) != 0) ThrowErrno(path);
  if (S_ISDIR(st.st_mode)) ThrowErrno(EISDIR, path);
  if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
    ThrowErrno(ENODEV, path + ": not a regular file");
  // Pages that we drop again, or read one of, bring no neighbours with them.
  if (mode != ReadMode::kBuffered) ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_RANDOM);
  UniqueFd direct;
  if (mode == ReadMode::kDirect) {
    direct = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT));
    struct stat again {};
    const bool same = direct.valid() && ::fstat(direct.get(), &again) == 0 &&
                      again.st_dev == st.st_dev && again.st_ino == st.st_ino;
    if (!same) mode = ReadMode::kUncached;
  }
  return InputFile(path, std::move(fd), std::move(direct), mode);
}

uint64_t InputFile::Size() const {
  const off_t end = ::lseek(fd_.get(), 0, SEEK_END);  // for block devices too
  if (end < 0) ThrowErrno(path_);
  return static_cast<uint64_t>(end);
}

// False if this file system accepts O_DIRECT at open only.
bool InputFile::ReadDirect(uint64_t offset, size_t size, AlignedBuffer& buffer) const {
  const uint64_t from = offset / kAlign * kAlign;
  const uint64_t wanted = offset + size - from;
  const uint64_t rounded = (wanted + kAlign - 1) / kAlign * kAlign;
  buffer.Reserve(rounded);
  size_t done = 0;
  while (done < wanted) {
    const ssize_t n = ::pread(direct_.get(), buffer.data() + done, rounded - done,
                              static_cast<off_t>(from + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EINVAL) return false;
    if (n < 0) ThrowErrno(path_);
    if (n == 0) ThrowErrno(EIO, path_ + ": ends early");
    done += static_cast<size_t>(n);
    // A short read that is not a multiple of the alignment can only be the end of the file.
    if (done < wanted && done % kAlign != 0) ThrowErrno(EIO, path_ + ": ends early");
  }
  return true;
}

ByteSpan InputFile::Read(uint64_t offset, size_t size, AlignedBuffer& buffer) const {
  if (mode() == ReadMode::kDirect) {
    if (ReadDirect(offset, size, buffer)) return ByteSpan(buffer.data() + offset % kAlign, size);
    mode_.store(ReadMode::kUncached, std::memory_order_relaxed);
  }
  buffer.Reserve(size);
  if (PreadFull(fd_.get(), std::span(buffer.data(), size), offset, path_) < size) {
    ThrowErrno(EIO, path_ + ": ends early");
  }
  if (mode() == ReadMode::kUncached) {
    ::posix_fadvise(fd_.get(), static_cast<off_t>(offset), static_cast<off_t>(size),
                    POSIX_FADV_DONTNEED);
  }
  return ByteSpan(buffer.data(), size);
}

void InputFile::ReadInto(uint64_t offset, size_t size, std::span<iovec> parts,
                         Caching caching) const {
  const bool keep = caching == Caching::kPages;
  bool direct = mode() == ReadMode::kDirect && !keep;
  for (size_t done = 0; done < size;) {
    const ssize_t n = ::preadv(direct ? direct_.get() : fd_.get(), parts.data(),
                               static_cast<int>(std::min<size_t>(parts.size(), IOV_MAX)),
                               static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EINVAL && direct) {
      direct = false;
      mode_.store(ReadMode::kUncached, std::memory_order_relaxed);
      continue;
    }
    if (n < 0) ThrowErrno(path_);
    done += static_cast<size_t>(n);
    // A short direct read that is not a multiple of the alignment can only be the end of the file.
    const bool ended = n == 0 || (direct && done % kAlign != 0);
    if (done < size && ended) ThrowErrno(EIO, path_ + ": ends early");
    parts = Skip(parts, static_cast<size_t>(n));
  }
  if (mode() == ReadMode::kUncached && !keep) {
    ::posix_fadvise(fd_.get(), static_cast<off_t>(offset), static_cast<off_t>(size),
                    POSIX_FADV_DONTNEED);
  }
}

}  // namespace ulhff
