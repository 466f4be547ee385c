// Tests of plain files as a source: the pairing rules, and what is odd in trees of the wild.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "converter/input_error.h"
#include "converter/media_types.h"
#include "converter/source.h"
#include "converter/walk.h"
#include "tests/recording_sink.h"
#include "tests/temp_tree.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Lines = std::vector<std::string>;

ConvertOptions FromFiles() {
  ConvertOptions options;
  options.from = "files";
  return options;
}

// --- pairing rules -------------------------------------------------------------------------------

struct Rule {
  const char* name;
  std::vector<const char*> tree;
  Lines pairs;
  Lines others;  // notes and extras
  Lines rules;
};

class FilesRuleTest : public testing::TestWithParam<Rule> {};

TEST_P(FilesRuleTest, PairsAsTheRuleSays) {
  TempTree tree;
  for (const char* name : GetParam().tree) tree.Write(name, BaseName(name));
  const RecordingSink sink = ScanChosen(tree.root(), FromFiles());
  EXPECT_EQ(sink.Only("pair"), GetParam().pairs);
  Lines others = sink.Only("note");
  for (const std::string& extra : sink.Only("extra")) others.push_back(extra);
  EXPECT_EQ(others, GetParam().others);
  EXPECT_EQ(sink.rules, GetParam().rules);
}

