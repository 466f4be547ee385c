// The Reader's calls by kind of part, its errors with names in them.
#include "converter/ulhff_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "converter/input_error.h"
#include "converter/node_namer.h"
#include "converter/printable.h"
#include "ulhff/checksum.h"
#include "ulhff/file.h"
#include "ulhff/format.h"

namespace ulhff {

namespace {

// Of sums read at once.
constexpr uint64_t kSumsPiece = uint64_t{1} << 20;

Node NodeOf(const UlhffPart& part) {
  switch (part.kind) {
    case TargetKind::kMedia:
      return Node(NodeKind::kMedia, part.number);
    case TargetKind::kText:
      return Node(NodeKind::kText, part.number);
    case TargetKind::kBlob:
      return Node(NodeKind::kBlob, part.number);
    case TargetKind::kDirectory:
      break;
  }
  return kRootNode;
}

Reader OpenReader(const std::string& path, uint64_t index_cache_bytes) {
  try {
    return Reader::Open(path,
                        {.mode = ReadMode::kBuffered, .index_cache_bytes = index_cache_bytes});
  } catch (const FormatError& e) {
    ThrowDamaged(path, "", e);
  }
}

}  // namespace

void ThrowDamaged(const std::string& path, std::string_view inside, const FormatError& error) {
  const std::string within = inside.empty() ? "" : Printable(inside) + ": ";
  throw InputError(
      fmt::format("{}: {}byte {}: {}", Printable(path), within, error.offset(), error.fault()));
}

UlhffFile::UlhffFile(const std::string& path, uint64_t index_cache_bytes)
    : reader_(OpenReader(path, index_cache_bytes)) {}

template <typename Fn>
auto UlhffFile::Guard(const UlhffPart& part, Fn fn) const {
  try {
    return fn();
  } catch (const FormatError& e) {
    ThrowDamaged(path(), NodeNamer(reader_).PathOf(NodeOf(part)), e);
  }
}

ObjectLayout UlhffFile::LayoutOf(const UlhffPart& part) const {
  if (part.kind == TargetKind::kMedia) return reader_.Object(part.number);
  if (part.kind == TargetKind::kBlob) return reader_.Blob(part.number);
  return reader_.ObjectOfText(part.number);
}

void UlhffFile::Read(const UlhffPart& part, uint64_t position, std::span<std::byte> out) const {
  Guard(part, [&] {
    if (part.kind == TargetKind::kMedia) return reader_.ReadMedia(part.number, position, out);
    if (part.kind == TargetKind::kBlob) return reader_.ReadBlob(part.number, position, out);
    return reader_.ReadText(part.number, position, out);
  });
}

uint64_t UlhffFile::Size(const UlhffPart& part) const {
  return Guard(part, [&] {
    const ObjectLayout layout = LayoutOf(part);
    if (part.kind != TargetKind::kText) return layout.media_size;
    return reader_.Text(layout, part.number).size;
  });
}

std::string_view UlhffFile::Extension(const UlhffPart& part) const {
  return Guard(part, [&] { return reader_.Extension(part.number); });
}

uint64_t UlhffFile::SumOfSums(const UlhffPart& part) const {
  return Guard(part, [&] {
    const ObjectLayout layout = LayoutOf(part);
    const bool is_text = part.kind == TargetKind::kText;
    uint64_t at = layout.offset +
                  (is_text ? layout.text_sum_position(part.number) : layout.media_sums_position());
    uint64_t left = kSumSize * (is_text ? 1 : layout.chunks());
    AlignedBuffer buffer;
    StreamChecksum sum;
    while (left > 0) {
      const uint64_t size = std::min(left, kSumsPiece);
      sum.Update(reader_.file().Read(at, size, buffer));
      at += size;
      left -= size;
    }
    return sum.Digest64();
  });
}

bool IsUlhffFile(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return false;
  std::array<std::byte, kMagic.size()> head{};
  const auto magic = std::as_bytes(std::span(kMagic));
  return PreadFull(fd.get(), head, 0, path) == head.size() &&
         std::equal(magic.begin(), magic.end(), head.begin());
}

bool SameSums(const UlhffPart& a, const UlhffPart& b) {
  const uint64_t size = a.file->Size(a);
  if (size != b.file->Size(b)) return false;
  // A text has one sum, a media one for each chunk.
  const bool a_text = a.kind == TargetKind::kText;
  const bool b_text = b.kind == TargetKind::kText;
  if (size == 0 || (a_text != b_text && size > kChunkSize)) return true;
  return a.file->SumOfSums(a) == b.file->SumOfSums(b);
}

}  // namespace ulhff
