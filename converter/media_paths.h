// The path of the media of each pair, as a mount shows it.
#ifndef ULHFF_CONVERTER_MEDIA_PATHS_H_
#define ULHFF_CONVERTER_MEDIA_PATHS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "converter/temp_store.h"
#include "ulhff/tree.h"

namespace ulhff {

// In the source view nothing leads from a media to its names: all names are walked once and kept on
// disk, 8 bytes of memory and a bit for each object. The other views compute theirs.
class MediaPaths {
 public:
  // `tree` must outlive it. Throws what the tree throws, and std::system_error for `tmp_dir`.
  MediaPaths(const Tree& tree, uint64_t objects, const std::string& tmp_dir);

  // The pair's own name where pairs have names; of several names in the source the first, in the
  // order of `ulhff ls -R`. nullopt: it has none.
  std::optional<std::string> Of(uint64_t pair, uint64_t object) const;
  // Whether all pairs of the media are given one of several names.
  bool HasSeveral(uint64_t object) const { return !several_.empty() && several_[object]; }

 private:
  void Walk(Node directory, const std::string& prefix);

  const Tree& tree_;
  std::vector<uint64_t> places_;  // in names_, plus one; 0: no name. Empty: not needed
  std::vector<bool> several_;     // by object; empty: not needed
  TempStore names_;
};

// What to tell of `pairs` pairs whose media HasSeveral; `instead`: what gives each pair its own.
std::string FirstNamesNote(uint64_t pairs, std::string_view instead);

// Where temporary files go unless told otherwise: $TMPDIR, or /tmp.
std::string DefaultTmpDir();

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_MEDIA_PATHS_H_
