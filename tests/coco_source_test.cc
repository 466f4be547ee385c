// Tests of COCO captions as a source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"
#include "converter/section_join.h"
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

constexpr const char* kTwoImages =
    "{\"info\": {}, \"images\": [{\"id\": 7, \"file_name\": \"b.jpg\"},"
    " {\"id\": 3, \"file_name\": \"a.jpg\"}],\n \"annotations\": ["
    "{\"image_id\": 3, \"id\": 1, \"caption\": \"a1\"},\n{\"image_id\": 7, \"id\": 2, \"caption\": "
    "\"b1 \\n\"},\n{\"image_id\": 3, \"id\": 3, \"caption\": \"a1\"}]}";

class CocoSourceTest : public testing::Test {
 protected:
  CocoSourceTest() {
    for (const char* media : {"train/a.jpg", "train/b.jpg", "val/c.jpg"}) tree_.Write(media, media);
    options_.tmp_dir = testing::TempDir();
  }
  RecordingSink Scan(std::string_view annotations) {
    tree_.Write("annotations/captions.json", annotations);
    return ScanChosen(tree_.root(), options_);
  }

  TempTree tree_;
  ConvertOptions options_;
};

TEST_F(CocoSourceTest, ImagesInTheirOrderWithTheirCaptionsInTheirs) {
  const RecordingSink sink = Scan(kTwoImages);
  EXPECT_EQ(sink.lines,
            (Lines{"fields :txt", "pair train/b.jpg | \"b1 \n\"", "pair train/a.jpg | \"a1\"",
                   "pair train/a.jpg | \"a1\"", "dir annotations",
                   "extra annotations/captions.json", "dir train", "dir val", "extra val/c.jpg"}));
  EXPECT_THAT(sink.origins,
              ElementsAre("annotations/captions.json:3", "annotations/captions.json:2",
                          "annotations/captions.json:4"));
  EXPECT_THAT(sink.rules, ElementsAre("captions of annotations/captions.json: 3"));
}

TEST_F(CocoSourceTest, AnnotationsMayStandBeforeImages) {
  EXPECT_THAT(Scan("{\"annotations\": [{\"image_id\": 1, \"caption\": \"x\"}],"
                   " \"images\": [{\"id\": 1, \"file_name\": \"a.jpg\"}]}")
                  .Only("pair"),
              ElementsAre("pair train/a.jpg | \"x\""));
}

TEST_F(CocoSourceTest, AnUncaptionedImageIsAnAbsentPairInItsPlace) {
  const char* annotations =
      "{\"images\": [{\"id\": 1, \"file_name\": \"a.jpg\"}, {\"id\": 2, \"file_name\": \"c.jpg\"},"
      " {\"id\": 3, \"file_name\": \"b.jpg\"}],"
      " \"annotations\": [{\"image_id\": 3, \"caption\": \"x\"}, {\"image_id\": 1, \"caption\": "
      "\"\"}]}";
  const RecordingSink sink = Scan(annotations);
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair train/a.jpg | \"\"", "pair val/c.jpg | -",
                                             "pair train/b.jpg | \"x\""));
  EXPECT_THAT(sink.Only("note"), ElementsAre("note unpaired-media c.jpg"));
  options_.unpaired_media = OnUnpairedMedia::kSkip;
  EXPECT_THAT(Scan(annotations).Only("pair"),
              ElementsAre("pair train/a.jpg | \"\"", "pair train/b.jpg | \"x\""));
}

TEST_F(CocoSourceTest, CaptionsThatAreNullOrMissingAreAbsentPairsAndCounted) {
  const char* annotations =
      "{\"images\": [{\"id\": 1, \"file_name\": \"a.jpg\"}, {\"id\": 2, \"file_name\": \"b.jpg\"}],"
      " \"annotations\": [{\"image_id\": 1, \"caption\": null}, {\"image_id\": 2, \"caption\": "
      "\"x\"},"
      " {\"image_id\": 2}, {\"image_id\": 2, \"caption\": \"y\"}]}";
  const RecordingSink sink = Scan(annotations);
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair train/a.jpg | -", "pair train/b.jpg | \"x\"",
                                             "pair train/b.jpg | -", "pair train/b.jpg | \"y\""));
  EXPECT_THAT(sink.Only("note"), ElementsAre("note null-text a.jpg", "note null-text b.jpg"));
  options_.unpaired_media = OnUnpairedMedia::kSkip;
  EXPECT_THAT(Scan(annotations).Only("pair"),
              ElementsAre("pair train/b.jpg | \"x\"", "pair train/b.jpg | \"y\""));
  EXPECT_THAT(Scan(annotations).Only("extra train"), ElementsAre("extra train/a.jpg"));
}

