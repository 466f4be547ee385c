// COCO captions: images with the captions of their annotations, a split for each file.
#include <fmt/format.h>

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
    JsonStream json(path_, OptionsToPeek(peek_));
    if (json.shape() != JsonShape::kObject) return;
    bool complete = true;
    while (const JsonRecord* record = json.Next()) {
      if (record->section == "images" && peek_.media.size() < EntryCount::kSample) {
        if (!TakeImage(record->value)) return;
      } else if (record->section == "annotations" && !captions_.enough() &&
                 others_ < EntryCount::kSample) {
        TakeCaption(*record);
      } else if (!record->section.empty()) {
        complete = complete && record->section != "annotations";
        if (!OfCaptions()) break;
        if (captions_.enough() && !peek_.media.empty()) break;
        json.SkipSection();
      } else if (++members_ > kMaxMembers) {
        return;
      }
    }
    if (OfCaptions()) captions_.Tell(path_, complete, peek_);
    if (peek_.almost && !peek_.fits) Explain();
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

  // A bad one is told when all are read.
  void TakeCaption(const JsonRecord& record) {
    if (!record.value.Find("image_id") || !record.value.Find("caption")) {
      ++others_;
      peek_.fits = peek_.fits && OfCaptions();
      return;
    }
    captions_.Add(record.offset);
    Judge();
  }

  // Captions are meant to be read; entries that have none are something else.
  void Explain() {
    peek_.broken = captions_.entries() > 0 && OfCaptions();
    peek_.problem =
        peek_.broken
            ? fmt::format(
                  "{}: there are captions as in COCO, but no section \"images\" whose "
                  "entries have id and file_name",
                  path_)
            : "entries of \"images\" have id and file_name, those of \"annotations\" image_id and "
              "caption";
  }

  // Most annotations say what these are.
  bool OfCaptions() const { return others_ == 0 || captions_.entries() > others_; }

  void Judge() {
    peek_.almost = true;
    peek_.fits = captions_.entries() > others_ && !peek_.media.empty();
    captions_.Tell(path_, true, peek_);
  }

  const std::string& path_;
  AnnotationPeek& peek_;
  EntryCount captions_;
  uint64_t others_ = 0;  // annotations without a caption or without an image
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
