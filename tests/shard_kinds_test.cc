// Tests for every kind of source, and for what policies do to it, that its shards merge to the file
// of one conversion.
#include <archive.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/merging.h"
#include "tests/record_files.h"
#include "tests/sample_dataset.h"
#include "tests/tar_files.h"

namespace ulhff {
namespace {

// Of any name the bytes depend on the number only, so that several media are equal.
std::string Jpeg(int number) {
  return "\xff\xd8\xff\xe0" + std::string(static_cast<size_t>(100 + number % 4), 'j');
}

void WriteImages(TempTree& tree, const std::string& pattern, int count) {
  for (int i = 0; i < count; ++i) tree.Write(fmt::format(fmt::runtime(pattern), i), Jpeg(i));
}

void Files(TempTree& tree, ConvertOptions&) {
  WriteImages(tree, "d/a/{}.jpg", 7);
  for (int i = 0; i < 5; ++i) tree.Write(fmt::format("d/a/{}.txt", i), std::to_string(i % 2));
  tree.Write("d/a/3.json", "{}");
  tree.Write("d/b/x.PNG", "png");
  tree.Write("d/b/x.0.txt", "zero");
  tree.Write("d/b/x.1.txt", "");
  tree.Write("d/.hidden", "");
  tree.Write("d/README", "readme");
  tree.MakeDir("d/none/below");
}

void TextLines(TempTree& tree, ConvertOptions& options) {
  WriteImages(tree, "d/{}.jpg", 5);
  for (int i = 0; i < 5; ++i) tree.Write(fmt::format("d/{}.txt", i), "one\r\ntwo\n\nthree");
  options.texts = TextsMode::kLines;
}

void ParallelDirectories(TempTree& tree, ConvertOptions&) {
  WriteImages(tree, "d/images/{}.jpg", 5);
  for (int i = 0; i < 4; ++i) tree.Write(fmt::format("d/captions/{}.txt", i), std::to_string(i));
}

std::string Rows(const char* head, const char* row) {
  std::string text = head;
  for (int i = 0; i < 14; ++i) text += fmt::format(fmt::runtime(row), i * 5 % 7, i, i % 3 == 0);
  return text;
}

void Csv(TempTree& tree, ConvertOptions&) {
  WriteImages(tree, "d/img/{}.jpg", 8);
  tree.Write("d/captions.csv", Rows("\xef\xbb\xbfimage,caption\r\n", "img/{0}.jpg,\"{1}, x\"\r\n"));
}

void JsonLines(TempTree& tree, ConvertOptions& options) {
  WriteImages(tree, "d/img/{}.jpg", 7);
  tree.Write("d/rows.jsonl",
             Rows("",
                  "{{\"image\":\"img/{0}.jpg\",\"caption\":[\"{1}\",null],\"tag\":\"t{2}\","
                  "\"split\":\"s{2}\"}}\n"));
  options.fields = {{"tag", "tag"}};
  options.split_column = "split";
  options.keep_columns = true;
}

void BareTable(TempTree& tree, ConvertOptions& options) {
  WriteImages(tree, "img/{}.jpg", 7);
  tree.Write("d", Rows("image,caption\n", "img/{0}.jpg,{1}\n"));
  std::filesystem::rename(tree("d"), tree("d.csv"));
  std::filesystem::create_symlink("d.csv", tree("d"));
  options.from = "table";
}

void Coco(TempTree& tree, ConvertOptions&) {
  for (const char* split : {"train2017", "val2017"}) {
    std::string images, captions;
    for (int i = 0; i < 6; ++i) {
      const char* comma = i > 0 ? "," : "";
      images += fmt::format("{}{{\"id\":{},\"file_name\":\"{}{}.jpg\"}}", comma, i, split[0], i);
      captions += fmt::format("{}{{\"image_id\":{},\"caption\":\"c{}\"}}", comma, i * 3 % 5, i);
    }
    WriteImages(tree, fmt::format("d/{}/{}{{}}.jpg", split, split[0]), 6);
    tree.Write(fmt::format("d/annotations/captions_{}.json", split),
               fmt::format("{{\"images\":[{}],\"annotations\":[{}]}}", images, captions));
  }
}

void Karpathy(TempTree& tree, ConvertOptions&) {
  WriteImages(tree, "d/{}.jpg", 5);
  std::string images;
  for (int i = 0; i < 5; ++i) {
    images += fmt::format(
        "{}{{\"filename\":\"{}.jpg\",\"split\":\"{}\",\"sentences\":[{{\"raw\":\"a{}\"}}{}]}}",
        i > 0 ? "," : "", i, i % 2 == 0 ? "train" : "val", i, i == 2 ? "" : ",{\"raw\":\"\"}");
  }
  tree.Write("d/dataset_flickr8k.json", fmt::format("{{\"images\":[{}]}}", images));
}

void Token(TempTree& tree, ConvertOptions&) {
  WriteImages(tree, "d/{}.jpg", 5);
  tree.Write("d/results.token", "1.jpg#0\tone\n0.jpg#0\tzero\n1.jpg#1\tagain\n4.jpg#0\t\n");
}

void Clotho(TempTree& tree, ConvertOptions&) {
  for (int i = 0; i < 4; ++i) tree.Write(fmt::format("d/development/{}.wav", i), Jpeg(i));
  tree.Write("d/clotho_captions_development.csv",
             "file_name,caption_1,caption_2\n3.wav,a,b\n1.wav,c,\n0.wav,e,f\n");
}

void Msrvtt(TempTree& tree, ConvertOptions&) {
  for (int i = 0; i < 4; ++i) tree.Write(fmt::format("d/all/video{}.mp4", i), Jpeg(i));
  tree.Write("d/MSRVTT_data.json",
             R"({"videos":[{"video_id":"video2","split":"train"},)"
             R"({"video_id":"video0","split":"validate"},{"video_id":"video3","split":"test"}],)"
             R"("sentences":[{"caption":"zero","video_id":"video0"},)"
             R"({"caption":"two","video_id":"video2"},{"caption":"","video_id":"video0"}]})");
}

void Vqa(TempTree& tree, ConvertOptions&) {
  WriteImages(tree, "d/train2014/COCO_train2014_{:012}.jpg", 4);
  tree.Write("d/v2_OpenEnded_mscoco_train2014_questions.json",
             R"({"questions":[{"image_id":3,"question":"a","question_id":30},)"
             R"({"image_id":1,"question":"b","question_id":10},)"
             R"({"image_id":3,"question":"c","question_id":31}],"data_subtype":"train2014",)"
             R"("data_type":"mscoco"})");
  tree.Write("d/v2_mscoco_train2014_annotations.json",
             R"({"annotations":[{"question_id":31,"image_id":3,"answers":[{"answer":"a"}]}],)"
             R"("data_subtype":"train2014"})");
}

void Gqa(TempTree& tree, ConvertOptions&) {
  WriteImages(tree, "d/images/{}.jpg", 4);
  for (const char* split : {"train", "val"}) {
    tree.Write(fmt::format("d/{}_balanced_questions.json", split),
               fmt::format(R"({{"{0}1":{{"imageId":"2","question":"q"}},)"
                           R"("{0}2":{{"imageId":"0","question":"r","answer":"a"}},)"
                           R"("{0}3":{{"imageId":"2","question":"s"}}}})",
                           split));
  }
}

void HuggingFace(TempTree& tree, ConvertOptions&) {
  for (const char* split : {"train", "test"}) {
    WriteImages(tree, fmt::format("d/{}/{{}}.jpg", split), 5);
    tree.Write(fmt::format("d/{}/metadata.jsonl", split),
               "{\"file_name\":\"3.jpg\",\"text\":\"x\"}\n{\"file_name\":\"1.jpg\",\"text\":\"\"}\n"
               "{\"file_name\":\"3.jpg\",\"text\":\"y\"}\n");
  }
}

TarFiles Samples(int first) {
  TarFiles files = {{"LICENSE", "free"}};
  for (int i = first; i < first + 5; ++i) {
    files.push_back({fmt::format("s/{}.jpg", i), Jpeg(i)});
    files.push_back({fmt::format("s/{}.txt", i), i % 3 == 0 ? "" : std::to_string(i)});
    if (i % 2 == 0) files.push_back({fmt::format("s/{}.json", i), "{}"});
  }
  files.push_back({fmt::format("s/{}.jpg", first), "another"});
  files.push_back({fmt::format("s/{}.txt", first), "again"});
  return files;
}

void Tars(TempTree& tree, ConvertOptions&) {
  tree.Write("d/train/0.tar", TarOf(Samples(0)));
  tree.Write("d/train/1.tar", TarOf(Samples(3)));
  tree.Write("d/test/0.tar.gz", Compressed(TarOf(Samples(0)), ARCHIVE_FILTER_GZIP));
  tree.Write("d/README", "readme");
}

void TarsOfTheFirst(TempTree& tree, ConvertOptions& options) {
  Tars(tree, options);
  options.duplicates = OnDuplicate::kFirst;
}
void TarsOfTheLast(TempTree& tree, ConvertOptions& options) {
  Tars(tree, options);
  options.duplicates = OnDuplicate::kLast;
}

std::string Pickle(int i) {
  return PickledDict({{"image", PickledBytes(Jpeg(i))},
                      {"key", PickledText(fmt::format("k{}", i / 2))},
                      {"caption", i % 5 == 4 ? "N" : PickledText(i % 3 == 0 ? "" : "c")}});
}

void FfrecordFile(TempTree& tree, ConvertOptions& options) {
  std::vector<std::string> records;
  for (int i = 0; i < 11; ++i) records.push_back(Pickle(i));
  tree.Write("d", Ffrecord(records));
  options.from = "ffrecord";
}

void FfrecordFolder(TempTree& tree, ConvertOptions&) {
  for (int part = 0; part < 3; ++part) {
    tree.Write(fmt::format("d/PART_{:05}.ffr", part), Ffrecord({Pickle(part), Pickle(part + 2)}));
  }
  tree.Write("d/about.json", "{}");
}

void FfrecordWithNames(TempTree& tree, ConvertOptions& options) {
  FfrecordFolder(tree, options);
  options.id_column = "key";
  options.duplicates = OnDuplicate::kRename;
  tree.Write("d/PART_00003.ffr", Ffrecord({Pickle(0), Pickle(1), Pickle(0), Pickle(1)}));
}

std::string TfRecords(int first) {
  std::string records;
  for (int i = first; i < first + 6; ++i) {
    records += Framed(Example({{"image/encoded", BytesFeature({Jpeg(i)})},
                               {"image/id", BytesFeature({fmt::format("{}.jpg", i)})},
                               {"caption", BytesFeature({"a", i % 2 == 0 ? "" : "b"})}}));
  }
  return records;
}

void Tfrecord(TempTree& tree, ConvertOptions&) {
  tree.Write("d/train-0-of-1.tfrecord", TfRecords(0));
  tree.Write("d/val-0-of-1.tfrecord.gz", Deflated(TfRecords(3), 31));
}

void TfrecordWithNames(TempTree& tree, ConvertOptions& options) {
  tree.Write("d/0.tfrecord", TfRecords(0) + TfRecords(4));
  options.id_column = "image/id";
  options.duplicates = OnDuplicate::kLast;
}

void Mds(TempTree& tree, ConvertOptions&) {
  const std::vector<MdsFileColumn> columns = {{"caption", "str"}, {"image", "jpeg"}};
  for (const char* split : {"train", "val"}) {
    const std::string one = MdsFile(columns, {{"t", Jpeg(0)}, {"", Jpeg(1)}, {"u", Jpeg(4)}});
    const std::string two = MdsFile(columns, {{"v", Jpeg(2)}});
    tree.Write(fmt::format("d/{}/0.mds", split), one);
    tree.Write(fmt::format("d/{}/1.mds.gz", split), Deflated(two, 31));
    tree.Write(fmt::format("d/{}/index.json", split),
               MdsIndex({MdsEntry(columns, "0.mds", one.size(), 3),
                         MdsEntry(columns, "1.mds", two.size(), 1, "1.mds.gz", "gz")}));
  }
}

void Ulhff(TempTree& tree, ConvertOptions&) {
  const SampleDataset sample(5);
  std::filesystem::copy(sample.container(), tree("d"));
}

struct Kind {
  const char* name;
  void (*make)(TempTree& tree, ConvertOptions& options);
};
constexpr Kind kKinds[] = {{"Files", Files},
                           {"TextLines", TextLines},
                           {"ParallelDirectories", ParallelDirectories},
                           {"Csv", Csv},
                           {"JsonLines", JsonLines},
                           {"BareTable", BareTable},
                           {"Coco", Coco},
                           {"Karpathy", Karpathy},
                           {"Token", Token},
                           {"Clotho", Clotho},
                           {"Msrvtt", Msrvtt},
                           {"Vqa", Vqa},
                           {"Gqa", Gqa},
                           {"HuggingFace", HuggingFace},
                           {"Tars", Tars},
                           {"TarsOfTheFirst", TarsOfTheFirst},
                           {"TarsOfTheLast", TarsOfTheLast},
                           {"Ffrecord", FfrecordFile},
                           {"FfrecordFolder", FfrecordFolder},
                           {"FfrecordWithNames", FfrecordWithNames},
                           {"Tfrecord", Tfrecord},
                           {"TfrecordWithNames", TfrecordWithNames},
                           {"Mds", Mds},
                           {"Ulhff", Ulhff}};

class ShardKindsTest : public MergingTest, public testing::WithParamInterface<Kind> {
 protected:
  ShardKindsTest() {
    options.tmp_dir = out.path();
    GetParam().make(tree, options);
    options.sources = {tree("d")};
  }
  Operands Source() {
    return [this] { return Open({tree("d")}); };
  }
  std::string Whole() { return ReadBytes(ConvertTo("whole.ulhff", Source())); }

  // As `ulhff merge` without any option: it knows nothing of how the shards were made.
  std::string Merged(uint64_t count) {
    options.force = true;
    const std::vector<std::string> shards = ConvertShards(count, Source());
    const ConvertOptions kept = std::exchange(options, ConvertOptions());
    options.tmp_dir = kept.tmp_dir;
    options.force = true;
    const std::string merged = ReadBytes(Merge("merged.ulhff", shards));
    options = kept;
    return merged;
  }
};

TEST_P(ShardKindsTest, ThreeShardsMergeToTheWhole) { EXPECT_TRUE(Merged(3) == Whole()); }

TEST_P(ShardKindsTest, MoreShardsThanObjectsMergeToTheWhole) {
  const std::string whole = Whole();
  const uint64_t objects = Reader::Open(out / "whole.ulhff").info().objects;
  EXPECT_TRUE(Merged(objects + 5) == whole);
}

TEST_P(ShardKindsTest, ShardsWithoutEmptyTextsMergeToTheWhole) {
  options.empty = OnEmpty::kSkip;
  EXPECT_TRUE(Merged(2) == Whole());
}

INSTANTIATE_TEST_SUITE_P(Sources, ShardKindsTest, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace ulhff
