// MSVD and mmaction2: one JSON object, each media with the list of its captions.
#include "converter/entry_count.h"
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
  JsonStream json(path, OptionsToPeek(peek));
  if (json.shape() != JsonShape::kObject) return;
  EntryCount count;
  std::string last;
  const JsonRecord* record = json.Next();
  for (; record != nullptr && !count.enough(); record = json.Next()) {
    if (record->section.empty() || !record->value.is_string()) {
      if (!peek.fits) return;
      continue;
    }
    peek.fits = true;
    if (record->section != last) NameMedia(record->section, peek.media);
    last = record->section;
    count.Add(record->offset);
    count.Tell(path, true, peek);
  }
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
