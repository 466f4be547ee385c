// The media and texts of one directory, found by their stem.
#ifndef ULHFF_CONVERTER_STEM_INDEX_H_
#define ULHFF_CONVERTER_STEM_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "converter/media_types.h"
#include "converter/walk.h"

namespace ulhff {

// The stem of a text without its number: "dog" of "dog.12" and "dog_12"; empty if it has none.
std::string_view UnnumberedStem(std::string_view stem);

// Refers to the listing's names, which must outlive it.
class StemIndex {
 public:
  struct TextEntry {
    uint32_t file;  // index into the listing's files
    uint32_t rank;  // of its extension in MediaTypes::text_extensions()
  };

  StemIndex(const NameList& files, const MediaTypes& types);

  std::string_view name(uint32_t file) const { return (*files_)[file]; }
  std::string_view stem(uint32_t file) const { return types_->StemOf(name(file)); }

  // In name order; indices into the listing's files.
  std::span<const uint32_t> media() const { return media_; }
  size_t CountMedia(std::string_view stem) const;
  bool HasMedia(std::string_view stem) const { return CountMedia(stem) > 0; }
  // All texts by (stem, rank).
  std::span<const TextEntry> texts() const { return texts_; }
  // The texts called STEM.<extension>, by rank.
  std::span<const TextEntry> Exact(std::string_view stem) const;
  // The texts called STEM.N.<extension> or STEM_N.<extension>, by number, then stem and rank.
  std::span<const TextEntry> Numbered(std::string_view stem) const;

 private:
  const NameList* files_;
  const MediaTypes* types_;
  std::vector<uint32_t> media_;
  std::vector<uint32_t> media_by_stem_;
  std::vector<TextEntry> texts_;
  std::vector<TextEntry> numbered_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_STEM_INDEX_H_