const Rule kRules[] = {
    {"SameStem",
     {"b.jpg", "b.txt", "a.png", "a.txt"},
     {"pair a.png | a.txt=\"a.txt\"", "pair b.jpg | b.txt=\"b.txt\""},
     {},
     {"same stem: 2"}},
    {"TheStemEndsAtTheLastDot",
     {"x.ogg", "x.hq.ogg", "x.txt"},
     {"pair x.hq.ogg | -", "pair x.ogg | x.txt=\"x.txt\""},
     {"note unpaired-media x.hq.ogg"},
     {"same stem: 1"}},
    {"DotsInTheStem",
     {"FR.CTC.08.wav", "FR.CTC.08.txt"},
     {"pair FR.CTC.08.wav | FR.CTC.08.txt=\"FR.CTC.08.txt\""},
     {},
     {"same stem: 1"}},
    {"ExtensionsInAnyCaseKeepTheirSpelling",
     {"A.JPG", "A.TXT", "B.Jpeg", "B.txt", "C.WAV", "C.Lab"},
     {"pair A.JPG | A.TXT=\"A.TXT\"", "pair B.Jpeg | B.txt=\"B.txt\"",
      "pair C.WAV | C.Lab=\"C.Lab\""},
     {},
     {"same stem: 3"}},
    {"NamesThatDifferInCaseAreTwo",
     {"A.jpg", "A.txt", "a.jpg"},
     {"pair A.jpg | A.txt=\"A.txt\"", "pair a.jpg | -"},
     {"note unpaired-media a.jpg"},
     {"same stem: 1"}},
    {"NumberedTextsByNumber",
     {"k.jpg", "k.0.txt", "k.2.txt", "k.10.txt", "k.1.txt"},
     {"pair k.jpg | k.0.txt=\"k.0.txt\"", "pair k.jpg | k.1.txt=\"k.1.txt\"",
      "pair k.jpg | k.2.txt=\"k.2.txt\"", "pair k.jpg | k.10.txt=\"k.10.txt\""},
     {},
     {"numbered texts (STEM.N, STEM_N): 4"}},
    {"NumberedWithUnderscoreAfterTheExactOne",
     {"k.jpg", "k_1.txt", "k.txt", "k_02.txt"},
     {"pair k.jpg | k.txt=\"k.txt\"", "pair k.jpg | k_1.txt=\"k_1.txt\"",
      "pair k.jpg | k_02.txt=\"k_02.txt\""},
     {},
     {"same stem: 1", "numbered texts (STEM.N, STEM_N): 2"}},
    {"ANumberedTextWithItsOwnMediaIsNoSecondTextOfAnother",
     {"k.jpg", "k_1.jpg", "k_1.txt", "k.txt"},
     {"pair k.jpg | k.txt=\"k.txt\"", "pair k_1.jpg | k_1.txt=\"k_1.txt\""},
     {},
     {"same stem: 2"}},
    {"ParallelDirectories",
     {"d/images/a/x.jpg", "d/captions/a/x.txt", "d/images/a/y.jpg"},
     {"pair d/images/a/x.jpg | d/captions/a/x.txt=\"x.txt\"", "pair d/images/a/y.jpg | -"},
     {"note unpaired-media d/images/a/y.jpg"},
     {"parallel directories: 1"}},
    {"ParallelDirectoriesWithCapitalsAndNumbers",
     {"Sentences/7.1.txt", "Sentences/7.0.txt", "images/7.jpg"},
     {"pair images/7.jpg | Sentences/7.0.txt=\"7.0.txt\"",
      "pair images/7.jpg | Sentences/7.1.txt=\"7.1.txt\""},
     {},
     {"parallel directories: 2"}},
    {"OtherDirectoriesAreNotParallelBySelf",
     {"images/x.jpg", "labels/x.txt"},
     {"pair images/x.jpg"},
     {"note no-text looked for .txt .text .caption .captions .json .lab beside the media",
      "note unpaired-text labels/x.txt", "extra labels/x.txt"},
     {}},
    {"ATextBesideTheMediaComesBeforeAParallelOne",
     {"images/x.jpg", "images/x.txt", "texts/x.txt"},
     {"pair images/x.jpg | images/x.txt=\"x.txt\""},
     {"note unpaired-text texts/x.txt", "extra texts/x.txt"},
     {"same stem: 1"}},
    {"OneMediaAloneWithOneText",
     {"1/img.png", "1/caption.txt", "2/img.png", "2/README.txt"},
     {"pair 1/img.png | 1/caption.txt=\"caption.txt\"", "pair 2/img.png | -"},
     {"note unpaired-media 2/img.png", "note unpaired-text 2/README.txt", "extra 2/README.txt"},
     {"one media alone in its directory with a text: 1"}},
    {"TwoMediaOfOneStemShareTheText",
     {"x.mp4", "x.wav", "x.txt"},
     {"pair x.mp4 | x.txt=\"x.txt\"", "pair x.wav | x.txt=\"x.txt\""},
     {"note shared-text x.txt"},
     {"same stem: 2"}},
    {"JsonBesideTxtIsAField",
     {"0.jpg", "0.txt", "0.json", "1.jpg", "1.txt"},
     {"pair 0.jpg | 0.txt=\"0.txt\" | 0.json=\"0.json\"", "pair 1.jpg | 1.txt=\"1.txt\" | -"},
     {},
     {"same stem: 2"}},
    {"CaptionFilesAndJsonAloneAreTexts",
     {"a.jpg", "a.caption", "b.jpg", "b.json", "c.jpg", "c.caption"},
     {"pair a.jpg | a.caption=\"a.caption\"", "pair b.jpg | b.json=\"b.json\"",
      "pair c.jpg | c.caption=\"c.caption\""},
     {},
     {"same stem: 3"}},
    {"TextsWithoutMediaAndOtherFilesAreExtras",
     {"a.jpg", "a.txt", "b.txt", "LICENSE", "00000.parquet"},
     {"pair a.jpg | a.txt=\"a.txt\""},
     {"note unpaired-text b.txt", "extra 00000.parquet", "extra LICENSE", "extra b.txt"},
     {"same stem: 1"}},
    {"NamesAreBytes",
     {"-x #%\n.jpg", "-x #%\n.txt", "L\xfcneburg.jpg", "L\xfcneburg.txt"},
     {"pair -x #%\n.jpg | -x #%\n.txt=\"-x #%\n.txt\"",
      "pair L\xfcneburg.jpg | L\xfcneburg.txt=\"L\xfcneburg.txt\""},
     {},
     {"same stem: 2"}},
    {"OsAndHiddenFilesAreKeptButNeverPaired",
     {"c/a.jpg", "c/a.txt", "c/._a.jpg", "c/.DS_Store", "c/Thumbs.db", "__MACOSX/b.jpg",
      "__MACOSX/b.txt", ".ipynb_checkpoints/a.jpg"},
     {"pair c/a.jpg | c/a.txt=\"a.txt\""},
     {"note hidden-file .ipynb_checkpoints/a.jpg", "note hidden-file __MACOSX/b.jpg",
      "note hidden-file __MACOSX/b.txt", "note hidden-file c/.DS_Store",
      "note hidden-file c/._a.jpg", "note hidden-file c/Thumbs.db",
      "extra .ipynb_checkpoints/a.jpg", "extra __MACOSX/b.jpg", "extra __MACOSX/b.txt",
      "extra c/.DS_Store", "extra c/._a.jpg", "extra c/Thumbs.db"},
     {"same stem: 1"}},
};

