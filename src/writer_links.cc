// Sorts the targets of all names; equal neighbours are the names of one target.
#include "writer_links.h"

#include <fmt/format.h>

#include <stdexcept>

#include "writer_packed.h"

namespace ulhff {

namespace {

// The sort key: big-endian, so that memcmp is numeric order.
struct LinkKey {
  uint8_t kind = 0;
  std::array<uint8_t, 8> number{};
};

}  // namespace

void LinkCounter::Add(TargetKind kind, uint64_t number) {
  LinkKey key;
  key.kind = static_cast<uint8_t>(kind);
  for (size_t i = 0; i < key.number.size(); ++i) {
    key.number.at(i) = static_cast<uint8_t>(number >> (56 - 8 * i));
  }
  sorter_.Add(std::as_bytes(std::span(&key, 1)));
}

// The target of the next name if it is of this kind.
std::optional<uint64_t> LinkCounter::NextOf(TargetKind kind) {
  if (!started_) next_ = sorter_.Next();
  started_ = true;
  if (!next_) return std::nullopt;
  const auto key = LoadAt<LinkKey>(next_->key, 0);
  if (key.kind != static_cast<uint8_t>(kind)) return std::nullopt;
  uint64_t number = 0;
  for (const uint8_t byte : key.number) number = number << 8 | byte;
  return number;
}

uint64_t LinkCounter::Write(IndexWriter& index, TargetKind kind, uint64_t count, SectionType type) {
  Column links(tmp_dir_);
  while (const auto number = NextOf(kind)) {
    links.Append(0, *number - links.size());
    uint64_t names = 0;
    for (; NextOf(kind) == number; next_ = sorter_.Next()) ++names;
    if (kind == TargetKind::kText && names > 1) {
      throw std::invalid_argument(fmt::format("text {} has {} names", *number, names));
    }
    links.Append(names);
  }
  links.Append(0, count - links.size());
  if (links.uniform()) return links.first();
  WritePacked(index, type, ColumnSource(links));
  return 0;
}

}  // namespace ulhff
