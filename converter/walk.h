// Lists the directories of a source tree: sorted, one at a time, by the policies for links, hidden
// and special files.
#ifndef ULHFF_CONVERTER_WALK_H_
#define ULHFF_CONVERTER_WALK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converter/options.h"
#include "converter/source.h"

namespace ulhff {

// Names of one directory, packed: a directory may hold two million.
class NameList {
 public:
  static constexpr size_t kMaxName = 65535;
  void Add(std::string_view name);                            // at most kMaxName bytes
  void Sort();                                                // by bytes
  std::optional<uint32_t> Find(std::string_view name) const;  // after Sort
  size_t size() const { return places_.size(); }
  bool empty() const { return places_.empty(); }
  std::string_view operator[](size_t i) const { return At(places_[i]); }

 private:
  static constexpr unsigned kSizeBits = 16;
  std::string_view At(uint64_t place) const {
    return {bytes_.data() + (place >> kSizeBits), place & ((1U << kSizeBits) - 1)};
  }

  std::string bytes_;
  std::vector<uint64_t> places_;  // offset in bytes_, and size
};

struct DirectoryListing {
  std::string path;   // from the root, '/'-separated; "" is the root itself
  NameList files;     // sorted; regular files and links to them
  NameList hidden;    // hidden and OS files; in a hidden directory: all files
  NameList children;  // sorted; directories and links to them
  int64_t mtime_ns = 0;
  std::pair<uint64_t, uint64_t> id;  // device and inode: the same for every path that leads here
  std::vector<std::pair<std::string, Odd>> oddities;  // paths left out or hidden, and why; sorted
};

// ".x", "__MACOSX", "Thumbs.db" and their like, by name alone.
bool IsHiddenName(std::string_view name);
// Some part of it is: "x/.git/y", "__MACOSX/a.jpg", "._a.jpg".
bool IsHiddenPath(std::string_view name);

// Walks a tree depth first, a directory's files before its sub-directories, all in byte order. It
// holds the names of one directory, and those of the sub-directories on the way down. Links to
// directories are followed like all others, unless they lead back to where they are.
class Walker {
 public:
  using Visit = std::function<void(DirectoryListing)>;  // without the children
  using Report = std::function<void(Odd, std::string_view path)>;

  Walker(std::string root, const ConvertOptions& options);

  const std::string& root() const { return root_; }
  // The path to open for a path from the root.
  std::string FullPath(std::string_view path) const;

  // `report` is told of everything that is left out or hidden. Throws std::system_error. Without
  // one it is a search: directories below the root that cannot be read are passed over.
  void Walk(const Visit& visit, const Report& report) const;
  // The same listing of one directory alone; `path` is from the root.
  DirectoryListing List(std::string_view path) const;
  bool IsDirectory(std::string_view path) const;
  // Whether --symlinks lets a walk come to this file. No means that it is not there.
  bool Reaches(std::string_view path) const;

 private:
  std::optional<DirectoryListing> ListIfReadable(std::string_view path) const;
  void Sort(DirectoryListing& listing, int directory, bool hidden, const char* name,
            unsigned char type) const;
  bool TellFilesBelow(const std::string& path, DirectoryListing& listing) const;
  std::optional<Odd> LeavesOutLink(const std::string& path) const;
  void Descend(DirectoryListing listing, std::vector<std::pair<uint64_t, uint64_t>>& above,
               const Visit& visit, const Report& report) const;

  std::string root_;
  std::string real_root_;  // without links, for --symlinks inside
  OnSymlink symlinks_;
  bool drop_hidden_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_WALK_H_
