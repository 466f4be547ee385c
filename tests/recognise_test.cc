// Tests of recognition: what a source is taken for, and what is said when that is not clear.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "converter/input_error.h"
#include "converter/source.h"
#include "converter/walk.h"
#include "tests/recording_sink.h"
#include "tests/temp_tree.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

constexpr const char* kCoco =
    "{\"images\": [{\"id\": 1, \"file_name\": \"1.jpg\"}],"
    " \"annotations\": [{\"image_id\": 1, \"caption\": \"x\"}]}";

struct Tree {
  const char* name;
  std::vector<std::pair<const char*, const char*>> files;
  const char* from;
  uint64_t pairs;
};

class OtherTextTest : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(OtherTextTest, IsNoTableUnlessOneSaysSo) {
  TempTree tree{"a.jpg"};
  const char* const name = GetParam().first;
  tree.Write(name, GetParam().second);
  EXPECT_THAT(
      [&] { Recognise(tree(name), {}); },
      ThrowsMessage<UsageError>(AllOf(HasSubstr("no dataset that is known"),
                                      HasSubstr("--from table"), Not(HasSubstr("column")))));
  ConvertOptions options;
  options.from = "table";
  EXPECT_THAT([&] { Recognise(tree(name), options); },
              testing::Throws<std::runtime_error>(
                  testing::Property(&std::runtime_error::what, Not(HasSubstr("no dataset")))));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, OtherTextTest,
    testing::Values(std::pair("s.py", "import os, sys\n\nx = {\"a\": 1, \"b\": 2}\n"),
                    std::pair("m.c", "#include <a.h>\nint main(int c, char** v) { return 1; }\n"),
                    std::pair("README.md", "# Title\n\nSome words, and \"more\".\n"),
                    std::pair("p.html", "<html><body>\n<img src=\"a.jpg\">, b</body></html>\n"),
                    std::pair("run.sh", "#!/bin/sh\nexec a, b; c\n"),
                    std::pair("p.toml", "[project]\nname = \"x\"\n"),
                    std::pair("notes.txt", "hello world\n"), std::pair("Makefile", "all:\n\tx\n"),
                    std::pair("odd.dat", "title,words\nfoo,x\n")));

TEST(OtherNameTest, OfATableThatNamesMediaIsNoMatter) {
  TempTree tree{"a.jpg"};
  for (const char* name : {"t.py", "t.dat", "table", "t.txt"}) {
    tree.Write(name, "image,caption\na.jpg,x\n");
    EXPECT_EQ(Recognise(tree(name), {}).reading.pairs, 1U) << name;
    tree.Write(name, "image,caption\na.jpg,x\na.jpg,\"x\" y\n");
    EXPECT_EQ(Recognise(tree(name), {}).reading.from, "table") << name;
    tree.Write(name, "image,caption\ngone.jpg,x\n");
    EXPECT_EQ(Recognise(tree(name), {}).reading.from, "table") << name;
  }
  tree.Write("t.py", "a.jpg,one\na.jpg,two\n");
  EXPECT_THAT([&] { Recognise(tree("t.py"), {}); },
              ThrowsMessage<UsageError>(HasSubstr("--no-header")));
  tree.Write("t.py", "image,caption\n");
  ConvertOptions options;
  options.delimiter = ',';  // who says what cuts it says what it is
  EXPECT_THAT([&] { Recognise(tree("t.py"), options); },
              ThrowsMessage<InputError>(HasSubstr("no rows")));
}

class RecogniseTest : public testing::TestWithParam<Tree> {};

TEST_P(RecogniseTest, ChoosesByWhatIsThere) {
  TempTree tree;
  for (const auto& [path, bytes] : GetParam().files) tree.Write(path, bytes);
  const Choice choice = Recognise(tree.root(), {});
  EXPECT_EQ(choice.reading.from, GetParam().from);
  EXPECT_EQ(choice.reading.pairs, GetParam().pairs);
  EXPECT_FALSE(choice.reading.why.empty());
}

