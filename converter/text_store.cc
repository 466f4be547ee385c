// A record is a head, and for each field its kind, a head by kind, its bytes.
#include "converter/text_store.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "converter/sort_key.h"

namespace ulhff {

namespace {

using Kind = StoredText::Kind;

struct PairHead {
  MediaId media;
  uint32_t size;  // of the whole record
  uint16_t split;
  uint16_t fields;
};

// Of a text in a file; the name (with its room) and the path follow. An inline text has its size as
// a u32 instead, then its bytes.
struct FileHead {
  uint64_t offset;
  uint64_t size;     // kToEnd: all the rest
  int64_t mtime_ns;  // kOfFile: that of the file
  StoredOrigin origin;
  const UlhffFile* part_file;
  uint64_t part_number;
  uint32_t name_size;
  uint32_t name_room;
  uint64_t path_size;
};
static_assert(sizeof(FileHead) == 80, "no padding: it is written as bytes");
constexpr uint64_t kToEnd = ~uint64_t{0};
constexpr int64_t kOfFile = std::numeric_limits<int64_t>::min();
// The names of --duplicates rename are longer than those they replace.
constexpr uint32_t kRenameRoom = 24;
// Records are read this much at a time, which gets nearly every one whole.
constexpr size_t kFront = 1024;

template <typename T>
void Put(std::string& record, const T& value) {
  record += AsText(Raw(value));
}

template <typename T>
T Take(ByteSpan& rest) {
  const auto value = LoadAt<T>(rest, 0);
  rest = rest.subspan(sizeof(T));
  return value;
}

std::string_view TakeText(ByteSpan& rest, uint64_t size, uint64_t room) {
  const std::string_view text = AsText(rest.first(size));
  rest = rest.subspan(room);
  return text;
}

void PutFile(std::string& record, const FileText& file, const StoredOrigin& origin) {
  const auto name_size = static_cast<uint32_t>(file.name.size());
  Put(record, FileHead{.offset = file.bytes.offset,
                       .size = file.bytes.size.value_or(kToEnd),
                       .mtime_ns = file.bytes.mtime_ns.value_or(kOfFile),
                       .origin = origin,
                       .part_file = file.bytes.part.file,
                       .part_number = file.bytes.part.number,
                       .name_size = name_size,
                       .name_room = name_size + kRenameRoom,
                       .path_size = file.bytes.path.size()});
  record.append(file.name).append(kRenameRoom, '\0').append(file.bytes.path);
}

StoredText TakeFile(ByteSpan& rest) {
  const auto head = Take<FileHead>(rest);
  StoredText text{.kind = Kind::kFile};
  text.name = TakeText(rest, head.name_size, head.name_room);
  text.file.path = TakeText(rest, head.path_size, head.path_size);
  text.file.offset = head.offset;
  if (head.size != kToEnd) text.file.size = head.size;
  if (head.mtime_ns != kOfFile) text.file.mtime_ns = head.mtime_ns;
  text.file.part = {head.part_file, TargetKind::kText, head.part_number};
  text.origin = head.origin;
  return text;
}

StoredText TakeField(ByteSpan& rest) {
  const auto kind = Take<Kind>(rest);
  if (kind == Kind::kFile) return TakeFile(rest);
  StoredText text{.kind = kind};
  if (kind == Kind::kInline) {
    const auto size = Take<uint32_t>(rest);
    text.bytes = TakeText(rest, size, size);
  }
  return text;
}

}  // namespace

uint64_t TextStore::Add(MediaId media, std::span<const Text> texts, uint64_t split,
                        const StoredOrigin& origin) {
  PairHead head{.media = media,
                .size = 0,
                .split = static_cast<uint16_t>(split),
                .fields = static_cast<uint16_t>(texts.size())};
  record_.clear();
  Put(record_, head);
  for (const Text& text : texts) {
    if (const auto* bytes = std::get_if<InlineText>(&text)) {
      Put(record_, Kind::kInline);
      Put(record_, static_cast<uint32_t>(bytes->bytes.size()));
      record_ += bytes->bytes;
    } else if (const auto* file = std::get_if<FileText>(&text)) {
      Put(record_, Kind::kFile);
      PutFile(record_, *file, origin);
    } else {
      Put(record_, Kind::kAbsent);
    }
  }
  // Implies that the sizes above were not cut.
  if (record_.size() > std::numeric_limits<uint32_t>::max()) {
    throw std::length_error("the texts of a pair take 4 GiB");
  }
  head.size = static_cast<uint32_t>(record_.size());
  record_.replace(0, sizeof(head), AsText(Raw(head)));
  return records_.Append(AsBytes(record_));
}

StoredPair TextStore::Read(uint64_t position) const {
  std::array<std::byte, kFront> front;
  const auto got = std::span(front).first(std::min<uint64_t>(kFront, records_.size() - position));
  records_.Read(position, got);
  ByteSpan rest = got;
  std::vector<std::byte> whole;
  if (const auto size = LoadAt<PairHead>(got, 0).size; size > got.size()) {
    whole.resize(size);
    records_.Read(position, whole);
    rest = whole;
  }
  const auto head = Take<PairHead>(rest);
  StoredPair pair{.media = head.media, .split = head.split, .texts = {}};
  pair.texts.reserve(head.fields);
  for (unsigned field = 0; field < head.fields; ++field) pair.texts.push_back(TakeField(rest));
  return pair;
}

// Renaming is rare, so it may read the whole record to find the place.
void TextStore::Rename(uint64_t position, size_t field, std::string_view name) {
  const StoredPair pair = Read(position);
  uint64_t at = position + sizeof(PairHead);
  for (size_t i = 0; i < field; ++i) {
    const StoredText& text = pair.texts[i];
    at += sizeof(Kind);
    if (text.kind == Kind::kInline) at += sizeof(uint32_t) + text.bytes.size();
    if (text.kind == Kind::kFile) {
      FileHead head{};
      records_.Read(at, RawOut(head));
      at += sizeof(head) + head.name_room + head.path_size;
    }
  }
  at += sizeof(Kind);
  FileHead head{};
  records_.Read(at, RawOut(head));
  if (name.size() > head.name_room) throw std::length_error("no room for a new name");
  head.name_size = static_cast<uint32_t>(name.size());
  records_.Overwrite(at, Raw(head));
  records_.Overwrite(at + sizeof(head), AsBytes(name));
}

}  // namespace ulhff
