// Bisects names: blocks of a directory, restarts of a block, then entry by entry.
#include "reader_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstring>

#include "error.h"
#include "index_bisect.h"
#include "reader_name_escape.h"
#include "reader_superblock.h"

namespace ulhff {

NameTable::NameTable(const Sections& sections, const Superblock& sb)
    : sections_(sections),
      name_starts_(sections[SectionType::kNameStarts]),
      starts_(sections[SectionType::kDirectoryStarts]),
      parents_(sections[SectionType::kDirectoryParents]),
      children_(sections[SectionType::kDirectoryChildren]),
      times_(sections[SectionType::kDirectoryTimes]),
      entries_(sb.entries),
      limits_{sb.directories, sb.objects, uint64_t{sb.pairs} * sb.fields, sb.blobs},
      default_mtime_(static_cast<int64_t>(uint64_t{sb.default_mtime})) {}

NameTable::Range NameTable::EntriesOfDirectory(uint64_t directory) const {
  const PackedSequence::Step step = starts_.StepAt(directory);
  if (step.to.value > entries_) {
    starts_.ThrowMalformed(directory + 1, fmt::format("entry {} of {}", step.to.value, entries_));
  }
  return {step.from.value, step.to.value};
}

NameTable::Range NameTable::EntriesOfBlock(uint64_t block) const {
  if (block >= sections_.entry(SectionType::kNames).blocks) {
    name_starts_.ThrowMalformed(block, "it ends before the last name");
  }
  const PackedSequence::Step step = name_starts_.StepAt(block);
  if (step.length() == 0 || step.length() > kMaxNamesPerBlock || step.to.value > entries_) {
    name_starts_.ThrowMalformed(block, fmt::format("a block of the names {}..{} of {}",
                                                   step.from.value, step.to.value, entries_));
  }
  return {step.from.value, step.to.value};
}

DirectoryInfo NameTable::Directory(uint64_t directory) const {
  const Range range = EntriesOfDirectory(directory);
  DirectoryInfo info;
  info.first_entry = range.begin;
  info.entries = range.end - range.begin;
  info.parent = parents_.at(directory).value;
  if (directory == 0 ? info.parent != 0 : info.parent >= directory) {
    parents_.ThrowMalformed(directory, fmt::format("parent {}", info.parent));
  }
  info.children = children_.at(directory).value;
  if (info.children > info.entries) {
    children_.ThrowMalformed(
        directory, fmt::format("{} subdirectories among {} entries", info.children, info.entries));
  }
  info.mtime_ns =
      times_.present() ? static_cast<int64_t>(times_.at(directory).value) : default_mtime_;
  return info;
}

void NameTable::CheckTarget(const NameCursor& cursor, uint64_t directory) const {
  const auto [kind, number] = cursor.target();
  if (number >= limits_[static_cast<size_t>(kind)]) cursor.Fail("a name of nothing that exists");
  if (kind != TargetKind::kDirectory) return;
  if (number <= directory || parents_.at(number).value != directory) {
    cursor.Fail("a name of a directory that stands elsewhere");
  }
}

NameTable::BlockPart NameTable::PartInBlock(Range range, uint64_t block) const {
  const Range held = EntriesOfBlock(block);
  const Range both = {std::max(range.begin, held.begin), std::min(range.end, held.end)};
  if (both.begin >= both.end) {
    name_starts_.ThrowMalformed(block, fmt::format("names {}..{}, some of {}..{} expected",
                                                   held.begin, held.end, range.begin, range.end));
  }
  return {held.end - held.begin, {both.begin - held.begin, both.end - held.begin}};
}

// The caller's visits may use the index again, so no block may be held during them.
void NameTable::CopyBlock(uint64_t block, std::span<std::byte> to) const {
  const SectionEntry& names = sections_.entry(SectionType::kNames);
  const IndexBlocks::Ref ref = sections_.blocks().Get(names.first_block + block);
  std::memcpy(to.data(), ref.bytes().data(), kBlockSize);
}

std::optional<NameTarget> NameTable::Find(uint64_t directory, std::string_view name) const {
  if (!IsValidName(name)) return std::nullopt;
  const auto found = FindStored(directory, name);
  if (found || name.find('%') == std::string_view::npos) return found;
  if (const auto stored = UnescapedName(name)) return FindStored(directory, *stored);
  return FindPlace(directory, name);
}

std::optional<NameTarget> NameTable::FindStored(uint64_t directory, std::string_view name) const {
  const Range range = EntriesOfDirectory(directory);
  if (range.begin == range.end) return std::nullopt;
  const BisectedRange blocks = FindBlocks(range, name);
  std::array<std::byte, kBlockSize> bytes;
  for (uint64_t block = blocks.low; block < blocks.high; ++block) {
    const BlockPart part = PartInBlock(range, block);
    CopyBlock(block, bytes);
    NameCursor cursor(sections_, block, bytes, part.entries);
    const auto order = SeekName(cursor, part.wanted, name);
    if (order == std::strong_ordering::less) continue;  // behind all names of the block
    if (order == std::strong_ordering::greater) return std::nullopt;
    CheckTarget(cursor, directory);
    return cursor.target();
  }
  return std::nullopt;
}

// The block in which `name` stands if it is one of the entries `range`; more where some are
// damaged.
BisectedRange NameTable::FindBlocks(Range range, std::string_view name) const {
  const uint64_t all = name_starts_.size() - 1;
  BisectedRange blocks{};
  blocks.low = name_starts_.FindLast(range.begin, 0, all).index;
  blocks.high = name_starts_.FindLast(range.end - 1, blocks.low, all).index + 1;
  const SectionEntry& names = sections_.entry(SectionType::kNames);
  Bisect(blocks, [&](uint64_t block) {
    const Range held = EntriesOfBlock(block);  // not while a block is held
    const IndexBlocks::Ref ref = sections_.blocks().Get(names.first_block + block);
    const NameCursor cursor(sections_, block, ref.bytes(), held.end - held.begin);
    return cursor.NameAtRestart(0) <= name;
  });
  return blocks;
}

// Leaves the cursor behind the first of the entries `wanted` that is not less than `name`, and says
// how that compares with it; less if there is none.
std::strong_ordering NameTable::SeekName(NameCursor& cursor, Range wanted, std::string_view name) {
  uint64_t low = wanted.begin / kRestartInterval;
  uint64_t high = (wanted.end - 1) / kRestartInterval + 1;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (cursor.NameAtRestart(middle) <= name ? low : high) = middle;
  }
  cursor.SeekRestart(low);
  while (cursor.index() < wanted.end) {
    cursor.Next();
    if (cursor.index() <= wanted.begin) continue;  // still of the directory before
    const auto order = cursor.name() <=> name;
    if (std::is_gteq(order)) return order;
  }
  return std::strong_ordering::less;
}

