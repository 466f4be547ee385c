// `ulhff convert`.
#include <optional>

#include "converter/commands.h"
#include "converter/convert_options.h"
#include "converter/run_conversion.h"

namespace ulhff {

int ConvertMain(int argc, char** argv) {
  const std::optional<ConvertOptions> options = ParseConvertOptions(argc, argv);
  if (!options) return kExitDone;
  return RunCommand("ulhff convert", *options, true);
}

}  // namespace ulhff
