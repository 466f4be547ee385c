// Where bytes of a source stand, and where something about them was said.
#ifndef ULHFF_CONVERTER_LOCATOR_H_
#define ULHFF_CONVERTER_LOCATOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "ulhff/format.h"

namespace ulhff {

class UlhffFile;

// A media, text or blob of a ULHFF file (converter/ulhff_file.h), which checks what it reads and
// knows extensions.
struct UlhffPart {
  const UlhffFile* file = nullptr;  // must live until the conversion ends: SourceSink::Hold
  TargetKind kind = TargetKind::kMedia;
  uint64_t number = 0;
};

// Bytes in a file on disk: all of it, or a part (a record of a container, a spooled stream).
struct Locator {
  std::string path;
  uint64_t offset = 0;
  std::optional<uint64_t> size = std::nullopt;     // nullopt: to the end of the file
  std::optional<int64_t> mtime_ns = std::nullopt;  // if it is not that of the file
  UlhffPart part = {};                             // if part.file is set, it reads the bytes
};

// One field of a pair. Absent and empty differ.
struct Absent {};
struct InlineText {
  std::string_view bytes;  // valid during the call
};
struct FileText {
  std::string_view name;  // its path in the source tree; empty if it has none there
  Locator bytes;
};
using Text = std::variant<Absent, InlineText, FileText>;

// Where something was said, for messages: "captions.csv", line 12 (0: no line), byte offset (if
// known).
struct Origin {
  std::string_view file;
  uint64_t line = 0;
  std::optional<uint64_t> offset = std::nullopt;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_LOCATOR_H_
