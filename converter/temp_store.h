// Bytes that are appended once and read back at any position, in a temporary file without a name.
#ifndef ULHFF_CONVERTER_TEMP_STORE_H_
#define ULHFF_CONVERTER_TEMP_STORE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ulhff/bytes.h"
#include "ulhff/file.h"

namespace ulhff {

// Keeps at most kBufferSize bytes in memory; what fits there needs no file. Throws
// std::system_error naming the directory. Reading is thread-safe as long as nobody writes.
class TempStore {
 public:
  static constexpr size_t kBufferSize = size_t{256} << 10;

  explicit TempStore(std::string dir) : dir_(std::move(dir)) {}

  uint64_t size() const { return flushed_ + tail_.size(); }
  // Returns the position of the first byte.
  uint64_t Append(ByteSpan bytes);
  // Preconditions: the range lies within [0, size()).
  void Read(uint64_t position, std::span<std::byte> out) const;
  void Overwrite(uint64_t position, ByteSpan bytes);

 private:
  void Flush();
  std::string What() const { return "temporary file in " + dir_; }

  std::string dir_;
  UniqueFd file_;
  uint64_t flushed_ = 0;
  std::vector<std::byte> tail_;  // the bytes from position flushed_ on
};

// Reads a store from a position on. The store must outlive it and not change meanwhile.
class TempStoreCursor {
 public:
  explicit TempStoreCursor(const TempStore& store, uint64_t position = 0)
      : store_(&store), position_(position) {}
  uint64_t position() const { return position_; }
  bool at_end() const { return position_ == store_->size(); }
  // Precondition: that many bytes are left.
  void Read(std::span<std::byte> out);

 private:
  const TempStore* store_;
  uint64_t position_ = 0;
  std::vector<std::byte> buffer_;
  size_t used_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TEMP_STORE_H_
