// Writes one ULHFF 1 file: objects and blobs as they come, then the index (docs/format.md).
#ifndef ULHFF_SRC_WRITER_H_
#define ULHFF_SRC_WRITER_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.h"
#include "format.h"
#include "shard_info.h"
#include "source_facts.h"

namespace ulhff {

struct FieldSpec {
  std::string name;       // "caption"; may be empty
  std::string extension;  // "txt"
};

// Every member has an initializer so that {.fields = ...} is no warning.
struct WriterOptions {
  unsigned alignment = 64;  // bytes, a power of two in 64..4096
  bool overwrite = false;   // replace an existing file when finished
  std::string tmp_dir{};    // for spilled index data; empty: the target's directory
  uint64_t sort_memory = uint64_t{16} << 20;  // bytes of names held before they are spilled
  ViewKind default_view = ViewKind::kSource;
  std::vector<FieldSpec> fields{};    // field 0 is the primary text; empty: uni-modal
  std::vector<std::string> splits{};  // empty: no splits
  int64_t default_mtime_ns = 0;
  std::optional<ShardInfo> shard{};  // the file is a part of a conversion (docs/format.md §6.7)
};

// What a name stands for. `number`: object, text number (pair * fields + field) or blob.
struct Target {
  TargetKind kind = TargetKind::kBlob;
  uint64_t number = 0;
};

inline constexpr uint64_t kNoOrigin = ~uint64_t{0};

// The same path was added for two targets, or one path is a file and another needs it as a
// directory.
class DuplicateName : public std::runtime_error {
 public:
  DuplicateName(std::string path, uint64_t first_origin, uint64_t second_origin);
  const std::string& path() const { return path_; }
  // The `origin`s given to AddName, in the order of the calls; kNoOrigin for a directory.
  uint64_t first_origin() const { return first_origin_; }
  uint64_t second_origin() const { return second_origin_; }

 private:
  std::string path_;
  uint64_t first_origin_;
  uint64_t second_origin_;
};

// Call order: objects (BeginObject, AppendMedia*, AddPair+, EndObject), then blobs; names,
// directories and the order may be added at any time before Finish. The same calls give the same
// bytes. Memory use does not grow with the dataset: options.sort_memory, small buffers, and 8 bytes
// for each text and each 256 KiB of the open object. Writes to a temporary file beside `path`
// (without a name where possible) that gets its name in Finish; a Writer that is destroyed
// unfinished leaves nothing. Errors: std::system_error (I/O), std::invalid_argument (limits of
// docs/format.md §10, bad order of calls), DuplicateName (Finish); after one of I/O or in Finish
// only the destructor may be called. Not thread-safe.
class Writer {
 public:
  Writer(const std::string& path, WriterOptions options);
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  // --- body
  // `extension` without the dot ("jpg"). Returns the object id.
  uint64_t BeginObject(std::string_view extension, std::optional<int64_t> mtime_ns = std::nullopt);
  void AppendMedia(ByteSpan bytes);
  // One pair of the open object, after all of its media: a text for each field (nullopt = absent).
  // Returns the pair id.
  uint64_t AddPair(std::span<const std::optional<ByteSpan>> texts, uint64_t split = 0,
                   std::span<const std::optional<int64_t>> mtimes_ns = {});
  void EndObject();

  uint64_t BeginBlob(std::optional<int64_t> mtime_ns = std::nullopt);
  void AppendBlob(ByteSpan bytes);
  void EndBlob();

  // --- the source's names and order
  // `path` is relative, components split by '/'; missing parents are made. `origin` comes back in
  // DuplicateName. The same path again for the same target is one name.
  void AddName(std::string_view path, Target target, uint64_t origin = kNoOrigin);
  // "" is the root. The last time given for a directory counts.
  void AddDirectory(std::string_view path, std::optional<int64_t> mtime_ns = std::nullopt);
  // The pair at the next position of the source's order. All N or none (then the order is that of
  // the pairs).
  void AppendOrder(uint64_t pair);
  // Of a shard, for each position of its order: where its pair stands in the whole source. Grows
  // strictly, below options.shard->positions.
  void AppendShardPosition(uint64_t position);

  void SetSourceFacts(const SourceFacts& facts);

  // Writes the index, syncs and puts the file in its place. Returns the uuid. Nothing may be called
  // after it.
  std::string Finish();

  uint64_t bytes_written() const;  // so far, for progress
  uint64_t pairs() const;
  uint64_t objects() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_H_
