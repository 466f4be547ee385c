// Chooses the reads that fetch a range together with the sums that cover it.
#include "reader_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "checksum.h"
#include "error.h"
#include "format.h"
#include "reader_superblock.h"

namespace ulhff {

namespace {

constexpr uint64_t kPieceChunks = 4;
constexpr uint64_t kPiece = kPieceChunks * kChunkSize;  // bytes read at once
constexpr uint64_t kMaxGap = kChunkSize / 2;            // read over rather than read twice

// Copies what of [position, position + out.size()) lies in `bytes`, whose first is at `begin`.
void CopyOverlap(ByteSpan bytes, uint64_t begin, uint64_t position, std::span<std::byte> out) {
  const uint64_t from = std::max(begin, position);
  const uint64_t to = std::min(begin + bytes.size(), position + out.size());
  if (from < to)
    std::memcpy(out.data() + (from - position), bytes.data() + (from - begin), to - from);
}

uint64_t SumAt(ByteSpan bytes, uint64_t pos) { return LoadAt<Le<uint64_t>>(bytes, pos); }

}  // namespace

size_t BodyReader::ReadMedia(const ObjectLayout& object, uint64_t position,
                             std::span<std::byte> out) const {
  if (position >= object.media_size) return 0;
  const size_t size = std::min<uint64_t>(out.size(), object.media_size - position);
  if (size == 0) return 0;
  const uint64_t last = (position + size - 1) / kChunkSize;
  for (uint64_t chunk = position / kChunkSize; chunk <= last; chunk += kPieceChunks) {
    ReadChunks(object, chunk, std::min(kPieceChunks, last - chunk + 1), position, out.first(size));
  }
  return size;
}

// Chunks and their sums come in one read where little lies between them, else in two.
void BodyReader::ReadChunks(const ObjectLayout& object, uint64_t first, uint64_t count,
                            uint64_t position, std::span<std::byte> out) const {
  thread_local AlignedBuffer buffer;
  thread_local AlignedBuffer sums_buffer;
  const uint64_t begin = first * kChunkSize;
  const uint64_t size = std::min(count * kChunkSize, object.media_size - begin);
  const uint64_t sums_at = object.media_sum_position(first);
  const uint64_t gap = sums_at - (begin + size);
  const uint64_t sums_size = count * kSumSize;

  ByteSpan sums;
  ByteSpan media;
  if (gap <= kMaxGap) {
    media = file_.Read(object.offset + begin, size + gap + sums_size, buffer);
    sums = media.subspan(size + gap);
    media = media.first(size);
  } else {
    sums = file_.Read(object.offset + sums_at, sums_size, sums_buffer);
    media = file_.Read(object.offset + begin, size, buffer);
  }
  for (uint64_t i = 0; i < count; ++i) {
    const ByteSpan bytes = media.subspan(i * kChunkSize, object.chunk_size(first + i));
    CheckChunk(object, first + i, Checksum64(bytes), SumAt(sums, i * kSumSize));
  }
  CopyOverlap(media, begin, position, out);
}

size_t BodyReader::ReadText(const ObjectLayout& object, const TextLayout& text, uint64_t position,
                            std::span<std::byte> out) const {
  if (position >= text.size) return 0;
  thread_local AlignedBuffer buffer;
  const std::span<std::byte> wanted =
      out.first(std::min<uint64_t>(out.size(), text.size - position));
  const uint64_t sum_at = object.text_sum_position(text.number);
  const uint64_t to_sum = sum_at - text.position;
  if (to_sum > kPiece) {
    StreamText(object, text, position, wanted);
  } else {
    const ByteSpan bytes = file_.Read(object.offset + text.position, to_sum + kSumSize, buffer);
    CheckText(object, text, Checksum64(bytes.first(text.size)), SumAt(bytes, to_sum));
    CopyOverlap(bytes.first(text.size), 0, position, wanted);
  }
  return wanted.size();
}

void BodyReader::StreamText(const ObjectLayout& object, const TextLayout& text, uint64_t position,
                            std::span<std::byte> out) const {
  thread_local AlignedBuffer buffer;
  thread_local StreamChecksum sum;
  sum.Reset();
  for (uint64_t begin = 0; begin < text.size; begin += kPiece) {
    const uint64_t size = std::min(kPiece, text.size - begin);
    const ByteSpan bytes = file_.Read(object.offset + text.position + begin, size, buffer);
    sum.Update(bytes);
    CopyOverlap(bytes, begin, position, out);
  }
  const ByteSpan stored =
      file_.Read(object.offset + object.text_sum_position(text.number), kSumSize, buffer);
  CheckText(object, text, sum.Digest64(), SumAt(stored, 0));
}

void BodyReader::CheckChunk(const ObjectLayout& object, uint64_t chunk, uint64_t sum,
                            uint64_t stored) const {
  if (sum == stored) return;
  ThrowMalformed(
      file_, object.offset + chunk * kChunkSize,
      fmt::format("media chunk {}: checksum {:016x}, {:016x} stored", chunk, sum, stored));
}

void BodyReader::CheckText(const ObjectLayout& object, const TextLayout& text, uint64_t sum,
                           uint64_t stored) const {
  if (sum == stored) return;
  ThrowMalformed(
      file_, object.offset + text.position,
      fmt::format("text {}: checksum {:016x}, {:016x} stored", text.number, sum, stored));
}

}  // namespace ulhff
