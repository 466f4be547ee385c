// COCO captions: images with the captions of their annotations, a split for each file.
#include "converter/annotation_source.h"
#include "converter/entry_count.h"
#include "converter/joined_reader.h"
#include "converter/source_kinds.h"

namespace ulhff {
namespace {

// The first entries of both sections; the rest of each is skipped without building trees.
class CocoPeeker {
 public:
  CocoPeeker(const std::string& path, AnnotationPeek& peek) : path_(path), peek_(peek) {}

  void Look() {
    JsonStream json(path_);
    if (json.shape() != JsonShape::kObject) return;
    bool complete = true;
    while (const JsonRecord* record = json.Next()) {
      if (record->section == "images" && peek_.media.size() < EntryCount::kSample) {
        if (!TakeImage(record->value)) return;
      } else if (record->section == "annotations" && !captions_.enough()) {
        if (!TakeCaption(*record)) return;
      } else if (!record->section.empty()) {
        complete = complete && record->section != "annotations";
        if (captions_.enough() && !peek_.media.empty()) break;
        json.SkipSection();
      } else if (++members_ > kMaxMembers) {
        return;
      }
    }
    captions_.Tell(path_, complete, peek_);
    if (!peek_.almost || peek_.fits) return;
    peek_.problem = captions_.entries() > 0
                        ? "there are captions, but no section \"images\" whose entries have id and "
                          "file_name"
                        : "entries of \"images\" have id and file_name, those of \"annotations\" "
                          "image_id and caption";
  }

 private:
  static constexpr int kMaxMembers = 64;  // beside the sections; more of them are another format

  // False: the section is not what its name says here.
  bool TakeImage(const JsonValue& image) {
    const auto name = image.Find("file_name");
    if (peek_.media.empty() && !(name && image.Find("id"))) return false;
    peek_.media.emplace_back(name ? name->text() : "");
    Judge();
    return true;
  }

  bool TakeCaption(const JsonRecord& record) {
    const bool sound = record.value.Find("image_id") && record.value.Find("caption");
    if (captions_.entries() == 0 && !sound) return false;
    captions_.Add(record.offset);
    Judge();
    return true;
  }

  void Judge() {
    peek_.almost = true;
    peek_.fits = captions_.entries() > 0 && !peek_.media.empty();
    captions_.Tell(path_, true, peek_);
  }

  const std::string& path_;
  AnnotationPeek& peek_;
  EntryCount captions_;
  int members_ = 0;
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
