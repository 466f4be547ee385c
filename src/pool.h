// The object pool: whole Media2Texts objects read once, shared by every request that wants a part
// of them.
#ifndef ULHFF_SRC_POOL_H_
#define ULHFF_SRC_POOL_H_

#include <cstdint>
#include <memory>
#include <span>

#include "reader.h"

namespace ulhff {

struct PoolOptions {
  // Memory for what is being read and, a quarter of it, for what was; >= 1 MiB.
  uint64_t bytes = uint64_t{16} << 20;
  uint64_t whole_object = uint64_t{4} << 20;  // objects up to this size are read whole
  uint64_t text_bytes = uint64_t{8} << 20;    // memory for texts of objects that had to go
};

struct PoolStats {
  uint64_t reads = 0;  // reads of the body of the backing file
  uint64_t read_bytes = 0;
  uint64_t hits = 0;   // pieces of objects found in memory
  uint64_t waits = 0;  // pieces that another thread was just reading
};

// The one shared cache above a Reader (design: read path). A media read at position 0, or one that
// continues the last, of an object up to `whole_object` reads the whole object once (single flight:
// concurrent requests for any part of it wait for that read); a text read that misses reads the
// object's texts and sums only, and these stay longer than media; larger media, and reads that
// start elsewhere, go by 256 KiB chunk. Every byte handed out is verified; what is damaged fails
// those who ask for it and nobody else, and is read again the next time. Thread-safe, without a
// global lock on hits; allocates nothing once it has been full. Errors are those of Reader; a
// failed read goes to all who waited for it.
class ObjectPool {
 public:
  explicit ObjectPool(const Reader& reader, const PoolOptions& options = {});
  ~ObjectPool();

  // As Reader::ReadMedia / ReadText / ReadBlob.
  size_t ReadMedia(uint64_t object, uint64_t position, std::span<std::byte> out);
  size_t ReadText(uint64_t text, uint64_t position, std::span<std::byte> out);
  size_t ReadBlob(uint64_t blob, uint64_t position, std::span<std::byte> out);

  PoolStats stats() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_POOL_H_
