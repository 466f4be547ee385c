// The list of known tables (docs/sources.md, "Tables of known shape").
#include "converter/known_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "converter/overview.h"

namespace ulhff {
namespace {

bool HasAll(const std::vector<std::string>& columns, const std::vector<std::string>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& column) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  });
}

bool Fits(const KnownTable& table, const std::vector<std::string>& columns, bool any_media) {
  const auto& media = table.media_columns;
  const bool any = std::any_of(media.begin(), media.end(), [&](const std::string& column) {
    return HasAll(columns, {column});
  });
  return HasAll(columns, table.needs) && (media.empty() || any || any_media);
}

std::vector<KnownTable> SoundTables() {
  return {
      {.from = "clotho",
       .summary = "Clotho: csv with file_name and caption_1 to caption_5",
       .needs = {"file_name", "caption_1"},
       .media_columns = {"file_name"},
       .texts = {"caption_*"},
       .by_itself = false},
      {.from = "audiocaps",
       .summary = "AudioCaps: csv with youtube_id, start_time and caption",
       .needs = {"youtube_id", "start_time", "caption"},
       .templates = {"{youtube_id}_{start_time}", "Y{youtube_id}", "{youtube_id}", "{audiocap_id}"},
       .texts = {"caption"}},
      {.from = "wavcaps",
       .summary = "WavCaps: JSON with data of id, caption, audio and duration",
       .needs = {"id", "caption", "audio", "duration"},
       .templates = {"{id}.flac", "{id%.wav}.flac", "{id}"},
       .texts = {"caption"}}};
}

std::vector<KnownTable> VideoTables() {
  return {{.from = "msrvtt-csv",
           .summary = "MSR-VTT, JSFUSION: csv with key, vid_key, video_id and sentence",
           .needs = {"key", "vid_key", "video_id", "sentence"},
           .templates = {"{video_id}.mp4", "{video_id}.webm", "{video_id}"},
           .texts = {"sentence"}},
          {.from = "webvid",
           .summary = "WebVid: csv with videoid, page_dir and name",
           .needs = {"videoid", "page_dir", "name"},
           .templates = {"{page_dir}/{videoid}.mp4", "{videoid}.mp4"},
           .texts = {"name"}}};
}

std::vector<KnownTable> OtherTables() {
  return {{.from = "kaggle-flickr",
           .summary = "Kaggle's Flickr30k results.csv, cut by |",
           .needs = {"image_name", " comment_number", " comment"},
           .media_columns = {"image_name"},
           .texts = {" comment"}},
          {.from = "llava",
           .summary = "LLaVA, ShareGPT4V, LLaMA-Factory: JSON of conversations about media",
           .needs = {"conversations"},
           .media_columns = {"image", "images", "video", "videos", "audio", "audios"},
           .json = {"conversations"}},
          {.from = "llava",
           .summary = "",
           .needs = {"messages"},
           .media_columns = {"image", "images", "video", "videos", "audio", "audios"},
           .json = {"messages"}},
          {.from = "lavis",
           .summary = "LAVIS: JSON of caption, or of question and answer, with image or video",
           .needs = {"question", "answer"},
           .media_columns = {"image", "video"},
           .json = {"question_id", "question", "answer"}},
          {.from = "lavis",
           .summary = "",
           .needs = {"caption"},
           .media_columns = {"image", "video"},
           .texts = {"caption"},
           .by_itself = false},
          {.from = "modelarts",
           .summary = "ModelArts manifest: JSON lines with source, usage and annotation",
           .needs = {"source", "annotation"},
           .media_columns = {"source"},
           .json = {"annotation"},
           .split = "usage"}};
}

const std::vector<KnownTable>& List() {
  static const std::vector<KnownTable> list = [] {
    std::vector<KnownTable> all = SoundTables();
    for (const auto& more : {VideoTables(), OtherTables()}) {
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }();
  return list;
}

}  // namespace

std::span<const KnownTable> KnownTables() { return List(); }

bool IsKnownTable(const std::string& from) {
  return std::any_of(List().begin(), List().end(),
                     [&](const KnownTable& table) { return from == table.from; });
}

const KnownTable* FindKnownTable(const std::vector<std::string>& columns, bool complete,
                                 const ConvertOptions& options) {
  const std::string from = KindAsked(options);
  const bool asked = IsKnownTable(from);
  for (const KnownTable& table : List()) {
    const bool wanted = asked ? from == table.from : table.by_itself;
    if (wanted && Fits(table, columns, asked && !complete)) return &table;
  }
  return nullptr;
}

std::string DescribeKnownTable(const std::string& from) {
  std::string text;
  for (const KnownTable& table : List()) {
    if (from != table.from) continue;
    text += fmt::format("{}the columns '{}'", text.empty() ? "" : ", or ",
                        fmt::join(table.needs, "', '"));
    if (table.media_columns.empty()) continue;
    text += fmt::format(" and one of '{}'", fmt::join(table.media_columns, "', '"));
  }
  return text;
}

}  // namespace ulhff
