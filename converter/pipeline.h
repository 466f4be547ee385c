// Runs a conversion: scan, look for duplicates, aggregate, finish.
#ifndef ULHFF_CONVERTER_PIPELINE_H_
#define ULHFF_CONVERTER_PIPELINE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "converter/container.h"
#include "converter/options.h"
#include "converter/progress.h"
#include "converter/report.h"
#include "converter/source.h"
#include "ulhff/format.h"

namespace ulhff {

struct NamedSource {
  std::unique_ptr<Source> source;
  std::string path;    // as given
  std::string prefix;  // directory of the source tree that its names go to; empty: the root
  ViewKind view = ViewKind::kSource;
};

// What a finished conversion has to tell.
struct ConversionResult {
  PairingType type{};
  uint64_t ratio = 0;  // texts per media, 0 if they differ
  uint64_t pairs = 0;
  uint64_t objects = 0;
  uint64_t texts = 0;  // that are not absent
  uint64_t extras = 0;
  uint64_t extra_bytes = 0;
  uint64_t media_bytes = 0;  // of all names
  SourceFacts source;
  uint64_t tables = 0;  // operands that were read but have no place in `source`
  uint64_t table_bytes = 0;
  FinishedFile file;
  double seconds = 0;
};

// Memory: 64 MiB, and about 22 bytes a media. The output is the same whatever options.threads is.
// Throws InputError, std::system_error (I/O), std::runtime_error (a file changed meanwhile),
// Interrupted; nothing is left behind then.
ConversionResult RunConversion(std::vector<NamedSource> operands, const ConvertOptions& options,
                               Report& report, Progress& progress);

// How many threads read, if options.threads does not say.
unsigned DefaultThreads();

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PIPELINE_H_
