// Turns names that come in breadth-first order into the sections of the source tree.
#ifndef ULHFF_SRC_WRITER_TREE_H_
#define ULHFF_SRC_WRITER_TREE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format.h"
#include "writer_index.h"
#include "writer_name_block.h"
#include "writer_spool.h"

namespace ulhff {

// The key of a path: its number of parents (u16, big-endian), then its components with a NUL
// between them. Ordered as bytes, keys are breadth-first: by depth, then directory by directory in
// the order of their names, then by name.
std::string PathKey(std::string_view path);
std::string PathOfKey(std::string_view key);

// Numbers directories as they come. `index` must outlive it.
class SourceTreeWriter {
 public:
  SourceTreeWriter(IndexWriter& index, const std::string& tmp_dir, int64_t root_mtime_ns);

  // Keys ascend strictly, and each directory comes before what is in it.
  void AddFile(std::string_view key, TargetKind kind, uint64_t number);
  void AddDirectory(std::string_view key, int64_t mtime_ns);
  void Finish(int64_t default_mtime_ns, Superblock& superblock);

 private:
  std::string_view Enter(std::string_view key);
  void OpenDirectory();
  void CloseDirectory();

  IndexWriter& index_;
  NameBlocks names_;
  Column starts_;
  Column parents_;
  Column children_;
  Column times_;
  // What the keys of the entries of each directory begin with, in the order of their numbers.
  Spool prefixes_;
  Spool::Cursor next_prefix_;
  std::string prefix_;  // of the open directory
  uint64_t open_ = 0;   // its number
  uint64_t open_children_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_TREE_H_
