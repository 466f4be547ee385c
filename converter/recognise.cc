// The order in which a source is recognised, and what happens when it can be read in two ways.
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "converter/foreign.h"
#include "converter/input_error.h"
#include "converter/magic.h"
#include "converter/overview.h"
#include "converter/source_kinds.h"
#include "converter/text_file.h"
#include "ulhff/file.h"
#include "ulhff/format.h"

namespace ulhff {
namespace {

std::string DescribeAll(const std::vector<Choice>& choices) {
  std::string text;
  for (const Choice& choice : choices) {
    const Reading& reading = choice.reading;
    text += fmt::format("\n  --from {}: {} ({}{} pair{})", reading.from, reading.why,
                        reading.estimated ? "about " : "", reading.pairs,
                        reading.pairs == 1 ? "" : "s");
  }
  return text;
}

// --from, or options that only tables and records have.
bool IsAsked(const SourceKind& kind, const ConvertOptions& options) {
  const std::string_view from = kind.from;
  if (!options.from.empty()) return from == KindAsked(options);
  constexpr std::string_view kWithColumns[] = {"ffrecord", "tfrecord", "mds", "tar", "table", "hf"};
  return !AsksForColumns(options) || std::find(std::begin(kWithColumns), std::end(kWithColumns),
                                               from) != std::end(kWithColumns);
}

std::string NothingFound(const Overview& operand, const ConvertOptions& options) {
  const auto kinds = SourceKinds();
  const auto asked = std::find_if(kinds.begin(), kinds.end(), [&](const SourceKind& kind) {
    return kind.from == KindAsked(options);
  });
  if (!options.from.empty() && asked == kinds.end()) {
    std::string names;
    for (const SourceKind& kind : kinds) names += fmt::format(" {}", kind.from);
    return fmt::format("--from {}: unknown; known are{}", options.from, names);
  }
  if (asked != kinds.end()) {
    return fmt::format("{}: nothing {} can be read as --from {}: {}", operand.path,
                       operand.is_directory ? "in it" : "of it", options.from, asked->summary);
  }
  if (operand.is_directory && operand.media == 0 && !operand.documents.empty()) {
    return fmt::format(
        "{}: no media in it; say with --media-root where those are that {} or another of its files "
        "names",
        operand.path, operand.documents.front());
  }
  return fmt::format("{}: {}; say what it is with --from (see --help)", operand.path,
                     operand.is_directory
                         ? "no media, no table and no annotations of a known kind in it"
                         : "neither a table nor annotations of a known kind");
}

// What a file is that no kind of source can be; empty: unknown.
std::string WhatItIs(const Overview& operand, const ConvertOptions& options) {
  if (operand.is_directory) return ForeignFormat(operand.path, true, options);
  std::array<std::byte, 64> bytes{};
  const UniqueFd fd(::open(operand.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return "";
  const ByteSpan head(bytes.data(), PreadFull(fd.get(), bytes, 0, operand.path));
  const auto magic = std::as_bytes(std::span(kMagic));
  if (head.size() >= magic.size() && std::equal(magic.begin(), magic.end(), head.begin())) {
    return "is a ULHFF file already (ulhff info tells what it holds)";
  }
  const std::string_view extension = SniffExtension(head);
  if (extension.empty() && LooksBinary(operand.path)) {
    return "is of a format that is not known; what writes a tar of its media and texts can be read "
           "with `ulhff convert - OUT.ulhff` (docs/sources.md)";
  }
  if (extension.empty()) return "";
  return fmt::format("is a single media ({}): name its directory, or a table", extension);
}

std::string Problem(const std::vector<Choice>& choices) {
  std::string text = choices.front().reading.problem;
  for (size_t i = 1; i < choices.size(); ++i) {
    if (!choices[i].reading.problem.empty()) continue;
    text += fmt::format("; or --from {}: {}", choices[i].reading.from, choices[i].reading.why);
  }
  return text;
}

// What another reading takes for its table or annotations is no text of the media beside it.
void LeaveToOthers(const Overview& operand, std::vector<Choice>& choices) {
  Reading& files = choices.back().reading;
  if (files.from != "files") return;
  for (const std::string& text : operand.alone_texts) {
    const bool taken = std::any_of(choices.begin(), choices.end() - 1, [&](const Choice& choice) {
      const auto& names = choice.reading.files;
      return std::find(names.begin(), names.end(), text) != names.end();
    });
    if (taken && files.pairs > 0) --files.pairs;
  }
}

std::vector<SourceKind> AllKinds() {
  std::vector<SourceKind> kinds{UlhffKind(), FfrecordKind(),    TfrecordKind(), MdsKind(),
                                TarKind(),   HuggingFaceKind(), KarpathyKind(), VqaKind(),
                                GqaKind(),   MsrvttKind(),      CocoKind(),     MsvdKind(),
                                SbuKind(),   TokenKind(),       TableKind(),    FilesKind()};
  const std::vector<SourceKind> known = KnownTableKinds();
  kinds.insert(kinds.end() - 1, known.begin(), known.end());
  return kinds;
}

}  // namespace

std::span<const SourceKind> SourceKinds() {
  static const std::vector<SourceKind> kinds = AllKinds();
  return kinds;
}

Choice Recognise(const std::string& path, const ConvertOptions& options) {
  const Overview operand = LookAt(path, options);
  // Such a file could be taken for a table with an odd first line.
  if (!operand.is_directory && options.from.empty()) {
    const std::string what = ForeignFormat(path, false, options);
    if (!what.empty()) throw UsageError(fmt::format("{}: {}", path, what));
  }
  std::vector<Choice> choices;
  for (const SourceKind& kind : SourceKinds()) {
    if (!IsAsked(kind, options)) continue;
    for (Reading& reading : kind.recognise(operand, options)) {
      choices.push_back({&kind, std::move(reading)});
    }
    // A file is what the first kind that knows it says; only a directory can hold several.
    if (!operand.is_directory && !choices.empty()) break;
  }
  const bool usable = std::any_of(choices.begin(), choices.end(), [](const Choice& choice) {
    return choice.reading.problem.empty();
  });
  if (const std::string what = usable ? "" : WhatItIs(operand, options); !what.empty()) {
    throw UsageError(fmt::format("{}: {}", path, what));
  }
  if (choices.empty()) throw UsageError(NothingFound(operand, options));
  LeaveToOthers(operand, choices);
  const auto with_pairs = std::stable_partition(
      choices.begin(), choices.end(),
      [](const Choice& c) { return c.reading.pairs > 0 && c.reading.problem.empty(); });
  // A reading with a problem has no pairs yet: a cut file, an unnamed column.
  if (with_pairs - choices.begin() > 1) {
    choices.erase(with_pairs, choices.end());
    throw UsageError(
        fmt::format("{}: can be read in several ways, choose one:{}", path, DescribeAll(choices)));
  }
  const Reading& first = choices.front().reading;
  if (first.broken) throw InputError(Problem(choices));
  if (!first.problem.empty()) throw UsageError(Problem(choices));
  return choices.front();
}

}  // namespace ulhff
