// Decodes NAMES blocks, entry by entry, within their bounds.
#include <fmt/format.h>

#include <algorithm>

#include "error.h"
#include "reader_names.h"

namespace ulhff {

NameCursor::NameCursor(const Sections& sections, uint64_t number, ByteSpan block, uint64_t entries)
    : sections_(sections), number_(number), block_(block) {
  const auto head = LoadAt<NamesHead>(block, 0);
  const uint64_t restarts = (entries + kRestartInterval - 1) / kRestartInterval;
  end_ = kBlockSize - 2 * restarts;
  if (head.entries != entries) Fail("it has another number of names than NAME_STARTS says");
  if (head.restarts != restarts) Fail("its number of restarts is wrong");
  SeekRestart(0);
  if (pos_ != sizeof(NamesHead)) Fail("a restart is not at its entry");
}

void NameCursor::Fail(const std::string& what) const {
  const uint64_t first = sections_.entry(SectionType::kNames).first_block;
  throw FormatError(sections_.blocks().file().path(), sections_.blocks().OffsetOf(first + number_),
                    fmt::format("names block {}: {}", number_, what));
}

uint64_t NameCursor::RestartOffset(uint64_t restart) const {
  const uint64_t offset = LoadAt<Le<uint16_t>>(block_, end_ + 2 * restart);
  if (offset < sizeof(NamesHead) || offset >= end_) Fail("a restart lies outside of it");
  return offset;
}

uint64_t NameCursor::TakeVarint(uint64_t& pos) const {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (pos >= end_) Fail("an entry runs over its end");
    const auto byte = static_cast<uint64_t>(block_[pos++]);
    if (shift == 63 && byte > 1) break;
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  Fail("a number takes more than 64 bits");
}

std::string_view NameCursor::TakeBytes(uint64_t& pos, uint64_t size) const {
  if (size > end_ - pos) Fail("an entry runs over its end");
  const std::string_view bytes = AsText(block_.subspan(pos, size));
  pos += size;
  return bytes;
}

std::string_view NameCursor::NameAtRestart(uint64_t restart) const {
  uint64_t pos = RestartOffset(restart);
  if (TakeVarint(pos) != 0) Fail("a restart shares bytes with the name before");
  const uint64_t size = TakeVarint(pos);
  return TakeBytes(pos, size);
}

void NameCursor::SeekRestart(uint64_t restart) {
  index_ = restart * kRestartInterval;
  pos_ = RestartOffset(restart);
}

void NameCursor::Next() {
  if (index_ % kRestartInterval == 0) {
    if (RestartOffset(index_ / kRestartInterval) != pos_) Fail("a restart is not at its entry");
    name_size_ = 0;  // so that a restart that shares bytes is an error
    previous_.fill(0);
  }
  const uint64_t shared = TakeVarint(pos_);
  if (shared > name_size_) Fail("an entry shares more bytes than the name before has");
  const std::string_view suffix = TakeBytes(pos_, TakeVarint(pos_));
  if (suffix.size() > name_.size() - shared) Fail("a name is longer than 255 bytes");
  std::copy(suffix.begin(), suffix.end(), name_.begin() + static_cast<ptrdiff_t>(shared));
  name_size_ = shared + suffix.size();
  TakeTarget();
  ++index_;
}

void NameCursor::TakeTarget() {
  const uint64_t packed = TakeVarint(pos_);
  const uint64_t zigzag = packed / 4;
  target_.kind = static_cast<TargetKind>(packed % 4);
  uint64_t& previous = previous_[packed % 4];
  // Modulo 2^64: whatever comes out is compared with the limits afterwards.
  const uint64_t half = zigzag / 2;
  previous += zigzag % 2 == 0 ? half : ~half;
  target_.number = previous;
}

}  // namespace ulhff
