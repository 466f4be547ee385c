// Front coding of names, and the restarts that let a reader bisect a block.
#include "writer_name_block.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "writer_packed.h"

namespace ulhff {

namespace {

void AppendVarint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

uint64_t ZigZag(uint64_t number, uint64_t previous) {
  return number >= previous ? 2 * (number - previous) : 2 * (previous - number) - 1;
}

size_t CommonPrefix(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

}  // namespace

// At a restart nothing comes before.
std::string NameBlocks::Encode(std::string_view name, TargetKind kind, uint64_t number) const {
  const bool restart = in_block_ % kRestartInterval == 0;
  const size_t shared = restart ? 0 : CommonPrefix(last_name_, name);
  const uint64_t previous = restart ? 0 : last_number_.at(static_cast<size_t>(kind));
  std::string entry;
  AppendVarint(entry, shared);
  AppendVarint(entry, name.size() - shared);
  entry += name.substr(shared);
  AppendVarint(entry, ZigZag(number, previous) * 4 + static_cast<uint64_t>(kind));
  return entry;
}

bool NameBlocks::Fits(const std::string& entry) const {
  const uint64_t restarts = in_block_ / kRestartInterval + 1;
  // An entry takes three bytes at least, so there are never more than kMaxNamesPerBlock.
  return sizeof(NamesHead) + bytes_.size() + entry.size() + 2 * restarts <= kBlockSize;
}

void NameBlocks::Add(std::string_view name, TargetKind kind, uint64_t number) {
  std::string entry = Encode(name, kind, number);
  if (!Fits(entry)) {
    Flush();
    entry = Encode(name, kind, number);
  }
  if (in_block_ == 0) starts_.Append(entries_);
  if (in_block_ % kRestartInterval == 0) {
    restarts_.push_back(static_cast<uint16_t>(sizeof(NamesHead) + bytes_.size()));
    last_number_ = {};
  }
  bytes_ += entry;
  last_name_ = name;
  last_number_.at(static_cast<size_t>(kind)) = number;
  ++in_block_;
  ++entries_;
}

void NameBlocks::Flush() {
  Block block{};
  NamesHead head;
  head.entries = static_cast<uint16_t>(in_block_);
  head.restarts = static_cast<uint16_t>(restarts_.size());
  std::memcpy(block.data(), &head, sizeof(head));
  std::ranges::copy(AsBytes(bytes_), block.data() + sizeof(head));
  const std::vector<Le<uint16_t>> offsets(restarts_.begin(), restarts_.end());
  const auto tail = std::as_bytes(std::span(offsets));
  std::ranges::copy(tail, block.data() + kBlockSize - tail.size());
  index_.AddBlock(block);
  in_block_ = 0;
  bytes_.clear();
  restarts_.clear();
}

void NameBlocks::Finish() {
  if (entries_ == 0) return;
  Flush();
  index_.EndSection(SectionType::kNames, starts_.size());
  starts_.Append(entries_);
  WritePacked(index_, SectionType::kNameStarts, ColumnSource(starts_));
}

}  // namespace ulhff
