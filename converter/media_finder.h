// Finds the file that a table or an annotation means by what it says.
#ifndef ULHFF_CONVERTER_MEDIA_FINDER_H_
#define ULHFF_CONVERTER_MEDIA_FINDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "converter/media_index.h"
#include "converter/media_types.h"
#include "converter/name_spelling.h"
#include "converter/options.h"
#include "converter/source.h"
#include "converter/walk.h"

namespace ulhff {

// Where to look, and what the names in the tree are relative to.
struct MediaPlace {
  std::string root;  // of the names: the directory operand, the table's directory, or --media-root
  std::string
      search;  // look below this path from the root: --media-root inside a directory operand
};
// Throws UsageError if --media-root is no directory.
MediaPlace PlaceOf(const std::string& operand, bool is_directory, const ConvertOptions& options);

// For an annotation file whose media may lie beside its directory (annotations/x.json,
// train/1.jpg): the directory above, if one of the first `names` is there and none is below the
// file's own.
MediaPlace PlaceNear(const std::string& file, const std::vector<std::string>& names,
                     const ConvertOptions& options);

struct FoundMedia {
  // kByStem: the value lacks the file's extension. kOutside: it leads out of the root and may not.
  enum class How : uint8_t { kByPath, kByStem, kMissing, kOutside };
  How how = How::kMissing;
  std::string name;   // in the tree; if missing: where it was looked for first
  std::string path;   // to open
  std::string other;  // not empty: this file as well, so the value is ambiguous
  // kUnicodeForm, kBackslashPath, or kOutsidePath that is allowed: only that made it match
  std::optional<Odd> odd;

  bool found() const { return how == How::kByPath || how == How::kByStem; }
};

// A value is looked for as a path from the table's directory, from the search root, in directories
// called images and the like beside these (Nearby::kFirst), anywhere in the tree by the end of its
// path, and at last as a path without its extension. So a tree is walked only if it must be.
class MediaFinder {
 public:
  enum class Nearby : uint8_t { kFirst, kNo };

  MediaFinder(MediaPlace place, const ConvertOptions& options, Nearby nearby);

  const MediaPlace& place() const { return place_; }
  const MediaTypes& types() const { return types_; }
  // `base`: the directory of the table, from place().root. Valid until the next call.
  const FoundMedia& Find(std::string_view value, std::string_view base);
  // Hands the file to sink.Media, with notes on how it was found. nullopt: skip the row. Throws
  // InputError if the value is ambiguous.
  std::optional<MediaId> Emit(std::string_view value, std::string_view base, const Origin& origin,
                              SourceSink& sink);
  // The first of several values that is there; the first of all if none is. `values` is not empty.
  const std::string& FirstFound(const std::vector<std::string>& values, std::string_view base);
  // Whether to look in the whole tree where a value is not found otherwise. At first kTree.
  enum class Reach : uint8_t { kNear, kTree };
  void SetReach(Reach reach);
  // From now on a value that is in two directories is the one in a directory of this name.
  void Prefer(const std::string& directory);

 private:
  FoundMedia Look(std::string_view value, std::string_view base);
  FoundMedia LookAsSpelled(const std::string& value, std::string_view base);
  FoundMedia LookOutside(const std::string& path, const std::string& value) const;
  FoundMedia Missing(const std::string& name) const;
  FoundMedia LookInTree(const std::string& value);
  FoundMedia Choose(std::vector<std::string> paths, FoundMedia::How how) const;
  std::vector<std::string> NearbyPaths(const std::string& value, const std::string& base);
  bool Exists(const std::string& path_from_root) const;
  // Of a path that was not found: the file is there, but a link that is not to be followed.
  bool IsHidden(const std::string& path) const;

  const MediaPlace place_;
  const Nearby nearby_;
  const ConvertOptions options_;
  const MediaTypes types_;
  const NameSpelling spelling_;
  std::string real_root_;
  std::string preferred_;
  Reach reach_ = Reach::kTree;
  std::map<std::string, std::vector<std::string>> nearby_dirs_;  // those that exist, by base
  std::unique_ptr<MediaIndex> index_;                            // made when first needed
  std::string last_value_, last_base_;  // rows of one media mostly follow each other
  std::optional<FoundMedia> last_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_MEDIA_FINDER_H_