const Tree kTrees[] = {
    {"Files", {{"a/1.jpg", "x"}, {"a/1.txt", "x"}}, "files", 1},
    {"MediaOnly", {{"a/1.jpg", "x"}, {"notes.txt", "x"}}, "files", 0},
    {"Table", {{"1.jpg", "x"}, {"t.csv", "file,caption\n1.jpg,x\n1.jpg,y\n"}}, "table", 2},
    {"CaptionsTxtOfFlickr8kOnKaggle",
     {{"Images/1.jpg", "x"}, {"captions.txt", "image,caption\n1.jpg,\"x, y\"\n"}},
     "table",
     1},
    {"HuggingFace", {{"1.jpg", "x"}, {"metadata.csv", "file_name,text\n1.jpg,x\n"}}, "hf", 1},
    {"Coco", {{"train/1.jpg", "x"}, {"annotations/captions.json", kCoco}}, "coco", 1},
    {"Token", {{"i/1.jpg", "x"}, {"t.token", "1.jpg#0\tx\n1.jpg#1\ty\n"}}, "token", 2},
    {"ATableOfOtherThingsIsAnExtra",
     {{"1.jpg", "x"}, {"1.txt", "x"}, {"sizes.csv", "name,size\nx,1\n"}},
     "files",
     1},
    {"ATableWithoutTextsGivesWayToFilesWithTexts",
     {{"1.jpg", "x"}, {"1.txt", "x"}, {"labels.csv", "file,label\n1.jpg,cat\n"}},
     "files",
     1},
    {"HiddenFilesAreNotLookedAt",
     {{"1.jpg", "x"}, {"1.txt", "x"}, {".cache/t.csv", "file,caption\n1.jpg,x\n"}},
     "files",
     1},
};

INSTANTIATE_TEST_SUITE_P(Trees, RecogniseTest, testing::ValuesIn(kTrees),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(RecogniseOneTest, TwoReadingsThatGivePairsStopWithBothListed) {
  TempTree tree;
  tree.Write("1.jpg", "x");
  tree.Write("1.txt", "x");
  tree.Write("t.csv", "file,caption\n1.jpg,x\n1.jpg,y\n");
  EXPECT_THAT([&] { Recognise(tree.root(), {}); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("--from table"), HasSubstr("2 pairs"),
                                              HasSubstr("--from files"), HasSubstr("1 pair)"))));
  ConvertOptions options;
  options.from = "files";
  EXPECT_EQ(Recognise(tree.root(), options).reading.from, "files");
  options.from = "";
  options.text_columns = {"caption"};
  EXPECT_EQ(Recognise(tree.root(), options).reading.from, "table");
}

TEST(RecogniseOneTest, CountsOfLargeTablesAreEstimatedFromTheFirstRows) {
  TempTree tree{"1.jpg"};
  std::string rows = "file,caption\n";
  for (int i = 0; i < 1000; ++i) rows += "1.jpg,abc\n";
  tree.Write("t.csv", rows);
  const Reading reading = Recognise(tree("t.csv"), {}).reading;
  EXPECT_TRUE(reading.estimated);
  EXPECT_NEAR(static_cast<double>(reading.pairs), 1000, 20);
}

TEST(RecogniseOneTest, NothingKnownSaysSo) {
  const TempTree tree{"a.bin", "b/c.dat"};
  EXPECT_THAT([&] { Recognise(tree.root(), {}); }, ThrowsMessage<UsageError>(HasSubstr("--from")));
  ConvertOptions options;
  options.from = "cocoa";
  EXPECT_THAT([&] { Recognise(tree.root(), options); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("cocoa"), HasSubstr("coco msvd"))));
}

TEST(RecogniseOneTest, AKindThatWasAskedForIsNotAskedForAgain) {
  const TempTree tree{"a.jpg"};
  ConvertOptions options;
  options.from = "coco";
  EXPECT_THAT([&] { Recognise(tree.root(), options); },
              ThrowsMessage<UsageError>(
                  AllOf(HasSubstr("nothing in it can be read as --from coco: COCO captions"),
                        testing::Not(HasSubstr("say what it is")))));
}

TEST(RecogniseOneTest, TablesWithoutMediaAskForTheirRoot) {
  TempTree tree;
  tree.Write("train.csv", "image,caption\n1.jpg,x\n");
  EXPECT_THAT([&] { Recognise(tree.root(), {}); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("--media-root"), HasSubstr("train.csv"))));
}

TEST(RecogniseOneTest, WhatIsNotThereIsAnIoError) {
  EXPECT_THROW(Recognise("/nowhere/at/all", {}), std::system_error);
}

TEST(RecogniseOneTest, CutAndForeignEncodedFilesAreNotPassedOver) {
  TempTree tree{"1.jpg", "2.jpg"};
  tree.Write("captions.json", "{\"images\": [{\"id\": 1, \"file_name\": \"1.jpg\"}, {\"id\"");
  EXPECT_THAT(
      [&] { Recognise(tree.root(), {}); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("captions.json"), HasSubstr("--from files"))));
  TempTree utf16{"1.jpg", "2.jpg"};
  utf16.Write("t.csv", std::string("\xff\xfe"
                                   "f\0i\0l\0e\0,\0t\0e\0x\0t\0\n\0",
                                   22));
  for (const std::string& operand : {utf16.root(), utf16("t.csv")}) {
    EXPECT_THAT([&] { Recognise(operand, {}); }, ThrowsMessage<InputError>(HasSubstr("UTF-16")));
  }
  TempTree pointer{"1.jpg", "2.jpg"};
  pointer.Write("t.json", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
  EXPECT_THAT([&] { Recognise(pointer.root(), {}); }, ThrowsMessage<InputError>(HasSubstr("LFS")));
}