INSTANTIATE_TEST_SUITE_P(Rules, FilesRuleTest, testing::ValuesIn(kRules),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(HiddenNameTest, KnowsWhatSystemsLeaveBehind) {
  for (const std::string name : {".x", "Thumbs.db", "@eaDir", "#recycle", "$RECYCLE.BIN"}) {
    EXPECT_TRUE(IsHiddenPath("d/" + name + "/a.jpg")) << name;
  }
  for (const char* name : {"x", "@x", "recycle"}) EXPECT_FALSE(IsHiddenPath(name)) << name;
}

TEST(FilesSourceTest, DeclaresTheFieldsThatTheTreeHas) {
  const TempTree tree{"0.jpg", "0.txt", "0.json"};
  EXPECT_THAT(ScanChosen(tree.root()).lines, Contains("fields :txt json:json"));
  const TempTree captions{"0.jpg", "0.caption"};
  EXPECT_THAT(ScanChosen(captions.root()).lines, Contains("fields :caption"));
}

TEST(FilesSourceTest, LibriTtsIsKnownWhereMediaHaveNoOtherTexts) {
  TempTree tree{"84/1.wav", "84/84.book.tsv"};
  tree.Write("84/1.normalized.txt", "one");
  tree.Write("84/1.original.txt", "1");
  tree.Write("84/84.trans.tsv", "1\t1\tone\n");
  const RecordingSink sink = ScanChosen(tree.root());
  EXPECT_THAT(sink.Only("fields"), ElementsAre("fields :normalized.txt original:txt"));
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair 84/1.wav | 84/1.normalized.txt=\"one\" | "
                                             "84/1.original.txt=\"1\""));
  EXPECT_THAT(sink.Only("extra"), SizeIs(2));
  const TempTree other{"1.jpg", "1.original.jpg", "1.original.txt", "1.txt"};
  EXPECT_THAT(ScanChosen(other.root()).Only("pair"),
              ElementsAre("pair 1.jpg | 1.txt=\"1.txt\"",
                          "pair 1.original.jpg | 1.original.txt=\"1.original.txt\""));
}

TEST(FilesSourceTest, MediaOnlyIsUniModalWithAWarning) {
  const TempTree tree{"cat/1.jpg", "cat/2.jpg", "dog/1.jpg"};
  const RecordingSink sink = ScanChosen(tree.root());
  EXPECT_EQ(sink.lines,
            (Lines{"fields",
                   "note no-text looked for .txt .text .caption .captions .json .lab beside the "
                   "media",
                   "dir cat", "pair cat/1.jpg", "pair cat/2.jpg", "dir dog", "pair dog/1.jpg"}));
}

TEST(FilesSourceTest, EmptyDirectoriesAreNamed) {
  TempTree tree{"a.jpg", "a.txt"};
  tree.MakeDir("empty/deep");
  EXPECT_THAT(ScanChosen(tree.root()).Only("dir"), ElementsAre("dir empty", "dir empty/deep"));
}

// --- options -------------------------------------------------------------------------------------