TEST_F(CocoSourceTest, NumbersBeyondDoubleAreTheirTokensInIdsAndCaptions) {
  const std::string id = "1" + std::string(400, '0');
  EXPECT_THAT(Scan("{\"info\": {\"x\": 1e999}, \"images\": [{\"id\": " + id +
                   ", \"file_name\": \"a.jpg\"}, {\"id\": 1e400, \"file_name\": \"b.jpg\"}],"
                   " \"annotations\": [{\"image_id\": 1e400, \"caption\": -1e999},"
                   " {\"image_id\": \"" +
                   id + "\", \"caption\": \"x\"}]}")
                  .Only("pair"),
              ElementsAre("pair train/a.jpg | \"x\"", "pair train/b.jpg | \"-1e999\""));
}

TEST_F(CocoSourceTest, IdsCompareAsDecimalsNeverAsDoubles) {
  EXPECT_THAT(Scan("{\"images\": [{\"id\": \"9007199254740993\", \"file_name\": \"a.jpg\"},"
                   " {\"id\": 9007199254740992, \"file_name\": \"b.jpg\"}],"
                   " \"annotations\": [{\"image_id\": 9007199254740993, \"caption\": \"a\"},"
                   " {\"image_id\": \"009007199254740992\", \"caption\": \"b\"}]}")
                  .Only("pair"),
              ElementsAre("pair train/a.jpg | \"a\"", "pair train/b.jpg | \"b\""));
}

TEST(CanonicalIdTest, WholeNumbersLoseWhatIsNotValue) {
  const std::pair<const char*, const char*> kIds[] = {
      {"42", "42"},   {"0042", "42"}, {"42.0", "42"},        {"42.5", "42.5"}, {"-7", "-7"},
      {"-0", "0"},    {"000", "0"},   {"n578", "n578"},      {"", ""},         {"1e3", "1e3"},
      {"42.", "42."}, {"-", "-"},     {"1.000.0", "1.000.0"}};
  for (const auto& [id, canonical] : kIds) EXPECT_EQ(CanonicalId(id), canonical) << id;
}

TEST_F(CocoSourceTest, CaptionsOfUnknownImagesAndIdsGivenTwiceAreTold) {
  const RecordingSink sink = Scan(
      "{\"images\": [{\"id\": 1, \"file_name\": \"a.jpg\"}, {\"id\": \"1\", \"file_name\": "
      "\"b.jpg\"}],\n \"annotations\": [{\"image_id\": 1, \"caption\": \"x\"},"
      " {\"image_id\": 5, \"caption\": \"y\"}]}");
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair train/a.jpg | \"x\""));
  EXPECT_THAT(
      sink.Only("note"),
      ElementsAre(
          "note duplicate-name \"images\" has id 1 twice (first: annotations/captions.json:1)",
          "note missing-media image_id 5, which \"images\" has not"));
}

TEST_F(CocoSourceTest, SeveralFilesAreSplitsWhoseIdsAreTheirOwn) {
  tree_.Write("annotations/captions_val2017.json",
              "{\"images\": [{\"id\": 7, \"file_name\": \"c.jpg\"}],"
              " \"annotations\": [{\"image_id\": 7, \"caption\": \"c\"}]}");
  tree_.Write("annotations/captions_train2017.json", kTwoImages);
  tree_.Write("annotations/instances_train2017.json",
              "{\"images\": [{\"id\": 7, \"file_name\": \"b.jpg\"}],"
              " \"annotations\": [{\"image_id\": 7, \"bbox\": [1, 2, 3, 4]}]}");
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.splits, ElementsAre("train2017", "val2017"));
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair train/b.jpg | \"b1 \n\"", "pair train/a.jpg | \"a1\"",
                          "pair train/a.jpg | \"a1\"", "pair val/c.jpg @1 | \"c\""));
  EXPECT_EQ(sink.Only("extra annotations").size(), 3U);

  options_.from = "coco:annotations/captions_val2017.json";
  const RecordingSink one = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(one.splits, IsEmpty());
  EXPECT_THAT(one.Only("pair"), ElementsAre("pair val/c.jpg | \"c\""));
}

TEST_F(CocoSourceTest, AFileNameInTwoDirectoriesIsAnErrorThatNamesMediaRoot) {
  tree_.Write("old/a.jpg", "another");
  EXPECT_THAT([&] { Scan(kTwoImages); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("old/a.jpg"), HasSubstr("train/a.jpg"),
                                              HasSubstr("--media-root"))));
  options_.media_root = tree_("train");
  EXPECT_THAT(Scan(kTwoImages).Only("pair train/a"), testing::SizeIs(2));
}

