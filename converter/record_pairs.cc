// One record at a time becomes a media and its pairs.
#include "converter/record_pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "converter/column_names.h"
#include "converter/input_error.h"
#include "converter/magic.h"
#include "converter/media_types.h"
#include "converter/output.h"
#include "converter/record_json.h"
#include "converter/unpaired_media.h"

namespace ulhff {
namespace {

using Kind = RecordValue::Kind;
using Place = RecordValue::Place;

constexpr const char* kNoSplit = "default";  // records that say none, where others do
// Longer texts are copied from where they stand when they are written.
constexpr uint64_t kInlineText = uint64_t{64} << 10;
// Whatever a record says, no more is taken into memory.
constexpr uint64_t kMaxBytes = uint64_t{64} << 20;

std::string Describe(const RecordColumn& column) {
  return column.name.empty() ? "the record" : fmt::format("column '{}'", column.name);
}

}  // namespace

RecordPairs::RecordPairs(const ConvertOptions& options, const RecordColumns& columns,
                         bool many_shards, SpooledFile& spool, SourceSink& sink)
    : options_(options),
      columns_(columns),
      types_(options),
      many_shards_(many_shards),
      spool_(spool),
      sink_(sink) {}

void RecordPairs::Declare(const std::string& operand) {
  std::vector<std::pair<std::string, std::string>> fields;
  if (columns_.has_texts()) fields.emplace_back("", "txt");
  for (const auto& [name, column] : options_.fields) fields.emplace_back(name, "txt");
  if (options_.keep_columns) fields.emplace_back("json", "json");
  fields_.resize(fields.size());
  sink_.DeclareFields(std::move(fields));
  if (columns_.has_texts()) return;
  if (!options_.text_columns.empty()) {
    throw UsageError(
        fmt::format("{}: no column matches --text-column {}; the first records have '{}'", operand,
                    fmt::join(options_.text_columns, " "), fmt::join(columns_.seen(), "', '")));
  }
  sink_.Note(
      Odd::kNoText,
      fmt::format("no column is called like a text; {}", DescribeColumns(columns_.seen(), {})),
      {operand});
}

void RecordPairs::Refuse(const std::string& what) const {
  damage_->Refuse(record_->offset, fmt::format("record {}: {}", record_->number, what));
}

void RecordPairs::Add(const Record& record, FileWindow& file, const Damage& damage) {
  record_ = &record;
  file_ = &file;
  damage_ = &damage;
  media_columns_ = columns_.MediaOf(record);
  text_columns_ = columns_.TextsOf(record);
  texts_.clear();
  kept_.clear();
  const std::string what = fmt::format("record {}", record.number);
  std::vector<const RecordValue*> media = MediaValues();
  if (media.empty()) return sink_.Note(Odd::kRowWithoutMedia, what, origin());
  if (media.size() > 1) {
    sink_.Note(Odd::kMultiMediaRow, fmt::format("{}: {} media", what, media.size()), origin());
    if (options_.multi_media == OnMultiMedia::kFirst) media.resize(1);
    if (options_.multi_media == OnMultiMedia::kSkip) return;
    if (options_.multi_media == OnMultiMedia::kError) return;  // told after the scan
  }
  FillTexts();
  if (texts_.empty() && !KeepsUnpaired(what, origin(), columns_.has_texts(), options_, sink_)) {
    return;
  }
  if (columns_.has_texts() && texts_.empty()) texts_.emplace_back(Absent{});
  FillFields();
  uint64_t pairs = 0;
  for (const RecordValue* value : media) {
    const std::string name = media.size() == 1 ? NameOf(*value) : std::string();
    const std::optional<MediaId> id = sink_.Media(name, At(*value), origin());
    if (id) pairs += EmitPairs(*id, name);
  }
  CountColumns(pairs);
}

// All that are there, in order.
std::vector<const RecordValue*> RecordPairs::MediaValues() {
  std::vector<const RecordValue*> media;
  for (const RecordColumn* column : media_columns_) {
    for (const RecordValue& value : column->values) {
      if (value.kind == Kind::kBytes) media.push_back(&value);
      if (value.kind == Kind::kBytes || value.kind == Kind::kNull || value.kind == Kind::kNan) {
        continue;
      }
      Refuse(fmt::format("{} is to be a media, but it is {}", Describe(*column),
                         value.kind == Kind::kText    ? "a text"
                         : value.kind == Kind::kToken ? "a number"
                                                      : value.text));
    }
  }
  return media;
}

// An absent value gives no text, an absent element of a list an absent text.
void RecordPairs::FillTexts() {
  if (!columns_.has_texts() && !text_columns_.empty()) {
    Refuse(fmt::format("{} looks like a text, but the first records have none; say --text-column",
                       Describe(*text_columns_.front())));
  }
  for (const RecordColumn* column : text_columns_) {
    if (column->is_sequence) {
      if (!column->values.empty()) texts_.push_back(Joined(*column));
      continue;
    }
    for (const RecordValue& value : column->values) {
      const Text text = TextOf(*column, value);
      const bool absent = std::holds_alternative<Absent>(text);
      if (column->is_list && value.kind == Kind::kNull) {
        sink_.Note(Odd::kNullText, fmt::format("record {}", record_->number), origin());
      }
      const bool kept = column->is_list && options_.unpaired_media != OnUnpairedMedia::kSkip;
      if (kept || !absent) texts_.push_back(text);
    }
  }
}

Text RecordPairs::TextOf(const RecordColumn& column, const RecordValue& value) {
  switch (value.kind) {
    case Kind::kNull:
      return Absent{};
    case Kind::kNan:
      sink_.Note(Odd::kNanText, fmt::format("record {}", record_->number), origin());
      return Absent{};
    case Kind::kOther:
      Refuse(fmt::format("{} is to be a text, but it is {}", Describe(column), value.text));
    case Kind::kToken:
      return InlineText{value.text};
    case Kind::kText:
    case Kind::kBytes:
      break;
  }
  if (value.place == Place::kMemory) return InlineText{value.text};
  if (value.size > kInlineText || value.place == Place::kSpool) {
    return FileText{{}, At(value)};
  }
  return Keep(BytesOf(value));
}

Text RecordPairs::Joined(const RecordColumn& column) {
  std::string text;
  for (const RecordValue& value : column.values) {
    if (&value != &column.values.front()) text += ' ';
    text += value.kind == Kind::kToken ? value.text : BytesOf(value);
    if (text.size() > kMaxBytes) Refuse(Describe(column) + " has too many words");
  }
  return Keep(std::move(text));
}

Text RecordPairs::Keep(std::string text) {
  kept_.push_back(std::move(text));
  return InlineText{kept_.back()};
}

void RecordPairs::FillFields() {
  size_t next = columns_.has_texts() ? 1 : 0;
  const auto bytes_of = [this](const RecordValue& value) { return BytesOf(value); };
  for (const auto& [name, column_name] : options_.fields) {
    const RecordColumn* column = FindColumn(*record_, column_name);
    Text& field = fields_[next++];
    field = Absent{};
    if (column == nullptr || column->values.empty()) continue;
    field = column->is_list && column->values.size() > 1 ? Keep(ColumnToJson(*column, bytes_of))
                                                         : TextOf(*column, column->values.front());
  }
  if (options_.keep_columns) {
    fields_[next] = Keep(RecordToJson(*record_, media_columns_, bytes_of));
  }
}

uint64_t RecordPairs::SplitOf() {
  if (options_.split_column.empty()) {
    return damage_->shard().split.empty() ? 0 : sink_.Split(damage_->shard().split);
  }
  const RecordColumn* column = FindColumn(*record_, options_.split_column);
  std::string split;
  if (column != nullptr && !column->values.empty()) split = BytesOf(column->values.front());
  return sink_.Split(split.empty() ? kNoSplit : split);
}

// Only --id-column gives names: what a record is called is seldom unique and seldom a file name.
std::string RecordPairs::NameOf(const RecordValue& media) {
  if (options_.id_column.empty()) return {};
  const RecordColumn* column = FindColumn(*record_, options_.id_column);
  std::string name;
  if (column != nullptr && !column->values.empty()) name = BytesOf(column->values.front());
  if (name.empty()) {
    sink_.Note(Odd::kNoKey, fmt::format("record {}", record_->number), origin());
    return {};
  }
  if (!types_.IsMedia(name)) {
    const size_t size = std::min<uint64_t>(media.size, kMagicBytes);
    const std::string_view extension =
        media.place == Place::kShard ? SniffExtension(file_->Read(media.offset, size)) : "";
    if (!extension.empty()) name += fmt::format(".{}", extension);
  }
  return many_shards_ ? JoinPath(SplitName(damage_->shard().name).stem, name) : name;
}

uint64_t RecordPairs::EmitPairs(MediaId media, std::string_view name) {
  const uint64_t split = SplitOf();
  if (!columns_.has_texts()) return sink_.Pair(media, fields_, split, origin()) ? 1 : 0;
  const std::string_view stem = types_.IsMedia(name) ? SplitName(name).stem : name;
  uint64_t pairs = 0;
  for (size_t i = 0; i < texts_.size(); ++i) {
    fields_[0] = texts_[i];
    if (!name.empty()) {
      GiveName(fields_[0], texts_.size() == 1 ? fmt::format("{}.txt", stem)
                                              : fmt::format("{}.{}.txt", stem, i));
    }
    const bool taken = sink_.Pair(media, fields_, split, origin());
    if (taken && !std::holds_alternative<Absent>(texts_[i])) ++pairs;
  }
  return pairs;
}

// Only texts in files have names.
void RecordPairs::GiveName(Text& text, std::string name) {
  if (const auto* in = std::get_if<InlineText>(&text)) {
    const uint64_t size = in->bytes.size();
    const uint64_t offset = spool_.Append(AsBytes(in->bytes));
    spool_.SetTime(damage_->shard().mtime_ns);
    text = FileText{{}, {spool_.path(), offset, size}};
  }
  kept_.push_back(std::move(name));
  if (auto* file = std::get_if<FileText>(&text)) file->name = kept_.back();
}

std::string RecordPairs::BytesOf(const RecordValue& value) {
  if (value.kind == Kind::kOther) Refuse(value.text + " where a name or word should be");
  if (value.size > kMaxBytes) {
    Refuse(fmt::format("a value of {} bytes where a name or word should be", value.size));
  }
  if (value.place == Place::kMemory) return value.text;
  if (value.place == Place::kShard) return file_->ReadText(value.offset, value.size);
  return FileWindow(spool_.path()).ReadText(value.offset, value.size);
}

Locator RecordPairs::At(const RecordValue& value) {
  if (value.place == Place::kShard) return {file_->path(), value.offset, value.size};
  spool_.SetTime(damage_->shard().mtime_ns);
  return {spool_.path(), value.offset, value.size};
}

void RecordPairs::CountColumns(uint64_t pairs) {
  const auto names = [](const std::vector<const RecordColumn*>& columns) {
    std::string text;
    for (const RecordColumn* column : columns) text += (text.empty() ? "" : ", ") + column->name;
    return text;
  };
  std::string used = "records as they are";
  if (!media_columns_[0]->name.empty()) {
    const bool one = media_columns_.size() + text_columns_.size() == 1;
    used = (one ? "column " : "columns ") + names(media_columns_);
  }
  if (!text_columns_.empty()) used += " and " + names(text_columns_);
  const bool joined = std::any_of(text_columns_.begin(), text_columns_.end(),
                                  [](const RecordColumn* column) { return column->is_sequence; });
  if (joined) used += ", words joined with blanks: the text as it was is not in the file";
  if (pairs > 0) pairs_by_columns_[used] += pairs;
  for (const RecordColumn& column : record_->columns) {
    if (!IsUsed(column)) ++left_columns_[column.name];
  }
}

bool RecordPairs::IsUsed(const RecordColumn& column) const {
  const auto in = [&](const std::vector<const RecordColumn*>& columns) {
    return std::find(columns.begin(), columns.end(), &column) != columns.end();
  };
  return options_.keep_columns || in(media_columns_) || in(text_columns_) ||
         column.name == options_.split_column || column.name == options_.id_column ||
         std::any_of(options_.fields.begin(), options_.fields.end(),
                     [&](const auto& field) { return field.second == column.name; });
}

void RecordPairs::Finish(const std::string& operand) {
  for (const auto& [columns, pairs] : pairs_by_columns_) sink_.Rule(columns, pairs);
  for (const auto& [column, records] : left_columns_) {
    sink_.Note(Odd::kLeftColumn,
               fmt::format("{} ({})", column, Counted(records, "record", "records")), {operand});
  }
}

}  // namespace ulhff
