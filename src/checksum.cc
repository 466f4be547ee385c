// XXH3 by xxHash.
#include "checksum.h"

#include <fmt/format.h>
#include <xxhash.h>
#ifdef ULHFF_XXHASH_DISPATCHES
#include <xxh_x86dispatch.h>  // after xxhash.h, whose names it takes
#endif

#include <iterator>
#include <new>

namespace ulhff {

namespace {

Digest128 Canonical(XXH128_hash_t hash) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  Digest128 digest;
  static_assert(sizeof(canonical) == sizeof(digest));
  std::memcpy(digest.data(), &canonical, sizeof(canonical));
  return digest;
}

}  // namespace

uint64_t Checksum64(ByteSpan bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

Digest128 Checksum128(ByteSpan bytes) {
  return Canonical(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string UuidText(const Digest128& digest) {
  std::string text;
  for (size_t i = 0; i < digest.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    fmt::format_to(std::back_inserter(text), "{:02x}", digest.at(i));
  }
  return text;
}

// XXH3's 64-bit and 128-bit digests share one state, so both are available from the same updates.
struct StreamChecksum::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() {
    if (xxh == nullptr) throw std::bad_alloc();
  }
  ~State() { XXH3_freeState(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

StreamChecksum::StreamChecksum() : state_(std::make_unique<State>()) { Reset(); }
StreamChecksum::~StreamChecksum() = default;
StreamChecksum::StreamChecksum(StreamChecksum&&) noexcept = default;
StreamChecksum& StreamChecksum::operator=(StreamChecksum&&) noexcept = default;

void StreamChecksum::Reset() { XXH3_128bits_reset(state_->xxh); }

void StreamChecksum::Update(ByteSpan bytes) {
  XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
}

uint64_t StreamChecksum::Digest64() const { return XXH3_64bits_digest(state_->xxh); }

Digest128 StreamChecksum::Digest() const { return Canonical(XXH3_128bits_digest(state_->xxh)); }

}  // namespace ulhff
