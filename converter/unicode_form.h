// The normal forms of a name: the same letters, other bytes.
#ifndef ULHFF_CONVERTER_UNICODE_FORM_H_
#define ULHFF_CONVERTER_UNICODE_FORM_H_

#include <string>
#include <string_view>

namespace ulhff {

// Composed ("é" is one code point) and decomposed ("e" and an accent, as macOS writes names). Bytes
// that are no UTF-8 come back unchanged.
std::string ToNfc(std::string_view text);
std::string ToNfd(std::string_view text);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_UNICODE_FORM_H_
