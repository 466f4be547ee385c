// Tests of Karpathy's splits as a source.
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

class KarpathySourceTest : public testing::Test {
 protected:
  KarpathySourceTest() {
    for (const char* media : {"train2014/1.jpg", "val2014/2.jpg", "val2014/3.jpg"}) {
      tree_.Write(media, media);
    }
  }
  TempTree tree_;
  ConvertOptions options_;
};

constexpr const char* kCoco =
    R"({"images": [
{"filepath": "val2014", "sentids": [5, 9], "filename": "3.jpg", "imgid": 0, "split": "restval",
 "sentences": [{"tokens": ["a"], "raw": "A  cat. ", "imgid": 0, "sentid": 5},
               {"tokens": ["b"], "raw": "", "imgid": 0, "sentid": 9}], "cocoid": 3},
{"filepath": "train2014", "filename": "1.jpg", "split": "train", "sentences": [{"raw": "one"}]},
{"filepath": "val2014", "filename": "2.jpg", "split": "val", "sentences": []}], "dataset": "coco"})";

TEST_F(KarpathySourceTest, RawSentencesInFileOrderWithTheSplitsOfTheImages) {
  tree_.Write("dataset_coco.json", kCoco);
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_EQ(sink.lines, (Lines{"fields :txt", "split 0 restval",
                               "pair val2014/3.jpg | \"A  cat. \"", "pair val2014/3.jpg | \"\"",
                               "split 1 train", "pair train2014/1.jpg @1 | \"one\"", "split 2 val",
                               "note unpaired-media val2014/2.jpg", "pair val2014/2.jpg @2 | -",
                               "extra dataset_coco.json", "dir train2014", "dir val2014"}));
  EXPECT_THAT(sink.rules, ElementsAre("sentences of dataset_coco.json: 3"));
  EXPECT_EQ(sink.origins[0], "dataset_coco.json:2");
}

TEST_F(KarpathySourceTest, WithoutADirectoryTheNameIsLookedForInTheTree) {
  tree_.Write("dataset_flickr30k.json",
              R"({"dataset": "flickr30k", "images": [{"sentids": [0], "sentences": [{"raw": "x"}],)"
              R"( "split": "test", "filename": "1.jpg"}]})");
  EXPECT_THAT(ScanChosen(tree_.root(), options_).Only("pair"),
              ElementsAre("pair train2014/1.jpg | \"x\""));
  EXPECT_THAT(ScanChosen(tree_("dataset_flickr30k.json"), options_).Only("pair"),
              ElementsAre("pair train2014/1.jpg | \"x\""));
}

TEST_F(KarpathySourceTest, OfTheThreeFilesTheOneWhoseImagesAreThereIsTaken) {
  tree_.Write("dataset_coco.json", kCoco);
  tree_.Write("dataset_flickr8k.json",
              R"({"images": [{"filename": "gone.jpg", "split": "train", "sentences": []}]})");
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_EQ(sink.pairs, 4U);
  EXPECT_EQ(sink.Only("extra dataset").size(), 2U);
}

TEST_F(KarpathySourceTest, ATokenFileBesideItIsAnotherReading) {
  tree_.Write("dataset_coco.json", kCoco);
  tree_.Write("results.token", "1.jpg#0\tone\n");
  EXPECT_THAT(
      [&] { Recognise(tree_.root(), {}); },
      ThrowsMessage<UsageError>(AllOf(HasSubstr("--from karpathy:"), HasSubstr("--from token:"))));
  options_.from = "karpathy";
  EXPECT_EQ(ScanChosen(tree_.root(), options_).pairs, 4U);
}

TEST_F(KarpathySourceTest, ACutFileIsAnErrorUnlessLenient) {
  tree_.Write("dataset_coco.json",
              std::string_view(kCoco).substr(0, std::string_view(kCoco).find("\"sentences\": []")));
  EXPECT_THROW(ScanChosen(tree_.root(), options_), TruncatedError);
  options_.lenient = true;
  EXPECT_EQ(ScanChosen(tree_.root(), options_).pairs, 3U);
}

TEST_F(KarpathySourceTest, ForcedOnAnotherFileItSaysSo) {
  tree_.Write("x.json", "{\"images\": [{\"id\": 1}]}");
  options_.from = "karpathy";
  EXPECT_THAT([&] { Recognise(tree_("x.json"), options_); },
              ThrowsMessage<UsageError>(HasSubstr("no Karpathy's splits")));
}

}  // namespace
}  // namespace ulhff