TEST_F(CocoSourceTest, SplitsWithEqualFileNamesFindThemInTheirDirectories) {
  const char* kOne =
      "{\"images\": [{\"id\": 1, \"file_name\": \"1.jpg\"}],"
      " \"annotations\": [{\"image_id\": 1, \"caption\": \"x\"}]}";
  for (const char* split : {"train", "val"}) {
    tree_.Write(std::string("annotations/captions_") + split + ".json", kOne);
    tree_.Write(std::string(split) + "/1.jpg", split);
  }
  EXPECT_THAT(ScanChosen(tree_.root(), options_).Only("pair"),
              ElementsAre("pair train/1.jpg | \"x\"", "pair val/1.jpg @1 | \"x\""));
}

TEST_F(CocoSourceTest, MissingImagesAreToldOnceWithAllTheirCaptions) {
  const RecordingSink sink = Scan(
      "{\"images\": [{\"id\": 1, \"file_name\": \"gone.jpg\"}, {\"id\": 2, \"file_name\": "
      "\"a.jpg\"}], \"annotations\": [{\"image_id\": 1, \"caption\": \"x\"}, {\"image_id\": 1,"
      " \"caption\": \"y\"}, {\"image_id\": 2, \"caption\": \"z\"}]}");
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair train/a.jpg | \"z\""));
  EXPECT_EQ(sink.Only("note").size(), 1U);
}

TEST_F(CocoSourceTest, AFileOperandFindsImagesBesideItsDirectory) {
  tree_.Write("annotations/captions.json", kTwoImages);
  const RecordingSink sink = ScanChosen(tree_("annotations/captions.json"), options_);
  EXPECT_EQ(sink.lines, (Lines{"fields :txt", "pair train/b.jpg | \"b1 \n\"",
                               "pair train/a.jpg | \"a1\"", "pair train/a.jpg | \"a1\""}));
}

TEST_F(CocoSourceTest, AnEntryWithoutItsKeysNamesTheLine) {
  EXPECT_THAT(
      [&] {
        Scan(
            "{\"images\": [{\"id\": 1, \"file_name\": \"a.jpg\"},\n{\"id\": 2}],"
            " \"annotations\": [{\"image_id\": 1, \"caption\": \"x\"}]}");
      },
      ThrowsMessage<InputError>(
          AllOf(HasSubstr("captions.json:2"), HasSubstr("without file_name"))));
}

TEST_F(CocoSourceTest, ACutFileIsAnErrorUnlessLenient) {
  const std::string cut(kTwoImages, std::string_view(kTwoImages).rfind("{"));
  EXPECT_THROW(Scan(cut), InputError);
  options_.lenient = true;
  const RecordingSink sink = Scan(cut);
  EXPECT_EQ(sink.pairs, 2U);
  EXPECT_EQ(sink.Only("note lost-rest").size(), 1U);
}

TEST_F(CocoSourceTest, CaptionsWithoutImagesSayWhatIsMissing) {
  tree_.Write("x.json",
              "{\"image\": [{\"id\": 1, \"file_name\": \"a.jpg\"}],"
              " \"annotations\": [{\"image_id\": 1, \"caption\": \"x\"}]}");
  EXPECT_THAT([&] { Recognise(tree_("x.json"), {}); },
              ThrowsMessage<InputError>(HasSubstr("no section \"images\"")));
}

TEST(CocoFixtureTest, MindsporeSampleHasTenPairsAndFourExtraImages) {
  const std::string path = FixturePath("coco_captions_mindspore");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  ConvertOptions options;
  options.tmp_dir = testing::TempDir();
  const RecordingSink sink = ScanChosen(path, options);
  EXPECT_EQ(sink.pairs, 10U);
  EXPECT_EQ(sink.Only("pair")[0], "pair train/000000391895.jpg | \"This is a banana\"");
  EXPECT_EQ(sink.Only("pair")[9], "pair train/000000318219.jpg | \"This orange has spots\"");
  EXPECT_THAT(
      sink.Only("extra"),
      ElementsAre("extra annotations/captions.json", "extra annotations/lack_of_images.json",
                  "extra train/000000060623.jpg", "extra train/000000309022.jpg",
                  "extra train/000000554625.jpg", "extra train/000000574769.jpg"));
  EXPECT_THAT(sink.Only("note"), IsEmpty());
}

TEST(CocoFixtureTest, InterleavedCaptionsAndUncaptionedImages) {
  const std::string path = FixturePath("coco_captions_croissant/captions_train2014.json");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  TempTree media;
  for (const char* id : {"057870", "384029", "222016", "520950", "116100", "318556"}) {
    const std::string name = std::string("COCO_train2014_000000") + id + ".jpg";
    media.Write(name, name);
  }
  ConvertOptions options;
  options.tmp_dir = testing::TempDir();
  options.media_root = media.root();
  const RecordingSink sink = ScanChosen(path, options);
  EXPECT_EQ(sink.Only("note unpaired-media").size(), 4U);
  EXPECT_EQ(sink.pairs, 8U);
}

}  // namespace
}  // namespace ulhff
