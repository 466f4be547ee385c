// Refuses options that would say nothing about the source.
#ifndef ULHFF_CONVERTER_OPTION_CHECK_H_
#define ULHFF_CONVERTER_OPTION_CHECK_H_

#include <string_view>
#include <vector>

#include "converter/options.h"

namespace ulhff {

// `kinds`: the values of --from of all sources, as recognised. Throws UsageError for an option that
// none of them heeds.
void CheckOptionsApply(const ConvertOptions& options, const std::vector<std::string_view>& kinds);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_OPTION_CHECK_H_
