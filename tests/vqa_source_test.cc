// Tests of VQA questions and answers as a source.
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

constexpr const char* kQuestions =
    R"({"info": {"x": 1}, "task_type": "Open-Ended", "data_type": "mscoco", "license": {},
"data_subtype": "train2014", "questions": [
{"image_id": 458752, "question": "What is  this?", "question_id": 458752000},
{"image_id": 9, "question": "Caf\u00e9?", "question_id": 9000},
{"image_id": 458752, "question_id": 458752001, "question": "Who?"}]})";
constexpr const char* kAnswers =
    R"({"annotations": [
{"answers": [{"answer": "a", "answer_confidence": "yes", "answer_id": 1},
             {"answer": "b \" c", "answer_id": 2}], "question_id": 458752001,
 "multiple_choice_answer": "a", "image_id": 458752, "answer_type": "other", "question_type": "who"},
{"question_id": "458752000", "question_type": "what", "answer_type": "x",
 "multiple_choice_answer": "net", "answers": [], "image_id": 458752}],
"data_subtype": "train2014"})";
constexpr const char* kTestQuestions =
    R"({"questions": [{"image_id": 1, "question": "Q", "question_id": 1000}],
"data_type": "mscoco", "data_subtype": "test2015"})";

const char* const kFirst =
    R"({"question_id":458752000,"image_id":458752,"question":"What is  this?",)"
    R"("question_type":"what","answer_type":"x","multiple_choice_answer":"net","answers":[]})";
const char* const kSecond = R"({"question_id":9000,"image_id":9,"question":"Caf\u00e9?"})";
const char* const kThird =
    R"({"question_id":458752001,"image_id":458752,"question":"Who?","question_type":"who",)"
    R"("answer_type":"other","multiple_choice_answer":"a","answers":[{"answer":"a",)"
    R"("answer_confidence":"yes","answer_id":1},{"answer":"b \" c","answer_id":2}]})";

class VqaSourceTest : public testing::Test {
 protected:
  VqaSourceTest() {
    options_.tmp_dir = testing::TempDir();
    tree_.Write("q/v2_OpenEnded_mscoco_train2014_questions.json", kQuestions);
    tree_.Write("q/v2_mscoco_train2014_annotations.json", kAnswers);
    tree_.Write("train2014/COCO_train2014_000000458752.jpg", "1");
    tree_.Write("train2014/COCO_train2014_000000000009.jpg", "2");
  }
  static std::string Pair(const char* name, const char* text) {
    return "pair train2014/COCO_train2014_000000" + std::string(name) + ".jpg | \"" + text + "\"";
  }

  TempTree tree_;
  ConvertOptions options_;
};

TEST_F(VqaSourceTest, AQuestionWithItsAnswersIsOneLineInTheOrderOfTheQuestions) {
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre(Pair("458752", kFirst), Pair("000009", kSecond), Pair("458752", kThird)));
  EXPECT_THAT(sink.Only("extra"),
              ElementsAre("extra q/v2_OpenEnded_mscoco_train2014_questions.json",
                          "extra q/v2_mscoco_train2014_annotations.json"));
  EXPECT_THAT(sink.Only("note"), IsEmpty());
  EXPECT_THAT(sink.splits, IsEmpty());
  EXPECT_EQ(sink.origins[1], "q/v2_OpenEnded_mscoco_train2014_questions.json:4");
}

TEST_F(VqaSourceTest, TheTestSplitHasQuestionsOnly) {
  tree_.Write("q/v2_OpenEnded_mscoco_test2015_questions.json", kTestQuestions);
  tree_.Write("test2015/COCO_test2015_000000000001.jpg", "3");
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.splits, ElementsAre("test2015", "train2014"));
  EXPECT_EQ(sink.Only("pair")[0],
            "pair test2015/COCO_test2015_000000000001.jpg | "
            "\"{\"question_id\":1000,\"image_id\":1,\"question\":\"Q\"}\"");
  EXPECT_EQ(sink.pairs, 4U);
}

TEST_F(VqaSourceTest, AFileOfQuestionsFindsTheAnswersAndTheImagesBeside) {
  const RecordingSink sink =
      ScanChosen(tree_("q/v2_OpenEnded_mscoco_train2014_questions.json"), options_);
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre(Pair("458752", kFirst), Pair("000009", kSecond), Pair("458752", kThird)));
}

TEST_F(VqaSourceTest, AFileOfAnswersAsksForTheQuestions) {
  EXPECT_THAT([&] { ScanChosen(tree_("q/v2_mscoco_train2014_annotations.json"), options_); },
              ThrowsMessage<UsageError>(HasSubstr("name the questions")));
}

TEST_F(VqaSourceTest, AnswersGoWithTheQuestionsOfTheirVersion) {
  tree_.Write("q/mscoco_train2014_annotations.json",
              R"({"data_subtype": "train2014", "annotations": [{"question_id": 458752000,)"
              R"( "answers": ["old"]}]})");
  EXPECT_EQ(ScanChosen(tree_.root(), options_).Only("pair")[0], Pair("458752", kFirst));
}

TEST_F(VqaSourceTest, CutAnswersAreAnErrorUnlessLenient) {
  const std::string answers = kAnswers;
  tree_.Write("q/v2_mscoco_train2014_annotations.json",
              answers.substr(0, answers.find("458752000")));
  EXPECT_THAT([&] { ScanChosen(tree_.root(), options_); },
              ThrowsMessage<InputError>(HasSubstr("annotations.json:5")));
  options_.lenient = true;
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_EQ(sink.Only("pair").back(), Pair("458752", kThird));
  EXPECT_EQ(sink.Only("note lost-rest").size(), 1U);
}

TEST_F(VqaSourceTest, AnswersToUnknownQuestionsAreTold) {
  tree_.Write("q/v2_mscoco_train2014_annotations.json",
              "{\"data_subtype\": \"train2014\", \"annotations\": [\n"
              "{\"question_id\": 5, \"answers\": []}]}");
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.Only("note"),
              ElementsAre("note missing-media question_id 5, which \"questions\" has not"));
  EXPECT_THAT(sink.note_origins, ElementsAre("q/v2_mscoco_train2014_annotations.json:2"));
  EXPECT_EQ(sink.pairs, 3U);
}

TEST_F(VqaSourceTest, ImagesMayHaveTheNamesOf2017) {
  std::filesystem::remove_all(tree_("train2014"));
  tree_.Write("train2017/000000458752.jpg", "1");
  tree_.Write("train2017/000000000009.jpg", "2");
  EXPECT_EQ(ScanChosen(tree_.root(), options_).Only("pair train2017").size(), 3U);
}

}  // namespace
}  // namespace ulhff
