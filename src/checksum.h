// XXH3 checksums as docs/format.md uses them.
#ifndef ULHFF_SRC_CHECKSUM_H_
#define ULHFF_SRC_CHECKSUM_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "bytes.h"

namespace ulhff {

using Digest128 = std::array<uint8_t, 16>;  // XXH3-128 in canonical (big-endian) form

uint64_t Checksum64(ByteSpan bytes);
Digest128 Checksum128(ByteSpan bytes);

// As a uuid is shown: lower-case hexadecimal, grouped 8-4-4-4-12.
std::string UuidText(const Digest128& digest);

// XXH3-64 and XXH3-128 of bytes that arrive in pieces. Move-only; not thread-safe.
class StreamChecksum {
 public:
  StreamChecksum();
  ~StreamChecksum();
  StreamChecksum(StreamChecksum&&) noexcept;
  StreamChecksum& operator=(StreamChecksum&&) noexcept;

  void Reset();
  void Update(ByteSpan bytes);
  uint64_t Digest64() const;
  Digest128 Digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_CHECKSUM_H_
