// A file of index blocks and their sum tree, blocks of zeros being holes: an index of any size, of
// which a test fills what it looks at.
#ifndef ULHFF_TESTS_INDEX_FILE_H_
#define ULHFF_TESTS_INDEX_FILE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/temp_dir.h"
#include "ulhff/index.h"
#include "ulhff/index_sequence.h"
#include "ulhff/packed.h"

namespace ulhff {

using BlockBytes = std::array<std::byte, kBlockSize>;

class IndexFile {
 public:
  // `blocks` holds those that are not all zeros.
  IndexFile(uint64_t count, const std::map<uint64_t, BlockBytes>& blocks);

  const IndexBlocks::Place& place() const { return place_; }
  const std::string& path() const { return path_; }
  // Inverts a byte of a block.
  void Flip(uint64_t block) const;
  // Opened anew, with a cache of `cache_bytes`.
  std::unique_ptr<IndexBlocks> Open(uint64_t cache_bytes = uint64_t{8} << 20);

 private:
  TempDir dir_;
  std::string path_ = dir_ / "index";
  IndexBlocks::Place place_;
  std::unique_ptr<InputFile> file_;
};

// The blocks of a packed sequence of `per_block` elements a block, from block `first` on.
std::map<uint64_t, BlockBytes> PackBlocks(const std::vector<PackedValue>& values,
                                          uint64_t per_block, unsigned extra_bits = 0,
                                          uint64_t first = 0);
SectionEntry PackedEntry(uint64_t count, uint64_t per_block, unsigned extra_bits = 0,
                         uint64_t first = 0);

}  // namespace ulhff

#endif  // ULHFF_TESTS_INDEX_FILE_H_
