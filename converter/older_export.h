// What an earlier `ulhff export --as` left in the target, where it would be mixed with the new one.
#ifndef ULHFF_CONVERTER_OLDER_EXPORT_H_
#define ULHFF_CONVERTER_OLDER_EXPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "converter/pair_layout.h"
#include "converter/target_directory.h"

namespace ulhff {

// Throws std::runtime_error if there is any file below `target`, which need not exist: `convert`
// would read it together with the export.
void RefuseFilesIn(const std::string& target);

class OlderExport {
 public:
  // Looks for files that are called as the layout calls its own, which are to be replaced. Throws
  // std::runtime_error if there is one that no such export made: no regular file, outside of the
  // directories that the layout writes into, or with a number before it that no file has.
  OlderExport(const TargetDirectory& root, const std::string& path, const PairLayout& layout,
              const std::vector<std::string>& splits);
  // Removes those that were not replaced since, and the directories that this leaves empty.
  // Returns their number.
  uint64_t Remove() const;
  bool empty() const { return files_.empty(); }

 private:
  struct File {
    std::string split;  // its directory
    uint64_t number;
    std::string path;
    uint64_t inode;
  };

  void RefuseGaps(const std::string& path) const;

  const TargetDirectory& root_;
  std::vector<File> files_;  // by split and number
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_OLDER_EXPORT_H_
