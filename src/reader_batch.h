// Reads many pairs at once, several objects at a time, for programs that can change their loader.
#ifndef ULHFF_SRC_READER_BATCH_H_
#define ULHFF_SRC_READER_BATCH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "bytes.h"
#include "reader.h"

namespace ulhff {

// One pair of a batch.
struct PairBytes {
  ByteSpan media;
  std::span<const std::optional<ByteSpan>> texts;  // one a field; nullopt: absent
};

struct BatchOptions {
  unsigned in_flight = 16;  // reads at a time, each by a thread; >= 1
};

// Verifies all it returns, as Reader does. Not thread-safe; any number of them share a Reader,
// which must outlive them.
class BatchReader {
 public:
  explicit BatchReader(const Reader& reader, const BatchOptions& options = {});
  ~BatchReader();
  BatchReader(const BatchReader&) = delete;
  BatchReader& operator=(const BatchReader&) = delete;

  // The pairs in the order asked for, valid until the next call. An object that several of them
  // want is read once. Memory: the distinct objects of the largest batch so far. Throws
  // std::out_of_range, and FormatError or std::system_error of the first object in file order that
  // cannot be read; nothing of the batch is valid then.
  std::span<const PairBytes> Read(std::span<const uint64_t> pairs);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_BATCH_H_