TEST(RecogniseOneTest, ADirectoryFullOfSideFilesIsNotReadAsTables) {
  TempTree tree;
  for (int i = 0; i < 300; ++i) {
    tree.Write("media/" + std::to_string(i) + ".jpg", "x");
    tree.Write("meta/" + std::to_string(i) + ".json", "{\"image\": \"0.jpg\", \"caption\": \"x\"}");
  }
  EXPECT_EQ(Recognise(tree.root(), {}).reading.from, "files");
}

TEST(RecogniseOneTest, NamesFilesThatNoKindOfSourceCanBe) {
  TempTree tree;
  tree.Write("set.ulhff", std::string("\x89ULHFF\r\n\x1a\n\x01\0", 12) + std::string(9000, '\0'));
  EXPECT_THAT([&] { Recognise(tree("set.ulhff"), {}); },
              ThrowsMessage<UsageError>(HasSubstr("is a ULHFF file already")));
  tree.Write("a.png", std::string("\x89PNG\r\n\x1a\n", 8) + std::string(100, 'x'));
  EXPECT_THAT([&] { Recognise(tree("a.png"), {}); },
              ThrowsMessage<UsageError>(HasSubstr("is a single media (png)")));
}

TEST(RecogniseOneTest, ASearchPassesOverDirectoriesThatCannotBeRead) {
  TempTree tree{"1.jpg", "closed/2.jpg"};
  ::chmod(tree.root().c_str(), 0755);
  ::chmod(tree("closed").c_str(), 0);
  EXPECT_EXIT(
      {
        if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) std::_Exit(2);
        size_t files = 0;
        Walker(tree.root(), {})
            .Walk([&](const DirectoryListing& l) { files += l.files.size(); }, {});
        std::_Exit(files == 1 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  ::chmod(tree("closed").c_str(), 0755);
}

TEST(RecogniseOneTest, LoopsOfLinksEnd) {
  TempTree tree{"a/d/1.jpg", "a/d/1.txt"};
  tree.Link("a/d/up", "../..");
  tree.Link("a/d/again", "..");
  EXPECT_EQ(Recognise(tree("a/d"), {}).reading.from, "files");
}

TEST(RecogniseOneTest, AnAnnotationFileBesideOneMediaIsNotItsText) {
  TempTree tree{"1.jpg"};
  tree.Write("captions.json", kCoco);
  EXPECT_EQ(Recognise(tree.root(), {}).reading.from, "coco");
  TempTree broken{"1.jpg"};
  broken.Write("captions.json", "{\"images\": [{\"id\": 1, \"file_name\": \"1.jpg\"}, {\"id\"");
  EXPECT_THROW(Recognise(broken.root(), {}), InputError);
}

TEST(RecogniseOneTest, BytesOfAnUnknownFormatAreNoTable) {
  TempTree tree;
  std::string bytes = "MindRecord";
  for (int i = 0; i < 1000; ++i) bytes += static_cast<char>(i * 37 % 256);
  tree.Write("x.mindrecord", bytes);
  EXPECT_THAT([&] { Recognise(tree("x.mindrecord"), {}); },
              ThrowsMessage<UsageError>(HasSubstr("format that is not known")));
}

struct Wrong {
  const char* name;
  const char* operand;
  const char* from;
  std::vector<const char*> said;
};
class WrongFromTest : public testing::TestWithParam<Wrong> {};

// Where, what it is not, and what it would be.
TEST_P(WrongFromTest, SaysWhatToDoInOneLine) {
  TempTree tree;
  tree.Write("d/1.jpg", "\xff\xd8\xff");
  tree.Write("d/1.txt", "x");
  tree.Write("t.csv", "file,caption\nd/1.jpg,x\n");
  ConvertOptions options;
  options.from = GetParam().from;
  try {
    Recognise(tree(GetParam().operand), options);
    FAIL() << "taken";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    for (const char* said : GetParam().said) EXPECT_THAT(error.what(), HasSubstr(said));
  }
}
INSTANTIATE_TEST_SUITE_P(
    Kinds, WrongFromTest,
    testing::Values(
        Wrong{"CocoOfFiles",
              "d",
              "coco",
              {"/d: nothing in it", "--from coco: COCO captions: JSON with images",
               "without --from it is read as files: media with texts: 1"}},
        Wrong{"CocoOfATable",
              "t.csv",
              "coco",
              {"t.csv:1: byte 0", "without --from it is read as table: "}},
        Wrong{"SbuOfATable",
              "t.csv",
              "sbu",
              {"no SBU captions: SBU: a file of URLs", "without --from it is read as table"}},
        Wrong{"FilesOfATable", "t.csv", "files", {"without --from it is read as table: "}},
        Wrong{"AFileThatIsNotThere", "d", "table:nope.csv", {"/d/nope.csv: there is no such file"}},
        Wrong{"OneOfTwoFiles", "d", "coco:1.txt,no.json", {"/d/no.json: there is no such file"}},
        Wrong{"AFileOfAFile",
              "t.csv",
              "table:t.csv",
              {"names a file of a directory, but ", "t.csv is a file: --from table"}},
        Wrong{"AFileOfFiles", "d", "files:1.jpg", {"--from with a file means nothing"}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(RecogniseOneTest, OptionsOfTablesAreNamedWhereThereIsNoTable) {
  TempTree tree;
  tree.Write("1.jpg", "x");
  tree.Write("1.txt", "x");
  ConvertOptions options;
  options.text_columns = {"caption"};
  EXPECT_THAT([&] { Recognise(tree.root(), options); },
              ThrowsMessage<UsageError>(HasSubstr(
                  "--text-column means nothing for this source, which is read as files")));
}

TEST(RecogniseOneTest, LinksThatLeaveNoMediaAreNamed) {
  TempTree tree{"real/a.jpg", "s/in.txt", "x.jpg"};
  tree.Link("s/a.jpg", tree("real/a.jpg"));
  tree.Link("s/b.jpg", tree("real/a.jpg"));
  ConvertOptions options;
  for (const OnSymlink symlinks : {OnSymlink::kSkip, OnSymlink::kInside}) {
    options.symlinks = symlinks;
    options.from = "";
    EXPECT_THAT([&] { Recognise(tree("s"), options); },
                ThrowsMessage<UsageError>(HasSubstr("--symlinks leaves out 2 media")));
    options.from = "table";
    EXPECT_THAT([&] { Recognise(tree("s"), options); },
                ThrowsMessage<InputError>(HasSubstr("--symlinks leaves out 2 media")));
  }
}

TEST(RecogniseOneTest, ExtensionsThatLeaveNoMediaAreNamed) {
  TempTree tree;
  tree.Write("1.jpg", "x");
  ConvertOptions options;
  options.media_extensions = {"png", "gif"};
  const auto recognise = [&] { Recognise(tree.root(), options); };
  const auto said = HasSubstr(
      "no file in it has an extension of --media-ext png,gif; by the usual "
      "extensions there is 1 media");
  EXPECT_THAT(recognise, ThrowsMessage<UsageError>(said));
  tree.Write("1.txt", "x");
  EXPECT_THAT(recognise, ThrowsMessage<UsageError>(said));
}

TEST(RecogniseOneTest, AFileThatIsAskedForIsReadWhateverItIsCalled) {
  TempTree tree;
  tree.Write("1.jpg", "x");
  tree.Write("captions.dat", "file,caption\n1.jpg,x\n");
  ConvertOptions options;
  options.from = "table:captions.dat";
  EXPECT_THAT(ScanChosen(tree.root(), options).Only("pair"),
              testing::ElementsAre("pair 1.jpg | \"x\""));
}

struct Fixture {
  const char* path;
  const char* from;
};

class RecogniseFixtureTest : public testing::TestWithParam<Fixture> {};

TEST_P(RecogniseFixtureTest, IsWhatItIs) {
  const std::string path = FixturePath(GetParam().path);
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  EXPECT_EQ(Recognise(path, {}).reading.from, GetParam().from);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, RecogniseFixtureTest,
                         testing::Values(Fixture{"flickr30k_token_mindspore", "token"},
                                         Fixture{"coco_captions_mindspore", "coco"},
                                         Fixture{"ffslim_prototype_twin/Files", "files"},
                                         Fixture{"ffslim_prototype_twin/TDP", "table"},
                                         Fixture{"hf_imagefolder_audiofolder/images", "hf"},
                                         Fixture{"audio_text_librosa", "files"},
                                         Fixture{"broken_media_mindspore", "files"},
                                         Fixture{"image_formats_mindspore", "files"},
                                         Fixture{"sbu_mindspore", "sbu"}));

}  // namespace
}  // namespace ulhff
