// MSVD and mmaction2: one JSON object, each media with the list of its captions.
#include "converter/entry_peek.h"
#include "converter/media_types.h"
#include "converter/record_annotations.h"
#include "converter/source_kinds.h"

namespace ulhff {
namespace {

// The ids of MSVD have no extension, those of mmaction2 do.
void NameMedia(std::string_view id, std::vector<std::string>& names) {
  static const MediaTypes types{ConvertOptions()};
  for (const char* extension : {".mp4", ".webm", ".avi"}) {
    if (!types.IsMedia(id)) names.push_back(std::string(id) + extension);
  }
  names.emplace_back(id);
}

void Peek(const std::string& path, AnnotationPeek& peek) {
  EntryPeek entries(path, peek);
  if (!entries.is_object()) return;
  EntryCount count;
  std::string last;
  const JsonRecord* record = entries.Next();
  for (; record != nullptr && !count.enough(); record = entries.Next()) {
    const bool is_caption = record->value.is_string() || record->value.is_null();
    if (record->section.empty() || !is_caption) {
      count.AddOther();
      continue;
    }
    if (record->section != last) NameMedia(record->section, peek.media);
    last = record->section;
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
                                 "MSVD, mmaction2: a JSON object of lists of captions",
                                 "object of lists of captions",
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
