// A record is a head of fixed size, the name, the path.
#include "converter/file_list.h"

#include <array>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include "converter/sort_key.h"

namespace ulhff {

namespace {

struct Head {
  uint64_t offset;
  uint64_t size;
  int64_t mtime_ns;
  uint64_t device;
  uint64_t inode;
  FileStamp stamp;
  StoredOrigin origin;
  const UlhffFile* part_file;
  uint64_t part_number;
  uint64_t next_twin;
  uint32_t name_size;
  uint32_t path_size;
  uint32_t name_room;  // bytes kept for the name, at least name_size
  uint8_t to_end;
  uint8_t dropped;
  uint8_t is_alias;
  uint8_t has_aliases;
  uint8_t is_twin;
  TargetKind part_kind;
  std::array<uint8_t, 6> unused;
};
static_assert(sizeof(Head) == 128, "no padding: it is written as bytes");

// The names of --duplicates rename are longer than those they replace.
constexpr uint32_t kRenameRoom = 24;

uint32_t Size32(size_t size) {
  if (size > std::numeric_limits<uint32_t>::max() - kRenameRoom) {
    throw std::length_error("path of 4 GiB");
  }
  return static_cast<uint32_t>(size);
}

std::span<std::byte> Writable(std::string& text) {
  return std::as_writable_bytes(std::span(text.data(), text.size()));
}

FileRecord FromHead(const Head& head) {
  return {.name = std::string(head.name_room, '\0'),
          .path = std::string(head.path_size, '\0'),
          .offset = head.offset,
          .size = head.size,
          .to_end = head.to_end != 0,
          .mtime_ns = head.mtime_ns,
          .device = head.device,
          .inode = head.inode,
          .stamp = head.stamp,
          .origin = head.origin,
          .dropped = head.dropped != 0,
          .part = {head.part_file, head.part_kind, head.part_number},
          .is_alias = head.is_alias != 0,
          .has_aliases = head.has_aliases != 0,
          .is_twin = head.is_twin != 0,
          .next_twin = head.next_twin};
}

}  // namespace

uint64_t FileList::Add(const FileRecord& record) {
  const uint32_t name_size = Size32(record.name.size());
  const Head head{.offset = record.offset,
                  .size = record.size,
                  .mtime_ns = record.mtime_ns,
                  .device = record.device,
                  .inode = record.inode,
                  .stamp = record.stamp,
                  .origin = record.origin,
                  .part_file = record.part.file,
                  .part_number = record.part.number,
                  .next_twin = record.next_twin,
                  .name_size = name_size,
                  .path_size = Size32(record.path.size()),
                  .name_room = name_size + kRenameRoom,
                  .to_end = record.to_end,
                  .dropped = record.dropped,
                  .is_alias = record.is_alias,
                  .has_aliases = record.has_aliases,
                  .is_twin = record.is_twin,
                  .part_kind = record.part.kind,
                  .unused = {}};
  const uint64_t position = records_.Append(Raw(head));
  records_.Append(AsBytes(record.name + std::string(kRenameRoom, '\0')));
  records_.Append(AsBytes(record.path));
  ++count_;
  return position;
}

FileRecord FileList::Read(uint64_t position) const {
  // One read gets nearly every record whole.
  std::array<std::byte, 512> front;
  const auto got = std::span(front).first(std::min<uint64_t>(512, records_.size() - position));
  records_.Read(position, got);
  const auto head = LoadAt<Head>(got, 0);
  FileRecord record = FromHead(head);
  const uint64_t whole = sizeof(Head) + uint64_t{head.name_room} + head.path_size;
  if (whole <= got.size()) {
    const ByteSpan strings = got.subspan(sizeof(Head));
    record.name = AsText(strings.first(head.name_size));
    record.path = AsText(strings.subspan(head.name_room, head.path_size));
    return record;
  }
  records_.Read(position + sizeof(Head), Writable(record.name));
  records_.Read(position + sizeof(Head) + head.name_room, Writable(record.path));
  record.name.resize(head.name_size);
  return record;
}

bool FileList::HasName(uint64_t position, std::string_view name) const {
  Head head{};
  records_.Read(position, RawOut(head));
  if (head.dropped != 0 || head.name_size != name.size()) return false;
  std::string stored(head.name_size, '\0');
  records_.Read(position + sizeof(Head), Writable(stored));
  return stored == name;
}

void FileList::Drop(uint64_t position) {
  records_.Overwrite(position + offsetof(Head, dropped), Raw(uint8_t{1}));
}

void FileList::SetHasAliases(uint64_t position) {
  records_.Overwrite(position + offsetof(Head, has_aliases), Raw(uint8_t{1}));
}

void FileList::SetNextTwin(uint64_t position, uint64_t next_twin) {
  records_.Overwrite(position + offsetof(Head, next_twin), Raw(next_twin));
}

void FileList::Rename(uint64_t position, std::string_view name) {
  Head head{};
  records_.Read(position, RawOut(head));
  if (name.size() > head.name_room) throw std::length_error("no room for a new name");
  head.name_size = Size32(name.size());
  records_.Overwrite(position, Raw(head));
  records_.Overwrite(position + sizeof(Head), AsBytes(name));
}

std::optional<FileList::Cursor::Item> FileList::Cursor::Next() {
  if (cursor_.at_end()) return std::nullopt;
  const uint64_t position = cursor_.position();
  Head head{};
  cursor_.Read(RawOut(head));
  FileRecord record = FromHead(head);
  cursor_.Read(Writable(record.name));
  cursor_.Read(Writable(record.path));
  record.name.resize(head.name_size);
  return Item{position, std::move(record)};
}

}  // namespace ulhff
