// Operands that cannot work are found before anything is read.
#include "converter/run_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "converter/commands.h"
#include "converter/convert_summary.h"
#include "converter/input_error.h"
#include "converter/interrupt.h"
#include "converter/option_check.h"
#include "converter/output.h"
#include "converter/output_check.h"
#include "converter/pipeline.h"
#include "converter/printable.h"
#include "converter/progress.h"
#include "converter/report.h"
#include "converter/source.h"
#include "converter/standard_input.h"

namespace ulhff {

namespace {

namespace fs = std::filesystem;

// Of several directories each has its own name in the source tree, as `cp -r` would give it.
std::string PrefixOf(const std::string& source, const ConvertOptions& options) {
  if (options.sources.size() == 1 || !fs::is_directory(source)) return {};
  const fs::path path = fs::weakly_canonical(source);
  return path.filename().string();
}

// Files that are shards of one set.
bool IsSet(const std::vector<std::string>& paths, const std::vector<Choice>& choices) {
  const SourceKind* kind = choices.front().kind;
  if (paths.size() == 1 || kind->open_set == nullptr) return false;
  return std::all_of(choices.begin(), choices.end(),
                     [kind](const Choice& choice) { return choice.kind == kind; }) &&
         std::none_of(paths.begin(), paths.end(),
                      [](const std::string& path) { return fs::is_directory(path); });
}

std::vector<NamedSource> OpenSources(const ConvertOptions& options,
                                     std::vector<ChosenReading>& readings) {
  const std::vector<std::string>& paths = options.sources;
  std::vector<NamedSource> sources;
  if (std::find(paths.begin(), paths.end(), kStandardInput) != paths.end()) {
    if (paths.size() > 1) throw UsageError("standard input (-) must be the only SOURCE");
    CheckOptionsApply(options, {"tar"});
    readings.push_back({"standard input", "tar", "a tar is expected there"});
    sources.push_back({OpenStandardInput(options), "standard input", "", ViewKind::kPairs});
    return sources;
  }
  std::vector<Choice> choices;
  for (const std::string& path : paths) {
    choices.push_back(Recognise(path, options));
    const Reading& reading = choices.back().reading;
    readings.push_back({path, reading.from, reading.why, reading.is_table, reading.malformed});
  }
  std::vector<std::string_view> kinds;
  kinds.reserve(choices.size());
  for (const Choice& choice : choices) kinds.emplace_back(choice.kind->from);
  CheckOptionsApply(options, kinds);
  if (IsSet(paths, choices)) {
    const Choice& first = choices.front();
    readings.erase(readings.begin() + 1, readings.end());
    readings.front().why += fmt::format("; one set with the {} that follow", paths.size() - 1);
    sources.push_back(
        {first.kind->open_set(paths, options), paths.front(), "", first.reading.view});
    return sources;
  }
  for (size_t i = 0; i < paths.size(); ++i) {
    const auto& [kind, reading] = choices[i];
    sources.push_back({kind->open(paths[i], reading, options), paths[i],
                       PrefixOf(paths[i], options), reading.view});
  }
  return sources;
}

void TellReadings(const std::vector<ChosenReading>& readings) {
  for (const ChosenReading& reading : readings) {
    fmt::print(stderr, "{}: read as {}: {}\n", Printable(reading.source), reading.from,
               Printable(reading.why));
  }
}

int Convert(const ConvertOptions& options, bool tell_readings) {
  CheckOutputs(options);
  std::vector<ChosenReading> readings;
  std::vector<NamedSource> sources = OpenSources(options, readings);
  if (tell_readings && !options.quiet) TellReadings(readings);
  Report report(options);
  if (options.extras && OutputIsInside(options)) {
    report.Note(Odd::kOutputInside, options.output, {});
  }
  for (const ChosenReading& reading : readings) {
    for (const std::string& fault : reading.malformed) {
      report.Note(Odd::kMalformedJson, fault, {});
    }
  }
  Progress progress(options.quiet);
  ConversionResult result = RunConversion(std::move(sources), options, report, progress);
  for (const ChosenReading& reading : readings) {
    if (!reading.is_table) continue;
    ++result.tables;
    result.table_bytes += fs::file_size(reading.source);
  }
  report.Close();
  Output output;
  if (options.json) {
    output.Write(SummaryJson(result, options, report, readings));
  } else if (!options.quiet) {
    output.Write(SummaryText(result, options, report));
  }
  output.Flush();
  return kExitDone;
}

}  // namespace

int RunCommand(const char* command, const ConvertOptions& options, bool tell_readings) {
  const InterruptGuard guard;
  try {
    return Convert(options, tell_readings);
  } catch (const Interrupted&) {
    fmt::print(stderr, "{}: interrupted; {} is as it was, the same command starts over\n", command,
               Printable(options.output));
    throw;
  }
}

}  // namespace ulhff
