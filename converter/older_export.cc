// Names tell which files belong to an export, inodes which of them are still the old ones.
#include "converter/older_export.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "converter/interrupt.h"
#include "converter/media_types.h"
#include "converter/printable.h"
#include "ulhff/error.h"

namespace ulhff {

namespace {

namespace fs = std::filesystem;

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

// The lost+found of a file system is closed to users, and no part of anything.
bool IsLostAndFound(const fs::path& path, int depth) {
  struct stat st {};
  return depth == 0 && path.filename() == "lost+found" && ::lstat(path.c_str(), &st) == 0 &&
         st.st_uid == 0;
}

// Calls fn(path, is_directory) for all that lies below `target`, directories before what is in
// them. Throws where a directory cannot be read: what is in it would be read by `convert`.
template <typename Fn>
void ForEachBelow(const std::string& target, const Fn& fn) {
  for (auto entry = fs::recursive_directory_iterator(target);
       entry != fs::recursive_directory_iterator(); ++entry) {
    CheckInterrupt();
    const fs::path& path = entry->path();
    const bool is_directory = fs::is_directory(entry->symlink_status());
    if (is_directory && ::access(path.c_str(), R_OK | X_OK) != 0) {
      if (!IsLostAndFound(path, entry.depth())) ThrowErrno(Printable(path.string(), kWholePath));
      entry.disable_recursion_pending();
      continue;
    }
    fn(path, is_directory);
  }
}

}  // namespace

void RefuseFilesIn(const std::string& target) {
  // What is no directory, or closed, is refused when it is opened to be written into.
  std::error_code not_there;
  if (!fs::is_directory(target, not_there) || ::access(target.c_str(), R_OK | X_OK) != 0) return;
  ForEachBelow(target, [&](const fs::path& path, bool is_directory) {
    if (is_directory) return;
    throw std::runtime_error(
        fmt::format("{}: not empty ({}); name an empty directory, or --force, which replaces an "
                    "older export of this layout and leaves other files where they are",
                    Printable(target, kWholePath), Printable(path.string(), kWholePath)));
  });
}

OlderExport::OlderExport(const TargetDirectory& root, const std::string& path,
                         const PairLayout& layout, const std::vector<std::string>& splits)
    : root_(root) {
  root.RemoveAbandoned();
  ForEachBelow(path, [&](const fs::path& found, bool is_directory) {
    const std::string name = found.lexically_relative(path).string();
    InDirectoryOf(root, name, [&](const TargetDirectory& directory, std::string_view base) {
      if (is_directory) return directory.Open(base, false).RemoveAbandoned();
      const Kin kin = KinOf(name, layout, splits);
      if (kin == Kin::kNone) return;
      if (kin == Kin::kMixed) {
        throw std::runtime_error(fmt::format(
            "{}: would be taken for a part of the export; remove it, or export elsewhere",
            Printable(found.string(), kWholePath)));
      }
      if (const auto inode = directory.InodeOf(base)) files_.emplace_back(name, *inode);
    });
  });
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
