// Tells whether the shards of a conversion saw the same source.
#ifndef ULHFF_CONVERTER_CONVERSION_DIGEST_H_
#define ULHFF_CONVERTER_CONVERSION_DIGEST_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "converter/sort_key.h"
#include "converter/source.h"
#include "ulhff/bytes.h"
#include "ulhff/checksum.h"

namespace ulhff {

// Of names in the tree, sizes and texts, in the order in which the scan saw them. Paths on disk and
// times may differ from node to node.
class ConversionDigest {
 public:
  ConversionDigest& Add(uint64_t number) {
    sum_.Update(Raw(number));
    return *this;
  }
  ConversionDigest& Add(std::string_view text) {
    Add(uint64_t{text.size()});
    sum_.Update(AsBytes(text));
    return *this;
  }
  void AddPair(std::span<const Text> texts, uint64_t split) {
    Add(split);
    for (const Text& text : texts) {
      Add(uint64_t{text.index()});
      if (const auto* bytes = std::get_if<InlineText>(&text)) Add(bytes->bytes);
      if (const auto* file = std::get_if<FileText>(&text)) {
        Add(file->name).Add(file->bytes.size.value_or(0));
      }
    }
  }
  std::array<uint64_t, 2> Halves() const {
    const Digest128 digest = sum_.Digest();
    const ByteSpan bytes = std::as_bytes(std::span(digest));
    return {LoadAt<uint64_t>(bytes, 0), LoadAt<uint64_t>(bytes, 8)};
  }

 private:
  StreamChecksum sum_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_CONVERSION_DIGEST_H_
