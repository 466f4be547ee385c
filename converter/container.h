// Where a conversion writes to: a ULHFF file, or nowhere (--dry-run).
#ifndef ULHFF_CONVERTER_CONTAINER_H_
#define ULHFF_CONVERTER_CONTAINER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ulhff/bytes.h"
#include "ulhff/reader_info.h"
#include "ulhff/writer.h"

namespace ulhff {

struct FinishedFile {
  std::string uuid;                         // empty if nothing was written
  uint64_t file_bytes = 0;                  // exact, or expected
  uint64_t table_bytes = 0;                 // behind the body: the index and all other tables
  std::optional<Info> info = std::nullopt;  // if it was written
};

// The calls, their order and their errors are those of Writer (ulhff/writer.h).
class Container {
 public:
  virtual ~Container() = default;
  virtual uint64_t BeginObject(std::string_view extension, int64_t mtime_ns) = 0;
  virtual void AppendMedia(ByteSpan bytes) = 0;
  virtual uint64_t AddPair(std::span<const std::optional<ByteSpan>> texts, uint64_t split,
                           std::span<const std::optional<int64_t>> mtimes_ns) = 0;
  virtual void EndObject() = 0;
  virtual uint64_t BeginBlob(int64_t mtime_ns) = 0;
  virtual void AppendBlob(ByteSpan bytes) = 0;
  virtual void EndBlob() = 0;
  virtual void AddName(std::string_view path, Target target, uint64_t origin) = 0;
  virtual void AddDirectory(std::string_view path, int64_t mtime_ns) = 0;
  virtual void AppendOrder(uint64_t pair) = 0;
  virtual void AppendShardPosition(uint64_t position) = 0;
  virtual FinishedFile Finish(const SourceFacts& facts) = 0;
};

std::unique_ptr<Container> MakeFileContainer(const std::string& path, const WriterOptions& options);
// Takes everything, writes nothing, and tells how large the file would be: the body to the byte,
// the index roughly.
std::unique_ptr<Container> MakeDryContainer(const WriterOptions& options);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_CONTAINER_H_
