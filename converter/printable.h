// Shows untrusted bytes to a person: nothing of them can steer a terminal or break a line.
#ifndef ULHFF_CONVERTER_PRINTABLE_H_
#define ULHFF_CONVERTER_PRINTABLE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "ulhff/json_text.h"

namespace ulhff {

inline constexpr size_t kWholePath = ~size_t{0};  // as `limit`: nothing is cut

// Printable UTF-8 as it is, control characters and bytes that are no UTF-8 as \xNN, a backslash as
// it is. More than `limit` bytes are cut in the middle.
std::string Printable(std::string_view bytes, size_t limit = 200);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PRINTABLE_H_
