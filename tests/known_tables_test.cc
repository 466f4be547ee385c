// Tests of tables that are known by their columns.
#include "converter/known_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"
#include "converter/source.h"
#include "tests/recording_sink.h"
#include "tests/temp_tree.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

using Lines = std::vector<std::string>;

class KnownTablesTest : public testing::Test {
 protected:
  Lines Pairs(const std::string& table, std::string_view bytes) {
    tree_.Write(table, bytes);
    return ScanChosen(tree_.root(), options_).Only("pair");
  }
  void Media(std::initializer_list<const char*> names) {
    for (const char* name : names) tree_.Write(name, name);
  }

  TempTree tree_;
  ConvertOptions options_;
};

// --- audio --------------------------------------------------------------------------------------

constexpr const char* kAudioCaps =
    "audiocap_id,youtube_id,start_time,caption\r\n9,-x1,30,\"a, b\"\r\n8,y2,0,c\r\n7,-x1,30,d\r\n";

TEST_F(KnownTablesTest, AudioCapsClipsAreCalledAsEachToolCallsThem) {
  for (const auto& [first, second] :
       {std::pair{"audio/-x1_30.flac", "audio/y2_0.flac"},
        std::pair{"audio/Y-x1.wav", "audio/Yy2.wav"}, std::pair{"audio/-x1.mp3", "audio/y2.mp3"},
        std::pair{"audio/9.wav", "audio/8.wav"}}) {
    const TempTree tree{first, second};
    std::ofstream(tree("train.csv")) << kAudioCaps;
    ConvertOptions options;
    options.missing_media = OnMissingMedia::kSkip;
    const Lines pairs = ScanChosen(tree.root(), options).Only("pair");
    ASSERT_GE(pairs.size(), 2U) << first;
    EXPECT_EQ(pairs[0], "pair " + std::string(first) + " | \"a, b\"");
    EXPECT_EQ(pairs[1], "pair " + std::string(second) + " | \"c\"");
  }
}

TEST_F(KnownTablesTest, AudioCapsWithoutItsClipsNamesTheOption) {
  tree_.Write("train.csv", kAudioCaps);
  EXPECT_THAT(
      [&] { Recognise(tree_("train.csv"), {}); },
      ThrowsMessage<UsageError>(AllOf(HasSubstr("--media-template"), HasSubstr("Y{youtube_id}"))));
  options_.from = "audiocaps";
  options_.media_root = tree_.root();
  EXPECT_EQ(ScanChosen(tree_("train.csv"), options_).Only("note missing-media").size(), 3U);
}

TEST_F(KnownTablesTest, WavCapsFilesAreCalledByTheIdWhateverAudioSays) {
  Media({"audio/12.flac", "audio/Yab.flac", "audio/unlisted.flac"});
  EXPECT_EQ(Pairs("sb_final.json",
                  R"({"num_captions_per_audio": 1, "data": [{"id": "12", "caption": "bell",)"
                  R"( "audio": "wav_path", "duration": 1.5, "title": "T", "description": "D"},)"
                  R"( {"id": "Yab.wav", "caption": "dog", "audio": "wav_path", "duration": 2}]})"),
            (Lines{"pair audio/12.flac | \"bell\"", "pair audio/Yab.flac | \"dog\""}));
  options_.from = "wavcaps";
  EXPECT_EQ(ScanChosen(tree_.root(), options_).pairs, 2U);
}

TEST_F(KnownTablesTest, ClothosMetadataIsAnExtra) {
  Media({"development/a b.c.wav", "development/#2 .wav"});
  tree_.Write("clotho_metadata_development.csv",
              "file_name,keywords,sound_id\na b.c.wav,rain;wind\xe9,1\n#2 .wav,x,2\n");
  const Lines pairs{"pair development/a b.c.wav | \"one\"", "pair development/a b.c.wav | \"two\"",
                    "pair development/#2 .wav | \"three\"", "pair development/#2 .wav | \"\""};
  EXPECT_EQ(Pairs("clotho_captions_development.csv",
                  "file_name,caption_1,caption_2\na b.c.wav,one,two\n#2 .wav,three,\n"),
            pairs);
  options_.from = "clotho";
  EXPECT_EQ(ScanChosen(tree_.root(), options_).Only("pair"), pairs);
}

// --- video --------------------------------------------------------------------------------------

TEST_F(KnownTablesTest, JsfusionFindsMp4ThenWebm) {
  Media({"all/video7020.mp4", "all/video7020.webm", "all/video7021.webm"});
  tree_.Write("MSRVTT_train.9k.csv", "video_id\nvideo7020\n");
  EXPECT_EQ(Pairs("MSRVTT_JSFUSION_test.csv",
                  "key,vid_key,video_id,sentence\nret0,msr7020,video7020,a woman\n"
                  "ret1,msr7021,video7021,\"a, b\"\n"),
            (Lines{"pair all/video7020.mp4 | \"a woman\"", "pair all/video7021.webm | \"a, b\""}));
}

