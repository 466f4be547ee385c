// Opens a ULHFF 1 file and reads its objects, texts, blobs and attributes, verified
// (docs/format.md).
#ifndef ULHFF_SRC_READER_H_
#define ULHFF_SRC_READER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "asr.h"
#include "bytes.h"
#include "file.h"
#include "format.h"
#include "reader_info.h"
#include "reader_layout.h"
#include "shard_info.h"

namespace ulhff {

class NameTable;
class Sections;

struct ReaderOptions {
  // The page cache serves all who read the file. kDirect is faster where storage is fast and memory
  // is short, and for who caches what was read (docs/performance.md).
  ReadMode mode = ReadMode::kBuffered;
  uint64_t index_cache_bytes = uint64_t{8} << 20;
};

// Immutable after opening; any number of threads may use it without a lock of their own. Errors:
// FormatError (damage, with file offset), std::system_error (I/O). Numbers out of range are
// std::out_of_range. No call allocates on its healthy path once buffers have grown, except where a
// vector or string is returned.
class Reader {
 public:
  using Name = NameTarget;
  using DirectoryInfo = ulhff::DirectoryInfo;
  using SplitNumber = ulhff::SplitNumber;

  static Reader Open(const std::string& path,
                     const ReaderOptions& options = {});  // docs/format.md §9; reads <= 12 KiB
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  const Info& info() const;
  const InputFile& file() const;

  // --- retrieval (ASR) ---
  PairLocation Locate(uint64_t pair) const;        // pair -> object and slot
  ObjectLayout Object(uint64_t object) const;      // also: first pair and pair count
  ObjectLayout ObjectOfText(uint64_t text) const;  // the object that holds the text
  ObjectLayout Blob(uint64_t blob) const;          // pairs = 0
  // Precondition: `text` is one of the texts of `object`.
  TextLayout Text(const ObjectLayout& object, uint64_t text) const;

  // --- attributes, never touching the body ---
  std::string_view Extension(uint64_t object) const;
  uint64_t ObjectLinks(uint64_t object) const;  // names in the source tree
  uint64_t TextLinks(uint64_t text) const;
  uint64_t BlobLinks(uint64_t blob) const;
  int64_t ObjectTime(uint64_t object) const;  // mtime, ns
  int64_t TextTime(uint64_t text) const;
  int64_t BlobTime(uint64_t blob) const;

  // --- bytes, verified against their sums ---
  // Each returns how much of [position, position + out.size()) exists and was filled (less only at
  // the end of the media, text or blob; 0 if the text is absent). What `out` holds after an
  // exception means nothing.
  size_t ReadMedia(uint64_t object, uint64_t position, std::span<std::byte> out) const;
  size_t ReadText(uint64_t text, uint64_t position, std::span<std::byte> out) const;
  size_t ReadBlob(uint64_t blob, uint64_t position, std::span<std::byte> out) const;
  // The whole object or blob in one read, verified, laid out as its layout says; valid until
  // `buffer` changes. `buffer` grows to the object's size.
  ByteSpan ReadObject(const ObjectLayout& object, AlignedBuffer& buffer) const;
  // For bytes that were read without a Reader: throw FormatError, naming the place, unless the sum
  // computed is the one stored.
  void CheckChunk(const ObjectLayout& object, uint64_t chunk, uint64_t sum, uint64_t stored) const;
  void CheckText(const ObjectLayout& object, const TextLayout& text, uint64_t sum,
                 uint64_t stored) const;

  // --- order and splits ---
  uint64_t PairAtSourcePosition(uint64_t position) const;
  uint64_t SplitPairs(uint64_t split) const;  // pairs in the split
  // The number-th pair of the split, by pair id.
  uint64_t PairInSplit(uint64_t split, uint64_t number) const;
  // The split of a pair and its number in it; O(splits * log runs). Precondition: the file has
  // splits.
  SplitNumber SplitOf(uint64_t pair) const;

  // --- a part of a conversion (docs/format.md §6.7) ---
  std::optional<ShardInfo> Shard() const;  // nullopt: the file is no shard; may read a block
  // Where the pair at this source position stands in the whole source. Precondition: it is a shard.
  uint64_t ShardPosition(uint64_t position) const;

  // --- source tree (used by SourceView) ---
  DirectoryInfo Directory(uint64_t directory) const;
  std::optional<Name> FindName(uint64_t directory, std::string_view name) const;
  // Calls visit(name, target, position of the next entry) for the directory's entries from
  // `position` (0..entries) on until it returns false. `name` is valid during the call only.
  // `visit` may use the Reader.
  using NameVisitor = bool (*)(void* context, std::string_view name, Name target, uint64_t next);
  void ListNames(uint64_t directory, uint64_t position, NameVisitor visit, void* context) const;

  // --- for verify ---
  const Superblock& superblock() const;
  const Sections& sections() const;
  const NameTable& names() const;

 private:
  class Impl;
  explicit Reader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_H_
