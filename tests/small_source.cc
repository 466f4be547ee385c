// Writers of small sources, one for each kind, from the descriptions of their formats.
#include "tests/small_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <regex>
#include <utility>

#include "tests/record_files.h"
#include "tests/tar_files.h"

namespace ulhff {
namespace {

std::string Called(const char* pattern, const std::string& name) {
  return fmt::format(fmt::runtime(pattern), name);
}

// --- media in files

constexpr const char* kJpg = "{}.jpg";
constexpr const char* kMp4 = "{}.mp4";
constexpr const char* kVideo = "video{}.mp4";
constexpr const char* kCoco2014 = "COCO_train2014_{:0>12}.jpg";

constexpr std::string_view kJpgHead = "\xff\xd8\xff";
constexpr std::string_view kMp4Head = "????ftyp";

void WriteMedia(TempTree& tree, const Items& items, const char* pattern) {
  const bool video = std::string_view(pattern).ends_with("mp4");
  tree.MakeDir("d");
  for (const Item& item : items) {
    if (!item.media) continue;
    std::string media = *item.media;
    if (video && media.starts_with(kJpgHead)) media.replace(0, kJpgHead.size(), kMp4Head);
    tree.Write("d/" + Called(pattern, item.name), media);
  }
}

// What `part` makes of each item, with `between` between them.
std::string Each(const Items& items, std::string_view between,
                 const std::function<std::string(const Item& item)>& part) {
  std::string all;
  for (const Item& item : items) {
    const std::string one = part(item);
    all += all.empty() || one.empty() ? one : std::string(between) + one;
  }
  return all;
}

std::string Json(const std::optional<std::string>& text) {
  return text ? "\"" + *text + "\"" : "null";
}
// Of a text, if there is one.
std::string JsonList(const std::optional<std::string>& text, const char* element = "{}") {
  return "[" + (text ? Called(element, Json(text)) : "") + "]";
}

void WriteFiles(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kJpg);
  for (const Item& item : items) {
    if (item.text) tree.Write("d/" + item.name + ".txt", *item.text);
  }
}

void WriteCsv(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kJpg);
  tree.Write("d/t.csv", "image,caption\n" + Each(items, "", [](const Item& item) {
                          return fmt::format("{}.jpg,{}\n", item.name, item.text.value());
                        }));
}

void WriteTsv(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kJpg);
  tree.Write("d/t.tsv", "image\tcaption\n" + Each(items, "", [](const Item& item) {
                          return fmt::format("{}.jpg\t{}\n", item.name, item.text.value());
                        }));
}

std::string JsonRow(const Item& item, const char* media, const char* text) {
  return fmt::format(R"({{"{}":"{}.jpg","{}":{}}})", media, item.name, text, Json(item.text));
}

void WriteJson(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kJpg);
  tree.Write("d/t.json", "[" + Each(items, ",\n", [](const Item& item) {
                           return JsonRow(item, "image", "caption");
                         }) + "]");
}

void WriteJsonLines(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kJpg);
  tree.Write("d/t.jsonl", Each(items, "", [](const Item& item) {
               return JsonRow(item, "image", "caption") + "\n";
             }));
}

void WriteHuggingFace(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kJpg);
  tree.Write("d/metadata.jsonl", Each(items, "", [](const Item& item) {
               return JsonRow(item, "file_name", "text") + "\n";
             }));
}

void WriteCoco(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kJpg);
  const std::string images = Each(items, ",\n", [](const Item& item) {
    return fmt::format(R"({{"id":"{0}","file_name":"{0}.jpg"}})", item.name);
  });
  const std::string captions = Each(items, ",\n", [](const Item& item) {
    if (!item.text) return std::string();
    return fmt::format(R"({{"image_id":"{}","caption":{}}})", item.name, Json(item.text));
  });
  tree.Write("d/captions.json",
             fmt::format("{{\"images\":[{}],\n\"annotations\":[{}]}}", images, captions));
}

void WriteKarpathy(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kJpg);
  tree.Write("d/dataset_flickr8k.json",
             "{\"images\":[" + Each(items, ",\n", [](const Item& item) {
               return fmt::format(R"({{"filename":"{}.jpg","split":"train","sentences":{}}})",
                                  item.name, JsonList(item.text, R"({{"raw":{}}})"));
             }) + "]}");
}

