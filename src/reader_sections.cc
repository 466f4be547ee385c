// Holds what docs/format.md §6.1 says about every section type as a table, and checks a file
// against it.
#include "reader_sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "asr.h"
#include "error.h"
#include "shard_info.h"

namespace ulhff {

namespace {

constexpr std::array<const char*, kLastSectionType + 1> kNames = {
    "",
    "OBJECTS",
    "BLOBS",
    "PAIR_STARTS",
    "PAIR_TREE",
    "TEXTS",
    "OBJECT_EXTENSIONS",
    "ORDER_STARTS",
    "ORDER_PAIRS",
    "ORDER",
    "SPLIT_PAIRS",
    "SPLIT_COUNTS",
    "NAMES",
    "NAME_STARTS",
    "DIRECTORY_STARTS",
    "DIRECTORY_PARENTS",
    "DIRECTORY_CHILDREN",
    "OBJECT_LINKS",
    "TEXT_LINKS",
    "BLOB_LINKS",
    "OBJECT_TIMES",
    "TEXT_TIMES",
    "BLOB_TIMES",
    "DIRECTORY_TIMES",
    "SHARD",
    "SHARD_POSITIONS",
};

enum class Presence { kNever, kOptional, kAlways };

Presence If(bool condition) { return condition ? Presence::kAlways : Presence::kNever; }
Presence MayIf(bool condition) { return condition ? Presence::kOptional : Presence::kNever; }

// What the superblock asks of one section.
struct Rule {
  SectionType type;
  Presence presence;
  uint64_t min_count;
  uint64_t max_count;
  uint64_t extra_bits = 0;  // at least, and exactly unless `more_extra`
  bool more_extra = false;
};

bool IsPacked(SectionType type) {
  return type != SectionType::kPairTree && type != SectionType::kNames;
}

class TableChecker {
 public:
  TableChecker(const InputFile& file, const CheckedSuperblock& superblock)
      : file_(file), superblock_(superblock), sb_(superblock.fields) {}

  SectionTable Check() {
    for (unsigned i = 0; i < sb_.sections; ++i) Take(i);
    CheckAgainstSuperblock();
    CheckPairTree();
    CheckRuns();
    CheckNames();
    return table_;
  }

 private:
  void Take(unsigned i);
  void CheckPacked(const SectionEntry& entry) const;
  void CheckAgainstSuperblock() const;
  void CheckRule(const Rule& rule) const;
  void CheckPairTree() const;
  void CheckRuns() const;
  void CheckNames() const;

  const SectionEntry& At(SectionType type) const { return table_[static_cast<size_t>(type)]; }
  bool Has(SectionType type) const { return At(type).type != 0; }
  [[noreturn]] void Fail(const SectionEntry& entry, const std::string& what) const {
    ThrowMalformed(file_, OffsetOf(entry), fmt::format("section {}: {}", kNames[entry.type], what));
  }
  // Of an entry of table_: by its type, the table of the file being small.
  uint64_t OffsetOf(const SectionEntry& entry) const {
    const auto* found = std::find_if(sb_.table.begin(), sb_.table.end(),
                                     [&](const auto& e) { return e.type == entry.type; });
    return superblock_.offset + offsetof(Superblock, table) +
           static_cast<uint64_t>(found - sb_.table.begin()) * sizeof(SectionEntry);
  }

