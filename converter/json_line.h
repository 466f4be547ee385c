// Structured texts as one canonical JSON line (docs/sources.md).
#ifndef ULHFF_CONVERTER_JSON_LINE_H_
#define ULHFF_CONVERTER_JSON_LINE_H_

#include <span>
#include <string>
#include <string_view>

#include "converter/json_value.h"

namespace ulhff {

// The tokens of a JSON text as they stand, without the white space between them.
std::string CompactJson(std::string_view json);

// {"a":1,"b":"x"} of those `keys` that the object has, in this order.
std::string JsonLine(const JsonValue& object, std::span<const std::string_view> keys);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_JSON_LINE_H_