TEST_F(KnownTablesTest, WebVidVideosLieInTheirPageDirectories) {
  Media({"videos/001/7.mp4"});
  EXPECT_EQ(Pairs("results.csv",
                  "videoid,contentUrl,duration,page_dir,name\n"
                  "7,https://x/y.mp4,PT1,001,Clouds\n"),
            (Lines{"pair videos/001/7.mp4 | \"Clouds\""}));
}

// --- conversations ------------------------------------------------------------------------------

TEST_F(KnownTablesTest, AConversationIsOneLineOfJson) {
  Media({"coco/train2017/1.jpg"});
  const RecordingSink sink = [&] {
    tree_.Write("mix.json", R"([
      {"id": 1, "image": "coco/train2017/1.jpg", "model": "",
       "conversations": [ {"from": "human", "value": "<image>\nWhat\u0041?"},
                          {"from": "gpt", "value": " A  cat. "} ]},
      {"id": "2", "conversations": [{"from": "human", "value": "x"}], "text": "t", "markdown": {}},
      {"id": "3", "image": "coco/train2017/1.jpg", "conversations": []}])");
    return ScanChosen(tree_.root(), options_);
  }();
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre(R"(pair coco/train2017/1.jpg | "[{"from":"human","value":)"
                          R"("<image>\nWhat\u0041?"},{"from":"gpt","value":" A  cat. "}]")",
                          "pair coco/train2017/1.jpg | -"));
  EXPECT_EQ(sink.Only("note row-without-media").size(), 1U);
  options_.from = "llava";
  EXPECT_EQ(ScanChosen(tree_.root(), options_).pairs, 2U);
}

TEST_F(KnownTablesTest, ListsOfImagesAndOtherMediaFollowMultiMedia) {
  Media({"a.jpg", "v.mp4", "s.wav"});
  options_.multi_media = OnMultiMedia::kEach;
  EXPECT_EQ(
      Pairs("mllm_demo.json",
            R"([{"messages": [{"content": "q", "role": "user"}], "images": ["a.jpg", "a.jpg"]},
                      {"messages": [], "videos": ["v.mp4"], "audios": ["s.wav"]}])"),
      (Lines{R"(pair a.jpg | "[{"content":"q","role":"user"}]")",
             R"(pair a.jpg | "[{"content":"q","role":"user"}]")", "pair v.mp4 | -",
             "pair s.wav | -"}));
}

TEST_F(KnownTablesTest, AskedForTheMediaMayComeAfterTheFirstRows) {
  Media({"a.jpg"});
  std::string rows;
  for (int i = 0; i < 150; ++i) rows += "{\"conversations\": [\"t\"]}\n";
  rows += "{\"image\": \"a.jpg\", \"conversations\": [\"x\"]}\n";
  options_.from = "llava";
  EXPECT_EQ(Pairs("mix.jsonl", rows), (Lines{"pair a.jpg | \"[\"x\"]\""}));
}

// --- LAVIS --------------------------------------------------------------------------------------

TEST_F(KnownTablesTest, LavisCaptionsAreStringsOrListsInAListOrAnObject) {
  Media({"val2014/1.jpg", "val2014/2.jpg"});
  const Lines pairs{"pair val2014/1.jpg | \"one\"", "pair val2014/2.jpg | \"a\"",
                    "pair val2014/2.jpg | \"b\""};
  EXPECT_EQ(Pairs("karpathy.json",
                  R"([{"image": "val2014/1.jpg", "caption": "one", "image_id": "coco_1"},
                      {"image": "val2014/2.jpg", "caption": ["a", "b"]}])"),
            pairs);
  EXPECT_EQ(Pairs("karpathy.json",
                  R"({"0": {"image": "val2014/1.jpg", "caption": "one"},
                      "1": {"image": "val2014/2.jpg", "caption": ["a", "b"]}})"),
            pairs);
  options_.from = "lavis";
  EXPECT_EQ(ScanChosen(tree_.root(), options_).Only("pair"), pairs);
}

TEST_F(KnownTablesTest, TablesOfOneKindAreSplitsWhateverElseTheyHold) {
  Media({"1.jpg"});
  tree_.Write("coco_train.json", R"([{"image": "1.jpg", "caption": "a", "image_id": "1"}])");
  tree_.Write("coco_val.json", R"([{"image": "1.jpg", "caption": ["b", "c"]}])");
  for (const char* from : {"", "lavis"}) {
    options_.from = from;
    const RecordingSink sink = ScanChosen(tree_.root(), options_);
    EXPECT_THAT(sink.splits, ElementsAre("train", "val")) << from;
    EXPECT_EQ(sink.pairs, 3U) << from;
  }
}

TEST_F(KnownTablesTest, LavisQuestionsAreOneLineOfJson) {
  Media({"val2014/1.jpg"});
  EXPECT_EQ(
      Pairs("vqa_val.json", R"([{"question": "Q?", "question_id": 7, "image": "val2014/1.jpg",)"
                            R"( "answer": ["a",  "b"], "dataset": "vqa"}])"),
      (Lines{R"(pair val2014/1.jpg | "{"question_id":7,"question":"Q?","answer":["a","b"]}")"}));
}

