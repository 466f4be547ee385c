// MSR-VTT: videos and the sentences about them, in the original form or that of COCO.
#include <set>

#include "converter/entry_peek.h"
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
  EntryCount videos, sentences;

  // The images of MSR_VTT.json may be left out.
  bool Tells(const Shape& shape) const {
    const bool no_videos = &shape != &kShapes[0] && !videos.any() && !videos.tells_other();
    return sentences.tells() && (videos.tells() || no_videos);
  }
  bool TellsHalf() const {
    return (videos.any() || sentences.any()) && !videos.tells_other() && !sentences.tells_other();
  }
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

bool IsVideo(const JsonValue& entry, const Shape& shape) {
  return !TextOf(entry, shape.video_id).empty() && !entry.Find("file_name");
}

bool IsSentence(const JsonValue& entry, const Shape& shape) {
  const std::string id = TextOf(entry, shape.sentence_id);
  return entry.Find("caption") && !id.empty() && (&shape == &kShapes[0] || IsVideoId(id));
}

// False: there is nothing more to be learnt of this section.
bool Look(const JsonRecord& record, const Shape& shape, Seen& seen, AnnotationPeek& peek) {
  const bool is_video = record.section == shape.videos;
  EntryCount& count = is_video ? seen.videos : seen.sentences;
  if (count.enough()) return false;
  if (is_video ? !IsVideo(record.value, shape) : !IsSentence(record.value, shape)) {
    count.AddOther();
    return true;
  }
  count.Add(record.offset);
  if (!is_video) NameMedia(TextOf(record.value, shape.sentence_id), peek.media);
  return true;
}

// The number of the shape; nullopt: none.
std::optional<size_t> ShapeOf(const std::string& path, AnnotationPeek& peek, bool& has_videos) {
  EntryPeek entries(path, peek);
  if (!entries.is_object()) return std::nullopt;
  Seen seen[2];
  bool complete = true;
  constexpr int kMaxMembers = 16;
  for (int members = 0; members < kMaxMembers;) {
    const JsonRecord* record = entries.Next();
    if (record == nullptr) break;
    bool skip = !record->section.empty();
    members += skip ? 0 : 1;
    for (size_t i = 0; i < 2; ++i) {
      const Shape& shape = kShapes[i];
      if (record->section != shape.videos && record->section != shape.sentences) continue;
      skip = !Look(*record, shape, seen[i], peek);
      complete = complete && !(skip && record->section == shape.sentences);
    }
    if (skip) entries.SkipSection();
  }
  peek.almost = seen[0].TellsHalf();
  for (size_t i = 0; i < 2; ++i) {
    if (!seen[i].Tells(kShapes[i])) continue;
    seen[i].sentences.Tell(path, complete, peek);
    has_videos = seen[i].videos.any();
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
