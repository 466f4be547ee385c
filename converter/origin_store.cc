// A file's name is stored when it differs from the one before.
#include "converter/origin_store.h"

#include <fmt/format.h>

#include "converter/printable.h"
#include "converter/sort_key.h"

namespace ulhff {

StoredOrigin OriginStore::Put(const Origin& origin) {
  if (files_.size() == 0 || origin.file != last_file_) {
    last_file_ = origin.file;
    const uint64_t size = last_file_.size();
    last_position_ = files_.Append(Raw(size));
    files_.Append(AsBytes(last_file_));
  }
  return {last_position_, origin.line, origin.offset.value_or(StoredOrigin::kNone)};
}

OwnedOrigin OriginStore::Read(const StoredOrigin& origin) const {
  uint64_t size = 0;
  files_.Read(origin.file, RawOut(size));
  OwnedOrigin owned{.file = std::string(size, '\0'), .line = origin.line, .offset = {}};
  files_.Read(origin.file + sizeof(size), std::as_writable_bytes(std::span(owned.file)));
  if (origin.offset != StoredOrigin::kNone) owned.offset = origin.offset;
  return owned;
}

std::string DescribeOrigin(const Origin& origin) {
  std::string file = Printable(origin.file);
  if (origin.line != 0) return fmt::format("{}:{}", file, origin.line);
  if (origin.offset) return fmt::format("{}: byte {}", file, *origin.offset);
  return file;
}

Origin PlaceOf(const std::string& path, const Origin& origin) {
  if (origin.line != 0 || origin.offset) return origin;
  return {.file = path, .line = 0, .offset = std::nullopt};
}

}  // namespace ulhff
