// Tests of GQA questions as a source.
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

constexpr const char* kBalanced =
    R"({"02930152": {"semantic": [{"operation": "select", "argument": "sky"}], "entailed": [],
  "question": "Is it overcast?", "imageId": "2354786", "isBalanced": true, "answer": "no",
  "fullAnswer": "No, it is clear.", "types": {"detailed": "weatherVerify"}},
"00001": {"imageId": "n578564", "question": "Q"},
"0000": {"imageId": "2354786", "question": "R", "answer": "a"}})";

class GqaSourceTest : public testing::Test {
 protected:
  GqaSourceTest() {
    for (const char* media : {"images/2354786.jpg", "images/n578564.jpg"}) {
      tree_.Write(media, media);
    }
  }
  TempTree tree_;
  ConvertOptions options_;
};

TEST_F(GqaSourceTest, QuestionsInTheOrderOfTheFileWithImageIdsThatAreNoNumbers) {
  tree_.Write("questions1.2/train_balanced_questions.json", kBalanced);
  const Lines pairs{
      R"(pair images/2354786.jpg | "{"questionId":"02930152","imageId":"2354786",)"
      R"("question":"Is it overcast?","answer":"no","fullAnswer":"No, it is clear."}")",
      R"(pair images/n578564.jpg | "{"questionId":"00001","imageId":"n578564",)"
      R"("question":"Q"}")",
      R"(pair images/2354786.jpg | "{"questionId":"0000","imageId":"2354786",)"
      R"("question":"R","answer":"a"}")"};
  EXPECT_EQ(ScanChosen(tree_.root(), options_).Only("pair"), pairs);
  options_.media_root = tree_("images");
  EXPECT_EQ(ScanChosen(tree_("questions1.2/train_balanced_questions.json"), options_).pairs, 3U);
}

TEST_F(GqaSourceTest, NumberedFilesOfADirectoryAreOneSplitInTheirNumbersOrder) {
  for (const char* number : {"10", "2", "0"}) {
    tree_.Write(std::string("train_all_questions/train_all_questions_") + number + ".json",
                std::string("{\"") + number + R"(": {"imageId": "n578564", "question": "Q"}})");
  }
  tree_.Write("val_all_questions.json", R"({"v": {"imageId": "n578564", "question": "Q"}})");
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.origins, ElementsAre("val_all_questions.json:1",
                                        "train_all_questions/train_all_questions_0.json:1",
                                        "train_all_questions/train_all_questions_2.json:1",
                                        "train_all_questions/train_all_questions_10.json:1"));
  EXPECT_THAT(sink.pair_splits, ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(sink.splits, ElementsAre("val", "train"));
}

TEST_F(GqaSourceTest, BalancedAndAllAreTwoReadings) {
  tree_.Write("train_balanced_questions.json", kBalanced);
  tree_.Write("train_all_questions.json", kBalanced);
  EXPECT_THAT([&] { Recognise(tree_.root(), {}); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("--from gqa:train_balanced_questions.json"),
                                              HasSubstr("--from gqa:train_all_questions.json"))));
}

TEST_F(GqaSourceTest, SceneGraphsAreExtras) {
  tree_.Write("train_balanced_questions.json", kBalanced);
  tree_.Write("train_sceneGraphs.json", R"({"2354786": {"width": 5, "objects": {}}})");
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_EQ(sink.Only("extra train_scene").size(), 1U);
  EXPECT_THAT(sink.Only("note"), IsEmpty());
}

TEST_F(GqaSourceTest, AnEntryWithoutItsImageNamesTheLine) {
  tree_.Write("q.json",
              "{\"1\": {\"imageId\": \"n578564\", \"question\": \"Q\"},\n"
              "\"2\": {\"question\": \"Q\"}}");
  options_.from = "gqa";
  EXPECT_THAT([&] { ScanChosen(tree_.root(), options_); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("q.json:2"), HasSubstr("imageId"))));
}

}  // namespace
}  // namespace ulhff
