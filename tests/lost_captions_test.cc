// Tests that captions which cannot be used stop a conversion of a directory, instead of becoming a
// file beside media without texts; and that harmless files beside media do not.
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
using testing::ThrowsMessage;

constexpr const char* kTwoCocoImages =
    "\": [{\"id\": 1, \"file_name\": \"a.jpg\"}, {\"id\": 2, \"file_name\": \"b.jpg\"}],";
constexpr const char* kTwoCocoCaptions =
    "{\"image_id\": 1, \"caption\": \"x\"}, {\"image_id\": 2, \"caption\": \"y\"}]}";

struct SideFile {
  const char* test;
  const char* name;
  std::string bytes;
  std::vector<std::string> told = {};  // of the error
};

std::string TestName(const testing::TestParamInfo<SideFile>& info) { return info.param.test; }

class LostCaptionsTest : public testing::TestWithParam<SideFile> {
 protected:
  LostCaptionsTest() { tree_.Write(GetParam().name, GetParam().bytes); }
  TempTree tree_{"a.jpg", "b.jpg"};
};

TEST_P(LostCaptionsTest, StopWithFileAndPlace) {
  try {
    ScanChosen(tree_.root());
    FAIL() << "taken for media only";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().name));
    for (const std::string& part : GetParam().told) EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST_P(LostCaptionsTest, AreJustAFileIfToldSo) {
  ConvertOptions options;
  options.from = "files";
  EXPECT_THAT(ScanChosen(tree_.root(), options).Only("extra"),
              ElementsAre(std::string("extra ") + GetParam().name));
}

const SideFile kLost[] = {
    {"ABadLineOfATokenFile", "c.token", "a.jpg#0\tx\nbroken\nb.jpg#0\ty\n", {"c.token:2"}},
    {"ABadFirstRow", "c.csv", "image,caption\na.jpg,x,y\nb.jpg,x\n", {"c.csv:2"}},
    {"HuggingFace",
     "metadata.csv",
     "file_name,text\nzz.jpg,x\n",
     {"line 2", "zz.jpg", "--media-root", "--from files"}},
    {"JsonLines", "c.jsonl", "{\"image\":\"zz.jpg\",\"caption\":\"x\"}\n", {"line 1", "zz.jpg"}},
    {"OtherCase", "c.csv", "image,caption\nA.JPG,x\n", {"line 2", "'A.JPG' is not there"}},
    {"AbsolutePaths", "c.tsv", "path\ttext\n/x/a.jpg\tx\n", {"/x/a.jpg", "--allow-outside"}},
    {"CocoWithoutAnImageId",
     "c.json",
     std::string("{\"images") + kTwoCocoImages + "\"annotations\":[{\"caption\":\"z\"}," +
         kTwoCocoCaptions,
     {"c.json:1", "without image_id"}},
    {"CocoWithoutImages",
     "c.json",
     std::string("{\"image") + kTwoCocoImages + "\"annotations\":[" + kTwoCocoCaptions,
     {"\"images\"", "--from files"}},
    {"MsrvttCutInItsVideos",
     "c.json",
     R"({"videos":[{"video_id":"video1","split":"train"},{"video_id":)",
     {"c.json:1", "ends too early"}},
    {"MsrvttCutInItsSentences",
     "c.json",
     R"({"videos":[{"video_id":"video1"}],"sentences":[{"caption":"x","video_id":"video1"},{"cap)",
     {"c.json:1", "ends too early"}},
    {"VqaWithAMalformedQuestion",
     "c.json",
     R"({"questions":[{"image_id":1,"question":"x","question_id":1},{bad}]})",
     {"c.json:1"}},
    {"Parquet", "metadata.parquet", "PAR1xxxxPAR1", {"is Parquet", "--from files"}},
};
INSTANTIATE_TEST_SUITE_P(Files, LostCaptionsTest, testing::ValuesIn(kLost), TestName);

class SideFileTest : public testing::TestWithParam<SideFile> {};

