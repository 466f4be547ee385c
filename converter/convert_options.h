// The command lines of `ulhff convert` and `ulhff merge`.
#ifndef ULHFF_CONVERTER_CONVERT_OPTIONS_H_
#define ULHFF_CONVERTER_CONVERT_OPTIONS_H_

#include <optional>

#include "converter/options.h"

namespace ulhff {

// nullopt: --help was asked for and printed. Throws UsageError.
std::optional<ConvertOptions> ParseConvertOptions(int argc, char** argv);

// That of `ulhff merge`; its alignment is 0 if --align is not given.
std::optional<ConvertOptions> ParseMergeOptions(int argc, char** argv);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_CONVERT_OPTIONS_H_
