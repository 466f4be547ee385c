// Builds the blocks of the NAMES section (docs/format.md §8).
#ifndef ULHFF_SRC_WRITER_NAME_BLOCK_H_
#define ULHFF_SRC_WRITER_NAME_BLOCK_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format.h"
#include "writer_index.h"
#include "writer_spool.h"

namespace ulhff {

// Fills each block with as many entries as it takes. `index` must outlive it.
class NameBlocks {
 public:
  NameBlocks(IndexWriter& index, const std::string& tmp_dir) : index_(index), starts_(tmp_dir) {}

  // In entry order. Precondition: 1..255 bytes of name.
  void Add(std::string_view name, TargetKind kind, uint64_t number);
  // Writes the last block, and then NAMES and NAME_STARTS if there is any entry.
  void Finish();
  uint64_t entries() const { return entries_; }

 private:
  std::string Encode(std::string_view name, TargetKind kind, uint64_t number) const;
  bool Fits(const std::string& entry) const;
  void Flush();

  IndexWriter& index_;
  Column starts_;
  uint64_t entries_ = 0;
  uint64_t in_block_ = 0;
  std::string bytes_;               // entries of the open block
  std::vector<uint16_t> restarts_;  // their offsets in the block
  std::string last_name_;
  std::array<uint64_t, 4> last_number_{};  // by kind, since the restart
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_NAME_BLOCK_H_
