// Bytes of a source that do not stand on disk as they are (compressed, encoded), in a temporary
// file that Locators can point into.
#ifndef ULHFF_CONVERTER_SPOOLED_FILE_H_
#define ULHFF_CONVERTER_SPOOLED_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "converter/options.h"
#include "ulhff/bytes.h"
#include "ulhff/file.h"

namespace ulhff {

// The file has no name in its directory, so it vanishes with this object, however the process ends;
// path() opens it as long as the object lives. It stands in the conversion's temporary
// directory. Throws std::system_error naming the directory.
class SpooledFile {
 public:
  explicit SpooledFile(const ConvertOptions& options);

  // Returns the offset of the first byte.
  uint64_t Append(ByteSpan bytes);
  // Zeros that take no room.
  void AppendHole(uint64_t size);
  uint64_t size() const { return size_; }
  // Precondition: Append was called.
  const std::string& path() const { return path_; }
  // Whether `path` is that of a spooled file, which may still grow after it was scanned.
  static bool IsSpooled(std::string_view path);
  // The mtime of everything in it: media take theirs from their file, and that must be one of the
  // source, or converting again would not give the same bytes. Holds until the next Append.
  void SetTime(int64_t mtime_ns);

 private:
  void Open();

  std::string dir_;
  UniqueFd file_;
  std::string path_;
  uint64_t size_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_SPOOLED_FILE_H_
