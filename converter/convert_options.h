// The command line of `ulhff convert`.
#ifndef ULHFF_CONVERTER_CONVERT_OPTIONS_H_
#define ULHFF_CONVERTER_CONVERT_OPTIONS_H_

#include <optional>

#include "converter/options.h"

namespace ulhff {

// nullopt: --help was asked for and printed. Throws UsageError.
std::optional<ConvertOptions> ParseConvertOptions(int argc, char** argv);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_CONVERT_OPTIONS_H_
