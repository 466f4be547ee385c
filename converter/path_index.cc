// Linear probing over a power of two of slots.
#include "converter/path_index.h"

#include <stdexcept>

#include "ulhff/checksum.h"

namespace ulhff {

namespace {

// 40 bits address a terabyte of names; the tag spares all but 2^-24 of the needless comparisons.
constexpr unsigned kTagBits = 24;
constexpr uint64_t kTagMask = (uint64_t{1} << kTagBits) - 1;
constexpr uint64_t kMaxPosition = (uint64_t{1} << (64 - kTagBits)) - 2;
constexpr size_t kFirstSlots = 1024;

// The table uses the hash's low bits.
uint64_t Tag(uint64_t hash) { return hash >> (64 - kTagBits); }
uint64_t Position(uint64_t slot) { return (slot >> kTagBits) - 1; }

uint64_t Slot(uint64_t hash, uint64_t position) {
  if (position > kMaxPosition) throw std::length_error("more than 1 TiB of media names");
  return (position + 1) << kTagBits | Tag(hash);
}

}  // namespace

uint64_t PathIndex::DefaultHash(std::string_view name) { return Checksum64(AsBytes(name)); }

PathIndex::PathIndex(const FileList& list, Hash hash)
    : list_(&list), hash_(hash), slots_(kFirstSlots) {}

size_t PathIndex::FindSlot(std::string_view name, uint64_t hash) const {
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at] != 0) {
    const uint64_t slot = slots_[at];
    if ((slot & kTagMask) == Tag(hash) && list_->HasName(Position(slot), name)) break;
    at = (at + 1) & (slots_.size() - 1);
  }
  return at;
}

std::optional<uint64_t> PathIndex::Find(std::string_view name) const {
  const uint64_t slot = slots_[FindSlot(name, hash_(name))];
  if (slot == 0) return std::nullopt;
  return Position(slot);
}

void PathIndex::Insert(std::string_view name, uint64_t position) {
  if (++used_ > slots_.size() / 4 * 3) {
    Grow();  // places `position` too: it is in the list
  } else {
    Place(hash_(name), position);
  }
}

void PathIndex::Replace(std::string_view name, uint64_t position) {
  const uint64_t hash = hash_(name);
  slots_[FindSlot(name, hash)] = Slot(hash, position);
}

void PathIndex::Place(uint64_t hash, uint64_t position) {
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = Slot(hash, position);
}

void PathIndex::Grow() {
  const size_t size = slots_.size() * 2;
  slots_ = std::vector<uint64_t>();  // freed first: the names are on disk
  slots_.resize(size);
  FileList::Cursor records(*list_);
  while (const auto item = records.Next()) {
    const FileRecord& record = item->record;
    if (!record.dropped && !record.is_twin && !record.name.empty()) {
      Place(hash_(record.name), item->position);
    }
  }
}

}  // namespace ulhff
