// The text encodings of old pickles.
#ifndef ULHFF_CONVERTER_PICKLE_TEXT_H_
#define ULHFF_CONVERTER_PICKLE_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

namespace ulhff {

// Python's raw-unicode-escape (Latin-1 with \uXXXX and \UXXXXXXXX), as UTF-8. nullopt: a bad
// escape.
std::optional<std::string> DecodeRawUnicodeEscape(std::string_view bytes);

// A byte for each character of UTF-8. nullopt: there are others than U+0000 to U+00FF.
std::optional<std::string> EncodeLatin1(std::string_view utf8);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PICKLE_TEXT_H_
