// What is known of each kind of odd input: its name, its sentence, its option, whether it is an
// error.
#ifndef ULHFF_CONVERTER_ODD_H_
#define ULHFF_CONVERTER_ODD_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "converter/options.h"
#include "converter/source.h"

namespace ulhff {

struct OddKind {
  std::string_view key;       // in JSON
  std::string_view singular;  // after a count of 1: "media without text, kept"
  std::string_view plural;    // after any other count
  std::string_view remedy;    // an option, or what to do; may be empty
  bool warning;               // an error with --strict
};

inline constexpr size_t kOddKinds = static_cast<size_t>(Odd::kEmptyShard) + 1;

const OddKind& Describe(Odd kind);
// Which option helps, of those that were not given.
std::string RemedyOf(Odd kind, const ConvertOptions& options);
// Whether the options make it an error.
bool IsError(Odd kind, const ConvertOptions& options);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_ODD_H_
