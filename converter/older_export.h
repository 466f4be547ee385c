// What an earlier `ulhff export --as` left in the target, where it would be mixed with the new one.
#ifndef ULHFF_CONVERTER_OLDER_EXPORT_H_
#define ULHFF_CONVERTER_OLDER_EXPORT_H_

#include <cstdint>
#include <string>
#include <utility>
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
  // std::runtime_error if there is one outside of the directories that the layout writes into.
  OlderExport(const TargetDirectory& root, const std::string& path, const PairLayout& layout,
              const std::vector<std::string>& splits);
  // Removes those that were not replaced since, and the directories that this leaves empty.
  void Remove() const;
  bool empty() const { return files_.empty(); }

 private:
  const TargetDirectory& root_;
  std::vector<std::pair<std::string, uint64_t>> files_;  // with their inodes
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_OLDER_EXPORT_H_
