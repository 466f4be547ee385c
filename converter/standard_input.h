// A dataset that comes on standard input, kept on disk while it is converted.
#ifndef ULHFF_CONVERTER_STANDARD_INPUT_H_
#define ULHFF_CONVERTER_STANDARD_INPUT_H_

#include <memory>
#include <string_view>

#include "converter/options.h"
#include "converter/source.h"

namespace ulhff {

inline constexpr std::string_view kStandardInput = "-";  // as an operand

// Reads it to its end into --tmp-dir, then opens it as a tar. Throws std::system_error.
std::unique_ptr<Source> OpenStandardInput(const ConvertOptions& options);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_STANDARD_INPUT_H_
