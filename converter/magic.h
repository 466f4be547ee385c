// What a media is by its first bytes, against what its extension says.
#ifndef ULHFF_CONVERTER_MAGIC_H_
#define ULHFF_CONVERTER_MAGIC_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "ulhff/bytes.h"

namespace ulhff {

inline constexpr size_t kMagicBytes = 512;  // enough for every check

struct MagicFinding {
  bool not_media = false;  // an HTML page or a Git LFS pointer
  std::string what;        // "content is PNG, extension is jpg"
};

// `head` is the media's first bytes, kMagicBytes or all of it; `extension` without the dot, any
// case. nullopt: nothing to complain about, or unknown to us.
std::optional<MagicFinding> CheckMagic(ByteSpan head, std::string_view extension);

// "jpg", "mp4" ...: the extension for a media that has no name; empty: unknown, or no media. `head`
// as above.
std::string_view SniffExtension(ByteSpan head);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_MAGIC_H_
