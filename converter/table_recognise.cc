// Recognises tables and Hugging Face folders by their first rows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "converter/column_names.h"
#include "converter/input_error.h"
#include "converter/known_tables.h"
#include "converter/overview.h"
#include "converter/source_kinds.h"
#include "converter/split_names.h"
#include "converter/table_source.h"
#include "converter/text_file.h"

namespace ulhff {
namespace {

// One table that was looked at.
struct Candidate {
  std::string name;
  std::vector<std::string> columns;
  TablePlan plan;
  uint64_t pairs = 0;  // of the whole table
  bool estimated = false;
};

bool IsHuggingFaceMetadata(const std::string& name) {
  const std::string_view base = BaseName(name);
  return base == "metadata.csv" || base == "metadata.jsonl";
}

std::string PathOf(const Overview& operand, const std::string& name) {
  return operand.is_directory ? JoinPath(operand.path, name) : operand.path;
}

// Texts that happen to have a delimiter in their first line are no tables.
bool IsPlainText(const std::string& name, const std::vector<std::string>& columns) {
  if (LowerAscii(SplitName(BaseName(name)).extension) != "txt") return false;
  return std::none_of(columns.begin(), columns.end(), IsTextColumnName);
}

// Scripts, pages and the like: not called like a table, and naming no media that could be told.
bool IsNoTable(const Candidate& table) {
  const TablePlan& plan = table.plan;
  const bool named = CanBeDocument(BaseName(table.name)) && !IsPlainText(table.name, table.columns);
  const bool hint = plan.names_urls || !plan.odd_header.empty();
  return !named && !hint && !plan.problem.empty() && plan.media_columns.empty();
}

bool AsksForTable(const ConvertOptions& options) {
  return !options.from.empty() || AsksForColumns(options) || options.delimiter || options.quoting;
}

Candidate Examine(const Overview& operand, const std::string& name, bool hugging_face,
                  const ConvertOptions& options, MediaFinder& finder) {
  Candidate candidate;
  candidate.name = operand.is_directory ? name : std::string(BaseName(name));
  const std::string path = PathOf(operand, name);
  const std::string base(operand.is_directory ? ParentPath(name) : "");
  const TableDialect dialect = DialectOf(path, options);
  const TablePeek peek = PeekTable(path, dialect);
  candidate.columns = peek.columns;
  if (hugging_face) {
    if (std::none_of(peek.columns.begin(), peek.columns.end(), IsHuggingFaceColumn)) {
      candidate.plan.problem = fmt::format("it has no column file_name; {}",
                                           DescribeColumns(peek.columns, {"file_name"}));
    } else {
      candidate.plan = PlanHuggingFace(peek, base, dialect, options, finder);
    }
  } else if (operand.is_directory && options.from.empty() && IsPlainText(name, peek.columns)) {
    candidate.plan.problem = "a plain text";
  } else {
    candidate.plan = PlanTable(peek, base, dialect, options, finder);
  }
  candidate.pairs = candidate.plan.pairs_peeked;
  candidate.estimated = !peek.complete && peek.bytes > 0;
  if (candidate.estimated) {
    const double more =
        static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(peek.bytes);
    candidate.pairs = static_cast<uint64_t>(static_cast<double>(candidate.pairs) * more);
  }
  return candidate;
}

std::string Describe(const std::vector<Candidate>& tables) {
  const TablePlan& plan = tables[0].plan;
  const std::string media = plan.media_columns.empty()
                                ? fmt::format("called {}", plan.media_templates[0].pattern())
                                : fmt::format("in '{}'", fmt::join(plan.media_columns, "', '"));
  std::vector<std::string> names;
  names.reserve(tables.size());
  for (const Candidate& table : tables) names.push_back(table.name);
  return fmt::format("{}: media {}, texts in '{}'", fmt::join(names, ", "), media,
                     fmt::join(plan.json.empty() ? plan.text_columns : plan.json, "', '"));
}

Reading ReadingOf(const std::string& from, const std::vector<Candidate>& tables,
                  const Overview& operand) {
  Reading reading;
  reading.from = from;
  reading.view = operand.is_directory ? ViewKind::kAll : ViewKind::kPairs;
  reading.is_table = !operand.is_directory;
  for (const Candidate& table : tables) {
    reading.files.push_back(operand.is_directory ? table.name : operand.path);
    reading.pairs += table.pairs;
    reading.estimated = reading.estimated || table.estimated;
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

std::string KindOf(bool hugging_face, const ConvertOptions& options) {
  if (hugging_face) return "hf";
  return IsKnownTable(KindAsked(options)) ? KindAsked(options) : "table";
}

std::vector<Reading> RecogniseFile(const Overview& operand, bool hugging_face,
                                   const ConvertOptions& options) {
  if (hugging_face && options.from.empty() && !IsHuggingFaceMetadata(operand.path)) return {};
  if (options.from.empty() && LooksBinary(operand.path)) return {};
  MediaFinder finder(PlaceOf(operand.path, false, options), options, MediaFinder::Nearby::kFirst);
  const Candidate table = Examine(operand, operand.path, hugging_face, options, finder);
  if (hugging_face && options.from.empty() && table.plan.media_columns.empty()) return {};
  if (!AsksForTable(options) && IsNoTable(table)) return {};
  return {ReadingOf(KindOf(hugging_face, options), {table}, operand)};
}

bool HaveTheSameRoles(const TablePlan& a, const TablePlan& b) {
  const auto patterns = [](const TablePlan& plan) {
    std::vector<std::string> texts;
    for (const MediaTemplate& part : plan.media_templates) texts.push_back(part.pattern());
    return texts;
  };
  return a.problem.empty() && b.problem.empty() && a.media_columns == b.media_columns &&
         patterns(a) == patterns(b) && a.text_columns == b.text_columns && a.json == b.json &&
         a.split_column == b.split_column;
}

// The tables of a directory, in walk order.
class DirectoryTables {
 public:
  DirectoryTables(const Overview& operand, bool hugging_face, const ConvertOptions& options)
      : operand_(operand),
        hugging_face_(hugging_face),
        options_(options),
        finder_(PlaceOf(operand.path, true, options), options, MediaFinder::Nearby::kFirst) {}

  std::vector<Reading> Recognise() {
    for (const std::string& name : operand_.documents) {
      if (AsksForFiles(options_) && !AsksForFile(options_, name)) continue;
      if (hugging_face_ && !IsHuggingFaceMetadata(name) && !AsksForFile(options_, name)) continue;
      try {
        Take(Examine(operand_, name, hugging_face_, options_, finder_));
      } catch (const UsageError& error) {  // an option names a column that this one has not
        refused_ = Unusable(name, error.what(), false);
      } catch (const InputError& error) {  // UTF-16, a Git LFS pointer: the one that is meant?
        if (LowerAscii(SplitName(name).extension) == "txt") continue;
        Add(Unusable(name, error.what(), true));
      }
    }
    const bool any = !groups_.empty();
    for (Candidate& table : lost_) TakeLost(std::move(table), any);
    // Without a media beside them, URLs are what was meant.
    const bool urls = rejected_ && rejected_->plan.names_urls && operand_.media == 0;
    const bool asked = AsksForTable(options_) || !options_.media_root.empty();
    const bool forced = urls || !options_.from.empty() || (!hugging_face_ && asked);
    if (groups_.empty() && refused_) Add(std::move(*refused_));
    if (groups_.empty() && hugging_face_ && !operand_.parquet.empty()) {
      const std::string path = JoinPath(operand_.path, operand_.parquet);
      Add(Unusable(
          operand_.parquet,
          fmt::format("{}: is Parquet, which only a library reads: write it as metadata.csv "
                      "or metadata.jsonl",
                      path),
          true));
    }
    if (groups_.empty() && forced && rejected_) Add(std::move(*rejected_));
    return Readings();
  }

 private:
  void Take(Candidate table) {
    // What the kind "hf" takes is no further reading as a table.
    if (!hugging_face_ && options_.from.empty() && IsHuggingFaceMetadata(table.name) &&
        std::any_of(table.columns.begin(), table.columns.end(), IsHuggingFaceColumn)) {
      return;
    }
    if (table.plan.media_peeked > 0 || AsksForFile(options_, table.name)) {
      Add(std::move(table));
      return;
    }
    const bool meant = options_.from.empty() && !table.plan.lost.empty() && operand_.media > 0;
    if (meant) lost_.push_back(table);
    const bool urls = table.plan.names_urls && operand_.media == 0;
    if (!rejected_ || (urls && !rejected_->plan.names_urls)) rejected_ = std::move(table);
  }

  // A table whose media are not there would be an extra without a word. `any`: others name media
  // that are there.
  void TakeLost(Candidate table, bool any) {
    const bool skip = options_.missing_media == OnMissingMedia::kSkip;
    if (any ? FindGroup(table) != groups_.end() : skip) {
      Add(std::move(table));
    } else if (groups_.empty()) {
      const TablePlan& plan = table.plan;
      const std::string where = JoinPath(operand_.path, table.name);
      // What is broken says itself where.
      Add(Unusable(table.name, plan.broken ? plan.lost : fmt::format("{}: {}", where, plan.lost),
                   true));
    }
  }

  static Candidate Unusable(const std::string& name, const std::string& why, bool broken) {
    Candidate table;
    table.name = name;
    table.plan.problem = why;
    table.plan.broken = broken;
    return table;
  }

  std::vector<std::vector<Candidate>>::iterator FindGroup(const Candidate& table) {
    return std::find_if(groups_.begin(), groups_.end(), [&](const auto& group) {
      return hugging_face_ || AsksForFiles(options_) || group[0].columns == table.columns ||
             (!table.plan.known.empty() && group[0].plan.known == table.plan.known) ||
             (HaveTheSameRoles(group[0].plan, table.plan) && AreSplits(group[0].name, table.name));
    });
  }

  // Tables of the same columns, of one known kind, or that are called as splits and have the same
  // columns of media and texts, are the splits of one set; others are other readings.
  void Add(Candidate table) {
    const auto same = FindGroup(table);
    auto& group = same == groups_.end() ? groups_.emplace_back() : *same;
    group.push_back(std::move(table));
  }

  std::vector<Reading> Readings() const {
    std::vector<Reading> readings;
    for (const auto& group : groups_) {
      readings.push_back(ReadingOf(KindOf(hugging_face_, options_), group, operand_));
      if (groups_.size() > 1) {
        readings.back().from += fmt::format(":{}", fmt::join(readings.back().files, ","));
      }
    }
    return readings;
  }

  const Overview& operand_;
  const bool hugging_face_;
  const ConvertOptions& options_;
  MediaFinder finder_;
  std::vector<std::vector<Candidate>> groups_;
  std::vector<Candidate> lost_;        // that name media, of which none is there
  std::optional<Candidate> rejected_;  // the first that names no media that is there
  std::optional<Candidate> refused_;
};

std::vector<Reading> RecogniseTable(const Overview& operand, const ConvertOptions& options) {
  return operand.is_directory ? DirectoryTables(operand, false, options).Recognise()
                              : RecogniseFile(operand, false, options);
}

std::vector<Reading> RecogniseHuggingFace(const Overview& operand, const ConvertOptions& options) {
  return operand.is_directory ? DirectoryTables(operand, true, options).Recognise()
                              : RecogniseFile(operand, true, options);
}

// Known tables are tables too; by their own name only if asked for.
std::vector<Reading> RecogniseKnownTable(const Overview& operand, const ConvertOptions& options) {
  if (options.from.empty()) return {};
  return RecogniseTable(operand, options);
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

std::vector<SourceKind> KnownTableKinds() {
  std::vector<SourceKind> kinds;
  for (const KnownTable& table : KnownTables()) {
    const std::string_view from = table.from;
    if (!kinds.empty() && kinds.back().from == from) continue;
    kinds.push_back({table.from, table.summary, RecogniseKnownTable, OpenTables});
  }
  return kinds;
}

SourceKind HuggingFaceKind() {
  return {"hf", "a Hugging Face folder: metadata.csv or .jsonl with file_name",
          RecogniseHuggingFace, OpenTables};
}

}  // namespace ulhff
