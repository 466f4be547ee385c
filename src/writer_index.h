// The index of a new file: sections of summed blocks, and the sum tree over them (docs/format.md
// §5, §6).
#ifndef ULHFF_SRC_WRITER_INDEX_H_
#define ULHFF_SRC_WRITER_INDEX_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "bytes.h"
#include "checksum.h"
#include "format.h"
#include "writer_file.h"
#include "writer_spool.h"

namespace ulhff {

using Block = std::array<std::byte, kBlockSize>;

// Sections are written one after another. `out` stands at index_offset, and must outlive it.
class IndexWriter {
 public:
  IndexWriter(OutputFile& out, const std::string& tmp_dir)
      : out_(out), tmp_dir_(tmp_dir), sums_(tmp_dir) {}

  void AddBlock(const Block& block);
  // Makes the blocks added since the last section a section.
  void EndSection(SectionType type, uint64_t count, uint64_t per_block = 0,
                  unsigned extra_bits = 0);
  // Writes the sum tree, and puts the section table and what it knows else into `superblock`.
  void Finish(Superblock& superblock);

 private:
  // Writes the blocks of one level and returns their sums.
  Spool WriteLevel(const Spool& level, Superblock& superblock);

  OutputFile& out_;
  std::string tmp_dir_;
  Spool sums_;  // of each block, Le<uint64_t>
  uint64_t blocks_ = 0;
  uint64_t section_start_ = 0;
  std::array<SectionEntry, kMaxSections> table_{};
  uint16_t sections_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_INDEX_H_