TEST_F(KnownTablesTest, CellsWithALineBreakAreOneLineOfJson) {
  Media({"val2014/1.jpg"});
  EXPECT_EQ(
      Pairs("vqa.csv", "question,question_id,image,answer\n\"Q\n?\",7,val2014/1.jpg,a\n"),
      (Lines{R"(pair val2014/1.jpg | "{"question_id":"7","question":"Q\n?","answer":"a"}")"}));
}

// --- others -------------------------------------------------------------------------------------

TEST_F(KnownTablesTest, KagglesResultsKeepTheirBlanksAndTheBrokenRowNamesLenient) {
  Media({"flickr30k_images/1.jpg"});
  const std::string rows =
      "image_name| comment_number| comment\n1.jpg| 0| Two \"men\" .\n1.jpg| 4   A dog .\n";
  EXPECT_THAT([&] { Pairs("results.csv", rows); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("results.csv:3"), HasSubstr("--lenient"))));
  options_.lenient = true;
  EXPECT_EQ(Pairs("results.csv", rows),
            (Lines{"pair flickr30k_images/1.jpg | \" Two \"men\" .\""}));
}

TEST_F(KnownTablesTest, KagglesCaptionsTxtAndOpenClipAndLiteralsNeedNothing) {
  Media({"Images/1.jpg"});
  EXPECT_EQ(Pairs("captions.txt", "image,caption\n1.jpg,A child .\n1.jpg,\"A, b\"\n"),
            (Lines{"pair Images/1.jpg | \"A child .\"", "pair Images/1.jpg | \"A, b\""}));
  std::filesystem::remove(tree_("captions.txt"));
  EXPECT_EQ(Pairs("train.csv", "filepath\ttitle\nImages/1.jpg\tx, y\n"),
            (Lines{"pair Images/1.jpg | \"x, y\""}));
  std::filesystem::remove(tree_("train.csv"));
  EXPECT_EQ(
      Pairs("flickr_annotations_30k.csv",
            "raw,sentids,split,filename,img_id\n\"[\"\"a\"\", 'b']\",\"[0, 1]\",test,1.jpg,0\n"),
      (Lines{"pair Images/1.jpg | \"a\"", "pair Images/1.jpg | \"b\""}));
}

TEST_F(KnownTablesTest, AManifestGivesItsAnnotationsAndUsages) {
  Media({"train/1.JPEG", "eval/1.JPEG"});
  options_.strip_prefix = "../data/";
  const std::string annotation = R"([{"type": "t/c", "name": "cat", "hard-coefficient": 0.80}])";
  const std::string rows = R"({"source":"../data/train/1.JPEG", "usage":"TRAIN","annotation": )" +
                           annotation + "}\n" +
                           R"({"source":"../data/eval/1.JPEG","usage":"EVAL","annotation":[]})";
  EXPECT_EQ(Pairs("test.manifest", rows),
            (Lines{R"(pair train/1.JPEG | "[{"type":"t/c","name":"cat","hard-coefficient":0.80}]")",
                   "pair eval/1.JPEG @1 | -"}));
}

TEST_F(KnownTablesTest, AManifestOfOneLineIsOne) {
  Media({"a.jpg"});
  EXPECT_EQ(
      Pairs("one.manifest", R"({"source":"a.jpg","usage":"TRAIN","annotation":[{"name":"cat"}]})"
                            "\n"),
      (Lines{R"(pair a.jpg | "[{"name":"cat"}]")"}));
}

TEST_F(KnownTablesTest, AnotherTableSaysWhatIsMissing) {
  tree_.Write("t.csv", "file,caption\na.jpg,x\n");
  options_.from = "audiocaps";
  EXPECT_THAT([&] { Recognise(tree_("t.csv"), options_); },
              ThrowsMessage<UsageError>(
                  AllOf(HasSubstr("no table of audiocaps"), HasSubstr("'youtube_id'"))));
}

TEST_F(KnownTablesTest, ATemplateOfTheUserCountsMore) {
  Media({"z/-x1.ogg", "z/y2.ogg", "-x1_30.flac", "y2_0.flac"});
  options_.media_templates = {"q/{youtube_id}.ogg", "z/{youtube_id}.ogg"};
  EXPECT_EQ(Pairs("train.csv", kAudioCaps).front(), "pair z/-x1.ogg | \"a, b\"");
}

TEST(KnownTablesFixtureTest, AudioCapsRowsStayInOrder) {
  const std::string path = FixturePath("audiocaps_csv/dataset/val.csv");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  TempTree media{"audio/vfY_TJq7n_U_130.wav", "audio/tdWhHV3X25Q_60.wav"};
  ConvertOptions options;
  options.media_root = media.root();
  const RecordingSink sink = ScanChosen(path, options);
  EXPECT_EQ(sink.pairs, 10U);
  EXPECT_EQ(sink.Only("pair")[1],
            "pair audio/tdWhHV3X25Q_60.wav | \"An audience gives applause as a man yells and a "
            "group sings\"");
}

}  // namespace
}  // namespace ulhff
