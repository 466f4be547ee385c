// Recognises tables and Hugging Face folders by their first rows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "converter/input_error.h"
#include "converter/overview.h"
#include "converter/source_kinds.h"
#include "converter/table_source.h"

namespace ulhff {
namespace {

// One table that was looked at.
struct Candidate {
  std::string name;
  std::vector<std::string> columns;
  TablePlan plan;
};

bool IsHuggingFaceMetadata(const std::string& name) {
  const std::string_view base = BaseName(name);
  return base == "metadata.csv" || base == "metadata.jsonl";
}

std::string PathOf(const Overview& operand, const std::string& name) {
  return operand.is_directory ? JoinPath(operand.path, name) : operand.path;
}

// Texts that happen to have a delimiter in their first line are no tables.
bool IsPlainText(const std::string& name, const TablePeek& peek) {
  if (LowerAscii(SplitName(BaseName(name)).extension) != "txt") return false;
  return std::none_of(peek.columns.begin(), peek.columns.end(), IsTextColumnName);
}

Candidate Examine(const Overview& operand, const std::string& name, bool hugging_face,
                  const ConvertOptions& options, MediaFinder& finder) {
  Candidate candidate;
  candidate.name = name;
  const std::string path = PathOf(operand, name);
  const std::string base(operand.is_directory ? ParentPath(name) : "");
  const TableDialect dialect = DialectOf(path, options);
  const TablePeek peek = PeekTable(path, dialect);
  candidate.columns = peek.columns;
  if (hugging_face) {
    if (std::none_of(peek.columns.begin(), peek.columns.end(), IsHuggingFaceColumn)) {
      candidate.plan.problem = "it has no column file_name";
    } else {
      candidate.plan = PlanHuggingFace(peek, base, dialect, options, finder);
    }
  } else if (operand.is_directory && options.from.empty() && IsPlainText(name, peek)) {
    candidate.plan.problem = "a plain text";
  } else {
    candidate.plan = PlanTable(peek, base, dialect, options, finder);
  }
  return candidate;
}

std::string Describe(const std::vector<Candidate>& tables) {
  const TablePlan& plan = tables[0].plan;
  const std::string media = plan.media_template
                                ? "by --media-template"
                                : fmt::format("in '{}'", fmt::join(plan.media_columns, "', '"));
  std::vector<std::string> names;
  for (const Candidate& table : tables) names.push_back(table.name);
  return fmt::format("{}: media {}, texts in '{}', as its first {} rows show",
                     fmt::join(names, ", "), media, fmt::join(plan.text_columns, "', '"),
                     TablePeek::kRows);
}

Reading ReadingOf(const std::string& from, const std::vector<Candidate>& tables,
                  const Overview& operand) {
  Reading reading;
  reading.from = from;
  reading.view = operand.is_directory ? ViewKind::kAll : ViewKind::kPairs;
  for (const Candidate& table : tables) {
    reading.files.push_back(table.name);
    reading.pairs += table.plan.pairs_peeked;
    if (!table.plan.problem.empty()) {
      reading.problem = table.plan.broken ? table.plan.problem
                                          : fmt::format("{}: {}", PathOf(operand, table.name),
                                                        table.plan.problem);
      reading.broken = reading.broken || table.plan.broken;
    }
  }
  reading.why = reading.problem.empty() ? Describe(tables) : reading.problem;
  if (!reading.problem.empty()) reading.pairs = 0;
  return reading;
}

std::vector<Reading> RecogniseFile(const Overview& operand, bool hugging_face,
                                   const ConvertOptions& options) {
  if (hugging_face && options.from.empty() && !IsHuggingFaceMetadata(operand.path)) return {};
  MediaFinder finder(PlaceOf(operand.path, false, options), options, MediaFinder::Nearby::kFirst);
  const Candidate table = Examine(operand, operand.path, hugging_face, options, finder);
  if (hugging_face && options.from.empty() && table.plan.media_columns.empty()) return {};
  return {ReadingOf(hugging_face ? "hf" : "table", {table}, operand)};
}

// What a directory's file says as a table. nullopt: it is none, or about no media that are there.
std::optional<Candidate> ExamineDocument(const Overview& operand, const std::string& name,
                                         bool hugging_face, const ConvertOptions& options,
                                         MediaFinder& finder) {
  if (AsksForFiles(options) && !AsksForFile(options, name)) return std::nullopt;
  const bool asked = AsksForFile(options, name);
  const bool metadata = IsHuggingFaceMetadata(name);
  if (!asked && metadata != hugging_face && (hugging_face || options.from.empty())) {
    return std::nullopt;
  }
  try {
    Candidate table = Examine(operand, name, hugging_face, options, finder);
    if (table.plan.media_peeked > 0 || asked) return table;
  } catch (const InputError& error) {  // UTF-16, a Git LFS pointer: it may be the one that is meant
    if (asked) throw;
    if (LowerAscii(SplitName(name).extension) == "txt") return std::nullopt;
    Candidate table;
    table.name = name;
    table.plan.problem = error.what();
    table.plan.broken = true;
    return table;
  }
  return std::nullopt;
}

// Tables of the same columns are the splits of one set; others are other readings.
std::vector<Reading> RecogniseDirectory(const Overview& operand, bool hugging_face,
                                        const ConvertOptions& options) {
  MediaFinder finder(PlaceOf(operand.path, true, options), options, MediaFinder::Nearby::kFirst);
  std::vector<std::vector<Candidate>> groups;
  std::string refused;
  for (const std::string& name : operand.documents) {
    std::optional<Candidate> table;
    try {
      table = ExamineDocument(operand, name, hugging_face, options, finder);
    } catch (const UsageError& error) {  // an option names a column that this one has not
      refused = fmt::format("{}: {}", PathOf(operand, name), error.what());
    }
    if (!table) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return hugging_face || AsksForFiles(options) || group[0].columns == table->columns;
    });
    auto& group = same == groups.end() ? groups.emplace_back() : *same;
    group.push_back(std::move(*table));
  }
  if (groups.empty() && !refused.empty()) throw UsageError(refused);
  std::vector<Reading> readings;
  for (const auto& group : groups) {
    readings.push_back(ReadingOf(hugging_face ? "hf" : "table", group, operand));
    if (groups.size() > 1) {
      readings.back().from += fmt::format(":{}", fmt::join(readings.back().files, ","));
    }
  }
  return readings;
}

std::vector<Reading> RecogniseTable(const Overview& operand, const ConvertOptions& options) {
  return operand.is_directory ? RecogniseDirectory(operand, false, options)
                              : RecogniseFile(operand, false, options);
}

std::vector<Reading> RecogniseHuggingFace(const Overview& operand, const ConvertOptions& options) {
  return operand.is_directory ? RecogniseDirectory(operand, true, options)
                              : RecogniseFile(operand, true, options);
}

std::unique_ptr<Source> OpenTables(const std::string& operand, const Reading& reading,
                                   const ConvertOptions& options) {
  const bool directory = std::filesystem::is_directory(operand);
  return std::make_unique<TableSource>(
      TableSource::Operand{operand, directory, reading.from.starts_with("hf")}, reading.files,
      options);
}

}  // namespace

SourceKind TableKind() {
  return {"table", "CSV, TSV, JSON or JSON Lines with a row for each media", RecogniseTable,
          OpenTables};
}

SourceKind HuggingFaceKind() {
  return {"hf", "a Hugging Face folder: metadata.csv or .jsonl with file_name",
          RecogniseHuggingFace, OpenTables};
}

}  // namespace ulhff
