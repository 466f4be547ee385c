// The part of a scan that remembers names, so that one for two things is found after it.
#include "converter/media_types.h"
#include "converter/name_rules.h"
#include "converter/scan.h"
#include "converter/sort_key.h"
#include "ulhff/checksum.h"

namespace ulhff {

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
