// Names tell which files belong to an export, inodes which of them are still the old ones.
#include "converter/older_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "converter/interrupt.h"
#include "converter/media_types.h"
#include "converter/printable.h"

namespace ulhff {

namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 2;  // SPLIT/00000/000000000.jpg

enum class Kin : uint8_t { kNone, kOwn, kMixed };

Kin KinOf(std::string_view path, const PairLayout& layout, const std::vector<std::string>& splits) {
  const size_t slash = path.find('/');
  const bool below = slash != std::string_view::npos;
  const std::string_view rest = below ? path.substr(slash + 1) : std::string_view();
  const bool in_split =
      below && std::find(splits.begin(), splits.end(), path.substr(0, slash)) != splits.end();
  if (!layout.has_split_directories()) {
    return layout.Makes(path) ? Kin::kOwn : Kin::kNone;
  }
  if (splits.size() > 1 ? in_split && layout.Makes(rest) : layout.Makes(path)) return Kin::kOwn;
  return layout.Makes(path) || layout.Makes(rest) ? Kin::kMixed : Kin::kNone;
}

// Calls fn(directory, name) if the directory of `path` is still there.
template <typename Fn>
void InDirectoryOf(const TargetDirectory& root, std::string_view path, const Fn& fn) {
  const size_t slash = path.find('/');
  if (slash == std::string_view::npos) return fn(root, path);
  if (!root.Has(path.substr(0, slash))) return;
  InDirectoryOf(root.Open(path.substr(0, slash), false), path.substr(slash + 1), fn);
}

}  // namespace

void RefuseFilesIn(const std::string& target) {
  std::error_code not_there;
  // The lost+found of a file system is closed, and no part of anything.
  for (auto entry = fs::recursive_directory_iterator(
           target, fs::directory_options::skip_permission_denied, not_there);
       entry != fs::recursive_directory_iterator(); ++entry) {
    CheckInterrupt();
    if (fs::is_directory(entry->symlink_status())) continue;
    throw std::runtime_error(
        fmt::format("{}: not empty ({}); name an empty directory, or --force, which replaces an "
                    "older export of this layout and leaves other files where they are",
                    Printable(target, kWholePath), Printable(entry->path().string(), kWholePath)));
  }
}

OlderExport::OlderExport(const TargetDirectory& root, const std::string& path,
                         const PairLayout& layout, const std::vector<std::string>& splits)
    : root_(root) {
  for (auto entry =
           fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied);
       entry != fs::recursive_directory_iterator(); ++entry) {
    CheckInterrupt();
    if (entry.depth() == kDeepest) entry.disable_recursion_pending();
    if (entry->is_directory()) continue;
    const std::string name = entry->path().lexically_relative(path).string();
    const Kin kin = KinOf(name, layout, splits);
    if (kin == Kin::kNone) continue;
    if (kin == Kin::kMixed) {
      throw std::runtime_error(
          fmt::format("{}: would be taken for a part of the export; remove it, or export elsewhere",
                      Printable(entry->path().string(), kWholePath)));
    }
    InDirectoryOf(root, name, [&](const TargetDirectory& directory, std::string_view base) {
      if (const auto inode = directory.InodeOf(base)) files_.emplace_back(name, *inode);
    });
  }
}

void OlderExport::Remove() const {
  std::set<std::string, std::greater<>> directories;  // the deepest first
  for (const auto& file : files_) {
    const auto& path = file.first;  // Clang 14 captures no structured bindings
    const auto inode = file.second;
    CheckInterrupt();
    InDirectoryOf(root_, path, [&](const TargetDirectory& directory, std::string_view name) {
      if (directory.InodeOf(name) != inode) return;
      directory.Remove(name);
      for (std::string_view above = ParentPath(path); !above.empty(); above = ParentPath(above)) {
        directories.emplace(above);
      }
    });
  }
  for (const std::string& path : directories) {
    InDirectoryOf(root_, path, [](const TargetDirectory& directory, std::string_view name) {
      directory.RemoveIfEmpty(name);
    });
  }
}

}  // namespace ulhff
