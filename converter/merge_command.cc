// `ulhff merge`: a conversion of ULHFF files, all shards of another one or any others.
#include <sys/resource.h>

#include <optional>
#include <string>

#include "converter/commands.h"
#include "converter/convert_options.h"
#include "converter/run_conversion.h"
#include "converter/shard_set.h"
#include "converter/tmp_dir.h"

namespace ulhff {

namespace {

// All inputs are open at once, and a job array has many.
void AllowManyFiles() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

int MergeMain(int argc, char** argv) {
  std::optional<ConvertOptions> options = ParseMergeOptions(argc, argv);
  if (!options) return kExitDone;
  AllowManyFiles();
  MergeInputs inputs = LookAtInputs(options->sources, TemporaryDirectory(*options));
  options->sources = std::move(inputs.paths);
  options->whole_shards = inputs.are_shards;
  if (options->alignment == 0) options->alignment = inputs.alignment;
  return RunCommand("ulhff merge", *options, false);
}

}  // namespace ulhff