void WriteVqa(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kCoco2014);
  tree.Write("d/v2_OpenEnded_mscoco_train2014_questions.json",
             R"({"data_type":"mscoco","data_subtype":"train2014","questions":[)" +
                 Each(items, ",\n",
                      [](const Item& item) {
                        return fmt::format(R"({{"image_id":{0},"question":{1},"question_id":{0}}})",
                                           item.name, Json(item.text));
                      }) +
                 "]}");
}

void WriteGqa(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kJpg);
  tree.Write("d/train_balanced_questions.json", "{" + Each(items, ",\n", [](const Item& item) {
                                                  return fmt::format(
                                                      R"("{0}":{{"imageId":"{0}","question":{1}}})",
                                                      item.name, Json(item.text));
                                                }) + "}");
}

void WriteMsrvtt(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kVideo);
  const std::string videos = Each(items, ",\n", [](const Item& item) {
    return fmt::format(R"({{"video_id":"video{}","split":"train"}})", item.name);
  });
  const std::string sentences = Each(items, ",\n", [](const Item& item) {
    if (!item.text) return std::string();
    return fmt::format(R"({{"caption":{},"video_id":"video{}"}})", Json(item.text), item.name);
  });
  tree.Write("d/MSRVTT_data.json",
             fmt::format("{{\"videos\":[{}],\n\"sentences\":[{}]}}", videos, sentences));
}

void WriteMsvd(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kMp4);
  tree.Write("d/captions.json", "{" + Each(items, ",\n", [](const Item& item) {
                                  return fmt::format("\"{}\":{}", item.name, JsonList(item.text));
                                }) + "}");
}

void WriteSbu(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kJpg);
  tree.Write("d/urls.txt", Each(items, "", [](const Item& item) {
               return fmt::format("http://host/{}.jpg\n", item.name);
             }));
  tree.Write("d/captions.txt",
             Each(items, "", [](const Item& item) { return item.text.value() + "\n"; }));
}

void WriteToken(TempTree& tree, const Items& items) {
  WriteMedia(tree, items, kJpg);
  tree.Write("d/results.token", Each(items, "", [](const Item& item) {
               return fmt::format("{}.jpg#0\t{}\n", item.name, item.text.value());
             }));
}

// --- containers

std::string TarMember(const std::string& name, const std::string& bytes) {
  return (name.size() > 100 ? GnuLongName(name) : "") + TarPart(name, bytes);
}

void WriteTar(TempTree& tree, const Items& items) {
  tree.Write("d/a.tar", Each(items, "", [](const Item& item) {
                          std::string sample;
                          if (item.media) sample += TarMember(item.name + ".jpg", *item.media);
                          if (item.text) sample += TarMember(item.name + ".txt", *item.text);
                          return sample;
                        }) + kTarEnd);
}

void WriteFfrecord(TempTree& tree, const Items& items) {
  std::vector<std::string> records;
  for (const Item& item : items) {
    records.push_back(PickledDict({{"key", PickledText(item.name + ".jpg")},
                                   {"image", item.media ? PickledBytes(*item.media) : "N"},
                                   {"caption", item.text ? PickledText(*item.text) : "N"}}));
  }
  tree.Write("d/a.ffr", Ffrecord(records));
}

// Files as records, and the table of their names as the last one.
void WritePackedFolder(TempTree& tree, const Items& items) {
  std::vector<std::string> records;
  std::string names;
  const auto add = [&](const std::string& name, const std::optional<std::string>& bytes) {
    if (!bytes) return;
    names += PickledText(name) + "K" + static_cast<char>(records.size());
    records.push_back(*bytes);
  };
  for (const Item& item : items) {
    add(item.name + ".jpg", item.media);
    add(item.name + ".txt", item.text);
  }
  records.push_back("piouhjgbr\x80\x02}(" + names + "u.");
  tree.Write("d/a.ffr", Ffrecord(records));
}

void WriteTfrecord(TempTree& tree, const Items& items) {
  tree.Write("d/a.tfrecord", Each(items, "", [](const Item& item) {
               Features features = {{"key", BytesFeature({item.name + ".jpg"})}};
               if (item.media) features.push_back({"image", BytesFeature({*item.media})});
               if (item.text) features.push_back({"caption", BytesFeature({*item.text})});
               return Framed(Example(features));
             }));
}

