// Looks names up and lists them in the NAMES blocks of the source tree (docs/format.md §8).
#ifndef ULHFF_SRC_READER_NAMES_H_
#define ULHFF_SRC_READER_NAMES_H_

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bytes.h"
#include "format.h"
#include "index_bisect.h"
#include "reader_info.h"
#include "reader_sections.h"

namespace ulhff {

// Decodes the entries of one NAMES block, in order, from a restart on. Every failure is a
// FormatError about the block.
class NameCursor {
 public:
  // `block` is `number` of NAMES and must outlive the cursor. Checks the head: the block holds
  // `entries` names.
  NameCursor(const Sections& sections, uint64_t number, ByteSpan block, uint64_t entries);

  // The name of entry 16 * restart, valid while the block is. Precondition: there is one.
  std::string_view NameAtRestart(uint64_t restart) const;
  // Goes to entry 16 * restart.
  void SeekRestart(uint64_t restart);
  // Decodes the next entry. Precondition: index() < entries.
  void Next();

  uint64_t index() const { return index_; }  // of the entry that Next() decodes
  std::string_view name() const { return {name_.data(), name_size_}; }  // valid until Next()
  NameTarget target() const { return target_; }

  [[noreturn]] void Fail(const std::string& what) const;

 private:
  uint64_t RestartOffset(uint64_t restart) const;
  uint64_t TakeVarint(uint64_t& pos) const;
  std::string_view TakeBytes(uint64_t& pos, uint64_t size) const;
  void TakeTarget();

  const Sections& sections_;
  uint64_t number_;
  ByteSpan block_;
  uint64_t end_;  // where the restart offsets begin
  uint64_t index_ = 0;
  uint64_t pos_ = 0;
  size_t name_size_ = 0;
  std::array<char, kMaxNameSize> name_{};
  NameTarget target_;
  std::array<uint64_t, 4> previous_{};  // by TargetKind, since the restart
};

// Immutable and thread-safe; `sections` must outlive it. Directory numbers must be in range (Reader
// checks). A directory leads to greater numbers only, so that no walk is endless whatever the
// bytes.
class NameTable {
 public:
  NameTable(const Sections& sections, const Superblock& superblock);

  DirectoryInfo Directory(uint64_t directory) const;
  // Both show names that no directory can have under others (reader_name_escape.h).
  std::optional<NameTarget> Find(uint64_t directory, std::string_view name) const;
  // Finds only names as they are stored.
  std::optional<NameTarget> FindStored(uint64_t directory, std::string_view name) const;
  using Visitor = bool (*)(void* context, std::string_view name, NameTarget target, uint64_t next);
  void List(uint64_t directory, uint64_t position, Visitor visit, void* context) const;

  // Entry numbers of a directory or of a NAMES block.
  struct Range {
    uint64_t begin = 0, end = 0;
  };
  Range EntriesOfDirectory(uint64_t directory) const;
  Range EntriesOfBlock(uint64_t block) const;
  void CopyBlock(uint64_t block, std::span<std::byte> to) const;
  // Throws FormatError unless `target` exists and, if a directory, stands in `directory`.
  void CheckTarget(const NameCursor& cursor, uint64_t directory) const;

 private:
  // The state of one List call.
  struct Walk {
    uint64_t directory;
    Visitor visit;
    void* context;
    uint64_t position;                   // in the directory, of the next entry
    std::optional<uint64_t> last_child;  // the directory seen last
  };

  // What stands of some entries in a block.
  struct BlockPart {
    uint64_t entries;  // of the whole block
    Range wanted;      // counted from its first entry, not empty
  };

  // Throws FormatError if nothing of `range` stands in `block`.
  BlockPart PartInBlock(Range range, uint64_t block) const;
  std::optional<NameTarget> FindPlace(uint64_t directory, std::string_view name) const;
  std::string ShownName(const NameCursor& cursor, const Walk& walk) const;
  BisectedRange FindBlocks(Range range, std::string_view name) const;
  bool ListBlock(uint64_t block, const BlockPart& part, Walk& walk) const;
  static std::strong_ordering SeekName(NameCursor& cursor, Range wanted, std::string_view name);

  const Sections& sections_;
  const PackedSequence& name_starts_;
  const PackedSequence& starts_;
  const PackedSequence& parents_;
  const PackedSequence& children_;
  const PackedSequence& times_;
  uint64_t entries_;
  std::array<uint64_t, 4> limits_;  // by TargetKind
  int64_t default_mtime_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_NAMES_H_
