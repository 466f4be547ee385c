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
#include <tuple>

#include "converter/interrupt.h"
#include "converter/media_types.h"
#include "converter/printable.h"
#include "ulhff/error.h"

namespace ulhff {

namespace {

namespace fs = std::filesystem;

// How much of the path is a directory of a split.
size_t SplitPrefix(std::string_view path, const std::vector<std::string>& splits) {
  const std::string_view top = path.substr(0, path.find('/'));
  const bool in_split = splits.size() > 1 && top.size() < path.size() &&
                        std::find(splits.begin(), splits.end(), top) != splits.end();
  return in_split ? top.size() + 1 : 0;
}

// Whether the layout would give such a path to exports of other splits.
bool IsOfOtherSplits(std::string_view path, const PairLayout& layout) {
  const size_t slash = path.find('/');
  return layout.NumberOf(path) ||
         (slash != std::string_view::npos && layout.NumberOf(path.substr(slash + 1)));
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

// Calls fn(path, type) for all that lies below `target`, directories before what is in
// them. Throws where a directory cannot be read: what is in it would be read by `convert`.
template <typename Fn>
void ForEachBelow(const std::string& target, const Fn& fn) {
  for (auto entry = fs::recursive_directory_iterator(target);
       entry != fs::recursive_directory_iterator(); ++entry) {
    CheckInterrupt();
    const fs::path& path = entry->path();
    const fs::file_type type = entry->symlink_status().type();
    if (type == fs::file_type::directory && ::access(path.c_str(), R_OK | X_OK) != 0) {
      if (!IsLostAndFound(path, entry.depth())) ThrowErrno(Printable(path.string(), kWholePath));
      entry.disable_recursion_pending();
      continue;
    }
    fn(path, type);
  }
}

}  // namespace

void RefuseFilesIn(const std::string& target) {
  // What is no directory, or closed, is refused when it is opened to be written into.
  std::error_code not_there;
  if (!fs::is_directory(target, not_there) || ::access(target.c_str(), R_OK | X_OK) != 0) return;
  ForEachBelow(target, [&](const fs::path& path, fs::file_type type) {
    if (type == fs::file_type::directory) return;
    throw std::runtime_error(
        fmt::format("{}: not empty ({}); name an empty directory, or --force, which replaces what "
                    "is called like an export of this layout and leaves other files where they are",
                    Printable(target, kWholePath), Printable(path.string(), kWholePath)));
  });
}

OlderExport::OlderExport(const TargetDirectory& root, const std::string& path,
                         const PairLayout& layout, const std::vector<std::string>& splits)
    : root_(root) {
  root.RemoveAbandoned();
  ForEachBelow(path, [&](const fs::path& found, fs::file_type type) {
    const std::string name = found.lexically_relative(path).string();
    InDirectoryOf(root, name, [&](const TargetDirectory& directory, std::string_view base) {
      if (type == fs::file_type::directory) return directory.Open(base, false).RemoveAbandoned();
      const size_t prefix = SplitPrefix(name, splits);
      const bool split_missing = splits.size() > 1 && prefix == 0;
      const auto number = layout.NumberOf(std::string_view{name}.substr(prefix));
      if (!number || split_missing || type != fs::file_type::regular) {
        if (IsOfOtherSplits(name, layout)) RefuseMixing(Printable(found.string(), kWholePath));
      } else if (const auto inode = directory.InodeOf(base)) {
        files_.push_back({name.substr(0, prefix), *number, name, *inode});
      }
    });
  });
  std::sort(files_.begin(), files_.end(), [](const File& a, const File& b) {
    return std::tie(a.split, a.number) < std::tie(b.split, b.number);
  });
  RefuseGaps(path);
}

void OlderExport::RefuseGaps(const std::string& path) const {
  const File* before = nullptr;
  for (const File& file : files_) {
    const bool first = before == nullptr || before->split != file.split;
    if (file.number > (first ? 0 : before->number + 1))
      RefuseMixing(Printable(path + "/" + file.path, kWholePath));
    before = &file;
  }
}

// From the last on, so that what is left if this is interrupted has no gaps either.
uint64_t OlderExport::Remove() const {
  uint64_t removed = 0;
  std::set<std::string, std::greater<>> directories;  // the deepest first
  for (auto file = files_.rbegin(); file != files_.rend(); ++file) {
    const std::string& path = file->path;
    CheckInterrupt();
    InDirectoryOf(root_, path, [&](const TargetDirectory& directory, std::string_view name) {
      if (directory.InodeOf(name) != file->inode) return;
      directory.Remove(name);
      ++removed;
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
  return removed;
}

}  // namespace ulhff