TEST(FilesSourceTest, PairDirsNamesFurtherParallelDirectories) {
  const TempTree tree{"images/x.jpg", "labels/x.txt"};
  ConvertOptions options = FromFiles();
  options.pair_dirs = {{"images", "labels"}};
  EXPECT_THAT(ScanChosen(tree.root(), options).Only("pair"),
              ElementsAre("pair images/x.jpg | labels/x.txt=\"labels/x.txt\""));
}

TEST(FilesSourceTest, TextsAsLinesAreAPairEachAndTheRawFileIsKept) {
  TempTree tree{"a.jpg", "b.jpg", "c.jpg"};
  tree.Write("a.txt", " one \r\n\n\"two\"");
  tree.Write("b.txt", "b\n");
  tree.Write("c.txt", "");
  ConvertOptions options = FromFiles();
  options.texts = TextsMode::kLines;
  const RecordingSink sink = ScanChosen(tree.root(), options);
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair a.jpg | \" one \"", "pair a.jpg | \"\"", "pair a.jpg | \"\"two\"\"",
                          "pair b.jpg | \"b\"", "pair c.jpg | -"));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra a.txt", "extra b.txt", "extra c.txt"));
}

TEST(FilesSourceTest, Flickr30kEntitiesHasFiveTextsAFile) {
  TempTree tree{"images/36979.jpg", "Annotations/36979.xml"};
  tree.Write("Sentences/36979.txt",
             "[/EN#1/people A group of friends] playing cards\n2\n3\n4\n5\n");
  const RecordingSink sink = ScanChosen(tree.root());
  EXPECT_THAT(sink.Only("pair"), SizeIs(5));
  EXPECT_EQ(sink.Only("pair").front(),
            "pair images/36979.jpg | \"[/EN#1/people A group of friends] playing cards\"");
  EXPECT_THAT(sink.Only("extra"),
              ElementsAre("extra Annotations/36979.xml", "extra Sentences/36979.txt"));
}

TEST(FilesSourceTest, Flickr30kEntitiesFindsTheImagesUnderTheirUsualName) {
  TempTree tree{"flickr30k-images/7.jpg", "Annotations/7.xml"};
  tree.Write("Sentences/7.txt", "[/EN#1/people A] 1\n2\n3\n4\n5");
  EXPECT_THAT(ScanChosen(tree.root()).Only("pair"), SizeIs(5));
}

TEST(FilesSourceTest, ATextExtensionMayHaveDots) {
  const TempTree tree{"1/1_2.wav", "1/1_2.normalized.txt", "1/1_2.original.txt", "1/1_3.wav",
                      "1/1_3.Normalized.TXT"};
  ConvertOptions options;
  options.text_extensions = {"normalized.txt"};
  const RecordingSink sink = ScanChosen(tree.root(), options);
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair 1/1_2.wav | 1/1_2.normalized.txt=\"1/1_2.normalized.txt\"",
                          "pair 1/1_3.wav | 1/1_3.Normalized.TXT=\"1/1_3.Normalized.TXT\""));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra 1/1_2.original.txt"));
}

TEST(FilesSourceTest, TextExtensionsWithDotsAreFieldsOfOnePair) {
  const TempTree tree{"a.jpg", "a.txt", "a.q.txt", "a.en.json", "b.jpg", "b.txt"};
  ConvertOptions options;
  options.text_extensions = {"txt", "q.txt", "en.json"};
  const RecordingSink sink = ScanChosen(tree.root(), options);
  EXPECT_THAT(sink.Only("fields"), ElementsAre("fields :txt q:txt en:json"));
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.jpg | a.txt=\"a.txt\" | a.q.txt=\"a.q.txt\" | "
                                             "a.en.json=\"a.en.json\"",
                                             "pair b.jpg | b.txt=\"b.txt\" | - | -"));
}

