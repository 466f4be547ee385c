// Streams of bytes and of numbers, written once and read back in order any number of times, that
// need no memory beyond small buffers.
#ifndef ULHFF_SRC_WRITER_SPOOL_H_
#define ULHFF_SRC_WRITER_SPOOL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bytes.h"
#include "file.h"
#include "spill_file.h"

namespace ulhff {

// Bytes in the order they were appended; kBufferSize of them in memory, the rest in a spill file.
// Throws std::system_error naming the directory.
class Spool {
 public:
  static constexpr size_t kBufferSize = size_t{64} << 10;

  explicit Spool(std::string dir) : dir_(std::move(dir)) {}
  void Append(ByteSpan bytes);
  uint64_t size() const { return flushed_ + buffer_.size(); }

  // Reads from the beginning on. The spool must stay where it is; it may grow meanwhile.
  class Cursor {
   public:
    explicit Cursor(const Spool& spool) : spool_(&spool) {}
    uint64_t left() const { return spool_->size() - position_; }
    // Precondition: out.size() <= left().
    void Read(std::span<std::byte> out);

   private:
    void Fill();
    const Spool* spool_;
    uint64_t position_ = 0;  // in the spool, of the next byte
    std::vector<std::byte> buffer_;
    size_t used_ = 0;
  };

 private:
  void Flush();
  std::string dir_;
  UniqueFd file_;
  uint64_t flushed_ = 0;
  std::vector<std::byte> buffer_;
};

// Numbers in the order they were appended. As long as all are equal only their count is kept.
class Column {
 public:
  explicit Column(std::string dir) : spool_(std::move(dir)) {}
  void Append(uint64_t value, uint64_t times = 1);
  uint64_t size() const { return size_; }
  bool uniform() const { return spool_.size() == 0; }  // also true of no values
  uint64_t first() const { return first_; }            // 0 if there are none

  // Reads from the beginning on. The column must stay as and where it is.
  class Cursor {
   public:
    explicit Cursor(const Column& column) : column_(&column), spool_(column.spool_) {}
    uint64_t Next();  // precondition: Next was called fewer than size() times

   private:
    const Column* column_;
    Spool::Cursor spool_;
  };

 private:
  uint64_t size_ = 0;
  uint64_t first_ = 0;
  Spool spool_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_SPOOL_H_
