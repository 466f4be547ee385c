// MSR-VTT: videos and the sentences about them, in the original form or that of COCO.
#include <set>

#include "converter/entry_count.h"
#include "converter/joined_reader.h"
#include "converter/source_kinds.h"

namespace ulhff {
namespace {

struct Shape {
  const char* videos;
  const char* video_id;
  const char* sentences;
  const char* sentence_id;
};
// *_videodatainfo.json, MSRVTT_data.json; and MSR_VTT.json, whose images are only ids or left out.
constexpr Shape kShapes[] = {{"videos", "video_id", "sentences", "video_id"},
                             {"images", "id", "annotations", "image_id"}};

// What was seen of one shape.
struct Seen {
  uint64_t videos = 0;
  EntryCount sentences;
  bool other = false;  // entries that are something else
};

bool IsVideoId(std::string_view id) {
  return id.starts_with("video") && id.size() > 5 &&
         id.find_first_not_of("0123456789", 5) == std::string_view::npos;
}

std::string TextOf(const JsonValue& entry, const char* key) {
  const auto value = entry.Find(key);
  return value && value->is_string() ? std::string(value->text()) : std::string();
}

// C4C looks for .mp4, then for .webm.
void NameMedia(std::string_view id, std::vector<std::string>& names) {
  for (const char* extension : {".mp4", ".webm", ""}) names.push_back(std::string(id) + extension);
}

// False: there is nothing more to be learnt of this section.
bool Look(const JsonRecord& record, const Shape& shape, Seen& seen, AnnotationPeek& peek) {
  if (record.section == shape.videos) {
    seen.other = seen.other || TextOf(record.value, shape.video_id).empty() ||
                 record.value.Find("file_name").has_value();
    return ++seen.videos < EntryCount::kSample && !seen.other;
  }
  const std::string id = TextOf(record.value, shape.sentence_id);
  const bool sound = record.value.Find("caption") && !id.empty() &&
                     (shape.videos == kShapes[0].videos || IsVideoId(id));
  seen.other = seen.other || !sound;
  if (!sound) return false;
  seen.sentences.Add(record.offset);
  NameMedia(id, peek.media);
  return !seen.sentences.enough();
}

// The images of MSR_VTT.json may be left out.
bool IsTold(const Shape& shape, const Seen& seen) {
  return seen.sentences.entries() > 0 && (seen.videos > 0 || &shape != &kShapes[0]);
}

// The number of the shape; nullopt: none.
std::optional<size_t> ShapeOf(const std::string& path, AnnotationPeek& peek, bool& has_videos) {
  JsonStream json(path, OptionsToPeek(peek));
  if (json.shape() != JsonShape::kObject) return std::nullopt;
  Seen seen[2];
  bool complete = true;
  constexpr int kMaxMembers = 16;
  for (int members = 0; members < kMaxMembers;) {
    peek.almost = seen[0].videos + seen[0].sentences.entries() > 0;
    const bool is_told = IsTold(kShapes[0], seen[0]) || IsTold(kShapes[1], seen[1]);
    const JsonRecord* record = NextToPeek(json, is_told);
    if (record == nullptr) break;
    bool skip = !record->section.empty();
    members += skip ? 0 : 1;
    for (size_t i = 0; i < 2; ++i) {
      const Shape& shape = kShapes[i];
      if (record->section != shape.videos && record->section != shape.sentences) continue;
      skip = !Look(*record, shape, seen[i], peek);
      if (seen[i].other) return std::nullopt;
      complete = complete && !(skip && record->section == shape.sentences);
    }
    if (skip) json.SkipSection();
  }
  for (size_t i = 0; i < 2; ++i) {
    if (!IsTold(kShapes[i], seen[i])) continue;
    seen[i].sentences.Tell(path, complete, peek);
    has_videos = seen[i].videos > 0;
    return i;
  }
  return std::nullopt;
}

void Peek(const std::string& path, AnnotationPeek& peek) {
  bool has_videos = false;
  peek.fits = ShapeOf(path, peek, has_videos).has_value();
}

bool KeepCaption(const JsonValue& entry, std::string& kept) {
  const auto value = entry.Find("caption");
  if (!value || value->is_null()) return false;
  kept += value->text();
  return true;
}

std::unique_ptr<AnnotationReader> Read(const AnnotationUnit& unit,
                                       const std::vector<std::string>& paths,
                                       const AnnotationContext& context) {
  AnnotationPeek peek;
  peek.lenient = context.options.lenient;
  bool has_videos = false;
  const Shape& shape = kShapes[ShapeOf(paths[0], peek, has_videos).value_or(0)];
  // The id as it is spelled, and the split.
  const auto keep_video = [&shape](const JsonValue& video, std::string& kept) {
    kept = TextOf(video, shape.video_id) + '\0' + TextOf(video, "split");
    return true;
  };
  const auto take_video = [](std::string_view kept, Annotation& video) {
    const size_t end = kept.find('\0');
    NameMedia(kept.substr(0, end), video.media);
    if (end != std::string_view::npos) video.split = kept.substr(end + 1);
  };
  const std::string& name = unit.names[0];
  return std::make_unique<JoinedReader>(
      SectionJoin::Side{name, has_videos ? paths[0] : "", shape.videos, shape.video_id, "",
                        keep_video},
      SectionJoin::Side{name, paths[0], shape.sentences, shape.sentence_id, "", KeepCaption},
      !has_videos, take_video, context);
}

// MSRVTT_data.json holds what train_val_videodatainfo.json and test_videodatainfo.json hold.
std::string VariantOf(const std::string& name) {
  return name.find("videodatainfo") == std::string::npos ? name : "videodatainfo";
}

constexpr AnnotationFormat kMsrvtt{"msrvtt",  "MSR-VTT: JSON with videos and sentences",
                                   "MSR-VTT", "sentences",
                                   "json",    AnnotationFormat::Media::kNotLookedFor,
                                   Peek,      nullptr,
                                   VariantOf, Read};

}  // namespace

SourceKind MsrvttKind() { return AnnotationKind<kMsrvtt>(); }

}  // namespace ulhff
