// Extensions decide, as they do for plain files.
#include "converter/tar_columns.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "converter/column_names.h"
#include "converter/file_window.h"
#include "converter/magic.h"
#include "converter/name_rules.h"

namespace ulhff {
namespace {

using Entries = std::vector<const TarEntry*>;

bool Has(const Entries& entries, const TarEntry* entry) {
  return std::find(entries.begin(), entries.end(), entry) != entries.end();
}

bool Matches(const std::string& pattern, const TarEntry& entry) {
  return MatchesColumn(pattern, entry.column) || MatchesColumn(pattern, LowerAscii(entry.column));
}

// 2.txt before 10.txt; before both what has nothing but the extension.
void Sort(Entries& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const TarEntry* a, const TarEntry* b) {
    const bool a_is_plain = a->column.find('.') == std::string::npos;
    const bool b_is_plain = b->column.find('.') == std::string::npos;
    if (a_is_plain != b_is_plain) return a_is_plain;
    return strverscmp(a->column.c_str(), b->column.c_str()) < 0;
  });
}

bool LooksLikeMedia(const TarEntry& entry) {
  FileWindow file(entry.data.path, kMagicBytes);
  const uint64_t size = std::min<uint64_t>(entry.data.size.value_or(0), kMagicBytes);
  return !SniffExtension(file.Read(entry.data.offset, size)).empty();
}

}  // namespace

bool IsColumn(const TarEntry& entry, std::string_view name) {
  return entry.column == name || LowerAscii(entry.column) == name;
}

std::string_view JsonKeyOf(std::string_view column) {
  constexpr std::string_view kPrefix = "json.";
  return column.starts_with(kPrefix) ? column.substr(kPrefix.size()) : std::string_view();
}

TarColumns::TarColumns(const ConvertOptions& options) : options_(options), types_(options) {
  for (const std::string& column : options.text_columns) {
    if (!JsonKeyOf(column).empty()) json_keys_.emplace_back(JsonKeyOf(column));
  }
}

bool TarColumns::IsMedia(const TarEntry& entry) const {
  if (!options_.media_column.empty()) return Matches(options_.media_column, entry);
  return types_.IsMedia(entry.name) || sniffed_.contains(LowerAscii(entry.column));
}

void TarColumns::Look(const TarSample& sample) {
  const bool has_media = std::any_of(sample.entries.begin(), sample.entries.end(),
                                     [this](const TarEntry& entry) { return IsMedia(entry); });
  for (const TarEntry& entry : sample.entries) {
    const std::string column = LowerAscii(entry.column);
    seen_.insert(column);
    if (!has_media && options_.media_column.empty() && !types_.TextRank(entry.name) &&
        LooksLikeMedia(entry)) {
      sniffed_.insert(column);
    }
  }
  const TarRoles roles = RolesOf(sample);
  has_media_ = has_media_ || !roles.media.empty();
  if (roles.media.empty()) return;
  has_texts_ = has_texts_ || !roles.texts.empty();
  if (!roles.texts.empty()) {
    if (const auto rank = types_.TextRank(roles.texts.front()->name)) ++first_ranks_[*rank];
  }
  for (const TarEntry* entry : roles.others) {
    const auto rank = types_.TextRank(entry->name);
    if (rank && !roles.texts.empty() && IsTextExtension(*entry, *rank))
      further_ranks_.insert(*rank);
  }
}

bool TarColumns::IsTextExtension(const TarEntry& entry, size_t rank) const {
  return IsColumn(entry, types_.text_extensions()[rank]);
}

// Those of the options come after those that were found.
std::vector<TarColumns::Field> TarColumns::AllFields() const {
  std::vector<Field> fields;
  for (const size_t rank : further_ranks_) {
    if (options_.keep_columns) break;  // all go to one field
    const std::string& extension = types_.text_extensions()[rank];
    const bool asked = std::any_of(options_.fields.begin(), options_.fields.end(),
                                   [&](const auto& field) { return field.first == extension; });
    if (!asked) fields.push_back({extension, extension});
  }
  for (const auto& [name, column] : options_.fields) fields.push_back({name, column});
  return fields;
}

std::vector<std::pair<std::string, std::string>> TarColumns::Fields() const {
  const auto commonest =
      std::max_element(first_ranks_.begin(), first_ranks_.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<std::pair<std::string, std::string>> fields;
  fields.emplace_back(
      "", commonest == first_ranks_.end() ? "txt" : types_.text_extensions()[commonest->first]);
  for (const Field& field : AllFields()) {
    const std::string extension(ObjectExtension("x." + field.column));
    const bool is_text = extension.empty() || !JsonKeyOf(field.column).empty();
    fields.emplace_back(field.name, is_text ? "txt" : extension);
  }
  if (options_.keep_columns) fields.emplace_back("json", "json");
  return fields;
}

TarRoles TarColumns::RolesOf(const TarSample& sample) const {
  TarRoles roles;
  for (const TarEntry& entry : sample.entries) {
    (IsMedia(entry) ? roles.media : roles.others).push_back(&entry);
  }
  FindTexts(roles);
  FindFields(sample, roles);
  const auto is_used = [&roles](const TarEntry* entry) {
    return Has(roles.texts, entry) || Has(roles.fields, entry);
  };
  std::erase_if(roles.others, is_used);
  return roles;
}

void TarColumns::FindTexts(TarRoles& roles) const {
  for (const std::string& pattern : options_.text_columns) {
    Entries matching;
    for (const TarEntry* entry : roles.others) {
      if (!Has(roles.texts, entry) && Matches(pattern, *entry)) matching.push_back(entry);
    }
    Sort(matching);
    roles.texts.insert(roles.texts.end(), matching.begin(), matching.end());
  }
  if (!options_.text_columns.empty()) return;
  std::optional<size_t> first;
  for (const TarEntry* entry : roles.others) {
    const auto rank = types_.TextRank(entry->name);
    if (rank) first = std::min(*rank, first.value_or(*rank));
  }
  for (const TarEntry* entry : roles.others) {
    if (first && types_.TextRank(entry->name) == first) roles.texts.push_back(entry);
  }
  Sort(roles.texts);
}

void TarColumns::FindFields(const TarSample& sample, TarRoles& roles) const {
  for (const Field& field : AllFields()) {
    const auto found =
        std::find_if(sample.entries.begin(), sample.entries.end(), [&](const TarEntry& entry) {
          return IsColumn(entry, field.column) && !Has(roles.texts, &entry);
        });
    roles.fields.push_back(found == sample.entries.end() ? nullptr : &*found);
  }
}

}  // namespace ulhff
