// Decides which piece of the file serves a request, and verifies what it hands out.
#include "pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>

#include "checksum.h"
#include "pool_pieces.h"
#include "pool_tails.h"

namespace ulhff {

namespace {

constexpr uint64_t kMinBytes = uint64_t{1} << 20;
constexpr uint64_t kMaxTail = uint64_t{1} << 20;  // texts and sums of an object, read together
constexpr uint64_t kMaxText = uint64_t{1} << 20;  // a text that is kept; greater ones are streamed
// Notes of a whole object: one for each of its chunks, and one.
constexpr uint64_t kMaxChunks = 63;
constexpr unsigned kTailKept = 63;
constexpr uint64_t kSumsPage = uint64_t{12} << 10;  // with what alignment adds it fits a frame
static_assert(kSumsPage + AlignedBuffer::kAlignment <= Frames::kSize);
static_assert(kSumsPage % kSumSize == 0);

// What a piece holds of its object.
enum class Part : uint64_t {
  kWhole,
  kTail,   // texts and sums
  kChunk,  // number: chunk of the media
  kText,   // number: text number
  kSums,   // number: page of the sums area
};

// Objects and blobs that hold any byte differ in their offsets.
PieceKey Key(const ObjectLayout& object, Part part, uint64_t number = 0) {
  return {object.offset, static_cast<uint64_t>(part) << 60 | number};
}

// A chunk or text that is a piece of its own. Positions are those of the object.
struct Slice {
  PieceKey key;
  uint64_t position;
  uint64_t size;
  uint64_t sum_position;
};

// The page of the sums area that holds the sum at `position`.
uint64_t SumsPage(const ObjectLayout& object, uint64_t position) {
  return (position - object.media_sums_position()) / kSumsPage;
}

// The sum stored at `position` of a piece.
uint64_t SumAt(const PieceCache::Ref& piece, uint64_t position) {
  Le<uint64_t> sum;
  piece.Copy(position, std::as_writable_bytes(std::span(&sum, 1)));
  return sum;
}

// Where the last read of each object ended. Many objects share a word, so it is a hint.
class LastReads {
 public:
  bool IsContinuedBy(const ObjectLayout& object, uint64_t position) const {
    return Word(object).load(std::memory_order_relaxed) == Mark(object, position);
  }
  void Note(const ObjectLayout& object, uint64_t end) {
    Word(object).store(Mark(object, end), std::memory_order_relaxed);
  }

 private:
  static uint64_t Mark(const ObjectLayout& object, uint64_t end) {
    return object.offset * 0x9E3779B97F4A7C15 + end;
  }
  std::atomic<uint64_t>& Word(const ObjectLayout& object) const {
    return words_[object.offset / 64 % words_.size()];
  }
  mutable std::array<std::atomic<uint64_t>, 1024> words_{};
};

}  // namespace

class ObjectPool::Impl {
 public:
  Impl(const Reader& reader, const PoolOptions& options)
      : reader_(reader),
        pieces_(reader.file(), std::max(options.bytes, kMinBytes)),
        max_whole_(std::min({options.whole_object, pieces_.max_size(), kMaxChunks * kChunkSize})),
        max_tail_(std::min(kMaxTail, pieces_.max_size())),
        max_text_(std::min(kMaxText, pieces_.max_size())),
        tails_(options.text_bytes) {}

  const Reader& reader() const { return reader_; }
  size_t ReadMedia(const ObjectLayout& object, uint64_t position, std::span<std::byte> out);
  size_t ReadText(const ObjectLayout& object, const TextLayout& text, uint64_t position,
                  std::span<std::byte> out);
  PieceStats stats() const { return pieces_.stats(); }

 private:
  using Ref = PieceCache::Ref;

  std::optional<Ref> WholeObject(const ObjectLayout& object, uint64_t position);
  void MediaFromWhole(const Ref& whole, const ObjectLayout& object, uint64_t position,
                      std::span<std::byte> out);
  void MediaByChunk(const ObjectLayout& object, uint64_t position, std::span<std::byte> out);
  bool TextFromTail(const ObjectLayout& object, const TextLayout& text, uint64_t position,
                    std::span<std::byte> out);
  Ref TextPiece(const ObjectLayout& object, const TextLayout& text, uint64_t& text_position);
  void KeepTail(const ObjectLayout& object, const Ref& piece, uint64_t begin);
  template <typename Check>
  Ref VerifiedSlice(const ObjectLayout& object, const Slice& slice, const Check& check);
  uint64_t StoredSum(const ObjectLayout& object, uint64_t position);

