// The value of one key of a JSON object that is in memory, as texts.
#ifndef ULHFF_CONVERTER_JSON_KEY_H_
#define ULHFF_CONVERTER_JSON_KEY_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ulhff {

struct JsonKeyTexts {
  // A string is its text, an element of a list a text each, anything else its raw JSON; nullopt: a
  // null in a list. None: null, an empty list, or no such key.
  std::vector<std::optional<std::string>> texts = {};
  std::string raw = {};    // all of it, if it is a list
  std::string error = {};  // not empty: this is no JSON object, and why
};
// Of equal keys the last one counts.
JsonKeyTexts TextsOfKey(std::string_view json, std::string_view key);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_JSON_KEY_H_
