// Lists of the names that datasets use, and globs.
#include "converter/record_columns.h"

#include <algorithm>
#include <cstring>

#include "converter/column_names.h"
#include "converter/magic.h"

namespace ulhff {
namespace {

using Kind = RecordValue::Kind;

// In order of preference: "image/encoded" is a file where "image" may be pixels.
constexpr const char* kMediaNames[] = {
    "image/encoded", "image/data",  "image_raw", "image_bytes",   "image_data",
    "image",         "img",         "jpg",       "jpeg",          "png",
    "webp",          "gif",         "",          "audio/encoded", "audio_bytes",
    "audio",         "wav",         "flac",      "mp3",           "ogg",
    "video/encoded", "video_bytes", "video",     "mp4",           "webm"};
constexpr const char* kTextNames[] = {
    "caption",       "captions",      "text",         "txt",        "texts",    "image/caption",
    "image_caption", "captions/text", "caption/text", "image/text", "sentence", "sentences",
    "transcript",    "transcription", "title",        "description"};

bool Holds(const RecordColumn& column, Kind kind) {
  return std::any_of(column.values.begin(), column.values.end(),
                     [kind](const RecordValue& value) { return value.kind == kind; });
}

// Something of another kind than bytes may be the pixels of what was a file: worth a message.
bool CanBeMedia(const RecordColumn& column) {
  return column.is_media ||
         (!column.values.empty() && !Holds(column, Kind::kText) && !Holds(column, Kind::kToken));
}

bool IsNumbered(const std::string& name) {
  return IsTextColumnName(name) && name.back() >= '0' && name.back() <= '9';
}

void Sort(std::vector<const RecordColumn*>& columns) {
  std::stable_sort(columns.begin(), columns.end(),
                   [](const RecordColumn* a, const RecordColumn* b) {
                     return strverscmp(a->name.c_str(), b->name.c_str()) < 0;
                   });
}

// Pattern by pattern, each column once.
std::vector<const RecordColumn*> Matching(const std::vector<std::string>& patterns,
                                          const Record& record) {
  std::vector<const RecordColumn*> columns;
  for (const std::string& pattern : patterns) {
    std::vector<const RecordColumn*> matching;
    for (const RecordColumn& column : record.columns) {
      const bool taken = std::find(columns.begin(), columns.end(), &column) != columns.end();
      if (!taken && MatchesColumn(pattern, column.name)) matching.push_back(&column);
    }
    Sort(matching);
    columns.insert(columns.end(), matching.begin(), matching.end());
  }
  return columns;
}

}  // namespace

const RecordColumn* FindColumn(const Record& record, std::string_view name) {
  for (const RecordColumn& column : record.columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

RecordColumns::RecordColumns(const ConvertOptions& options) : text_patterns_(options.text_columns) {
  if (!options.media_column.empty()) media_patterns_ = {options.media_column};
}

void RecordColumns::Look(const Record& record, FileWindow& file) {
  for (const RecordColumn& column : record.columns) {
    const bool known = std::find(seen_.begin(), seen_.end(), column.name) != seen_.end();
    if (!known) seen_.push_back(column.name);
    if (!media_patterns_.empty() || column.values.empty()) continue;
    const RecordValue& value = column.values.front();
    if (value.kind != Kind::kBytes || value.place != RecordValue::Place::kShard) continue;
    const size_t size = std::min<uint64_t>(value.size, kMagicBytes);
    if (SniffExtension(file.Read(value.offset, size)).empty()) continue;
    const auto found = std::find(found_media_.begin(), found_media_.end(), column.name);
    if (found == found_media_.end()) found_media_.push_back(column.name);
  }
  has_media_ = has_media_ || !MediaOf(record).empty();
  has_texts_ = has_texts_ || !TextsOf(record).empty();
}

std::vector<const RecordColumn*> RecordColumns::MediaOf(const Record& record) const {
  if (!media_patterns_.empty()) return Matching(media_patterns_, record);
  for (const char* name : kMediaNames) {
    const RecordColumn* column = FindColumn(record, name);
    if (column != nullptr && CanBeMedia(*column)) return {column};
  }
  for (const RecordColumn& column : record.columns) {
    if (column.is_media) return {&column};
  }
  for (const std::string& name : found_media_) {
    const RecordColumn* column = FindColumn(record, name);
    if (column != nullptr && CanBeMedia(*column)) return {column};
  }
  return {};
}

std::vector<const RecordColumn*> RecordColumns::TextsOf(const Record& record) const {
  if (!text_patterns_.empty()) return Matching(text_patterns_, record);
  for (const char* name : kTextNames) {
    const RecordColumn* column = FindColumn(record, name);
    if (column != nullptr) return {column};
  }
  std::vector<const RecordColumn*> columns;
  for (const RecordColumn& column : record.columns) {
    if (IsNumbered(column.name)) columns.push_back(&column);
  }
  Sort(columns);
  return columns;
}

}  // namespace ulhff
