// Opens a ULHFF 1 file and reads its objects, texts, blobs and attributes, verified
// (docs/format.md).
#ifndef ULHFF_SRC_READER_H_
#define ULHFF_SRC_READER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asr.h"
#include "bytes.h"
#include "file.h"
#include "format.h"

namespace ulhff {

class IndexBlocks;     // the verified 4 KiB blocks of the index, cached
class PackedSequence;  // §6.2 over IndexBlocks

struct FieldInfo {
  std::string name;
  std::string extension;
};

// Everything the superblock says.
struct Info {
  std::string path;
  std::string uuid;
  uint16_t major = 0, minor = 0;
  PairingType type{};
  IndexKind index{};
  ViewKind default_view{};
  uint64_t alignment = 0;  // bytes
  uint64_t pairs = 0, objects = 0, ratio = 0, blobs = 0, directories = 0, entries = 0;
  uint64_t media_bytes = 0, text_bytes = 0, file_bytes = 0;
  uint64_t index_bytes = 0;  // object table and pair index: the bytes that retrieval holds in
                             // memory once all of it was used
  uint64_t order_bytes = 0;
  uint64_t text_index_bytes = 0, name_bytes = 0;
  uint64_t duplicates_merged = 0, source_files = 0, source_bytes = 0;
  int64_t default_mtime_ns = 0;  // of nodes without a stored time, generated directories included
  std::vector<FieldInfo> fields;
  std::vector<std::string> extensions;
  std::vector<std::string> splits;
};

// Where an object lies; offsets are from the start of the file, positions from the start of the
// object.
struct ObjectLayout {
  uint64_t offset = 0;
  uint64_t size = 0;  // media, texts and sums
  uint64_t media_size = 0;
  uint64_t first_pair = 0;
  uint64_t pairs = 0;
  uint64_t first_text = 0;  // text number
  uint64_t texts_size = 0;  // bytes of all its texts
  uint64_t text_base = 0;   // TEXTS value of first_text
  uint64_t media_sums_position() const { return media_size + texts_size; }
  uint64_t text_sums_position() const {
    return media_sums_position() + (media_size + kChunkSize - 1) / kChunkSize * kSumSize;
  }
};

// A text within its object.
struct TextLayout {
  uint64_t position = 0;  // from the start of the object
  uint64_t size = 0;
  bool absent = false;
};

struct ReaderOptions {
  ReadMode mode = ReadMode::kDirect;
  uint64_t index_cache_bytes = uint64_t{8} << 20;
};

// Immutable after opening; any number of threads may use it without a lock of their own. Errors:
// FormatError (damage, with file offset), std::system_error (I/O). Numbers out of range are
// std::out_of_range. No call allocates on its healthy path once buffers have grown, except where a
// vector or string is returned.
class Reader {
 public:
  static Reader Open(const std::string& path,
                     const ReaderOptions& options = {});  // docs/format.md §9; reads <= 12 KiB
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  const Info& info() const;
  const InputFile& file() const;

  // --- retrieval (ASR) ---
  PairLocation Locate(uint64_t pair) const;    // pair -> object and slot
  ObjectLayout Object(uint64_t object) const;  // also: first pair and pair count
  ObjectLayout Blob(uint64_t blob) const;      // pairs = 0
  TextLayout Text(const ObjectLayout& object,
                  uint64_t text) const;  // `text` is a text number of this object

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
  // the end of the media, text or blob).
  size_t ReadMedia(uint64_t object, uint64_t position, std::span<std::byte> out) const;
  size_t ReadText(uint64_t text, uint64_t position,
                  std::span<std::byte> out) const;  // absent: 0 bytes
  size_t ReadBlob(uint64_t blob, uint64_t position, std::span<std::byte> out) const;
  // The whole object in one read, verified; the span is valid until `buffer` changes. media, texts,
  // sums as laid out by Object().
  ByteSpan ReadObject(const ObjectLayout& object, AlignedBuffer& buffer) const;
  // Checks bytes already read: chunk `chunk` of a media / one text of an object. Throw FormatError
  // with the offset of the damage.
  void VerifyChunk(const ObjectLayout& object, uint64_t chunk, ByteSpan bytes, uint64_t sum) const;
  void VerifyText(const ObjectLayout& object, const TextLayout& text, ByteSpan bytes,
                  uint64_t sum) const;

  // --- order and splits ---
  uint64_t PairAtSourcePosition(uint64_t position) const;
  uint64_t SplitPairs(uint64_t split) const;  // pairs in the split
  uint64_t PairInSplit(uint64_t split,
                       uint64_t number) const;  // number-th pair of the split, by pair id
  // The split of a pair and its number in it. O(splits * log runs).
  struct SplitNumber {
    uint64_t split, number;
  };
  SplitNumber SplitOf(uint64_t pair) const;

  // --- source tree (used by SourceView) ---
  struct Name {
    TargetKind kind;
    uint64_t number;
  };
  struct DirectoryInfo {
    uint64_t first_entry, entries, parent, children;
    int64_t mtime_ns;
  };
  DirectoryInfo Directory(uint64_t directory) const;
  std::optional<Name> FindName(uint64_t directory, std::string_view name) const;
  // Calls visit(name, target, position of the next entry) for the directory's entries from
  // `position` (0..entries) on until it returns false. `name` is valid during the call only.
  using NameVisitor = bool (*)(void* context, std::string_view name, Name target, uint64_t next);
  void ListNames(uint64_t directory, uint64_t position, NameVisitor visit, void* context) const;

  // --- for verify ---
  const IndexBlocks& index() const;

 private:
  class Impl;
  explicit Reader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_H_
