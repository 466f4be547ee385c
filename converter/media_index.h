// Where in a tree the media of a name lie, in 16 bytes a media.
#ifndef ULHFF_CONVERTER_MEDIA_INDEX_H_
#define ULHFF_CONVERTER_MEDIA_INDEX_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "converter/media_types.h"
#include "converter/walk.h"

namespace ulhff {

// Holds hashes only: what it answers are candidates, whose existence the caller checks. Names that
// differ in their Unicode form only are the same to it.
class MediaIndex {
 public:
  // Walks the tree; hidden files are not looked at.
  MediaIndex(const Walker& walker, const MediaTypes& types);

  // Paths from the root of the media that may end in `path`, as it is spelled there.
  std::vector<std::string> EndingIn(std::string_view path) const;
  // ... in `path`.<any extension of a media>.
  std::vector<std::string> EndingInStem(std::string_view path) const;

 private:
  struct Entry {
    uint64_t stem_hash;
    uint32_t directory;
    uint32_t extension;
  };
  static uint64_t Hash(std::string_view stem);
  template <typename Wanted>
  std::vector<std::string> Find(std::string_view parent, std::string_view stem,
                                const Wanted& wanted) const;
  std::span<const uint32_t> DirectoriesEndingIn(std::string_view parent) const;

  std::vector<std::string> directories_;  // each with a '/' before it
  std::vector<uint32_t> by_end_;          // directories, sorted by their bytes from the last one on
  std::vector<std::string> extensions_;   // as spelled
  std::vector<Entry> entries_;            // by (stem_hash, directory, extension)
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_MEDIA_INDEX_H_
