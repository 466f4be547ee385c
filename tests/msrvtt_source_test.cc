// Tests of MSR-VTT and MSVD as a source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"
#include "converter/source.h"
#include "tests/recording_sink.h"
#include "tests/temp_tree.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

using Lines = std::vector<std::string>;

constexpr const char* kInfo =
    R"({"info": {"year": "2016"}, "videos": [
{"category": 9, "url": "u", "video_id": "video10", "start time": 1.5, "split": "train", "id": 0},
{"video_id": "video2", "split": "validate"}, {"video_id": "video3", "split": "test"}],
"sentences": [{"caption": "two", "video_id": "video2", "sen_id": 0},
{"caption": "ten a", "video_id": "video10", "sen_id": 1},
{"caption": "two again", "video_id": "video2", "sen_id": 2}]})";

class MsrvttSourceTest : public testing::Test {
 protected:
  MsrvttSourceTest() {
    options_.tmp_dir = testing::TempDir();
    for (const char* media :
         {"all/video10.mp4", "all/video10.webm", "all/video2.webm", "all/video3.mp4"}) {
      tree_.Write(media, media);
    }
  }
  TempTree tree_;
  ConvertOptions options_;
};

TEST_F(MsrvttSourceTest, SentencesComeToTheirVideosMp4ElseWebm) {
  tree_.Write("MSRVTT_data.json", kInfo);
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.splits, ElementsAre("train", "validate", "test"));
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair all/video10.mp4 | \"ten a\"", "pair all/video2.webm @1 | \"two\"",
                          "pair all/video2.webm @1 | \"two again\"", "pair all/video3.mp4 @2 | -"));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra MSRVTT_data.json", "extra all/video10.webm"));
}

TEST_F(MsrvttSourceTest, TheFormOfCocoMayLackItsImages) {
  constexpr const char* kAnnotations =
      R"("annotations": [{"image_id": "video2", "caption": "x"},)"
      R"( {"image_id": "video10", "caption": "y"}, {"image_id": "video2", "caption": "z"}]})";
  tree_.Write("MSR_VTT.json", std::string("{") + kAnnotations);
  EXPECT_THAT(ScanChosen(tree_.root(), options_).Only("pair"),
              ElementsAre("pair all/video2.webm | \"x\"", "pair all/video2.webm | \"z\"",
                          "pair all/video10.mp4 | \"y\""));
  tree_.Write("MSR_VTT.json", std::string("{\"images\": [{\"id\": \"video10\"}, {\"id\": "
                                          "\"video2\"}], \"type\": \"captions\", ") +
                                  kAnnotations);
  EXPECT_THAT(ScanChosen(tree_("MSR_VTT.json"), options_).Only("pair"),
              ElementsAre("pair all/video10.mp4 | \"y\"", "pair all/video2.webm | \"x\"",
                          "pair all/video2.webm | \"z\""));
}

TEST_F(MsrvttSourceTest, BothFormsOfTheSetAreTwoReadings) {
  tree_.Write("MSRVTT_data.json", kInfo);
  tree_.Write("train_val_videodatainfo.json", kInfo);
  EXPECT_THAT([&] { Recognise(tree_.root(), {}); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("--from msrvtt:MSRVTT_data.json"),
                                              HasSubstr("--from msrvtt:train_val"))));
}

TEST_F(MsrvttSourceTest, ATableOfTheSameVideosIsAnotherReading) {
  tree_.Write("MSRVTT_data.json", kInfo);
  tree_.Write("MSRVTT_JSFUSION_test.csv",
              "key,vid_key,video_id,sentence\nret0,msr3,video3,a cat\n");
  tree_.Write("MSRVTT_train.9k.csv", "video_id\nvideo3\n");
  EXPECT_THAT([&] { Recognise(tree_.root(), {}); },
              ThrowsMessage<UsageError>(AllOf(
                  HasSubstr("--from msrvtt: MSR-VTT in MSRVTT_data.json ("),
                  HasSubstr("--from table:MSRVTT_JSFUSION_test.csv: "), HasSubstr("(1 pair)"))));
}

// --- MSVD, mmaction2 ----------------------------------------------------------------------------

TEST_F(MsrvttSourceTest, AnObjectOfListsNamesVideosByItsKeys) {
  tree_.Write("clips/-4wsuPCjDBc_5_15.avi", "1");
  tree_.Write("captions.json",
              R"({"-4wsuPCjDBc_5_15": ["a", "b", "a"], "video3": [], "video10": ["c", null]})");
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair clips/-4wsuPCjDBc_5_15.avi | \"a\"",
                          "pair clips/-4wsuPCjDBc_5_15.avi | \"b\"",
                          "pair clips/-4wsuPCjDBc_5_15.avi | \"a\"", "pair all/video3.mp4 | -",
                          "pair all/video10.mp4 | \"c\"", "pair all/video10.mp4 | -"));
  EXPECT_THAT(sink.Only("note null"), ElementsAre("note null-text video10.mp4"));
}

TEST_F(MsrvttSourceTest, KeysMayHaveTheirExtension) {
  tree_.Write("train.json", R"({"video10.mp4": ["x"]})");
  tree_.Write("test.json", R"({"video3.mp4": ["y"]})");
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.splits, ElementsAre("test", "train"));
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair all/video3.mp4 | \"y\"", "pair all/video10.mp4 @1 | \"x\""));
}

TEST_F(MsrvttSourceTest, AStringByTheNameOfAMediaIsItsCaption) {
  tree_.Write("captions.json", R"({"video10.mp4": "x", "video3.mp4": ["y", "z"]})");
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair all/video10.mp4 | \"x\"", "pair all/video3.mp4 | \"y\"",
                          "pair all/video3.mp4 | \"z\""));
}

TEST_F(MsrvttSourceTest, OtherObjectsOfStringsAreExtras) {
  tree_.Write("settings.json", R"({"video10": "x", "video3": "y"})");    // ids say nothing
  tree_.Write("masks.json", R"({"video10.mp4": "masks/video10.png"})");  // names another media
  tree_.Write("elsewhere.json", R"({"a.jpg": "a", "b.jpg": "b"})");      // not there
  tree_.Write("MSRVTT_data.json", kInfo);
  EXPECT_EQ(ScanChosen(tree_.root(), options_).Only("extra").size(), 5U);
}

TEST_F(MsrvttSourceTest, OtherObjectsOfListsAreExtras) {
  tree_.Write("classes.json", R"({"animals": ["cat", "dog"]})");
  tree_.Write("MSRVTT_data.json", kInfo);
  EXPECT_EQ(ScanChosen(tree_.root(), options_).Only("extra").size(), 3U);
}

}  // namespace
}  // namespace ulhff
