// Rows of tables become pairs.
#include "converter/table_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "converter/column_names.h"
#include "converter/input_error.h"
#include "converter/json_line.h"
#include "converter/split_names.h"
#include "converter/text_list.h"
#include "converter/tree_rest.h"
#include "converter/unpaired_media.h"
#include "ulhff/json_text.h"

namespace ulhff {
namespace {

constexpr const char* kNoSplit = "default";  // rows that say none, where others do

// Do the media of the first rows lie in directories that are called like splits?
bool HasFolderSplits(const TablePeek& peek, const TableFile& table, MediaFinder& finder) {
  for (const auto& row : peek.rows) {
    for (size_t i = 0; i < peek.columns.size(); ++i) {
      if (!IsHuggingFaceColumn(peek.columns[i])) continue;
      for (const std::string& value : row[i].values) {
        if (HuggingFaceSplit(finder.Find(value, table.base).name)) return true;
      }
    }
  }
  return false;
}

// The text of a row whose text is a structure; nullopt: it has none of the columns.
std::optional<std::string> JsonText(const TableRow& row, const std::vector<std::string>& columns) {
  const auto value_of = [](const TableCell& cell) {
    return cell.json() != nullptr ? CompactJson(cell.json()->raw()) : JsonString(cell.text());
  };
  std::string line;
  for (const std::string& column : columns) {
    const TableCell* cell = row.Find(column);
    if (cell == nullptr || cell->absent()) continue;
    if (columns.size() == 1) return value_of(*cell);
    line += fmt::format("{}\"{}\":{}", line.empty() ? "{" : ",", column, value_of(*cell));
  }
  if (line.empty()) return std::nullopt;
  return line + "}";
}

}  // namespace

TableSource::TableSource(Operand operand, const std::vector<std::string>& names,
                         const ConvertOptions& options)
    : operand_(std::move(operand)),
      options_(options),
      finder_(PlaceOf(operand_.path, operand_.is_directory, options), options,
              MediaFinder::Nearby::kFirst) {
  const std::vector<std::string> splits = SplitNamesOf(names);
  for (size_t i = 0; i < names.size(); ++i) {
    TableFile table;
    table.name = operand_.is_directory ? names[i] : operand_.path;
    table.path = operand_.is_directory ? JoinPath(operand_.path, names[i]) : operand_.path;
    table.base = operand_.is_directory ? std::string(ParentPath(names[i])) : std::string();
    table.dialect = DialectOf(table.path, options);
    const TablePeek peek = PeekTable(table.path, table.dialect);
    if (peek.rows.empty() && !peek.error.empty()) throw InputError(peek.error);
    const auto plan = operand_.hugging_face ? PlanHuggingFace : PlanTable;
    table.plan = plan(peek, table.base, table.dialect, options, finder_);
    if (!table.plan.problem.empty()) {
      throw UsageError(fmt::format("{}: {}", table.path, table.plan.problem));
    }
    if (!operand_.hugging_face) table.split = splits[i];
    folder_splits_ =
        folder_splits_ || (operand_.hugging_face && HasFolderSplits(peek, table, finder_));
    tables_.push_back(std::move(table));
  }
}

void TableSource::Scan(SourceSink& sink) {
  std::vector<std::pair<std::string, std::string>> fields{{"", "txt"}};
  for (const auto& [name, column] : options_.fields) fields.emplace_back(name, "txt");
  if (options_.keep_columns) fields.emplace_back("json", "json");
  sink.DeclareFields(std::move(fields));
  for (const TableFile& table : tables_) ScanTable(table, sink);
  CheckResult();
  if (operand_.is_directory) EmitRest(operand_.path, finder_.place(), options_, sink);
}

void TableSource::ScanTable(const TableFile& table, SourceSink& sink) {
  if (const std::string& odd = table.plan.odd_header; !odd.empty()) {
    sink.Note(Odd::kHeaderLooksLikeData,
              table.dialect.header
                  ? fmt::format("the header {}: is --no-header --columns meant?", odd)
                  : fmt::format("the first row {}", odd),
              {table.name, 1});
  }
  const auto reader =
      OpenTable(table.path, table.dialect, [&](Odd kind, const std::string& what, uint64_t line) {
        sink.Note(kind, what, {table.name, line});
      });
  finder_.Prefer(table.split);
  const uint64_t before = pairs_;
  while (const TableRow* row = reader->Next()) {
    ++rows_;
    EmitRow(table, *row, {table.name, row->line, row->offset}, sink);
  }
  sink.Rule(fmt::format("rows of {}",
                        operand_.is_directory ? table.name : std::string(BaseName(table.name))),
            pairs_ - before);
}

void TableSource::EmitRow(const TableFile& table, const TableRow& row, const Origin& origin,
                          SourceSink& sink) {
  std::vector<std::string> media = MediaOf(table, row);
  std::vector<std::optional<std::string>> values = TextsOfRow(table, row);
  if (media.empty()) return sink.Note(Odd::kRowWithoutMedia, "no media in this row", origin);
  if (media.size() > 1) {
    sink.Note(Odd::kMultiMediaRow, fmt::format("{}", fmt::join(media, ", ")), origin);
    if (options_.multi_media == OnMultiMedia::kFirst) media.resize(1);
    if (options_.multi_media == OnMultiMedia::kSkip) return;
    if (options_.multi_media == OnMultiMedia::kError) return;  // told after the scan
  }
  if (values.empty()) {
    if (!KeepsUnpaired(media[0], origin, true, options_, sink)) return;
    values.emplace_back();
  } else {
    TakeNulls(media[0], origin, values, sink);
  }
  if (values.empty()) return;
  std::vector<Text> texts(1 + table.plan.fields.size() + (table.plan.keep_columns ? 1 : 0));
  FillFields(table, row, texts);
  for (const std::string& value : media) {
    const std::optional<MediaId> id = finder_.Emit(value, table.base, origin, sink);
    ++(id ? media_ : refused_);
    if (!id) continue;
    const uint64_t split = SplitOf(table, row, finder_.Find(value, table.base).name, sink);
    for (const auto& text : values) {
      texts[0] = text ? Text(InlineText{*text}) : Text(Absent{});
      if (sink.Pair(*id, texts, split, origin)) ++pairs_;
    }
  }
}

// Of a list, since a row without any text has none of these.
void TableSource::TakeNulls(const std::string& media, const Origin& origin,
                            std::vector<std::optional<std::string>>& texts,
                            SourceSink& sink) const {
  for (const auto& text : texts) {
    if (!text) sink.Note(Odd::kNullText, media, origin);
  }
  if (options_.unpaired_media == OnUnpairedMedia::kSkip) std::erase(texts, std::nullopt);
}

std::vector<std::string> TableSource::MediaOf(const TableFile& table, const TableRow& row) {
  std::vector<std::string> media;
  const auto text_of = [&](const std::string& column) -> std::optional<std::string_view> {
    const TableCell* cell = row.Find(column);
    if (cell == nullptr || cell->absent()) return std::nullopt;
    return cell->text();
  };
  for (const MediaTemplate& media_template : table.plan.media_templates) {
    if (auto path = media_template.Expand(text_of)) media.push_back(std::move(*path));
  }
  if (!media.empty()) return {finder_.FirstFound(media, table.base)};
  for (const std::string& column : table.plan.media_columns) {
    const TableCell* cell = row.Find(column);
    if (cell == nullptr) continue;
    for (auto& value : TextsOf(*cell)) {
      if (value && !value->empty()) media.push_back(std::move(*value));
    }
  }
  return media;
}

std::vector<std::optional<std::string>> TableSource::TextsOfRow(const TableFile& table,
                                                                const TableRow& row) {
  std::vector<std::optional<std::string>> texts;
  if (!table.plan.json.empty()) {
    auto text = JsonText(row, table.plan.json);
    if (text) texts.push_back(std::move(text));
    columns_seen_ += texts.size();
    return texts;
  }
  for (const std::string& pattern : table.plan.text_columns) {
    for (const auto& [column, cell] : row.cells) {
      const std::string name(column);
      if (!MatchesColumn(pattern, name)) continue;
      ++columns_seen_;
      if (table.plan.list_columns.count(name) == 0 || cell.text().empty()) {
        for (auto& text : TextsOf(cell)) texts.push_back(std::move(text));
        continue;
      }
      const auto list = ParseListLiteral(cell.text());
      if (!list) {
        throw InputError(fmt::format("{}:{}: column '{}' holds lists, but this cell is none: {}",
                                     table.name, row.line, name, cell.text().substr(0, 60)));
      }
      texts.insert(texts.end(), list->begin(), list->end());
    }
  }
  return texts;
}

void TableSource::FillFields(const TableFile& table, const TableRow& row,
                             std::vector<Text>& texts) {
  for (size_t i = 0; i < table.plan.fields.size(); ++i) {
    const TableCell* cell = row.Find(table.plan.fields[i].second);
    if (cell != nullptr && !cell->absent()) texts[1 + i] = InlineText{cell->text()};
  }
  if (!table.plan.keep_columns) return;
  row_json_ = row.ToJson();
  texts.back() = InlineText{row_json_};
}

uint64_t TableSource::SplitOf(const TableFile& table, const TableRow& row, const std::string& media,
                              SourceSink& sink) const {
  if (!table.plan.split_column.empty()) {
    const TableCell* cell = row.Find(table.plan.split_column);
    const bool says = cell != nullptr && !cell->absent() && !cell->text().empty();
    return sink.Split(says ? cell->text() : kNoSplit);
  }
  if (folder_splits_) return sink.Split(HuggingFaceSplit(media).value_or("train"));
  return table.split.empty() ? 0 : sink.Split(table.split);
}

// A table that gives nothing is a mistake in the command, whatever the policies say.
void TableSource::CheckResult() const {
  const TablePlan& plan = tables_[0].plan;
  const auto& wanted = plan.json.empty() ? plan.text_columns : plan.json;
  if (columns_seen_ == 0 && rows_ > 0) {
    throw UsageError(
        fmt::format("{}: no row has a column '{}'", operand_.path, fmt::join(wanted, "', '")));
  }
  const bool told = refused_ > 0 && options_.missing_media == OnMissingMedia::kError;
  if (media_ > 0 || told) return;
  throw InputError(
      fmt::format("{}: none of its rows ({}) gives a media: check --media-column, --media-root and "
                  "--media-template",
                  operand_.path, rows_));
}

}  // namespace ulhff
