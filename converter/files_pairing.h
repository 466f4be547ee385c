// The pairing rules of plain files, for one directory: which texts belong to which media.
#ifndef ULHFF_CONVERTER_FILES_PAIRING_H_
#define ULHFF_CONVERTER_FILES_PAIRING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converter/media_types.h"
#include "converter/stem_index.h"
#include "converter/walk.h"

namespace ulhff {

enum class FilesRule : uint8_t { kSameStem, kNumbered, kParallel, kAlone };
inline constexpr std::array<const char*, 4> kFilesRuleNames = {
    "same stem", "numbered texts (STEM.N, STEM_N)", "parallel directories",
    "one media alone in its directory with a text"};

// The text files of one pair, one of each extension, the preferred first.
struct TextGroup {
  struct File {
    std::string path;  // from the root
    size_t rank;       // of its extension
  };
  FilesRule rule;
  std::vector<File> files;
};

struct FilesContext {
  const Walker& walker;
  const MediaTypes& types;
  const std::vector<std::pair<std::string, std::string>>& pair_dirs;
  bool skips_empty = false;  // --empty skip: an empty media makes no pairs
};

// The media of one directory, and the texts that are theirs: beside them or in a counterpart, a
// directory whose path differs in one component only, called like media here and like texts there.
class MediaDirectory {
 public:
  MediaDirectory(DirectoryListing listing, const FilesContext& context);

  const DirectoryListing& listing() const { return own_->listing; }
  const StemIndex& index() const { return own_->index; }
  // The texts of all media of this stem, a group for each pair, in pair order.
  std::vector<TextGroup> TextsOf(std::string_view stem) const;
  // The stem of the media here that a text of this name would belong to; empty if there is none.
  std::string_view Claims(std::string_view text_stem) const;

 private:
  // One listing with its index. Stays where it is: the index refers to the listing.
  struct Side {
    Side(DirectoryListing taken, const MediaTypes& types)
        : listing(std::move(taken)), index(listing.files, types) {}
    const DirectoryListing listing;
    const StemIndex index;
  };

  std::vector<TextGroup> TextsIn(const Side& side, std::string_view stem) const;
  bool IsAlone() const;

  std::unique_ptr<Side> own_;
  std::vector<std::unique_ptr<Side>> text_sides_;
};

// The same directory seen from its texts: with which media, here or in a counterpart, they pair.
class TextDirectory {
 public:
  // Goes through all pairs once.
  TextDirectory(const MediaDirectory& own, const FilesContext& context);
  // The number of media with which a text of `own` makes pairs; `file` is its index there.
  size_t MediaOf(uint32_t file) const { return media_.empty() ? 0 : media_[file]; }

 private:
  void CountPairsOf(const MediaDirectory& directory, const FilesContext& context);

  const MediaDirectory& own_;
  std::vector<uint32_t> media_;  // by file
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_FILES_PAIRING_H_
