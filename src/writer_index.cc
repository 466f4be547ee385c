// Sums each index block as it is written; the sums become the levels of the tree.
#include "writer_index.h"

#include <algorithm>
#include <cassert>

namespace ulhff {

namespace {

void AppendSum(Spool& sums, ByteSpan block) {
  const Le<uint64_t> sum = Checksum64(block);
  sums.Append(std::as_bytes(std::span(&sum, 1)));
}

}  // namespace

void IndexWriter::AddBlock(const Block& block) {
  AppendSum(sums_, block);
  out_.Append(block);
  ++blocks_;
}

void IndexWriter::EndSection(SectionType type, uint64_t count, uint64_t per_block,
                             unsigned extra_bits) {
  assert(sections_ < kMaxSections);
  SectionEntry& entry = table_[sections_++];
  entry.type = static_cast<uint16_t>(type);
  entry.extra_bits = static_cast<uint8_t>(extra_bits);
  entry.first_block = section_start_;
  entry.blocks = blocks_ - section_start_;
  entry.count = count;
  entry.per_block = static_cast<uint32_t>(per_block);
  section_start_ = blocks_;
}

Spool IndexWriter::WriteLevel(const Spool& level, Superblock& superblock) {
  Spool sums(tmp_dir_);
  Spool::Cursor cursor(level);
  while (cursor.left() > 0) {
    Block block{};
    cursor.Read(std::span(block).first(std::min(kBlockSize, cursor.left())));
    AppendSum(sums, block);
    superblock.root_sum = Checksum128(block);  // the last block written is the root
    out_.Append(block);
  }
  return sums;
}

void IndexWriter::Finish(Superblock& superblock) {
  Spool level = WriteLevel(sums_, superblock);
  while (level.size() > kSumSize) level = WriteLevel(level, superblock);
  superblock.index_blocks = blocks_;
  superblock.table = table_;
  superblock.sections = sections_;
}

}  // namespace ulhff
