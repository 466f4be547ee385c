// Refuses outputs that cannot be made, or whose making would destroy a part of the source.
#ifndef ULHFF_CONVERTER_OUTPUT_CHECK_H_
#define ULHFF_CONVERTER_OUTPUT_CHECK_H_

#include "converter/options.h"

namespace ulhff {

// Looks at OUT and --report before anything is read or written. Throws UsageError;
// std::system_error if OUT's directory cannot be written. What only the scan can find, a table that
// names OUT as a media, is left to the scan.
void CheckOutputs(const ConvertOptions& options);
// Whether OUT lies, or will, in a SOURCE directory.
bool OutputIsInside(const ConvertOptions& options);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_OUTPUT_CHECK_H_
