// Nothing in an index is believed before it was compared with the file's size.
#include "converter/ffrecord_file.h"

#include <fmt/format.h>
#include <zlib.h>

namespace ulhff {
namespace {

constexpr size_t kIndexWindow = size_t{64} << 10;
constexpr uint64_t kPerRecord = sizeof(uint32_t) + sizeof(uint64_t);

uint32_t Crc32(uint32_t before, ByteSpan bytes) {
  return static_cast<uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

FfrecordFile::FfrecordFile(const Damage& damage)
    : data_(damage.shard().path),
      crcs_(data_.file(), kIndexWindow),
      offsets_(data_.file(), kIndexWindow) {
  if (data_.size() < kHeader) {
    damage.Tell(0, fmt::format("{} bytes are less than the {} of an FFRecord header", data_.size(),
                               kHeader));
    return;
  }
  crc_ = data_.Load<Le<uint32_t>>(0);
  total_ = data_.Load<Le<uint64_t>>(4);
  if (CheckIndex(damage)) CountWhole(damage);
}

bool FfrecordFile::CheckIndex(const Damage& damage) {
  const uint64_t most = (data_.size() - kHeader) / kPerRecord;
  if (total_ > most) {
    damage.Tell(4, fmt::format("the header says {} records, but {} bytes have room for an index of "
                               "{}: cut short, or no FFRecord file",
                               total_, data_.size(), most));
    return false;
  }
  uint32_t crc = 0;
  data_.ForEach(4, kHeader - 4 + total_ * kPerRecord,
                [&](ByteSpan piece) { crc = Crc32(crc, piece); });
  if (unchecked() || crc == crc_) return true;
  damage.Tell(0,
              fmt::format("the CRC-32 of the index is {:08x}, the header says {:08x}", crc, crc_));
  return false;
}

void FfrecordFile::CountWhole(const Damage& damage) {
  uint64_t before = kHeader + total_ * kPerRecord;
  if (total_ == 0 && data_.size() > before) damage.Tell(before, "bytes follow an empty index");
  for (uint64_t i = 0; i < total_; ++i) {
    const uint64_t offset = offsets_.Load<Le<uint64_t>>(OffsetAt(i));
    if (offset < before || (i == 0 && offset > before)) {
      damage.Tell(OffsetAt(i),
                  fmt::format("record {} is said to stand at {}, but {} {}", i, offset,
                              i == 0 ? "the index ends at" : "the one before it at", before));
      return;
    }
    if (offset > data_.size()) {
      damage.Tell(data_.size(), fmt::format("the file ends here, but record {} of {} stands at {}",
                                            i, total_, offset));
      return;
    }
    count_ = i;
    before = offset;
  }
  count_ = total_;
}

FfrecordFile::Slot FfrecordFile::At(uint64_t i) {
  Slot slot;
  slot.offset = offsets_.Load<Le<uint64_t>>(OffsetAt(i));
  const uint64_t end =
      i + 1 < total_ ? uint64_t{offsets_.Load<Le<uint64_t>>(OffsetAt(i + 1))} : data_.size();
  slot.size = end - slot.offset;
  slot.crc = crcs_.Load<Le<uint32_t>>(kHeader + i * sizeof(uint32_t));
  return slot;
}

bool FfrecordFile::IsIntact(const Slot& slot) {
  if (unchecked() && slot.crc == 0) return true;
  uint32_t crc = 0;
  data_.ForEach(slot.offset, slot.size, [&](ByteSpan piece) { crc = Crc32(crc, piece); });
  return crc == slot.crc;
}

std::optional<uint64_t> LooksLikeFfrecord(FileWindow& file) {
  constexpr uint64_t kHeader = 12;
  if (file.size() < kHeader) return std::nullopt;
  const uint64_t count = file.Load<Le<uint64_t>>(4);
  const uint64_t room = file.size() - kHeader;
  if (count == 0 && room == 0) {
    const uint32_t crc = Crc32(0, file.Read(4, sizeof(uint64_t)));
    return crc == file.Load<Le<uint32_t>>(0) ? std::optional<uint64_t>(0) : std::nullopt;
  }
  if (count == 0 || count > room / kPerRecord) return std::nullopt;
  const uint64_t first = file.Load<Le<uint64_t>>(kHeader + count * sizeof(uint32_t));
  return first == kHeader + count * kPerRecord ? std::optional(count) : std::nullopt;
}

}  // namespace ulhff
