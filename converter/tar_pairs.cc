// Members keep their names; what no pair uses stays in the source tree.
#include "converter/tar_pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "converter/file_window.h"
#include "converter/input_error.h"
#include "converter/name_rules.h"
#include "converter/output.h"
#include "converter/printable.h"
#include "converter/record_json.h"
#include "converter/unpaired_media.h"
#include "converter/walk.h"

namespace ulhff {
namespace {

constexpr const char* kNoSplit = "default";        // samples that say none, where others do
constexpr uint64_t kMaxText = uint64_t{64} << 20;  // that is taken into memory
constexpr uint64_t kMaxValue = uint64_t{1} << 20;  // of a member in --keep-columns; others are null
constexpr size_t kMaxRules = 16;

// As tar itself does: a leading '/' goes.
std::string_view WithoutRoot(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('/'), name.size()));
}

std::string ColumnsOf(const std::vector<const TarEntry*>& entries) {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const TarEntry* entry : entries) names.push_back(LowerAscii(entry->column));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

TarPairs::TarPairs(const ConvertOptions& options, const TarColumns& columns, SourceSink& sink)
    : options_(options), columns_(columns), sink_(sink) {}

void TarPairs::Declare() {
  if (!options_.id_column.empty()) {
    throw UsageError("--id-column: members of a tar have their names");
  }
  sink_.DeclareFields(columns_.Fields());
}

void TarPairs::BeginShard(const Shard& shard, std::string directory, const Damage& damage) {
  shard_ = &shard;
  damage_ = &damage;
  directory_ = std::move(directory);
  if (!directory_.empty()) sink_.Directory(directory_, shard.mtime_ns);
  keys_.Clear();
  samples_ = lone_ = 0;
  has_lone_texts_ = false;
}

void TarPairs::EndShard() {
  if (lone_ == 0 || !(columns_.has_texts() || has_lone_texts_)) return;
  sink_.Note(Odd::kLoneMember,
             fmt::format("{} of {}", lone_, Counted(samples_, "sample", "samples")),
             {shard_->name});
}

void TarPairs::Add(const TarSample& sample) {
  key_ = sample.key;
  texts_.clear();
  kept_.clear();
  ++samples_;
  if (sample.entries.size() == 1) ++lone_;
  const bool renames =
      options_.duplicates == OnDuplicate::kError || options_.duplicates == OnDuplicate::kRename;
  again_ = renames && !IsRefused(WithoutRoot(sample.key)) ? keys_.Take(sample) : 1;
  if (again_ > 1) {
    sink_.Note(Odd::kRepeatedKey, fmt::format("{} -> {}~{}", key_, key_, again_),
               OriginOf(sample.entries.front()));
  }
  TarRoles roles = columns_.RolesOf(sample);
  if (roles.media.empty()) {
    has_lone_texts_ = has_lone_texts_ || !roles.texts.empty();
    AddWithoutMedia(roles);
  } else if (KeepsMedia(roles)) {
    AddTexts(sample, roles);
    AddFields(sample, roles);
    const bool keeps = !texts_.empty() || KeepsUnpaired(key_, OriginOf(sample.entries.front()),
                                                        columns_.has_texts(), options_, sink_);
    if (texts_.empty()) texts_.emplace_back(Absent{});
    if (keeps) EmitPairs(sample, roles);
  }
  for (const TarEntry* entry : roles.others) Extra(*entry);
}

// Moves media that are not to be taken to the others, with what belongs to them if none is left.
bool TarPairs::KeepsMedia(TarRoles& roles) {
  if (roles.media.size() == 1) return true;
  sink_.Note(Odd::kMultiMediaRow, fmt::format("{}: {}", key_, ColumnsOf(roles.media)),
             OriginOf(*roles.media.front()));
  if (options_.multi_media == OnMultiMedia::kEach) return true;
  const bool keeps_first = options_.multi_media == OnMultiMedia::kFirst;
  const auto begin = roles.media.begin() + (keeps_first ? 1 : 0);
  roles.others.insert(roles.others.end(), begin, roles.media.end());
  roles.media.erase(begin, roles.media.end());
  if (keeps_first) return true;
  for (auto* unused : {&roles.texts, &roles.fields}) {
    std::copy_if(unused->begin(), unused->end(), std::back_inserter(roles.others),
                 [](const TarEntry* entry) { return entry != nullptr; });
  }
  return false;
}

void TarPairs::AddWithoutMedia(const TarRoles& roles) {
  std::vector<const TarEntry*> texts = roles.texts;
  texts.insert(texts.end(), roles.fields.begin(), roles.fields.end());
  for (const TarEntry* entry : texts) {
    if (entry == nullptr) continue;
    sink_.Note(Odd::kUnpairedText, entry->name, OriginOf(*entry));
    if (options_.unpaired_text != OnUnpairedText::kSkip) Extra(*entry);
  }
}

