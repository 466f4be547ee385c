// The order in which a source is recognised, and what happens when it can be read in two ways.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "converter/input_error.h"
#include "converter/overview.h"
#include "converter/source_kinds.h"

namespace ulhff {
namespace {

std::string DescribeAll(const std::vector<Choice>& choices) {
  std::string text;
  for (const Choice& choice : choices) {
    text += fmt::format("\n  --from {}: {} ({} pairs)", choice.reading.from, choice.reading.why,
                        choice.reading.pairs);
  }
  return text;
}

}  // namespace

std::span<const SourceKind> SourceKinds() {
  static const std::array kinds{FilesKind()};
  return kinds;
}

Choice Recognise(const std::string& path, const ConvertOptions& options) {
  const Operand operand = LookAt(path, options);
  const std::string wanted = options.from.substr(0, options.from.find(':'));
  std::vector<Choice> choices;
  for (const SourceKind& kind : SourceKinds()) {
    if (!wanted.empty() && wanted != kind.from) continue;
    for (Reading& reading : kind.recognise(operand, options)) {
      if (options.from.find(':') != std::string::npos && reading.from != options.from) continue;
      choices.push_back({&kind, std::move(reading)});
    }
  }
  if (choices.empty()) {
    throw UsageError(fmt::format(
        "{}: no media, table or annotation of a known kind found; choose with --from (see --help)",
        path));
  }
  const auto with_pairs = std::stable_partition(
      choices.begin(), choices.end(), [](const Choice& c) { return c.reading.pairs > 0; });
  if (with_pairs - choices.begin() > 1) {
    choices.erase(with_pairs, choices.end());
    throw UsageError(
        fmt::format("{}: can be read in several ways, choose one:{}", path, DescribeAll(choices)));
  }
  return choices.front();
}

}  // namespace ulhff
