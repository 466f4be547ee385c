// The directory of temporary files.
#include "converter/tmp_dir.h"

#include <filesystem>

#include "converter/media_types.h"

namespace ulhff {

std::string TemporaryDirectory(const ConvertOptions& options) {
  if (!options.tmp_dir.empty()) return options.tmp_dir;
  // A dry run may name an output whose directory cannot be written.
  if (options.dry_run) return std::filesystem::temp_directory_path().string();
  std::string directory(ParentPath(options.output));
  if (directory.empty()) return options.output.starts_with('/') ? "/" : ".";
  return directory;
}

}  // namespace ulhff
