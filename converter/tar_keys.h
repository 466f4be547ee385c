// Which names of an archive were used, so that what comes again gets another name.
#ifndef ULHFF_CONVERTER_TAR_KEYS_H_
#define ULHFF_CONVERTER_TAR_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converter/tar_samples.h"

namespace ulhff {

// A hash table of keys: 16 bytes a slot, at most 3/4 full. Keys whose hashes collide would only
// make a sample seem to be there again.
class TarKeys {
 public:
  // 1 if none of the sample's names was used before; else the smallest number for which its key
  // with "~number" gives names that were not. Takes these names.
  uint64_t Take(const TarSample& sample);
  void Clear();

 private:
  struct Slot {
    uint64_t key = 0;      // its hash; 0: empty
    uint32_t columns = 0;  // that were used
    uint32_t again = 1;    // the last number that was given to this key
  };
  uint32_t ColumnsOf(const TarSample& sample);
  Slot& SlotOf(std::string_view key);
  Slot& Find(uint64_t hash);
  void Grow();

  std::vector<std::string> columns_;  // a bit each; those after the 31st share one
  std::vector<Slot> slots_;
  size_t used_ = 0;
};

// "dir/a.jpg" and 2: "dir/a~2.jpg"; 1: as it is.
std::string NameAgain(const TarEntry& entry, uint64_t number);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TAR_KEYS_H_
