// External merge sort of byte-string records, for names, paths and hashes that need not fit memory.
#ifndef ULHFF_SRC_SORTER_H_
#define ULHFF_SRC_SORTER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "bytes.h"

namespace ulhff {

// Sorts records of a key and a payload. Keys are compared as unsigned bytes, a prefix being less
// than what it begins; records of equal keys stay in the order they were added. Movable; not
// thread-safe. Throws std::system_error naming the directory of its temporary files, and
// std::length_error for a key or payload of 4 GiB or more.
class Sorter {
 public:
  struct Record {
    ByteSpan key;
    ByteSpan payload;
  };

  // `memory` bytes bound what is held (and merged) at once, but one record always fits; what
  // exceeds it goes to unlinked files in `tmp_dir`. Few records need neither.
  Sorter(std::string tmp_dir, uint64_t memory);
  ~Sorter();
  Sorter(Sorter&&) noexcept;
  Sorter& operator=(Sorter&&) noexcept;

  // Precondition: Next was not called yet.
  void Add(ByteSpan key, ByteSpan payload = {});
  uint64_t count() const;

  // The records in order, then nullopt. A record is valid until the next call.
  std::optional<Record> Next();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_SORTER_H_
