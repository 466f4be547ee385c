// MSVD and mmaction2: one JSON object, each media with its caption or the list of them.
#include "converter/entry_peek.h"
#include "converter/media_types.h"
#include "converter/record_annotations.h"
#include "converter/source_kinds.h"

namespace ulhff {
namespace {

bool IsMedia(std::string_view name) {
  static const MediaTypes types{ConvertOptions()};
  return types.IsMedia(name);
}

// The ids of MSVD have no extension, those of mmaction2 do.
void NameMedia(std::string_view id, std::vector<std::string>& names) {
  for (const char* extension : {".mp4", ".webm", ".avi"}) {
    if (!IsMedia(id)) names.push_back(std::string(id) + extension);
  }
  names.emplace_back(id);
}

// Any object of settings holds strings: only one whose key is a media is a caption, unless it names
// another (a mask).
bool IsCaption(const JsonRecord& record) {
  if (!record.section.empty()) return record.value.is_string() || record.value.is_null();
  const std::string_view text = record.value.text();
  return record.value.is_string() && IsMedia(record.key) && !IsMedia(text);
}

void Peek(const std::string& path, AnnotationPeek& peek) {
  EntryPeek entries(path, peek);
  if (!entries.is_object()) return;
  EntryCount count;
  std::string last;
  const JsonRecord* record = entries.Next();
  for (; record != nullptr && !count.enough(); record = entries.Next()) {
    if (!IsCaption(*record)) {
      count.AddOther();
      continue;
    }
    const std::string& id = record->section.empty() ? record->key : record->section;
    if (id != last) NameMedia(id, peek.media);
    last = id;
    count.Add(record->offset);
  }
  peek.fits = count.tells();
  count.Tell(path, record == nullptr, peek);
}

bool Take(const JsonRecord& record, const std::string&, Annotation& next) {
  NameMedia(record.key, next.media);
  const JsonValue captions = record.value;
  if (captions.is_null()) return true;
  if (!captions.is_array()) {
    next.texts.emplace_back(captions.text());
    return true;
  }
  for (const JsonValue caption : captions.elements()) {
    next.texts.emplace_back();
    if (!caption.is_null()) next.texts.back() = caption.text();
  }
  return true;
}

std::unique_ptr<AnnotationReader> Read(const AnnotationUnit& unit,
                                       const std::vector<std::string>& paths,
                                       const AnnotationContext& context) {
  return ReadRecords(unit, paths, {.whole_members = true}, Take, context);
}

constexpr AnnotationFormat kMsvd{"msvd",
                                 "MSVD, mmaction2: a JSON object of captions by media",
                                 "object of captions",
                                 "captions",
                                 "json",
                                 AnnotationFormat::Media::kNeeded,
                                 Peek,
                                 nullptr,
                                 nullptr,
                                 Read};

}  // namespace

SourceKind MsvdKind() { return AnnotationKind<kMsvd>(); }

}  // namespace ulhff
