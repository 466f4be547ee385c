// Reads the files of a source, and notices when one is not what the scan saw.
#ifndef ULHFF_CONVERTER_SOURCE_FILE_H_
#define ULHFF_CONVERTER_SOURCE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "converter/file_list.h"
#include "converter/text_store.h"
#include "ulhff/bytes.h"
#include "ulhff/checksum.h"
#include "ulhff/file.h"

namespace ulhff {

// Memory that is not cleared first.
struct Buffer {
  std::unique_ptr<std::byte[]> data;
  size_t size = 0;
  Buffer() = default;
  explicit Buffer(size_t bytes)
      : data(std::make_unique_for_overwrite<std::byte[]>(bytes)), size(bytes) {}
  std::span<std::byte> span() const { return {data.get(), size}; }
  ByteSpan bytes() const { return {data.get(), size}; }
};

// A media or an extra, open for reading. Positions count from the record's first byte. Reading a
// part of a ULHFF file checks its sums and throws InputError if it is damaged.
class SourceFile {
 public:
  // Throws std::system_error if it cannot be opened, std::runtime_error if its size or stamp is not
  // that of the record.
  explicit SourceFile(const FileRecord& record);

  uint64_t size() const { return size_; }
  // Precondition: the range lies within [0, size()). Throws as the constructor. Who reads the last
  // byte last knows that nothing was written to the file meanwhile.
  void Read(uint64_t position, std::span<std::byte> out) const;
  // The kernel may start reading this.
  void WillRead(uint64_t position, uint64_t size) const;

 private:
  void CheckUnchanged() const;

  std::string path_;
  uint64_t offset_;
  uint64_t size_;
  bool to_end_;
  FileStamp stamp_;
  UlhffPart part_;
  UniqueFd fd_;  // but of a part
};

Buffer ReadWhole(const FileRecord& record);
// XXH3-64 of the first, middle and last 4 KiB, or of all if that is less.
uint64_t SampleHash(const FileRecord& record);
Digest128 FullHash(const FileRecord& record);

// The bytes and mtime of a text in a file.
struct TextBytes {
  std::string bytes;
  int64_t mtime_ns = 0;
};
// Whether two parts of ULHFF files have the same bytes. Reads them unless their sums differ.
bool SameBytes(const Locator& a, const Locator& b);

// nullopt: more than `limit` bytes.
std::optional<TextBytes> ReadText(const StoredText& text, uint64_t limit);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_SOURCE_FILE_H_
