// zlib and libzstd directly, so that damage is known by its byte; what else there is by libarchive.
#include "converter/tar_decompress.h"

#include <archive.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "converter/archive_input.h"
#include "converter/interrupt.h"

namespace ulhff {
namespace {

constexpr size_t kPiece = size_t{64} << 10;

Compression KnownCompression(FileWindow& file) {
  const Compression found = CompressionOf(file.Read(0, std::min<uint64_t>(file.size(), 4)));
  return found == Compression::kZlib ? Compression::kNone : found;  // a guess, and never so
}

// Passes the bytes on as they come, until `limit` of them or somewhat more. nullopt: libarchive
// knows no compression of these.
std::optional<Decompressed> RunFilters(FileWindow& file, uint64_t limit,
                                       const std::function<void(ByteSpan)>& take) {
  const ArchivePtr reader = NewArchive();
  archive_read_support_filter_bzip2(reader.get());
  archive_read_support_filter_xz(reader.get());
  archive_read_support_filter_lz4(reader.get());
  archive_read_support_filter_lzip(reader.get());
  archive_read_support_format_raw(reader.get());
  ArchiveInput input(file, 0, file.size());
  archive_entry* entry = nullptr;
  const bool opened = input.Open(reader.get()) == ARCHIVE_OK &&
                      archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK;
  input.Rethrow();
  // What is not compressed can always be opened; the file itself counts as a filter.
  constexpr int kPlain = 1;
  const bool plain = opened && archive_filter_count(reader.get()) == kPlain;
  if (plain || file.size() == 0) return std::nullopt;
  Decompressed result;
  std::vector<std::byte> piece(kPiece);
  la_ssize_t got = opened ? 1 : -1;
  while (got > 0 && result.size < limit) {
    CheckInterrupt();
    got = archive_read_data(reader.get(), piece.data(), piece.size());
    input.Rethrow();
    if (got <= 0) break;
    take(std::span(piece).first(static_cast<size_t>(got)));
    result.size += static_cast<uint64_t>(got);
  }
  if (got < 0) {
    const char* what = archive_error_string(reader.get());
    result.damage = fmt::format("byte {}: {}", archive_filter_bytes(reader.get(), -1),
                                what != nullptr ? what : "damaged");
  }
  return result;
}

}  // namespace

std::optional<Decompressed> DecompressTar(FileWindow& file, const RecordContext& context) {
  const Compression compression = KnownCompression(file);
  if (compression != Compression::kNone) {
    return Decompress(file, compression, context.spool, context.max_spooled);
  }
  const uint64_t offset = context.spool.size();
  std::optional<Decompressed> result =
      RunFilters(file, context.max_spooled, [&](ByteSpan bytes) { context.spool.Append(bytes); });
  if (result) result->offset = offset;
  return result;
}

std::string DecompressTarHead(FileWindow& file, size_t size) {
  const Compression compression = KnownCompression(file);
  if (compression != Compression::kNone) return DecompressHead(file, compression, size);
  std::string head;
  if (RunFilters(file, size, [&](ByteSpan bytes) { head += AsText(bytes); })) {
    return head.substr(0, size);
  }
  return std::string(AsText(file.Read(0, std::min<uint64_t>(file.size(), size))));
}

}  // namespace ulhff
