// What Scan does for ULHFF files: fields by name, several names of a media, names that several
// files have.
#include <fmt/format.h>

#include <algorithm>

#include "converter/input_error.h"
#include "converter/printable.h"
#include "converter/scan.h"

namespace ulhff {

void Scan::Facts(const UlhffFacts& facts) {
  SourceFacts& unseen = catalogue_->unseen;
  unseen.duplicates_merged += facts.unseen.duplicates_merged;
  unseen.files += facts.unseen.files;
  unseen.bytes += facts.unseen.bytes;
  catalogue_->has_fields = catalogue_->has_fields || facts.has_fields;
  catalogue_->SawTime(facts.default_mtime_ns);
}

std::vector<size_t> Scan::UniteFields(
    const std::vector<std::pair<std::string, std::string>>& fields) {
  if (!declared_ && !default_used_) catalogue_->fields.clear();
  declared_ = true;
  auto& all = catalogue_->fields;
  std::vector<size_t> numbers;
  for (const auto& field : fields) {
    const auto known = std::find(all.begin(), all.end(), field);
    numbers.push_back(static_cast<size_t>(known - all.begin()));
    if (known == all.end()) all.push_back(field);
  }
  if (all.size() > kMaxFields) {
    throw InputError(fmt::format("{}: with its text fields there are {}; at most {} are possible",
                                 Printable(operand_), all.size(), kMaxFields));
  }
  return numbers;
}

void Scan::PairAt(uint64_t position, MediaId media, std::span<const Text> texts, uint64_t split,
                  const Origin& origin) {
  AddPair(first_sequence_ + position, media, texts, split, origin);
}

void Scan::AlsoNamed(MediaId media, std::string_view name, const Origin& origin) {
  const std::optional<std::string> path = NameInTree(name, origin);
  if (!path || path->empty()) return;
  if (digest_) digest_->Add(*path);
  FileRecord record = catalogue_->media.Read(media);
  record.name = *path;
  record.is_alias = true;
  record.has_aliases = record.is_twin = false;
  record.next_twin = 0;
  const std::optional<uint64_t> position = index_.Find(*path);
  if (position) {
    const FileRecord known = catalogue_->media.Read(*position);
    const bool same = known.device == record.device && known.inode == record.inode &&
                      known.offset == record.offset;
    if (same) return;
    NameIsTaken(*position, known, std::move(record), origin);
  } else {
    AddMedia(std::move(record), name, origin);
  }
  catalogue_->media.SetHasAliases(media);
}

// Bytes are compared when they are copied. If they differ after all, one name stands for two media
// there, which is an error.
MediaId Scan::AddTwin(uint64_t position, const FileRecord& known, FileRecord record,
                      const Origin& origin) {
  record.is_twin = true;
  record.next_twin = known.next_twin;
  record.origin = catalogue_->origins.Put(origin);
  catalogue_->SawTime(record.mtime_ns);
  const uint64_t twin = catalogue_->media.Add(record);
  catalogue_->media.SetNextTwin(position, twin + 1);
  return twin;
}

// For --duplicates last: from a media and its twins. Who has other names keeps its pairs.
void Scan::TakeNameFrom(uint64_t position) {
  for (uint64_t next = position + 1; next != 0;) {
    const FileRecord record = catalogue_->media.Read(next - 1);
    if (record.has_aliases) {
      catalogue_->media.Rename(next - 1, "");
    } else {
      catalogue_->media.Drop(next - 1);
    }
    next = record.next_twin;
  }
}

}  // namespace ulhff