TEST_P(SideFileTest, IsKept) {
  TempTree tree{"a.jpg", "b.jpg"};
  tree.Write(GetParam().name, GetParam().bytes);
  EXPECT_THAT(ScanChosen(tree.root()).Only("extra"),
              ElementsAre(std::string("extra ") + GetParam().name));
}

const SideFile kSideFiles[] = {
    {"Classes", "classes.csv", "name,description\ncat,a cat\n"},
    {"Labels", "labels.csv", "image,label\nzz.jpg,cat\n"},
    {"Readme", "README.txt", "image, caption and the like\na, b\n"},
    {"Stats", "stats.json", "{\"count\": 2, \"text\": \"x\"}"},
    {"Addresses", "urls.csv", "url,caption\nhttp://x/1.jpg,x\n"},
    {"Instances", "instances.json",
     std::string("{\"images") + kTwoCocoImages +
         "\"annotations\":[{\"image_id\": 1, \"bbox\": []}]}"},
    {"ImageList", "image_info.json", std::string("{\"images") + kTwoCocoImages + "\"info\":{}}"},
};
INSTANTIATE_TEST_SUITE_P(Files, SideFileTest, testing::ValuesIn(kSideFiles), TestName);

TEST(LostRowsTest, AreLeftOutAndCountedHoweverManyComeFirst) {
  TempTree tree{"a.jpg", "b.jpg"};
  std::string rows = "image,caption\n";
  for (int i = 0; i < 150; ++i) rows += "gone.jpg,x\n";
  tree.Write("c.csv", rows + "a.jpg,y\n");
  EXPECT_THAT([&] { Recognise(tree.root(), {}); }, ThrowsMessage<InputError>(HasSubstr("line 2")));
  ConvertOptions options;
  options.missing_media = OnMissingMedia::kSkip;
  const RecordingSink sink = ScanChosen(tree.root(), options);
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.jpg | \"y\""));
  EXPECT_EQ(sink.Only("note").size(), 150U);
}

TEST(LostRowsTest, ATableOfTheSameColumnsBesideIsNoExtra) {
  TempTree tree{"a.jpg"};
  tree.Write("train.csv", "image,caption\na.jpg,x\n");
  tree.Write("val.csv", "image,caption\nb.jpg,x\n");
  EXPECT_THAT(ScanChosen(tree.root()).Only("note"), ElementsAre("note missing-media b.jpg"));
}

TEST(LostRowsTest, OfATableFileAreToldAsMissing) {
  TempTree tree{"a.jpg"};
  tree.Write("c.csv", "image,caption\nimages/zz.jpg,1\n");
  EXPECT_THAT(ScanChosen(tree("c.csv")).Only("note"),
              ElementsAre("note missing-media images/zz.jpg"));
  tree.Write("d.csv", "image,caption\n/export/x/a.jpg,1\n");
  EXPECT_THAT(ScanChosen(tree("d.csv")).Only("note"),
              ElementsAre("note outside-path /export/x/a.jpg"));
}

TEST(LostRowsTest, ATableWithoutRowsIsBadInput) {
  TempTree tree{"a.jpg"};
  for (const char* bytes : {"image,caption\n", "image,caption\ra.jpg,x\r"}) {
    tree.Write("c.csv", bytes);
    EXPECT_THAT([&] { Recognise(tree("c.csv"), {}); },
                ThrowsMessage<InputError>(HasSubstr("no rows")));
  }
}

TEST(BadEntriesTest, AreLeftOutAndCountedWhenLenient) {
  ConvertOptions options;
  options.lenient = true;
  for (const SideFile& file : {kLost[0], kLost[1], kLost[6]}) {
    TempTree tree{"a.jpg", "b.jpg"};
    tree.Write(file.name, file.bytes);
    const RecordingSink sink = ScanChosen(tree.root(), options);
    EXPECT_GE(sink.Only("pair").size(), 1U) << file.test;
    EXPECT_EQ(sink.Only("note truncated").size(), 1U) << file.test;
  }
}

}  // namespace
}  // namespace ulhff
