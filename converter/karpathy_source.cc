// Karpathy's splits: images with their sentences, and the split that each is in.
#include <fmt/format.h>

#include "converter/entry_peek.h"
#include "converter/record_annotations.h"
#include "converter/source_kinds.h"
#include "converter/walk.h"

namespace ulhff {
namespace {

constexpr const char* kNoSplit = "default";  // of images that say none

// COCO says a directory too, which need not be there.
void NameMedia(const JsonValue& image, std::vector<std::string>& names) {
  const auto filename = image.Find("filename");
  const auto filepath = image.Find("filepath");
  if (filepath && filepath->is_string() && !filepath->text().empty()) {
    names.push_back(JoinPath(filepath->text(), filename->text()));
  }
  names.emplace_back(filename->text());
}

void Peek(const std::string& path, AnnotationPeek& peek) {
  EntryPeek entries(path, peek);
  if (!entries.is_object()) return;
  constexpr int kMaxMembers = 16;  // beside the images
  EntryCount count;
  const JsonRecord* record = entries.Next();
  for (int members = 0; record != nullptr && !count.enough() && members < kMaxMembers;
       record = entries.Next()) {
    if (record->section != "images") {
      entries.SkipSection();
      ++members;
      continue;
    }
    const auto sentences = record->value.Find("sentences");
    if (sentences && sentences->is_array() && record->value.Find("filename")) {
      NameMedia(record->value, peek.media);
      count.Add(record->offset, sentences->size());
    } else {
      count.AddOther();
    }
  }
  peek.fits = count.tells();
  count.Tell(path, record == nullptr, peek);
}

bool Take(const JsonRecord& record, const std::string& path, Annotation& next) {
  NeedMember(record, "filename", path);
  NameMedia(record.value, next.media);
  const auto split = record.value.Find("split");
  next.split = split && split->is_string() ? split->text() : kNoSplit;
  const auto sentences = record.value.Find("sentences");
  if (!sentences) return true;
  for (const JsonValue sentence : sentences->elements()) {
    const auto raw = sentence.Find("raw");
    next.texts.emplace_back();
    if (raw && !raw->is_null()) next.texts.back() = raw->text();
  }
  return true;
}

std::unique_ptr<AnnotationReader> Read(const AnnotationUnit& unit,
                                       const std::vector<std::string>& paths,
                                       const AnnotationContext& context) {
  return ReadRecords(unit, paths, {.sections = {"images"}}, Take, context);
}

constexpr AnnotationFormat kKarpathy{"karpathy",
                                     "Karpathy's splits: dataset_coco.json and the like",
                                     "Karpathy's splits",
                                     "sentences",
                                     "json",
                                     AnnotationFormat::Media::kAlternatives,
                                     Peek,
                                     nullptr,
                                     nullptr,
                                     Read};

}  // namespace

SourceKind KarpathyKind() { return AnnotationKind<kKarpathy>(); }

}  // namespace ulhff