TEST(FilesSourceTest, TextsAreWholeByDefaultWhateverTheyHold) {
  TempTree tree{"a.jpg"};
  tree.Write("a.txt", "\xef\xbb\xbf one\r\n\xff\n");
  EXPECT_THAT(ScanChosen(tree.root()).Only("pair"),
              ElementsAre("pair a.jpg | a.txt=\"\xef\xbb\xbf one\r\n\xff\n\""));
}

TEST(FilesSourceTest, UnpairedFilesCanBeSkipped) {
  const TempTree tree{"a.jpg", "a.txt", "b.jpg", "c.txt", "d.bin"};
  ConvertOptions options;
  options.unpaired_media = OnUnpairedMedia::kSkip;
  options.unpaired_text = OnUnpairedText::kSkip;
  EXPECT_EQ(ScanChosen(tree.root(), options).lines,
            (Lines{"fields :txt", "pair a.jpg | a.txt=\"a.txt\"", "note unpaired-media b.jpg",
                   "note unpaired-text c.txt", "extra d.bin"}));
}

TEST(FilesSourceTest, MediaAreUnpairedWhereNoneHasAText) {
  const TempTree tree{"a.jpg", "a.srt"};
  ConvertOptions options;
  EXPECT_THAT(ScanChosen(tree.root(), options).Only("note unpaired-media"), SizeIs(0));
  options.unpaired_media = OnUnpairedMedia::kError;
  EXPECT_THAT(ScanChosen(tree.root(), options).Only("note unpaired-media"), SizeIs(1));
  options.unpaired_media = OnUnpairedMedia::kSkip;
  EXPECT_THAT(ScanChosen(tree.root(), options).Only("pair"), SizeIs(0));
}

TEST(FilesSourceTest, ExtrasNoneKeepsOnlyPairs) {
  const TempTree tree{"a.jpg", "a.txt", "c.txt", "d.bin", ".hidden"};
  ConvertOptions options;
  options.extras = false;
  EXPECT_THAT(ScanChosen(tree.root(), options).Only("extra"), IsEmpty());
}

TEST(FilesSourceTest, DropHiddenLeavesHiddenFilesOut) {
  const TempTree tree{"a.jpg", "a.txt", ".x", ".git/config", "b/.y"};
  ConvertOptions options;
  options.drop_hidden = true;
  const RecordingSink sink = ScanChosen(tree.root(), options);
  EXPECT_THAT(sink.Only("extra"), IsEmpty());
  EXPECT_THAT(sink.Only("note"), ElementsAre("note hidden-file .git/config", "note hidden-file .x",
                                             "note hidden-file b/.y"));
}

TEST(FilesSourceTest, OwnExtensionListsReplaceTheDefaults) {
  const TempTree tree{"a.raw", "a.srt", "b.jpg", "b.txt"};
  ConvertOptions options;
  options.media_extensions = {".RAW"};
  options.text_extensions = {"srt"};
  const RecordingSink sink = ScanChosen(tree.root(), options);
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.raw | a.srt=\"a.srt\""));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra b.jpg", "extra b.txt"));
}

// --- links and special files ---------------------------------------------------------------------

TEST(FilesSourceTest, LinksToFilesAndDirectoriesAreFollowed) {
  TempTree blobs{"abc", "d/x.jpg"};
  TempTree tree;
  tree.Link("a.jpg", blobs("abc"));
  tree.Write("a.txt", "a");
  tree.Link("more", blobs("d"));
  EXPECT_THAT(ScanChosen(tree.root()).Only("pair"),
              ElementsAre("pair a.jpg | a.txt=\"a\"", "pair more/x.jpg | -"));
}

TEST(FilesSourceTest, DanglingAndLoopingLinksAreLeftOutAndTold) {
  TempTree tree{"d/a.jpg"};
  tree.Link("dangling.jpg", "nowhere");
  tree.Link("self.jpg", "self.jpg");
  tree.Link("d/up", "..");
  const RecordingSink sink = ScanChosen(tree.root());
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair d/a.jpg"));
  EXPECT_THAT(sink.Only("note"),
              ElementsAre(testing::_, "note dangling-link dangling.jpg",
                          "note looping-link self.jpg", "note looping-link d/up"));
}

