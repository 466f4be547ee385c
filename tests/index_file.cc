// Writes sparse index files.
#include "tests/index_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <stdexcept>

#include "ulhff/checksum.h"
#include "ulhff/file.h"

namespace ulhff {

IndexFile::IndexFile(uint64_t count, const std::map<uint64_t, BlockBytes>& blocks) {
  const UniqueFd fd(::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  place_ = {0, count, {}};
  const uint64_t zero_sum = Checksum64(BlockBytes{});
  std::vector<uint64_t> sums(count, zero_sum);
  for (const auto& [block, bytes] : blocks) {
    PwriteFull(fd.get(), bytes, block * kBlockSize, path_);
    sums.at(block) = Checksum64(bytes);
  }
  uint64_t next = count;
  do {
    std::vector<Le<uint64_t>> level(sums.begin(), sums.end());
    level.resize((sums.size() + kSumsPerBlock - 1) / kSumsPerBlock * kSumsPerBlock);
    const ByteSpan bytes = std::as_bytes(std::span(level));
    PwriteFull(fd.get(), bytes, next * kBlockSize, path_);
    sums.clear();
    for (size_t at = 0; at < bytes.size(); at += kBlockSize) {
      sums.push_back(Checksum64(bytes.subspan(at, kBlockSize)));
      place_.root_sum = Checksum128(bytes.subspan(at, kBlockSize));
    }
    next += sums.size();
  } while (sums.size() > 1);
}

void IndexFile::Flip(uint64_t block) const {
  const UniqueFd fd(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  std::array<std::byte, 1> byte{};
  const uint64_t at = block * kBlockSize + 77;
  if (PreadFull(fd.get(), byte, at, path_) != 1) throw std::out_of_range("no such block");
  byte[0] = ~byte[0];
  PwriteFull(fd.get(), byte, at, path_);
}

std::unique_ptr<IndexBlocks> IndexFile::Open(uint64_t cache_bytes) {
  file_ = std::make_unique<InputFile>(InputFile::Open(path_, ReadMode::kBuffered));
  return std::make_unique<IndexBlocks>(*file_, place_, cache_bytes);
}

std::map<uint64_t, BlockBytes> PackBlocks(const std::vector<PackedValue>& values,
                                          uint64_t per_block, unsigned extra_bits, uint64_t first) {
  std::map<uint64_t, BlockBytes> blocks;
  for (size_t begin = 0; begin < values.size(); begin += per_block) {
    const size_t size = std::min<size_t>(per_block, values.size() - begin);
    blocks[first + begin / per_block] =
        EncodePackedBlock(std::span(values).subspan(begin, size), extra_bits);
  }
  return blocks;
}

SectionEntry PackedEntry(uint64_t count, uint64_t per_block, unsigned extra_bits, uint64_t first) {
  SectionEntry entry;
  entry.extra_bits = static_cast<uint8_t>(extra_bits);
  entry.first_block = first;
  entry.blocks = (count + per_block - 1) / per_block;
  entry.count = count;
  entry.per_block = static_cast<uint32_t>(per_block);
  return entry;
}

}  // namespace ulhff
