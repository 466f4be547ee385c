// A headline, a table of what matters, what was odd.
#include "converter/convert_summary.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "converter/index_text.h"
#include "converter/json_output.h"
#include "converter/output.h"
#include "converter/printable.h"
#include "converter/progress.h"

namespace ulhff {

namespace {

constexpr std::array kTypes = {"one-to-one", "fixed one-to-many", "hybrid one-to-many",
                               "uni-modal"};
constexpr size_t kExamplesInJson = 5;

const char* TypeOf(const ConversionResult& result) {
  return kTypes.at(static_cast<size_t>(result.type));
}

std::string DescribeType(const ConversionResult& result) {
  if (result.ratio > 1)
    return fmt::format("{} (1:{})", TypeOf(result), GroupedNumber(result.ratio));
  if (result.type != PairingType::kHybridOneToMany) return TypeOf(result);
  return fmt::format("{} (1:{:.2f} on average)", TypeOf(result),
                     static_cast<double>(result.pairs) / static_cast<double>(result.objects));
}

// Two digits, as the tables' size is estimated.
std::string RoughSize(uint64_t bytes) {
  constexpr std::array kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto size = static_cast<double>(bytes);
  size_t unit = 0;
  for (; size >= 1000; ++unit) size /= 1024;
  const double step = size < 10 ? 0.1 : size < 100 ? 1 : 10;
  return fmt::format("{:g} {}", std::round(size / step) * step, kUnits.at(unit));
}

std::string DescribeSize(const ConversionResult& result, bool estimated) {
  const uint64_t bytes_before = result.source.bytes + result.table_bytes;
  const auto before = static_cast<double>(bytes_before);
  const auto after = static_cast<double>(result.file.file_bytes);
  const double change = before > 0 ? (after - before) / before * 100 : 0;
  const std::string from =
      fmt::format("{} in {}", ReadableSize(bytes_before),
                  Counted(result.source.files + result.tables, "file", "files"));
  if (estimated) {
    return fmt::format("{} -> about {} in 1 file ({:+.0f} %)", from,
                       RoughSize(result.file.file_bytes), change);
  }
  std::string text = fmt::format("{} -> {} in 1 file", from, ReadableSize(result.file.file_bytes));
  if (before > 0) text += fmt::format(" ({:+.1f} %)", change);
  return text;
}

std::string DescribeTime(const ConversionResult& result) {
  const double bytes = static_cast<double>(result.source.bytes);
  const double seconds = std::max(result.seconds, 1e-3);
  return fmt::format(
      "{}, {}/s, {}/s", FormatTime(result.seconds),
      ReadableSize(static_cast<uint64_t>(bytes / seconds)),
      Counted(static_cast<uint64_t>(static_cast<double>(result.pairs) / seconds), "pair", "pairs"));
}

std::string Line(std::string_view label, std::string_view value) {
  return fmt::format("  {:<11} {}\n", label, value);
}

// What the counts of rules hold that the file does not; empty: nothing.
std::string_view MoreByRule(const ConvertOptions& options, const Report& report) {
  if (options.shards > 1) return " in all shards";
  const bool replaced =
      options.duplicates == OnDuplicate::kLast && report.count(Odd::kDuplicateName) > 0;
  return replaced ? " with those that --duplicates last left out" : "";
}

std::string OddLines(const Report& report, const ConvertOptions& options) {
  std::string text;
  for (size_t i = 0; i < kOddKinds; ++i) {
    const auto kind = static_cast<Odd>(i);
    const uint64_t count = report.count(kind);
    if (count == 0 || kind == Odd::kSharedTime) continue;  // which stands with the duplicates
    const OddKind& about = Describe(kind);
    const std::string& example = report.examples(kind).front();
    text += fmt::format("  {}: {}", Counted(count, about.singular, about.plural), example);
    if (count > 1) text += example.ends_with('.') ? " ..." : ", ...";
    const std::string remedy = RemedyOf(kind, options);
    if (!remedy.empty()) text += fmt::format(" ({})", remedy);
    text += '\n';
  }
  return text;
}

void Member(JsonOutput& json, const char* key, uint64_t value) {
  json.Key(key);
  json.Uint64(value);
}

void Member(JsonOutput& json, const char* key, const std::string& value) {
  json.Key(key);
  json.Bytes(value);
}

void WriteReadings(JsonOutput& json, const std::vector<ChosenReading>& readings) {
  json.Key("sources");
  json.StartArray();
  for (const ChosenReading& reading : readings) {
    json.StartObject();
    Member(json, "path", reading.source);
    Member(json, "from", reading.from);
    Member(json, "why", reading.why);
    json.EndObject();
  }
  json.EndArray();
}

void WriteNumbers(JsonOutput& json, const ConversionResult& result) {
  Member(json, "type", std::string(TypeOf(result)));
  Member(json, "pairs", result.pairs);
  Member(json, "objects", result.objects);
  Member(json, "ratio", result.ratio);
  Member(json, "texts", result.texts);
  Member(json, "duplicates_merged", result.source.duplicates_merged);
  Member(json, "extras", result.extras);
  Member(json, "extra_bytes", result.extra_bytes);
  Member(json, "source_files", result.source.files + result.tables);
  Member(json, "source_bytes", result.source.bytes + result.table_bytes);
  Member(json, "file_bytes", result.file.file_bytes);
  if (result.file.info) Member(json, "index_bytes", result.file.info->index_bytes);
  Member(json, "table_bytes", result.file.table_bytes);
  json.Key("seconds");
  json.Double(result.seconds);
}

void WriteOdd(JsonOutput& json, const Report& report) {
  json.Key("rules");
  json.StartObject();
  for (const auto& [rule, pairs] : report.rules()) Member(json, rule.c_str(), pairs);
  json.EndObject();
  json.Key("odd");
  json.StartArray();
  for (size_t i = 0; i < kOddKinds; ++i) {
    const auto kind = static_cast<Odd>(i);
    if (report.count(kind) == 0) continue;
    json.StartObject();
    Member(json, "kind", std::string(Describe(kind).key));
    Member(json, "count", report.count(kind));
    json.Key("examples");
    json.StartArray();
    const std::vector<std::string>& examples = report.examples(kind);
    for (size_t n = 0; n < std::min(examples.size(), kExamplesInJson); ++n) json.Bytes(examples[n]);
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace

std::string SummaryText(const ConversionResult& result, const ConvertOptions& options,
                        const Report& report) {
  std::string text =
      fmt::format("{}{}: {} of {}, {}\n\n", Printable(options.output),
                  options.dry_run ? " would be" : "", Counted(result.pairs, "pair", "pairs"),
                  Counted(result.objects, "media", "media"), DescribeType(result));
  for (const auto& [rule, pairs] : report.rules()) {
    text += Line("paired by",
                 fmt::format("{} ({}{})", rule, GroupedNumber(pairs), MoreByRule(options, report)));
  }
  if (result.source.duplicates_merged > 0) {
    const uint64_t times = report.count(Odd::kSharedTime);
    text += Line(
        "duplicates",
        fmt::format("{} merged with another of the same bytes{}",
                    Counted(result.source.duplicates_merged, "media file", "media files"),
                    times == 0 ? ""
                               : fmt::format(" ({} with other times, the first one's is shown)",
                                             GroupedNumber(times))));
  }
  if (result.extras > 0) {
    text += Line("others", fmt::format("{} besides media and texts, {}",
                                       Counted(result.extras, "file", "files"),
                                       ReadableSize(result.extra_bytes)));
  }
  text += Line("size", DescribeSize(result, options.dry_run));
  if (result.file.info) text += Line("index", DescribeIndex(*result.file.info));
  text += Line("time", DescribeTime(result));
  const std::string odd = OddLines(report, options);
  if (odd.empty()) return text;
  text += fmt::format("\nWorth a look:\n{}", odd);
  if (options.report.empty())
    text += "  --report FILE lists all of them; docs/sources.md explains them\n";
  return text;
}

std::string SummaryJson(const ConversionResult& result, const ConvertOptions& options,
                        const Report& report, const std::vector<ChosenReading>& readings) {
  JsonOutput json;
  json.StartObject();
  Member(json, "output", options.output);
  json.Key("dry_run");
  json.Bool(options.dry_run);
  if (!result.file.uuid.empty()) Member(json, "uuid", result.file.uuid);
  WriteReadings(json, readings);
  WriteNumbers(json, result);
  WriteOdd(json, report);
  json.EndObject();
  return json.Text();
}

}  // namespace ulhff
