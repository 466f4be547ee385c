// Tests that captions which cannot be used stop a conversion of a directory, instead of becoming a
// file beside media without texts; and that harmless files beside media do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "converter/input_error.h"
#include "converter/media_types.h"
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
  const std::string name = GetParam().name;
  try {
    ScanChosen(tree_.root());
    FAIL() << "taken for media only";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(name == "train.parquet" ? tree_.root() : name));
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
    {"NoGoodRow", "c.csv", "image,caption\na.jpg,x, y\nb.jpg,x, y, z\n", {"c.csv:2"}},
    {"NoGoodRowInATxt", "captions.txt", "image,caption\na.jpg,x, y\n", {"captions.txt:2"}},
    {"NoGoodRowOfHuggingFace", "metadata.csv", "file_name,text\na.jpg,x, y\n", {"metadata.csv:2"}},
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
    {"Addresses", "urls.csv", "url,caption\nhttp://x/1.jpg,x\n", {"holds URLs", "--from files"}},
    {"AddressesInJsonLines", "c.jsonl", "{\"caption\":\"x\",\"url\":\"http://x/1\"}\n", {"'url'"}},
    {"AddressesWithoutAHeader",
     "cc3m.tsv",
     "a dog\thttp://x/1.jpg\na cat\thttp://x/2.jpg\n",
     {"--no-header --columns caption,url", "--from files"}},
    {"NamesWithoutAHeader",
     "c.csv",
     "x/1.jpg,a dog\nx/2.jpg,a cat\n",
     {"--no-header --columns image,caption", "--media-root", "--from files"}},
    {"Parquet", "train.parquet", "PAR1xxxxPAR1", {"holds Parquet", "CSV", "--from files"}},
    {"HuggingFaceParquet", "metadata.parquet", "PAR1xxxxPAR1", {"is Parquet", "--from files"}},
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
    {"Licenses", "licenses.csv", "url,license\nhttp://x/1.jpg,CC0\n"},
    {"LicensesWithoutAHeader", "urls.csv", "http://x/1.jpg,CC0\nhttp://x/2.jpg,CC0\n"},
    {"Info", "info.json", R"({"title": "x", "description": "a b", "url": "https://x/y"})"},
    {"Instances", "instances.json",
     std::string("{\"images") + kTwoCocoImages +
         "\"annotations\":[{\"image_id\": 1, \"bbox\": []}]}"},
    {"ImageList", "image_info.json", std::string("{\"images") + kTwoCocoImages + "\"info\":{}}"},
};
INSTANTIATE_TEST_SUITE_P(Files, SideFileTest, testing::ValuesIn(kSideFiles), TestName);

TEST(LostRowsTest, MediaThatHaveTextsNeedNoOtherCaptions) {
  for (const SideFile& file : kLost) {
    if (!LowerAscii(file.name).ends_with("parquet") && std::string_view(file.name) != "urls.csv") {
      continue;
    }
    TempTree tree{"a.jpg", "b.jpg"};
    tree.Write("a.txt", "x");
    tree.Write(file.name, file.bytes);
    EXPECT_EQ(Recognise(tree.root(), {}).reading.from, "files") << file.test;
  }
}

TEST(LostRowsTest, TheOtherReadingSaysNothingElseOfTheTable) {
  TempTree tree{"a.jpg", "b.jpg"};
  tree.Write("c.csv", "a.jpg,one\nb.jpg,two\n");
  EXPECT_THAT([&] { Recognise(tree.root(), {}); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("first row names a media"),
                                              HasSubstr("or --from files: media only: 2"),
                                              testing::Not(HasSubstr("names none")))));
}

TEST(LostRowsTest, AColumnThatIsAlmostFileNameIsNamed) {
  TempTree tree{"a.jpg", "b.jpg"};
  tree.Write("metadata.csv", "File_Name,text\na.jpg,x\n");
  ConvertOptions options;
  options.from = "hf";
  EXPECT_THAT([&] { Recognise(tree.root(), options); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("it has no column file_name"),
                                              HasSubstr("did you mean 'File_Name'?"))));
}

TEST(LostRowsTest, OfManyMediaAParquetFileStandsAnywhere) {
  TempTree tree;
  for (int i = 0; i < 40; ++i) tree.Write(std::to_string(i) + ".jpg", "x");
  tree.Write("z.parquet", "PAR1xxxxPAR1");
  EXPECT_THAT([&] { Recognise(tree.root(), {}); },
              ThrowsMessage<InputError>(HasSubstr("holds Parquet")));
}

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
  for (const auto& [bytes, end] :
       {std::pair("image,caption\n", false), std::pair("image,caption\ra.jpg,x\r", true)}) {
    tree.Write("c.csv", bytes);
    EXPECT_THAT([&] { Recognise(tree("c.csv"), {}); },
                ThrowsMessage<InputError>(
                    AllOf(HasSubstr("no rows"), testing::ResultOf(
                                                    [](const std::string& text) {
                                                      return text.find("CR") != std::string::npos;
                                                    },
                                                    end))));
  }
}

TEST(BadEntriesTest, AreLeftOutAndCountedWhenLenient) {
  ConvertOptions options;
  options.lenient = true;
  const std::set<std::string> wanted = {"ABadLineOfATokenFile", "ABadFirstRow",
                                        "CocoWithoutAnImageId"};
  for (const SideFile& file : kLost) {
    if (!wanted.contains(file.test)) continue;
    TempTree tree{"a.jpg", "b.jpg"};
    tree.Write(file.name, file.bytes);
    const RecordingSink sink = ScanChosen(tree.root(), options);
    EXPECT_GE(sink.Only("pair").size(), 1U) << file.test;
    EXPECT_EQ(sink.Only("note truncated").size(), 1U) << file.test;
  }
}

}  // namespace
}  // namespace ulhff