  const Reader& reader_;
  PieceCache pieces_;
  uint64_t max_whole_;
  uint64_t max_tail_;
  uint64_t max_text_;
  TailCache tails_;
  LastReads last_reads_;
};

size_t ObjectPool::Impl::ReadMedia(const ObjectLayout& object, uint64_t position,
                                   std::span<std::byte> out) {
  if (position >= object.media_size) return 0;
  out = out.first(std::min<uint64_t>(out.size(), object.media_size - position));
  if (const auto whole = WholeObject(object, position)) {
    MediaFromWhole(*whole, object, position, out);
    KeepTail(object, *whole, 0);
  } else {
    MediaByChunk(object, position, out);
  }
  last_reads_.Note(object, position + out.size());
  return out.size();
}

// The whole object, if it is there, is coming, or should be read for this request.
std::optional<PieceCache::Ref> ObjectPool::Impl::WholeObject(const ObjectLayout& object,
                                                             uint64_t position) {
  if (object.size > max_whole_) return std::nullopt;
  const PieceKey key = Key(object, Part::kWhole);
  const bool wanted = position == 0 || last_reads_.IsContinuedBy(object, position) ||
                      object.size <= kChunkSize;  // where no part is cheaper
  if (!wanted) return pieces_.Find(key);
  return pieces_.Get(key, {object.offset, object.size});
}

void ObjectPool::Impl::MediaFromWhole(const Ref& whole, const ObjectLayout& object,
                                      uint64_t position, std::span<std::byte> out) {
  if (out.empty()) return;
  const uint64_t last = (position + out.size() - 1) / kChunkSize;
  for (uint64_t chunk = position / kChunkSize; chunk <= last; ++chunk) {
    const auto note = static_cast<unsigned>(chunk);
    if (whole.noted(note)) continue;
    const uint64_t sum = whole.Checksum(chunk * kChunkSize, object.chunk_size(chunk));
    const uint64_t stored = SumAt(whole, object.media_sum_position(chunk));
    if (sum != stored) pieces_.Forget(Key(object, Part::kWhole));
    reader_.CheckChunk(object, chunk, sum, stored);
    whole.Note(note);
  }
  whole.Copy(position, out);
}

void ObjectPool::Impl::MediaByChunk(const ObjectLayout& object, uint64_t position,
                                    std::span<std::byte> out) {
  while (!out.empty()) {
    const uint64_t chunk = position / kChunkSize;
    const Slice slice = {Key(object, Part::kChunk, chunk), chunk * kChunkSize,
                         object.chunk_size(chunk), object.media_sum_position(chunk)};
    const uint64_t from = position - slice.position;
    const std::span<std::byte> part = out.first(std::min<uint64_t>(out.size(), slice.size - from));
    VerifiedSlice(object, slice, [&](uint64_t sum, uint64_t stored) {
      reader_.CheckChunk(object, chunk, sum, stored);
    }).Copy(from, part);
    position += part.size();
    out = out.subspan(part.size());
  }
}

size_t ObjectPool::Impl::ReadText(const ObjectLayout& object, const TextLayout& text,
                                  uint64_t position, std::span<std::byte> out) {
  if (position >= text.size) return 0;
  out = out.first(std::min<uint64_t>(out.size(), text.size - position));
  uint64_t text_position = 0;
  if (object.tail_size() > max_tail_ && text.size > max_text_) {
    return reader_.ReadText(text.number, position, out);
  }
  if (TextFromTail(object, text, position, out)) return out.size();
  TextPiece(object, text, text_position).Copy(text_position + position, out);
  return out.size();
}

// False also if the bytes kept are not what they should be: then the file is asked again.
bool ObjectPool::Impl::TextFromTail(const ObjectLayout& object, const TextLayout& text,
                                    uint64_t position, std::span<std::byte> out) {
  bool good = false;
  const bool found = tails_.Find(object.offset, [&](ByteSpan tail) {
    if (tail.size() != object.tail_size()) return;
    const ByteSpan bytes = tail.subspan(text.position - object.media_size, text.size);
    Le<uint64_t> stored;
    std::memcpy(&stored, &tail[object.text_sum_position(text.number) - object.media_size],
                sizeof(stored));
    good = Checksum64(bytes) == stored;
    if (good) std::memcpy(out.data(), &bytes[position], out.size());
  });
  if (found && !good) tails_.Forget(object.offset);
  return good;
}

// `begin`: where in the object the piece begins.
void ObjectPool::Impl::KeepTail(const ObjectLayout& object, const Ref& piece, uint64_t begin) {
  if (object.texts == 0 || object.tail_size() > tails_.max_size() || piece.noted(kTailKept)) return;
  tails_.Put(object.offset, object.tail_size(),
             [&](std::span<std::byte> tail) { piece.Copy(object.media_size - begin, tail); });
  piece.Note(kTailKept);
}

// A piece that holds the text, verified, from `text_position` on. Whole objects and tails have too
// many texts to note which were verified; as a text is short, it is verified each time.
PieceCache::Ref ObjectPool::Impl::TextPiece(const ObjectLayout& object, const TextLayout& text,
                                            uint64_t& text_position) {
  const auto check = [&](uint64_t sum, uint64_t stored) {
    reader_.CheckText(object, text, sum, stored);
  };
  const auto checked = [&](Ref piece, Part part, uint64_t begin) {
    text_position = text.position - begin;
    const uint64_t sum = piece.Checksum(text_position, text.size);
    const uint64_t stored = SumAt(piece, object.text_sum_position(text.number) - begin);
    if (sum != stored) pieces_.Forget(Key(object, part));
    check(sum, stored);
    KeepTail(object, piece, begin);
    return piece;
  };
  if (auto whole = pieces_.Find(Key(object, Part::kWhole))) {
    return checked(std::move(*whole), Part::kWhole, 0);
  }
  const uint64_t tail = object.tail_size();
  const uint64_t begin = object.media_size;
  if (tail <= max_tail_) {
    // What we cannot keep for long, the page cache may.
    const PieceRange range = {object.offset + begin, tail, Caching::kPages};
    return checked(pieces_.Get(Key(object, Part::kTail), range), Part::kTail, begin);
  }
  text_position = 0;
  return VerifiedSlice(object,
                       {Key(object, Part::kText, text.number), text.position, text.size,
                        object.text_sum_position(text.number)},
                       check);
}

// Its sum stands in a page of the sums area, a piece too; one piece is held at a time.
template <typename Check>
PieceCache::Ref ObjectPool::Impl::VerifiedSlice(const ObjectLayout& object, const Slice& slice,
                                                const Check& check) {
  if (auto piece = pieces_.Find(slice.key); piece && piece->noted(0)) return std::move(*piece);
  const uint64_t stored = StoredSum(object, slice.sum_position);
  Ref piece = pieces_.Get(slice.key, {object.offset + slice.position, slice.size});
  const uint64_t sum = piece.Checksum(0, slice.size);
  if (sum != stored) {
    pieces_.Forget(slice.key);
    pieces_.Forget(Key(object, Part::kSums, SumsPage(object, slice.sum_position)));
  }
  check(sum, stored);
  piece.Note(0);
  return piece;
}

uint64_t ObjectPool::Impl::StoredSum(const ObjectLayout& object, uint64_t position) {
  const uint64_t page = SumsPage(object, position);
  const uint64_t begin = object.media_sums_position() + page * kSumsPage;
  const PieceRange range = {object.offset + begin, std::min(kSumsPage, object.size - begin)};
  return SumAt(pieces_.Get(Key(object, Part::kSums, page), range), position - begin);
}

ObjectPool::ObjectPool(const Reader& reader, const PoolOptions& options)
    : impl_(std::make_unique<Impl>(reader, options)) {}
ObjectPool::~ObjectPool() = default;

size_t ObjectPool::ReadMedia(uint64_t object, uint64_t position, std::span<std::byte> out) {
  return impl_->ReadMedia(impl_->reader().Object(object), position, out);
}

size_t ObjectPool::ReadText(uint64_t text, uint64_t position, std::span<std::byte> out) {
  const ObjectLayout object = impl_->reader().ObjectOfText(text);
  return impl_->ReadText(object, impl_->reader().Text(object, text), position, out);
}

size_t ObjectPool::ReadBlob(uint64_t blob, uint64_t position, std::span<std::byte> out) {
  return impl_->ReadMedia(impl_->reader().Blob(blob), position, out);
}

PoolStats ObjectPool::stats() const {
  const PieceStats stats = impl_->stats();
  return {stats.reads, stats.read_bytes, stats.hits, stats.waits};
}

}  // namespace ulhff
