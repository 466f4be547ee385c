// What a path of a source becomes in the source tree.
#ifndef ULHFF_CONVERTER_NAME_RULES_H_
#define ULHFF_CONVERTER_NAME_RULES_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace ulhff {

struct TreeName {
  std::string path;        // components of 1..255 bytes without NUL, joined by '/'; may be empty
  bool outside = false;    // was absolute or had ".."; these parts are left out
  bool shortened = false;  // a component was too long or held a NUL
};

// Drops "." and empty components. A component that no file system takes keeps what fits (cut
// between UTF-8 characters), a hash of the whole, and its extension.
TreeName MakeTreeName(std::string_view path);

// Another name beside `path`: "dir/a.jpg" -> "dir/a~2.jpg". Longer by at most 21 bytes.
std::string Renamed(std::string_view path, uint64_t number);

// What was renamed to this: "dir/a~2.jpg" -> "dir/a.jpg". A name that was shortened stays.
std::string BeforeRenamed(std::string_view path);

// The extension that an object keeps ("jpg" of "a/b.jpg"), empty where what follows the last dot
// does not look like one.
std::string_view ObjectExtension(std::string_view path);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_NAME_RULES_H_