TEST(FilesSourceTest, SymlinkPoliciesRestrict) {
  TempTree outside{"o.jpg"};
  TempTree tree{"a.jpg"};
  tree.Link("in.jpg", "a.jpg");
  tree.Link("out.jpg", outside("o.jpg"));
  tree.Link("dir", outside.root());
  ConvertOptions options;
  options.symlinks = OnSymlink::kInside;
  const RecordingSink inside = ScanChosen(tree.root(), options);
  EXPECT_THAT(inside.Only("pair"), ElementsAre("pair a.jpg", "pair in.jpg"));
  EXPECT_THAT(inside.Only("note o"),
              ElementsAre("note outside-link dir", "note outside-link out.jpg"));
  options.symlinks = OnSymlink::kSkip;
  const RecordingSink skip = ScanChosen(tree.root(), options);
  EXPECT_THAT(skip.Only("pair"), ElementsAre("pair a.jpg"));
  EXPECT_THAT(skip.Only("note s"), ElementsAre("note skipped-link dir", "note skipped-link in.jpg",
                                               "note skipped-link out.jpg"));
}

TEST(FilesSourceTest, SpecialFilesAreLeftOutAndTold) {
  const TempTree tree{"a.jpg"};
  ASSERT_EQ(mkfifo(tree("pipe.jpg").c_str(), 0600), 0);
  const RecordingSink sink = ScanChosen(tree.root());
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.jpg"));
  EXPECT_THAT(sink.lines, Contains("note special-file pipe.jpg"));
}

// --- real data -----------------------------------------------------------------------------------

class FilesFixtureTest : public testing::Test {
 protected:
  // Skips the test where the fixture is missing.
  std::string Path(const std::string& relative) {
    const std::string path = FixturePath(relative);
    if (path.empty()) skip_ = true;
    return path;
  }
  bool skip_ = false;
};

TEST_F(FilesFixtureTest, FfslimTwinHas25PairsIn25Names) {
  const std::string path = Path("ffslim_prototype_twin/Files");
  if (skip_) GTEST_SKIP() << "no fixtures";
  const RecordingSink sink = ScanChosen(path);
  EXPECT_EQ(sink.pairs, 25U);
  EXPECT_THAT(sink.Only("extra"), IsEmpty());
  EXPECT_THAT(sink.Only("note"), IsEmpty());
  EXPECT_THAT(sink.rules, ElementsAre("same stem: 25"));
  EXPECT_EQ(sink.Only("pair").front(),
            "pair 000000/000000.jpg | 000000/000000.txt=\"This is an orange\"");
}

TEST_F(FilesFixtureTest, LibrosaPairsTheLastDotStemOnly) {
  const std::string path = Path("audio_text_librosa");
  if (skip_) GTEST_SKIP() << "no fixtures";
  const RecordingSink sink = ScanChosen(path);
  EXPECT_EQ(sink.Only("note unpaired-media").size() + 9, sink.pairs);
  EXPECT_THAT(sink.rules, ElementsAre("same stem: 9"));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra LICENSE_CC0", "extra index/index.json"));
}

TEST_F(FilesFixtureTest, ImagenetLikeTreesAreUniModalAndKeepBrokenMedia) {
  const std::string path = Path("broken_media_mindspore/Sample4_corruptall");
  if (skip_) GTEST_SKIP() << "no fixtures";
  const RecordingSink sink = ScanChosen(path);
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair train/class1/1_1_corrupt.jpg", "pair train/class1/1_2_empty.jpg",
                          "pair train/class1/1_3_text.jpg"));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra datasetSchema.json"));
}

TEST_F(FilesFixtureTest, AllImageFormatsAreMedia) {
  const std::string path = Path("image_formats_mindspore");
  if (skip_) GTEST_SKIP() << "no fixtures";
  EXPECT_EQ(ScanChosen(path).pairs, 9U);
}

}  // namespace
}  // namespace ulhff