// The entry that List shows as "%" and its place.
std::optional<NameTarget> NameTable::FindPlace(uint64_t directory, std::string_view name) const {
  const auto place = PlaceOfName(name);
  if (!place) return std::nullopt;
  struct Search {
    std::string_view name;
    std::optional<NameTarget> target;
  } search{name, std::nullopt};
  const auto compare = [](void* context, std::string_view shown, NameTarget target, uint64_t) {
    auto* search = static_cast<Search*>(context);
    if (shown == search->name) search->target = target;
    return false;
  };
  List(directory, *place, compare, &search);
  return search.target;
}

// Of a stored name that no directory can have; it never hides another.
std::string NameTable::ShownName(const NameCursor& cursor, const Walk& walk) const {
  std::string shown = EscapedName(cursor.name());
  if (shown.empty() || FindStored(walk.directory, shown)) shown = NameOfPlace(walk.position);
  return shown;
}

void NameTable::List(uint64_t directory, uint64_t position, Visitor visit, void* context) const {
  const Range range = EntriesOfDirectory(directory);
  if (position >= range.end - range.begin) return;
  Walk walk{directory, visit, context, position, std::nullopt};
  const uint64_t first = range.begin + position;
  uint64_t block = name_starts_.FindLast(first, 0, name_starts_.size() - 1).index;
  bool more = true;
  for (uint64_t entry = first; more && entry < range.end; ++block) {
    const BlockPart part = PartInBlock({entry, range.end}, block);
    more = ListBlock(block, part, walk);
    entry += part.wanted.end - part.wanted.begin;
  }
}

bool NameTable::ListBlock(uint64_t block, const BlockPart& part, Walk& walk) const {
  std::array<std::byte, kBlockSize> bytes;
  CopyBlock(block, bytes);
  NameCursor cursor(sections_, block, bytes, part.entries);
  cursor.SeekRestart(part.wanted.begin / kRestartInterval);
  while (cursor.index() < part.wanted.begin) cursor.Next();
  while (cursor.index() < part.wanted.end) {
    cursor.Next();
    CheckTarget(cursor, walk.directory);
    const NameTarget target = cursor.target();
    if (target.kind == TargetKind::kDirectory) {
      if (walk.last_child && target.number != *walk.last_child + 1) {
        cursor.Fail("directories out of order");
      }
      walk.last_child = target.number;
    }
    const bool is_valid = IsValidName(cursor.name());
    const std::string shown = is_valid ? std::string() : ShownName(cursor, walk);
    const std::string_view name = is_valid ? cursor.name() : shown;
    if (!walk.visit(walk.context, name, target, ++walk.position)) return false;
  }
  return true;
}

}  // namespace ulhff
