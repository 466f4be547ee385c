// The order in which a source is recognised, and what happens when it can be read in two ways.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>

#include "converter/foreign.h"
#include "converter/input_error.h"
#include "converter/json_stream.h"
#include "converter/magic.h"
#include "converter/option_check.h"
#include "converter/output.h"
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
    text += fmt::format("\n  --from {}: {} ({}{} {})", reading.from, reading.why,
                        reading.estimated ? "about " : "", reading.pairs,
                        NounFor(reading.pairs, "pair", "pairs"));
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

bool IsKnownKind(std::string_view from) {
  const auto kinds = SourceKinds();
  return std::any_of(kinds.begin(), kinds.end(),
                     [from](const SourceKind& kind) { return from == kind.from; });
}

// All readings of all kinds that the options allow.
std::vector<Choice> ChoicesOf(const Overview& operand, const ConvertOptions& options) {
  std::vector<Choice> choices;
  for (const SourceKind& kind : SourceKinds()) {
    if (!IsAsked(kind, options)) continue;
    for (Reading& reading : kind.recognise(operand, options)) {
      choices.push_back({&kind, std::move(reading)});
    }
    // A file is what the first kind that knows it says; only a directory can hold several.
    if (!operand.is_directory && !choices.empty()) break;
  }
  return choices;
}

// What it is without the options that say what it is; nullopt: nothing that can be used.
std::optional<Choice> RecogniseFreely(const Overview& operand, ConvertOptions options) {
  const ConvertOptions none;
  options.from.clear();
  options.media_column = options.id_column = none.media_column;
  options.text_columns = options.media_templates = options.columns = none.columns;
  options.fields.clear();
  options.keep_columns = options.no_header = false;
  try {
    std::vector<Choice> choices = ChoicesOf(operand, options);
    const bool any_problem = std::any_of(choices.begin(), choices.end(), [](const Choice& choice) {
      return !choice.reading.problem.empty();
    });
    const auto with_pairs = std::find_if(choices.begin(), choices.end(), [](const Choice& choice) {
      return choice.reading.pairs > 0;
    });
    if (!any_problem && with_pairs != choices.end()) return *with_pairs;
    if (!any_problem && !choices.empty()) return choices.front();
  } catch (const std::exception&) {  // another option does not fit what it is: then nothing helps
  }
  return std::nullopt;
}

// For the end of a message; empty: --from was not given, or is not to blame.
std::string WithoutFrom(const Overview& operand, const ConvertOptions& options) {
  if (!IsKnownKind(KindAsked(options))) return "";
  const std::optional<Choice> choice = RecogniseFreely(operand, options);
  if (!choice || choice->kind->from == KindAsked(options)) return "";
  return fmt::format("; without --from it is read as {}: {}", choice->kind->from,
                     choice->reading.why);
}

// For the end of a message; empty: there are none.
std::string WithoutLinks(const Overview& operand, ConvertOptions options) {
  if (!operand.is_directory || operand.media > 0 || options.symlinks == OnSymlink::kFollow) {
    return "";
  }
  options.symlinks = OnSymlink::kFollow;
  const uint64_t media = LookAt(operand.path, options).media;
  if (media == 0) return "";
  return fmt::format("; --symlinks leaves out {}",
                     Counted(media, "media that a link leads to", "media that links lead to"));
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
  if (operand.media == 0 && operand.is_directory && !options.media_extensions.empty()) {
    ConvertOptions usual = options;
    usual.media_extensions.clear();
    const uint64_t media = LookAt(operand.path, usual).media;
    return fmt::format(
        "{}: no file in it has an extension of --media-ext {}; by the usual extensions there {} {} "
        "media",
        operand.path, fmt::join(options.media_extensions, ","), NounFor(media, "is", "are"), media);
  }
  if (operand.is_directory && operand.media == 0 && !operand.documents.empty()) {
    return fmt::format(
        "{}: no media in it; say with --media-root where those are that {} or another of its files "
        "names",
        operand.path, operand.documents.front());
  }
  return fmt::format("{}: {} (--help lists all)", operand.path,
                     operand.is_directory
                         ? "no media, no table and no annotations of a known kind in it; say what "
                           "it is with --from"
                         : "no dataset that is known: neither a table that names media nor "
                           "annotations; say what it is with --from, as in --from table");
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
  const TextFile text(operand.path);  // throws what it is, if UTF-16 or the like
  const std::string_view extension = SniffExtension(head);
  if (extension.empty() && LooksBinary(operand.path)) {
    return "is of a format that is not known; what writes a tar of its media and texts can be read "
           "with `ulhff convert - OUT.ulhff` (docs/sources.md)";
  }
  if (extension.empty()) return "";
  return fmt::format("is a single media ({}): name its directory, or a table", extension);
}

