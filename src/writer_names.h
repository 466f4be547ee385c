// Collects the source's names in any order and writes them as the source tree (docs/format.md §8).
#ifndef ULHFF_SRC_WRITER_NAMES_H_
#define ULHFF_SRC_WRITER_NAMES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format.h"
#include "sorter.h"
#include "writer.h"
#include "writer_index.h"
#include "writer_links.h"

namespace ulhff {

// Throws std::invalid_argument, naming `what`, unless the name has 1..255 bytes, no '/', no NUL and
// is neither "." nor "..".
void CheckName(std::string_view name, std::string_view what);

// Numbers of targets that names may stand for.
struct TargetCounts {
  uint64_t objects = 0;
  uint64_t texts = 0;
  uint64_t blobs = 0;
};

class NameTable {
 public:
  NameTable(const std::string& tmp_dir, uint64_t memory);

  void AddFile(std::string_view path, const Target& target, uint64_t origin);
  void AddDirectory(std::string_view path, std::optional<int64_t> mtime_ns);

  // Writes the sections NAMES to DIRECTORY_CHILDREN and DIRECTORY_TIMES, sets `directories` and
  // `entries` of the superblock and gives each file's target to `links`. Throws DuplicateName, and
  // std::invalid_argument for a target that is not among `counts`.
  void Write(IndexWriter& index, const TargetCounts& counts, int64_t default_mtime_ns,
             LinkCounter& links, Superblock& superblock);

 private:
  void AddParents(std::string_view path);
  std::string tmp_dir_;
  Sorter sorter_;
  std::optional<int64_t> root_mtime_ns_;
  // Directories implied lately, by hash: most names need not imply theirs again.
  std::array<std::string, 1024> implied_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_NAMES_H_