  const InputFile& file_;
  const CheckedSuperblock& superblock_;
  const Superblock& sb_;
  SectionTable table_{};
};

void TableChecker::Take(unsigned i) {
  const SectionEntry& entry = sb_.table[i];
  const uint64_t offset =
      superblock_.offset + offsetof(Superblock, table) + i * sizeof(SectionEntry);
  if (entry.first_block > sb_.index_blocks || entry.blocks > sb_.index_blocks - entry.first_block) {
    ThrowMalformed(file_, offset,
                   fmt::format("section of type {}: blocks {}+{}, the index has {}",
                               uint16_t{entry.type}, uint64_t{entry.first_block},
                               uint64_t{entry.blocks}, uint64_t{sb_.index_blocks}));
  }
  if (entry.type == 0 || entry.type > kLastSectionType) {
    if ((entry.flags & kSectionMustKnow) != 0) {
      ThrowMalformed(file_, offset,
                     fmt::format("unknown section: type {} must be understood to read this file",
                                 uint16_t{entry.type}));
    }
    return;
  }
  if (table_[entry.type].type != 0) Fail(entry, "it stands twice");
  table_[entry.type] = entry;
  if (IsPacked(static_cast<SectionType>(uint16_t{entry.type}))) CheckPacked(entry);
}

void TableChecker::CheckPacked(const SectionEntry& entry) const {
  const uint64_t per_block = entry.per_block;
  if (per_block < 1 || per_block > kMaxPerBlock) {
    Fail(entry, fmt::format("per_block {}, 1..{} allowed", per_block, kMaxPerBlock));
  }
  if (per_block * entry.extra_bits > kPackedBits) {
    Fail(entry,
         fmt::format("{} times {} extra bits do not fit a block", per_block, entry.extra_bits));
  }
  const uint64_t blocks = entry.count / per_block + (entry.count % per_block != 0 ? 1 : 0);
  if (entry.blocks != blocks) {
    Fail(entry, fmt::format("{} blocks, but {} elements take {}", uint64_t{entry.blocks},
                            uint64_t{entry.count}, blocks));
  }
}

void TableChecker::CheckRule(const Rule& rule) const {
  const SectionEntry& entry = At(rule.type);
  if (!Has(rule.type)) {
    if (rule.presence != Presence::kAlways) return;
    ThrowMalformed(file_, superblock_.offset + offsetof(Superblock, sections),
                   fmt::format("section {} is missing", kNames[static_cast<size_t>(rule.type)]));
  }
  if (rule.presence == Presence::kNever) Fail(entry, "this file must not have it");
  if (entry.count < rule.min_count || entry.count > rule.max_count) {
    const std::string wanted = rule.min_count == rule.max_count
                                   ? fmt::format("{}", rule.min_count)
                                   : fmt::format("{}..{}", rule.min_count, rule.max_count);
    Fail(entry, fmt::format("count {}, {} expected", uint64_t{entry.count}, wanted));
  }
  const bool extra_ok =
      rule.more_extra ? entry.extra_bits >= rule.extra_bits : entry.extra_bits == rule.extra_bits;
  if (IsPacked(rule.type) && !extra_ok) {
    Fail(entry, fmt::format("extra_bits {}, {} expected", entry.extra_bits, rule.extra_bits));
  }
}

void TableChecker::CheckAgainstSuperblock() const {
  using enum SectionType;
  const uint64_t n = sb_.pairs;
  const uint64_t m = sb_.objects;
  const uint64_t b = sb_.blobs;
  const uint64_t d = sb_.directories;
  const uint64_t t = n * sb_.fields;
  const uint64_t any = ~uint64_t{0};
  const uint64_t first_run = n > 0 ? 1 : 0;
  const bool avl = sb_.index == static_cast<uint8_t>(IndexKind::kAvlPlus);
  const bool splits = sb_.splits > 0;
  const bool names = sb_.entries > 0;
  const Rule rules[] = {
      {kObjects, Presence::kAlways, m + 1, m + 1, sb_.alignment, true},
      {kBlobs, If(b > 0), b + 1, b + 1, sb_.alignment, true},
      {kPairStarts, If(avl), m + 1, m + 1},
      {kPairTree, If(avl), 1, any},
      {kTexts, If(sb_.fields > 0), t + 1, t + 1, 1},
      {kObjectExtensions, If(sb_.extensions > 1), m, m},
      {kOrderStarts, MayIf(n > 0), 1, n},
      {kOrderPairs, MayIf(n > 0), 1, n},
      {kOrder, MayIf(n > 0), n, n},
      {kSplitPairs, If(splits), first_run, n, 8},
      {kSplitCounts, If(splits), first_run + 1, n + 1},
      {kNames, If(names), 1, any},
      {kNameStarts, If(names), 2, any},
      {kDirectoryStarts, Presence::kAlways, d + 1, d + 1},
      {kDirectoryParents, Presence::kAlways, d, d},
      {kDirectoryChildren, Presence::kAlways, d, d},
      {kObjectLinks, Presence::kOptional, m, m},
      {kTextLinks, MayIf(sb_.fields > 0), t, t},
      {kBlobLinks, MayIf(b > 0), b, b},
      {kObjectTimes, Presence::kOptional, m, m},
      {kTextTimes, MayIf(sb_.fields > 0), t, t},
      {kBlobTimes, MayIf(b > 0), b, b},
      {kDirectoryTimes, Presence::kOptional, d, d},
      {kShard, Presence::kOptional, kShardElements, kShardElements},
      {kShardPositions, Presence::kOptional, n, n},
  };
  static_assert(std::size(rules) == kLastSectionType);
  for (const Rule& rule : rules) CheckRule(rule);
}

// §7: the size of the tree follows from its leaves.
void TableChecker::CheckPairTree() const {
  if (!Has(SectionType::kPairTree)) return;
  const SectionEntry& tree = At(SectionType::kPairTree);
  const auto size = AvlPlusIndex::SizeOfTree(At(SectionType::kPairStarts).blocks);
  if (tree.count != size.keys || tree.blocks != size.blocks) {
    Fail(tree, fmt::format("{} keys in {} blocks, {} in {} expected", uint64_t{tree.count},
                           uint64_t{tree.blocks}, size.keys, size.blocks));
  }
}

// §6.5, §6.6, §6.7: sections that stand together have as many runs.
void TableChecker::CheckRuns() const {
  using enum SectionType;
  if (Has(kOrderStarts) != Has(kOrderPairs)) {
    Fail(At(Has(kOrderStarts) ? kOrderStarts : kOrderPairs), "its other half is missing");
  }
  if (Has(kOrder) && Has(kOrderStarts)) Fail(At(kOrder), "the order stands in two forms");
  if (Has(kOrderStarts) && At(kOrderStarts).count != At(kOrderPairs).count) {
    Fail(At(kOrderPairs), "as many runs as ORDER_STARTS expected");
  }
  if (Has(kShard) != Has(kShardPositions)) {
    Fail(At(Has(kShard) ? kShard : kShardPositions), "its other half is missing");
  }
  if (Has(kSplitPairs) && At(kSplitCounts).count - 1 != At(kSplitPairs).count) {
    Fail(At(kSplitCounts), "one element more than SPLIT_PAIRS expected");
  }
}

// §8
void TableChecker::CheckNames() const {
  if (!Has(SectionType::kNames)) return;
  const SectionEntry& names = At(SectionType::kNames);
  const uint64_t blocks = names.blocks;
  if (names.count != blocks) Fail(names, "count is not the number of blocks");
  if (sb_.entries < blocks || (sb_.entries - 1) / kMaxNamesPerBlock >= blocks) {
    Fail(names, fmt::format("{} blocks cannot hold {} names", blocks, uint64_t{sb_.entries}));
  }
  if (At(SectionType::kNameStarts).count - 1 != blocks) {
    Fail(At(SectionType::kNameStarts), "one element more than NAMES has blocks expected");
  }
}

}  // namespace

SectionTable CheckSections(const InputFile& file, const CheckedSuperblock& superblock) {
  return TableChecker(file, superblock).Check();
}

Sections::Sections(const IndexBlocks& blocks, const SectionTable& table)
    : blocks_(blocks), table_(table) {
  for (size_t type = 1; type < table.size(); ++type) {
    if (table[type].type == 0 || !IsPacked(static_cast<SectionType>(type))) continue;
    sequences_[type] = PackedSequence(blocks, table[type]);
  }
}

}  // namespace ulhff
