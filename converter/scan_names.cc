// The part of a scan that makes names of the tree, and remembers them, so that one for two things
// is found after it.
#include <fmt/format.h>

#include <algorithm>

#include "converter/input_error.h"
#include "converter/media_types.h"
#include "converter/name_rules.h"
#include "converter/printable.h"
#include "converter/scan.h"
#include "converter/sort_key.h"
#include "ulhff/checksum.h"
#include "ulhff/format.h"

namespace ulhff {

std::string Scan::Prefixed(std::string_view path) const {
  if (prefix_.empty()) return std::string(path);
  return path.empty() ? prefix_ : fmt::format("{}/{}", prefix_, path);
}

// nullopt: not allowed, and noted. Records may have no name at all.
std::optional<std::string> Scan::NameInTree(std::string_view name, const Origin& origin) {
  if (name.empty()) return std::string();
  const TreeName tree = MakeTreeName(spelling_.File(name));
  std::string path = Prefixed(tree.path);
  if (std::count(path.begin(), path.end(), '/') >= static_cast<int64_t>(kMaxDepth)) {
    throw InputError(fmt::format("{}: {}: more than {} directories deep", DescribeOrigin(origin),
                                 Printable(name), kMaxDepth));
  }
  const bool nothing_left = tree.path.empty();
  if (tree.outside || nothing_left) Note(Odd::kOutsidePath, name, origin);
  if (nothing_left || (tree.outside && !options_->allow_outside)) return std::nullopt;
  return path;
}

bool Scan::KnowsMedia(std::string_view name) const {
  return index_.Find(Prefixed(MakeTreeName(spelling_.File(name)).path)).has_value();
}

// Once for each file; rows may name one often.
void Scan::NoteSpelling(std::string_view given, std::string_view in_tree, const Origin& origin) {
  const std::string spelled = spelling_.File(given);
  const bool shortened = MakeTreeName(spelled).shortened;
  if (spelled == given && !shortened) return;
  const std::string how = fmt::format("{} -> {}", given, in_tree);
  if (spelled != given) Note(Odd::kRespelledName, how, origin);
  if (shortened) Note(Odd::kShortenedName, how, origin);
}

void Scan::AddName(std::string_view name, NameRef ref, const StoredOrigin& origin) {
  catalogue_->names.Add(SortKey(Checksum64(AsBytes(name))), Raw(ref.Pack()));
  const std::string_view parent = ParentPath(name);
  if (parent == last_parent_) return;
  for (std::string_view above = parent; !above.empty(); above = ParentPath(above)) {
    const bool known = last_parent_.starts_with(above) &&
                       (last_parent_.size() == above.size() || last_parent_[above.size()] == '/');
    if (known) break;  // and all above it
    AddParent(above, origin);
  }
  last_parent_ = parent;
}

// So that a file of the same name is found.
void Scan::AddParent(std::string_view directory, const StoredOrigin& origin) {
  const uint64_t size = directory.size();
  const NameRef ref{NameRef::Kind::kDirectory, catalogue_->parents.Append(Raw(origin))};
  catalogue_->parents.Append(Raw(size));
  catalogue_->parents.Append(AsBytes(directory));
  catalogue_->names.Add(SortKey(Checksum64(AsBytes(directory))), Raw(ref.Pack()));
}

// Beside `name`. Each number is tried once.
std::string Scan::FreeName(const std::string& name) {
  uint64_t& number = next_number_.try_emplace(Checksum64(AsBytes(name)), 2).first->second;
  std::string free;
  do {
    free = Renamed(name, number++);
  } while (index_.Find(free));
  return free;
}

// A media that was renamed gives its name to the one that the source calls so.
void Scan::MakeWay(uint64_t position, const FileRecord& renamed) {
  const std::string name = FreeName(BeforeRenamed(renamed.name));
  catalogue_->media.Rename(position, name);
  index_.Insert(name, position);
  AddName(name, {NameRef::Kind::kMedia, position}, renamed.origin);
}

}  // namespace ulhff