void TarPairs::AddTexts(const TarSample& sample, const TarRoles& roles) {
  for (const TarEntry* entry : roles.texts) {
    if (options_.texts == TextsMode::kLines) {
      AddLines(*entry);
    } else {
      texts_.push_back(FileTextOf(*entry));
    }
  }
  for (const std::string& key : columns_.json_keys()) {
    for (std::optional<std::string>& text : FromJson(sample, key).texts) {
      if (!text) sink_.Note(Odd::kNullText, key_, OriginOf(sample.entries.front()));
      if (!text && options_.unpaired_media == OnUnpairedMedia::kSkip) continue;
      texts_.push_back(text ? Text(InlineText{Keep(std::move(*text))}) : Text(Absent{}));
    }
  }
}

void TarPairs::AddFields(const TarSample& sample, const TarRoles& roles) {
  fields_.assign(1, Absent{});
  for (const TarEntry* entry : roles.fields) {
    fields_.push_back(entry != nullptr ? FileTextOf(*entry) : Text(Absent{}));
  }
  size_t at = fields_.size() - options_.fields.size();
  for (const auto& [name, column] : options_.fields) {
    Text& field = fields_[at++];
    const std::string_view key = JsonKeyOf(column);
    if (key.empty() || !std::holds_alternative<Absent>(field)) continue;
    JsonKeyTexts value = FromJson(sample, key);
    if (value.texts.empty()) continue;
    field = InlineText{Keep(value.raw.empty() ? *value.texts.front() : std::move(value.raw))};
  }
  if (options_.keep_columns) fields_.emplace_back(InlineText{Keep(RowOf(sample, roles))});
}

std::string TarPairs::RowOf(const TarSample& sample, const TarRoles& roles) const {
  Record row;
  for (const TarEntry& entry : sample.entries) {
    if (std::find(roles.media.begin(), roles.media.end(), &entry) != roles.media.end()) continue;
    RecordValue value{.kind = RecordValue::Kind::kText, .size = entry.data.size.value_or(0)};
    if (value.size <= kMaxValue) value.text = ReadAll(entry);
    // An object is one, not a string that holds one.
    if (IsColumn(entry, "json") && TextsOfKey(value.text, "").error.empty()) {
      value.kind = RecordValue::Kind::kToken;
    }
    row.columns.push_back({.name = LowerAscii(entry.column), .values = {std::move(value)}});
  }
  return RecordToJson(row, {}, [](const RecordValue& value) { return value.text; });
}

JsonKeyTexts TarPairs::FromJson(const TarSample& sample, std::string_view key) {
  for (const TarEntry& entry : sample.entries) {
    if (!IsColumn(entry, "json")) continue;
    JsonKeyTexts found = TextsOfKey(ReadAll(entry), key);
    if (found.error.empty()) return found;
    const std::string what = fmt::format("{}: {}", Printable(entry.name), found.error);
    if (!options_.lenient) damage_->Refuse(entry.offset, what);
    sink_.Note(Odd::kTruncated, what, OriginOf(entry));
  }
  return {};
}

// The member itself stays in the source tree.
void TarPairs::AddLines(const TarEntry& entry) {
  const std::string_view all = Keep(ReadAll(entry));
  for (std::string_view rest = all; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    texts_.emplace_back(InlineText{line});
  }
  Extra(entry);
}

void TarPairs::EmitPairs(const TarSample& sample, TarRoles& roles) {
  const uint64_t split = SplitOf(sample);
  bool any = false;
  uint64_t pairs = 0;
  for (const TarEntry* media : roles.media) {
    const Origin origin = OriginOf(*media);
    const std::optional<MediaId> id = sink_.Media(PathOf(*media), media->data, origin);
    if (!id) continue;
    any = true;
    for (const Text& text : texts_) {
      fields_[0] = text;
      const bool taken = sink_.Pair(*id, fields_, split, origin);
      const bool counts = !columns_.has_texts() || !std::holds_alternative<Absent>(text);
      if (taken && counts) ++pairs;
    }
  }
  if (any) return CountColumns(roles, pairs);
  if (options_.texts == TextsMode::kLines) roles.texts.clear();  // they are extras already
  AddWithoutMedia(roles);
}

uint64_t TarPairs::SplitOf(const TarSample& sample) {
  if (options_.split_column.empty()) {
    return shard_->split.empty() ? 0 : sink_.Split(shard_->split);
  }
  for (const TarEntry& entry : sample.entries) {
    if (IsColumn(entry, options_.split_column)) return sink_.Split(ReadAll(entry));
  }
  const std::string_view key = JsonKeyOf(options_.split_column);
  if (key.empty()) return sink_.Split(kNoSplit);
  const JsonKeyTexts value = FromJson(sample, key);
  return sink_.Split(value.texts.empty() ? kNoSplit : value.texts.front().value_or(kNoSplit));
}

