// Sorted, streaming directory walk.
#include "converter/walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "converter/media_types.h"
#include "ulhff/error.h"
#include "ulhff/file.h"

namespace ulhff {
namespace {

struct CloseDir {
  void operator()(DIR* dir) const { closedir(dir); }
};
using Dir = std::unique_ptr<DIR, CloseDir>;

Dir OpenDir(const std::string& path) {
  Dir dir(opendir(path.c_str()));
  if (!dir) ThrowErrno(path);
  return dir;
}

// nullopt: no such file.
std::optional<std::string> RealPath(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  if (!real) return std::nullopt;
  return std::string(real.get());
}

bool IsBelow(const std::string& path, const std::string& root) {
  return path == root || root == "/" ||
         (path.starts_with(root) && path.size() > root.size() && path[root.size()] == '/');
}

unsigned char TypeOf(const struct stat& st) {
  if (S_ISREG(st.st_mode)) return DT_REG;
  if (S_ISDIR(st.st_mode)) return DT_DIR;
  return S_ISLNK(st.st_mode) ? DT_LNK : DT_UNKNOWN;
}

}  // namespace

void NameList::Add(std::string_view name) {
  places_.push_back(uint64_t{bytes_.size()} << kSizeBits | name.size());
  bytes_ += name;
}

void NameList::Sort() {
  std::sort(places_.begin(), places_.end(),
            [this](uint64_t a, uint64_t b) { return At(a) < At(b); });
  // The bytes in the same order: what follows reads them from one end to the other.
  std::string sorted;
  sorted.reserve(bytes_.size());
  for (uint64_t& place : places_) {
    const std::string_view name = At(place);
    place = uint64_t{sorted.size()} << kSizeBits | name.size();
    sorted += name;
  }
  bytes_ = std::move(sorted);
}

std::optional<uint32_t> NameList::Find(std::string_view name) const {
  const auto at = std::partition_point(places_.begin(), places_.end(),
                                       [&](uint64_t place) { return At(place) < name; });
  if (at == places_.end() || At(*at) != name) return std::nullopt;
  return static_cast<uint32_t>(at - places_.begin());
}

bool IsHiddenName(std::string_view name) {
  constexpr std::string_view kOsNames[] = {"__macosx",
                                           "thumbs.db",
                                           "ehthumbs.db",
                                           "desktop.ini",
                                           "$recycle.bin",
                                           "icon\r",
                                           "@eadir",
                                           "@recycle",
                                           "#recycle",
                                           "@__thumb",
                                           "system volume information"};
  if (name.starts_with('.')) return true;
  const std::string lower = LowerAscii(name);
  return std::find(std::begin(kOsNames), std::end(kOsNames), lower) != std::end(kOsNames);
}

bool IsHiddenPath(std::string_view name) {
  while (!name.empty()) {
    const std::string_view component = name.substr(0, name.find('/'));
    if (component != "." && component != ".." && IsHiddenName(component)) return true;
    name.remove_prefix(std::min(name.size(), component.size() + 1));
  }
  return false;
}

Walker::Walker(std::string root, const ConvertOptions& options)
    : root_(std::move(root)), symlinks_(options.symlinks), drop_hidden_(options.drop_hidden) {
  const auto real = RealPath(root_);
  if (!real) ThrowErrno(root_);
  real_root_ = *real;
}

std::string Walker::FullPath(std::string_view path) const { return JoinPath(root_, path); }

void Walker::Walk(const Visit& visit, const Report& report) const {
  std::vector<std::pair<uint64_t, uint64_t>> above;
  Descend(List(""), above, visit, report);
}

bool Walker::IsDirectory(std::string_view path) const {
  struct stat st;
  return stat(FullPath(path).c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

bool Walker::Reaches(std::string_view path) const {
  const auto real = RealPath(FullPath(path));
  if (!real) return false;
  if (symlinks_ == OnSymlink::kSkip) {
    return *real == std::filesystem::path(JoinPath(real_root_, path)).lexically_normal();
  }
  return symlinks_ == OnSymlink::kFollow || IsBelow(*real, real_root_);
}

void Walker::Descend(DirectoryListing listing, std::vector<std::pair<uint64_t, uint64_t>>& above,
                     const Visit& visit, const Report& report) const {
  if (std::find(above.begin(), above.end(), listing.id) != above.end()) {
    if (report) report(Odd::kLoopingLink, listing.path);
    return;
  }
  if (report) {
    for (const auto& [what, kind] : listing.oddities) report(kind, what);
  }
  above.push_back(listing.id);
  const std::string path = listing.path;
  const NameList children = std::exchange(listing.children, {});
  visit(std::move(listing));
  for (size_t i = 0; i < children.size(); ++i) {
    const std::string child = JoinPath(path, children[i]);
    if (report) {
      Descend(List(child), above, visit, report);
    } else if (auto readable = ListIfReadable(child)) {
      Descend(std::move(*readable), above, visit, report);
    }
  }
  above.pop_back();
}

std::optional<DirectoryListing> Walker::ListIfReadable(std::string_view path) const {
  try {
    return List(path);
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

DirectoryListing Walker::List(std::string_view path) const {
  const std::string full = FullPath(path);
  const Dir dir = OpenDir(full);
  struct stat st;
  if (fstat(dirfd(dir.get()), &st) != 0) ThrowErrno(full);

  DirectoryListing listing;
  listing.path = path;
  listing.id = {st.st_dev, st.st_ino};
  listing.mtime_ns = int64_t{st.st_mtim.tv_sec} * 1'000'000'000 + st.st_mtim.tv_nsec;
  const bool hidden = IsHiddenPath(path);
  while (true) {
    errno = 0;
    const dirent* entry = readdir(dir.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    Sort(listing, dirfd(dir.get()), hidden, entry->d_name, entry->d_type);
  }
  if (errno != 0) ThrowErrno(full);
  listing.files.Sort();
  listing.hidden.Sort();
  listing.children.Sort();
  std::sort(listing.oddities.begin(), listing.oddities.end());
  return listing;
}

// Puts an entry into the list it belongs to, or tells why it is in none.
void Walker::Sort(DirectoryListing& listing, int directory, bool hidden, const char* name,
                  unsigned char type) const {
  const std::string path = JoinPath(listing.path, name);
  struct stat st;
  if (type == DT_UNKNOWN) {  // some file systems do not say
    if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) != 0) ThrowErrno(FullPath(path));
    type = TypeOf(st);
  }
  if (type == DT_LNK) {
    if (const auto why = LeavesOutLink(path)) {
      listing.oddities.emplace_back(path, *why);
      return;
    }
    if (fstatat(directory, name, &st, 0) != 0) ThrowErrno(FullPath(path));
    type = TypeOf(st);
  }
  const bool hidden_name = IsHiddenName(name);
  if (type == DT_DIR && !(hidden_name && drop_hidden_)) {
    listing.children.Add(name);
  } else if (type == DT_DIR || (type == DT_REG && (hidden || hidden_name))) {
    if (type != DT_DIR || !TellFilesBelow(path, listing)) {
      listing.oddities.emplace_back(path, Odd::kHiddenFile);
    }
    if (!drop_hidden_) listing.hidden.Add(name);
  } else if (type == DT_REG) {
    listing.files.Add(name);
  } else {
    listing.oddities.emplace_back(path, Odd::kSpecialFile);
  }
}

// Each file of a directory that is left out counts. False: there are none, or it cannot be read.
bool Walker::TellFilesBelow(const std::string& path, DirectoryListing& listing) const {
  std::error_code failed;
  const std::string full = FullPath(path);
  bool any = false;
  auto entry = std::filesystem::recursive_directory_iterator(full, failed);
  for (; !failed && entry != std::filesystem::end(entry); entry.increment(failed)) {
    std::error_code gone;
    if (entry->symlink_status(gone).type() == std::filesystem::file_type::directory) continue;
    const std::string below = entry->path().string().substr(full.size() + 1);
    listing.oddities.emplace_back(JoinPath(path, below), Odd::kHiddenFile);
    any = true;
  }
  return any;
}

std::optional<Odd> Walker::LeavesOutLink(const std::string& path) const {
  if (symlinks_ == OnSymlink::kSkip) return Odd::kSkippedLink;
  const std::string full = FullPath(path);
  struct stat st;
  if (stat(full.c_str(), &st) != 0) {
    if (errno == ELOOP) return Odd::kLoopingLink;
    if (errno == ENOENT || errno == ENOTDIR) return Odd::kDanglingLink;
    ThrowErrno(full);
  }
  if (symlinks_ == OnSymlink::kInside && !IsBelow(RealPath(full).value_or("/"), real_root_)) {
    return Odd::kOutsideLink;
  }
  return std::nullopt;
}

}  // namespace ulhff