bool AnyUsable(const std::vector<Choice>& choices) {
  return std::any_of(choices.begin(), choices.end(),
                     [](const Choice& choice) { return choice.reading.problem.empty(); });
}

std::string Problem(const std::vector<Choice>& choices) {
  std::string text = choices.front().reading.problem;
  for (size_t i = 1; i < choices.size(); ++i) {
    if (!choices[i].reading.problem.empty()) continue;
    text += fmt::format("; or --from {}: {}", choices[i].reading.from, choices[i].reading.why);
  }
  return text;
}

// Captions of media without texts that only a library reads would be a file beside them without a
// word.
void CheckForeignCaptions(const Overview& operand, const Choice& choice,
                          const ConvertOptions& options) {
  const Reading& reading = choice.reading;
  if (!options.from.empty() || reading.from != "files" || reading.pairs > 0) return;
  const std::string what = ForeignFormat(operand.path, true, options);
  if (what.empty()) return;
  throw InputError(fmt::format(
      "{}: {}; or, if these are the captions of the media beside, write them as CSV or JSON Lines; "
      "or --from files: {}",
      operand.path, what, reading.why));
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

// The first fault in each JSON file that is not among those `read`: annotations may have been
// meant.
std::vector<std::string> MalformedJson(const Overview& operand,
                                       const std::vector<std::string>& read) {
  constexpr int kEntries = 100;
  std::vector<std::string> faults;
  for (const std::string& name : operand.documents) {
    const std::string extension = LowerAscii(SplitName(name).extension);
    if (extension != "json" && extension != "jsonl" && extension != "ndjson") continue;
    if (std::find(read.begin(), read.end(), name) != read.end()) continue;
    try {
      JsonStream json(JoinPath(operand.path, name));
      for (int i = 0; i < kEntries && json.Next() != nullptr; ++i) {
      }
    } catch (const InputError& error) {
      faults.emplace_back(error.what());
    }
  }
  return faults;
}

// --from KIND:FILE,... names files of the directory.
void CheckAskedFiles(const Overview& operand, const ConvertOptions& options) {
  if (!AsksForFiles(options)) return;
  if (!operand.is_directory) {
    throw UsageError(
        fmt::format("--from {}: names a file of a directory, but {} is a file: --from {}",
                    options.from, operand.path, KindAsked(options)));
  }
  for (const std::string& name : FilesAskedFor(operand.path, options)) {
    if (std::filesystem::exists(JoinPath(operand.path, name))) continue;
    throw UsageError(fmt::format("--from {}: {}: there is no such file", options.from,
                                 JoinPath(operand.path, name)));
  }
}

std::vector<SourceKind> AllKinds() {
  std::vector<SourceKind> kinds{
      UlhffKind(),    FfrecordKind(), TfrecordKind(), MdsKind(),      TarKind(),  HuggingFaceKind(),
      KarpathyKind(), VqaKind(),      GqaKind(),      MsrvttKind(),   CocoKind(), MsvdKind(),
      SbuKind(),      TokenKind(),    TableKind(),    LibriTtsKind(), FilesKind()};
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
  if (IsKnownKind(KindAsked(options))) CheckOptionsApply(options, {KindAsked(options)});
  const Overview operand = LookAt(path, options);
  CheckAskedFiles(operand, options);
  // Such a file could be taken for a table with an odd first line.
  if (!operand.is_directory && options.from.empty()) {
    const std::string what = ForeignFormat(path, false, options);
    if (!what.empty()) throw UsageError(fmt::format("{}: {}", path, what));
  }
  std::vector<Choice> choices = ChoicesOf(operand, options);
  const bool usable = AnyUsable(choices);
  const std::string other = usable ? "" : WithoutFrom(operand, options);
  if (const std::string what = usable || !other.empty() ? "" : WhatItIs(operand, options);
      !what.empty()) {
    throw UsageError(fmt::format("{}: {}", path, what));
  }
  const std::string end = usable ? "" : other + WithoutLinks(operand, options);
  if (choices.empty()) {
    // Options that mean nothing for what it is have their own message.
    const std::optional<Choice> free =
        options.from.empty() ? RecogniseFreely(operand, options) : std::nullopt;
    if (free) CheckOptionsApply(options, {free->kind->from});
    throw UsageError(NothingFound(operand, options) + end);
  }
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
  if (first.broken) throw InputError(Problem(choices) + end);
  if (!first.problem.empty()) throw UsageError(Problem(choices) + end);
  CheckForeignCaptions(operand, choices.front(), options);
  // --from files says that they are just files.
  if (KindAsked(options) != "files") {
    choices.front().reading.malformed = MalformedJson(operand, first.files);
  }
  return choices.front();
}

}  // namespace ulhff
