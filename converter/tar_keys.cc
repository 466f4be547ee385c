// Open addressing with linear probing.
#include "converter/tar_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "converter/name_rules.h"
#include "ulhff/checksum.h"

namespace ulhff {
namespace {

constexpr size_t kFirstSlots = 1024;  // a power of two
constexpr size_t kColumns = 32;

}  // namespace

std::string NameAgain(const TarEntry& entry, uint64_t number) {
  if (number == 1) return entry.name;
  const std::string_view key =
      std::string_view{entry.name}.substr(0, entry.name.size() - entry.column.size() - 1);
  return fmt::format("{}~{}.{}", key, number, entry.column);
}

uint64_t TarKeys::Take(const TarSample& sample) {
  const std::string key = MakeTreeName(sample.key).path;
  const uint32_t columns = ColumnsOf(sample);
  Slot& first = SlotOf(key);
  if ((first.columns & columns) == 0) {
    first.columns |= columns;
    return 1;
  }
  for (;;) {
    const uint32_t number = ++SlotOf(key).again;
    Slot& slot = SlotOf(fmt::format("{}~{}", key, number));
    if ((slot.columns & columns) != 0) continue;
    slot.columns |= columns;
    return number;
  }
}

void TarKeys::Clear() {
  slots_.clear();
  used_ = 0;
}

uint32_t TarKeys::ColumnsOf(const TarSample& sample) {
  uint32_t columns = 0;
  for (const TarEntry& entry : sample.entries) {
    const auto known = std::find(columns_.begin(), columns_.end(), entry.column);
    const auto bit = static_cast<size_t>(known - columns_.begin());
    if (known == columns_.end() && bit < kColumns) columns_.push_back(entry.column);
    columns |= uint32_t{1} << std::min(bit, kColumns - 1);
  }
  return columns;
}

TarKeys::Slot& TarKeys::SlotOf(std::string_view key) {
  if (used_ >= slots_.size() / 4 * 3) Grow();
  const uint64_t hash = std::max<uint64_t>(Checksum64(AsBytes(key)), 1);
  Slot& slot = Find(hash);
  if (slot.key == 0) {
    slot.key = hash;
    ++used_;
  }
  return slot;
}

TarKeys::Slot& TarKeys::Find(uint64_t hash) {
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at].key != 0 && slots_[at].key != hash) at = (at + 1) & (slots_.size() - 1);
  return slots_[at];
}

void TarKeys::Grow() {
  std::vector<Slot> old(std::max(kFirstSlots, 2 * slots_.size()));
  std::swap(old, slots_);
  for (const Slot& slot : old) {
    if (slot.key != 0) Find(slot.key) = slot;
  }
}

}  // namespace ulhff
