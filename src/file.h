// All file system calls of the library: descriptors, positioned reads, direct I/O.
#ifndef ULHFF_SRC_FILE_H_
#define ULHFF_SRC_FILE_H_

#include <sys/uio.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "bytes.h"

namespace ulhff {

// Owns one file descriptor. Move-only.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  ~UniqueFd() { Reset(); }
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) {
      Reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  void Reset();

 private:
  int fd_ = -1;
};

// Memory for direct I/O: 4096-aligned, grows, never shrinks. Move-only; not thread-safe.
class AlignedBuffer {
 public:
  static constexpr size_t kAlignment = 4096;
  AlignedBuffer() = default;
  explicit AlignedBuffer(size_t size) { Reserve(size); }
  // Makes room for at least `size` bytes; the contents are lost if it must grow. Throws
  // std::bad_alloc.
  void Reserve(size_t size);
  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  size_t capacity() const { return capacity_; }

 private:
  struct Free {
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte, Free> data_;
  size_t capacity_ = 0;
};

// How the bytes of the file get into our buffers (design: no double caching).
enum class ReadMode : uint8_t {
  kDirect,    // O_DIRECT where the file system takes it, else kUncached
  kUncached,  // buffered, and dropped from the page cache after each read
  kBuffered,  // through the page cache
};

// Whether a read leaves its pages in the page cache: as the mode says, or whatever it says.
enum class Caching : uint8_t { kAsOpened, kPages };

// A file open for reading, by pread only: a file that is cut or fails under us is an error, never a
// signal. Thread-safe: all reads may run concurrently.
class InputFile {
 public:
  // Throws std::system_error if it cannot be opened or is no regular file or block device.
  static InputFile Open(const std::string& path, ReadMode mode);
  InputFile(InputFile&& other) noexcept;

  const std::string& path() const { return path_; }
  ReadMode mode() const { return mode_.load(std::memory_order_relaxed); }
  uint64_t Size() const;  // now; throws std::system_error

  // Reads [offset, offset + size), rounded outwards to 4096 for direct I/O, and returns the wanted
  // part, valid until `buffer` changes. Throws std::system_error; an early end of file is EIO.
  ByteSpan Read(uint64_t offset, size_t size, AlignedBuffer& buffer) const;

  // Fills `parts`, one after the other, with the `size` bytes from `offset` on, in one read where
  // the system allows. The offset and each part's address and length are multiples of 4096, and the
  // parts hold `size` rounded up to 4096; what they hold behind `size` means nothing. Uses `parts`
  // up. Throws as Read does.
  void ReadInto(uint64_t offset, size_t size, std::span<iovec> parts,
                Caching caching = Caching::kAsOpened) const;

 private:
  InputFile(std::string path, UniqueFd fd, UniqueFd direct, ReadMode mode);
  bool ReadDirect(uint64_t offset, size_t size, AlignedBuffer& buffer) const;

  std::string path_;
  UniqueFd fd_;      // buffered
  UniqueFd direct_;  // O_DIRECT, or invalid
  mutable std::atomic<ReadMode> mode_;
};

// pread / write of everything asked for, EINTR and short counts handled. PreadFull returns fewer
// bytes only at the end of the file.
size_t PreadFull(int fd, std::span<std::byte> out, uint64_t offset, const std::string& path);
void PwriteFull(int fd, ByteSpan bytes, uint64_t offset, const std::string& path);

}  // namespace ulhff

#endif  // ULHFF_SRC_FILE_H_
