// Edits a file in memory and computes its sums anew.
#include "tests/file_image.h"

#include <algorithm>
#include <stdexcept>

#include "tests/temp_dir.h"
#include "ulhff/checksum.h"
#include "ulhff/packed.h"

namespace ulhff {

namespace {

ByteSpan SlotBytes(const Superblock& superblock) {
  return std::as_bytes(std::span(&superblock, 1));
}

}  // namespace

FileImage::FileImage(const std::string& path) : bytes_(ReadBytes(path)) {}

void FileImage::Write(const std::string& path) const { WriteBytes(path, bytes_); }

Superblock FileImage::superblock() const { return LoadAt<Superblock>(AsBytes(bytes_), 0); }

void FileImage::SetSuperblock(Superblock superblock) {
  superblock.checksum = Checksum64(SlotBytes(superblock).first(kChecksumStart));
  std::memcpy(bytes_.data(), &superblock, sizeof(superblock));
}

SectionEntry& FileImage::Section(Superblock& superblock, SectionType type) {
  for (SectionEntry& entry : superblock.table) {
    if (entry.type == static_cast<uint16_t>(type)) return entry;
  }
  throw std::invalid_argument("no such section");
}

std::span<std::byte> FileImage::Block(uint64_t block) {
  return std::as_writable_bytes(std::span(bytes_))
      .subspan(superblock().index_offset + block * kBlockSize, kBlockSize);
}

std::span<std::byte> FileImage::Block(SectionType type, uint64_t block) {
  Superblock sb = superblock();
  return Block(Section(sb, type).first_block + block);
}

void FileImage::SetValues(SectionType type, std::span<const uint64_t> values) {
  Superblock sb = superblock();
  SectionEntry& entry = Section(sb, type);
  const unsigned extra_bits = entry.extra_bits;
  const std::span<std::byte> block = Block(type);
  std::fill(block.begin(), block.end(), std::byte{0});
  const unsigned width = 64 - extra_bits;
  PackedHead head;
  head.width = static_cast<uint8_t>(width);
  std::memcpy(block.data(), &head, sizeof(head));
  for (uint64_t j = 0; j < values.size(); ++j) {
    StoreBits(block.subspan(sizeof(head)), j * 64, width, values[j]);
  }
  entry.per_block = static_cast<uint32_t>(PackedPerBlock(64));
  SetSuperblock(sb);
}

void FileImage::Reseal() {
  Superblock sb = superblock();
  uint64_t first = 0;
  uint64_t count = sb.index_blocks;
  do {
    const uint64_t sums = first + count;
    const uint64_t sum_blocks = (count + kSumsPerBlock - 1) / kSumsPerBlock;
    for (uint64_t i = 0; i < sum_blocks; ++i) {
      const auto block = Block(sums + i);
      std::fill(block.begin(), block.end(), std::byte{0});
    }
    for (uint64_t i = 0; i < count; ++i) {
      const Le<uint64_t> sum = Checksum64(Block(first + i));
      std::memcpy(Block(sums + i / kSumsPerBlock).data() + i % kSumsPerBlock * kSumSize, &sum,
                  sizeof(sum));
    }
    first = sums;
    count = sum_blocks;
  } while (count > 1);
  sb.root_sum = Checksum128(Block(first));
  SetSuperblock(sb);
}

}  // namespace ulhff