void WriteMds(TempTree& tree, const Items& items) {
  const std::vector<MdsFileColumn> columns = {
      {"key", "str"}, {"image", "jpeg"}, {"caption", "json"}};
  std::vector<std::vector<std::string>> samples;
  for (const Item& item : items) {
    samples.push_back({item.name + ".jpg", item.media.value(), JsonList(item.text)});
  }
  const std::string shard = MdsFile(columns, samples);
  tree.Write("d/a.mds", shard);
  tree.Write("d/index.json", MdsIndex({MdsEntry(columns, "a.mds", shard.size(), items.size())}));
}

constexpr unsigned kFile = kHasAnyName | kHasMediaNames | kIsDirectory;
constexpr unsigned kListed = kNamesFiles | kFile | kCanBeCut;
constexpr unsigned kPath = kListed | kMayLeadOut;
constexpr unsigned kTexts = kHasEmptyTexts | kHasAbsentTexts | kHasNoTexts;
constexpr unsigned kRecord =
    kCanBeCut | kHasAnyName | kHasSamples | kHasKeys | kIsDirectory | kMayLeadOut | kTexts;
constexpr unsigned kMember = kHasAnyName | kHasMediaNames | kHasTextNames | kMayLeadOut | kTexts;

constexpr SmallKind kKinds[] = {
    {"Files", kJpg, "", WriteFiles, kFile | kHasTextNames | kTexts},
    {"Csv", kJpg, "t.csv", WriteCsv, kPath | kHasEmptyTexts},
    {"Tsv", kJpg, "t.tsv", WriteTsv, kPath | kHasEmptyTexts},
    {"Json", kJpg, "t.json", WriteJson, kPath | kTexts | kIsJson},
    {"JsonLines", kJpg, "t.jsonl", WriteJsonLines, kPath | kTexts},
    {"HuggingFace", kJpg, "metadata.jsonl", WriteHuggingFace, kPath | kTexts},
    {"Coco", kJpg, "captions.json", WriteCoco,
     kPath | kHasEmptyTexts | kHasAbsentTexts | kTextsApart | kJoinsIds | kIsJson},
    {"Karpathy", kJpg, "dataset_flickr8k.json", WriteKarpathy, kPath | kTexts | kIsJson},
    {"Vqa", kCoco2014, "v2_OpenEnded_mscoco_train2014_questions.json", WriteVqa,
     (kListed & ~kHasAnyName) | kJoinsIds | kIsJson},
    {"Gqa", kJpg, "train_balanced_questions.json", WriteGqa, kPath | kIsJson},
    {"Msrvtt", kVideo, "MSRVTT_data.json", WriteMsrvtt,
     kListed | kHasEmptyTexts | kHasAbsentTexts | kTextsApart | kIsJson},
    {"Msvd", kMp4, "captions.json", WriteMsvd, kPath | kTexts | kIsJson},
    {"Sbu", kJpg, "captions.txt", WriteSbu, kListed | kHasEmptyTexts},
    {"Token", kJpg, "results.token", WriteToken, kPath | kHasEmptyTexts},
    {"Tar", kJpg, "a.tar", WriteTar,
     kCanBeCut | kMember | kHasSamples | kIsDirectory | kTextsApart},
    {"Ffrecord", kJpg, "a.ffr", WriteFfrecord, kRecord},
    {"PackedFolder", kJpg, "a.ffr", WritePackedFolder, kMember},
    {"Tfrecord", kJpg, "a.tfrecord", WriteTfrecord, kRecord},
    {"Mds", kJpg, "a.mds", WriteMds, kRecord}};

}  // namespace

std::string SmallKind::MediaName(const std::string& item) const { return Called(media, item); }

std::string SmallKind::Operand(const TempTree& tree) const {
  return tree(Is(kIsDirectory) ? "d" : std::string("d/") + part);
}

std::vector<SmallKind> SmallKindsThat(unsigned can) {
  std::vector<SmallKind> kinds;
  std::copy_if(std::begin(kKinds), std::end(kKinds), std::back_inserter(kinds),
               [can](const SmallKind& kind) { return kind.Is(can); });
  return kinds;
}

std::string Jpg(std::string_view end) { return std::string(kJpgHead) + std::string(end); }

std::string PlainOutline(std::string outline) {
  for (const std::string_view head : {kJpgHead, kMp4Head}) {
    for (size_t at = 0; (at = outline.find(head)) != std::string::npos;) {
      outline.erase(at, head.size());
    }
  }
  static const std::regex kQuestion(R"re(\{[^{}]*"question":"([^"]*)"[^{}]*\})re");
  return std::regex_replace(outline, kQuestion, "$1");
}

}  // namespace ulhff
