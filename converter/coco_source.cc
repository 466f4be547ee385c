// COCO captions: images with the captions of their annotations, a split for each file.
#include <fmt/format.h>

#include "converter/annotation_source.h"
#include "converter/entry_peek.h"
#include "converter/joined_reader.h"
#include "converter/source_kinds.h"

namespace ulhff {
namespace {

// The first entries of both sections; the rest of each is skipped without building trees.
class CocoPeeker {
 public:
  CocoPeeker(const std::string& path, AnnotationPeek& peek) : path_(path), peek_(peek) {}

  void Look() {
    EntryPeek entries(path_, peek_);
    if (!entries.is_object()) return;
    for (int members = 0; members < kMaxMembers && !IsOther();) {
      const JsonRecord* record = entries.Next();
      if (record == nullptr) break;
      if (record->section.empty()) ++members;
      if (record->section == "images" && !images_.enough()) {
        TakeImage(*record);
      } else if (record->section == "annotations" && !captions_.enough()) {
        TakeCaption(*record);
      } else {
        complete_ = complete_ && record->section != "annotations";
        if (captions_.enough() && images_.any()) break;
        entries.SkipSection();
      }
    }
    Judge();
  }

 private:
  static constexpr int kMaxMembers = 64;  // beside the sections; more of them are another format

  void TakeImage(const JsonRecord& record) {
    const auto name = record.value.Find("file_name");
    if (!name || !record.value.Find("id")) return images_.AddOther();
    images_.Add(record.offset);
    peek_.media.emplace_back(name->text());
  }

  void TakeCaption(const JsonRecord& record) {
    if (!record.value.Find("image_id") || !record.value.Find("caption")) {
      return captions_.AddOther();
    }
    captions_.Add(record.offset);
  }

  // A section is not what its name says here: instances, keypoints.
  bool IsOther() const {
    return (images_.enough() && images_.tells_other()) ||
           (captions_.enough() && captions_.tells_other());
  }

  void Judge() {
    const bool other = images_.tells_other() || captions_.tells_other();
    peek_.fits = images_.tells() && captions_.tells();
    peek_.almost = !images_.tells_other() && (images_.any() || captions_.any());
    captions_.Tell(path_, complete_, peek_);
    if (peek_.fits) return;
    peek_.problem =
        "entries of \"images\" have id and file_name, those of \"annotations\" image_id and "
        "caption";
    if (other) peek_.fault.clear();
    // Captions are meant to be read; entries that have none are something else.
    if (!other && captions_.any() && peek_.fault.empty()) {
      peek_.fault = fmt::format(
          "{}: there are captions as in COCO, but no section \"images\" whose entries have id and "
          "file_name",
          path_);
    }
  }

  const std::string& path_;
  AnnotationPeek& peek_;
  EntryCount images_, captions_;
  bool complete_ = true;  // there are no more captions than were looked at
};

void PeekCoco(const std::string& path, AnnotationPeek& peek) { CocoPeeker(path, peek).Look(); }

std::unique_ptr<AnnotationReader> ReadCoco(const AnnotationUnit& unit,
                                           const std::vector<std::string>& paths,
                                           const AnnotationContext& context) {
  const auto keep = [](const char* key) {
    return [key](const JsonValue& entry, std::string& kept) {
      const auto value = entry.Find(key);
      if (!value || value->is_null()) return false;
      kept += value->text();
      return true;
    };
  };
  const std::string& name = unit.names[0];
  return std::make_unique<JoinedReader>(
      SectionJoin::Side{name, paths[0], "images", "id", "file_name", keep("file_name")},
      SectionJoin::Side{name, paths[0], "annotations", "image_id", "", keep("caption")}, false,
      [](std::string_view kept, Annotation& image) { image.media.emplace_back(kept); }, context);
}

constexpr AnnotationFormat kCoco{"coco",          "COCO captions: JSON with images and annotations",
                                 "COCO captions", "captions",
                                 "json",          AnnotationFormat::Media::kNotLookedFor,
                                 PeekCoco,        nullptr,
                                 nullptr,         ReadCoco};

}  // namespace

SourceKind CocoKind() { return AnnotationKind<kCoco>(); }

}  // namespace ulhff
