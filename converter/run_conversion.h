// What `ulhff convert` and `ulhff merge` do once they know their options.
#ifndef ULHFF_CONVERTER_RUN_CONVERSION_H_
#define ULHFF_CONVERTER_RUN_CONVERSION_H_

#include "converter/options.h"

namespace ulhff {

// Checks the operands, opens the sources, runs the pipeline, prints the result. Returns the exit
// code. `command` ("ulhff convert") is for messages; `tell_readings`: how each source was read.
int RunCommand(const char* command, const ConvertOptions& options, bool tell_readings);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_RUN_CONVERSION_H_