void TarPairs::CountColumns(const TarRoles& roles, uint64_t pairs) {
  std::string used = "members " + ColumnsOf(roles.media);
  std::string texts = ColumnsOf(roles.texts);
  for (const std::string& key : columns_.json_keys()) {
    texts += fmt::format("{}json.{}", texts.empty() ? "" : ", ", key);
  }
  const bool has_text = std::any_of(texts_.begin(), texts_.end(), [](const Text& text) {
    return !std::holds_alternative<Absent>(text);
  });
  if (has_text) used += " and " + texts;
  if (!pairs_by_columns_.contains(used) && pairs_by_columns_.size() >= kMaxRules) {
    used = "other members";
  }
  if (pairs > 0) pairs_by_columns_[used] += pairs;
  for (const TarEntry* entry : roles.others) {
    const bool is_read = IsColumn(*entry, options_.split_column) ||
                         (!columns_.json_keys().empty() && IsColumn(*entry, "json"));
    if (!is_read && !options_.keep_columns) ++left_columns_[LowerAscii(entry->column)];
  }
}

void TarPairs::Finish(const std::string& operand) {
  for (const auto& [columns, pairs] : pairs_by_columns_) sink_.Rule(columns, pairs);
  for (const auto& [column, members] : left_columns_) {
    sink_.Note(Odd::kLeftColumn,
               fmt::format("{} ({}{})", column, Counted(members, "member", "members"),
                           options_.extras ? ", kept in the source tree" : ""),
               {operand});
  }
}

void TarPairs::File(const TarEntry& entry) {
  again_ = 1;
  const bool hidden = IsHiddenPath(entry.name);
  if (hidden) sink_.Note(Odd::kHiddenFile, entry.name, OriginOf(entry));
  if (!hidden || !options_.drop_hidden) Extra(entry);
}

void TarPairs::Directory(const TarMember& member) {
  if (options_.drop_hidden && IsHiddenPath(member.name)) return;
  const std::string_view name = WithoutRoot(member.name);
  if (name.size() < member.name.size()) {
    sink_.Note(Odd::kAbsoluteName, member.name, {shard_->name, 0, member.offset});
  }
  const TreeName tree = MakeTreeName(name);
  if (tree.outside || tree.path.empty()) return;
  sink_.Directory(MakeTreeName(JoinPath(directory_, name)).path, member.mtime_ns);
}

void TarPairs::LeftOut(Odd kind, const TarMember& member) {
  const std::string what =
      member.target.empty() ? member.name : fmt::format("{} -> {}", member.name, member.target);
  sink_.Note(kind, what, {shard_->name, 0, member.offset});
}

void TarPairs::Extra(const TarEntry& entry) {
  if (WithoutRoot(entry.name).empty()) {
    return sink_.Note(Odd::kNoName, entry.name, OriginOf(entry));
  }
  if (options_.extras) return sink_.Extra(PathOf(entry), entry.data, OriginOf(entry));
  sink_.Note(Odd::kDroppedExtra, entry.name, OriginOf(entry));
}

// What is odd about a name is told here: the sink would know neither the name in the archive nor
// where a text stands there.
std::string TarPairs::PathOf(const TarEntry& entry) {
  const std::string again = NameAgain(entry, again_);
  const std::string_view name = WithoutRoot(again);
  if (name.size() < again.size()) sink_.Note(Odd::kAbsoluteName, entry.name, OriginOf(entry));
  const TreeName tree = MakeTreeName(name);
  if (!tree.outside) return JoinPath(directory_, name);
  if (IsRefused(name)) return entry.name;
  sink_.Note(Odd::kOutsidePath, entry.name, OriginOf(entry));
  return JoinPath(directory_, tree.path);
}

// By the sink, which tells that.
bool TarPairs::IsRefused(std::string_view name) const {
  return !options_.allow_outside && MakeTreeName(name).outside;
}

Text TarPairs::FileTextOf(const TarEntry& entry) {
  return FileText{Keep(PathOf(entry)), entry.data};
}

std::string TarPairs::ReadAll(const TarEntry& entry) const {
  const uint64_t size = entry.data.size.value_or(0);
  if (size > kMaxText) {
    damage_->Refuse(entry.offset, fmt::format("'{}' has {} bytes, too many for what it is to be",
                                              Printable(entry.name), size));
  }
  return FileWindow(entry.data.path, size_t{64} << 10).ReadText(entry.data.offset, size);
}

std::string_view TarPairs::Keep(std::string text) {
  kept_.push_back(std::move(text));
  return kept_.back();
}

}  // namespace ulhff
