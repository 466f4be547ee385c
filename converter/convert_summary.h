// What `ulhff convert` says at its end, to a person or a program.
#ifndef ULHFF_CONVERTER_CONVERT_SUMMARY_H_
#define ULHFF_CONVERTER_CONVERT_SUMMARY_H_

#include <string>
#include <vector>

#include "converter/options.h"
#include "converter/pipeline.h"
#include "converter/report.h"

namespace ulhff {

// How an operand was read.
struct ChosenReading {
  std::string source;
  std::string from;
  std::string why;
  bool is_table = false;
  std::vector<std::string> malformed = {};  // as Reading::malformed
};

std::string SummaryText(const ConversionResult& result, const ConvertOptions& options,
                        const Report& report);
std::string SummaryJson(const ConversionResult& result, const ConvertOptions& options,
                        const Report& report, const std::vector<ChosenReading>& readings);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_CONVERT_SUMMARY_H_
