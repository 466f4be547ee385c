// Finds a media by its name: a hash table that holds 8 bytes a slot and no names.
#ifndef ULHFF_CONVERTER_PATH_INDEX_H_
#define ULHFF_CONVERTER_PATH_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "converter/file_list.h"

namespace ulhff {

// Open addressing, at most 3/4 full. A slot is the position of the record in a FileList and some
// bits of the name's hash; a hit is confirmed by comparing the name on disk, since hashes of
// untrusted names may collide. Growing reads the names again, in order. 11 to 22 bytes a media.
class PathIndex {
 public:
  // `list` must outlive it. `hash` can be another one in tests.
  using Hash = uint64_t (*)(std::string_view name);
  static uint64_t DefaultHash(std::string_view name);
  explicit PathIndex(const FileList& list, Hash hash = &DefaultHash);

  std::optional<uint64_t> Find(std::string_view name) const;
  // Precondition: the name is not in the index, and `position` is its record in the list.
  void Insert(std::string_view name, uint64_t position);
  // Precondition: the name is in the index.
  void Replace(std::string_view name, uint64_t position);

 private:
  size_t FindSlot(std::string_view name, uint64_t hash) const;  // its own, or an empty one
  void Place(uint64_t hash, uint64_t position);
  void Grow();

  const FileList* list_;
  Hash hash_;
  std::vector<uint64_t> slots_;  // 0: empty; else (position + 1) << kTagBits | tag
  size_t used_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PATH_INDEX_H_
