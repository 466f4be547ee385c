// Tests of tables as a source: columns, cells, dialects, media paths, and rows that are odd.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "converter/input_error.h"
#include "converter/source.h"
#include "tests/recording_sink.h"
#include "tests/temp_tree.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

using Lines = std::vector<std::string>;

// A table called `name` beside three images and an images directory.
class TableSourceTest : public testing::Test {
 protected:
  TableSourceTest() {
    for (const char* media : {"a.jpg", "b.jpg", "images/c.jpg"}) tree_.Write(media, media);
  }

  // Scans the table as a file operand.
  RecordingSink ScanFile(const std::string& name, std::string_view bytes) {
    tree_.Write(name, bytes);
    return ScanChosen(tree_(name), options_);
  }
  Lines Pairs(const std::string& name, std::string_view bytes) {
    return ScanFile(name, bytes).Only("pair");
  }
  auto Scanning(const std::string& name, std::string_view bytes) {
    tree_.Write(name, bytes);
    return [this, name] { ScanChosen(tree_(name), options_); };
  }

  TempTree tree_;
  ConvertOptions options_;
};

// --- columns ------------------------------------------------------------------------------------

TEST_F(TableSourceTest, FindsTheMediaColumnByItsValuesAndTheTextByItsName) {
  EXPECT_EQ(
      Pairs("t.csv", "id,caption,where\n1,one,a.jpg\n2,two,b.jpg\n3,\"x, \"\"y\"\"\n\",a.jpg\n"),
      (Lines{"pair a.jpg | \"one\"", "pair b.jpg | \"two\"", "pair a.jpg | \"x, \"y\"\n\""}));
}

TEST_F(TableSourceTest, MediaInImagesBesideTheTable) {
  EXPECT_EQ(Pairs("t.csv", "file,text\nc.jpg,c\nimages/c.jpg,again\n"),
            (Lines{"pair images/c.jpg | \"c\"", "pair images/c.jpg | \"again\""}));
}

TEST_F(TableSourceTest, MediaAnywhereInTheTreeByTheEndOfTheirPath) {
  tree_.Write("deep/val2014/d.jpg", "d");
  EXPECT_EQ(Pairs("t.csv", "file,text\nval2014/d.jpg,d\nd.jpg,again\n"),
            (Lines{"pair deep/val2014/d.jpg | \"d\"", "pair deep/val2014/d.jpg | \"again\""}));
}

TEST_F(TableSourceTest, AFileInTwoDirectoriesIsAmbiguous) {
  tree_.Write("x/d.jpg", "1");
  tree_.Write("y/d.jpg", "2");
  EXPECT_THAT(Scanning("t.csv", "file,text\nd.jpg,d\n"),
              ThrowsMessage<InputError>(AllOf(HasSubstr("t.csv:2"), HasSubstr("x/d.jpg"),
                                              HasSubstr("y/d.jpg"), HasSubstr("--media-root"))));
  options_.media_root = tree_("y");
  EXPECT_EQ(Pairs("t.csv", "file,text\nd.jpg,d\n"), (Lines{"pair d.jpg | \"d\""}));
}

TEST_F(TableSourceTest, IdsWithoutExtensionFindTheirMedia) {
  options_.text_columns = {"Title"};
  EXPECT_EQ(Pairs("t.csv", "ImageID,Title,n\na,A,1\nc,C,2\nb,,3\n"),
            (Lines{"pair a.jpg | \"A\"", "pair images/c.jpg | \"C\"", "pair b.jpg | \"\""}));
}

TEST_F(TableSourceTest, AnUnknownTextColumnIsAnErrorThatListsTheColumns) {
  EXPECT_THAT(Scanning("t.csv", "file,Caption\na.jpg,A\n"),
              ThrowsMessage<UsageError>(AllOf(HasSubstr("'file', 'Caption'"),
                                              HasSubstr("did you mean 'Caption'"),
                                              HasSubstr("--text-column"))));
  options_.text_columns = {"captoin"};
  EXPECT_THAT(Scanning("t.csv", "file,caption\na.jpg,A\n"),
              ThrowsMessage<UsageError>(HasSubstr("'file', 'caption'")));
  options_.text_columns = {"Caption"};
  EXPECT_THAT(Scanning("t.csv", "file,caption\na.jpg,A\n"),
              ThrowsMessage<UsageError>(HasSubstr("did you mean 'caption'")));
  EXPECT_THAT(Scanning("t.csv", ",\na.jpg,A\n"),
              ThrowsMessage<UsageError>(HasSubstr("it has no named columns")));
  options_.text_columns.clear();
  options_.fields = {{"f", "Caption"}};
  EXPECT_THAT(Scanning("t.csv", "file,caption\na.jpg,A\n"),
              ThrowsMessage<UsageError>(HasSubstr("--field f=Caption: the table has no such")));
}

TEST_F(TableSourceTest, NoMediaAtAllIsAnErrorNotAnEmptyContainer) {
  EXPECT_THAT(Scanning("t.csv", "where,caption\nx/1.jpg,A\n"),
              ThrowsMessage<UsageError>(AllOf(HasSubstr("--media-root"), HasSubstr("x/1.jpg"))));
  options_.media_column = "url";
  options_.missing_media = OnMissingMedia::kSkip;
  EXPECT_THAT(Scanning("t.csv", "url,caption\nhttp://x/1.jpg,A\n"),
              ThrowsMessage<InputError>(HasSubstr("none of its rows (1) gives a media")));
}

TEST_F(TableSourceTest, ColumnsInTheOtherOrderAreFoundToo) {  // CC12M against CC3M
  options_.no_header = true;
  options_.columns = {"caption", "file"};
  EXPECT_EQ(Pairs("t.tsv", "one\ta.jpg\n"), (Lines{"pair a.jpg | \"one\""}));
  options_.columns = {"file", "caption"};
  EXPECT_EQ(Pairs("t.tsv", "a.jpg\tone\n"), (Lines{"pair a.jpg | \"one\""}));
}

TEST_F(TableSourceTest, SeveralTextColumnsAreAPairEach) {
  options_.text_columns = {"extra", "caption_*"};
  EXPECT_EQ(Pairs("t.csv", "file,caption_1,caption_2,extra,note\na.jpg,1,2,x,n\n"),
            (Lines{"pair a.jpg | \"x\"", "pair a.jpg | \"1\"", "pair a.jpg | \"2\""}));
}

TEST_F(TableSourceTest, NumberedCaptionColumnsAreTakenBySelf) {  // Clotho
  EXPECT_EQ(Pairs("t.csv", "file_name,caption_1,caption_2,kor_1\na.jpg,1,2,k\n"),
            (Lines{"pair a.jpg | \"1\"", "pair a.jpg | \"2\""}));
}

TEST_F(TableSourceTest, FieldsAndWholeRowsGoWithThePair) {
  options_.fields = {{"tags", "kw"}};
  options_.keep_columns = true;
  const RecordingSink sink = ScanFile("t.csv", "file,caption,kw\na.jpg,\"say \"\"x\"\"\",k1\n");
  EXPECT_EQ(sink.lines[0], "fields :txt tags:txt json:json");
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair a.jpg | \"say \"x\"\" | \"k1\" | \"{\"file\":\"a.jpg\",\"caption\":"
                          "\"say \\\"x\\\"\",\"kw\":\"k1\"}\""));
}

TEST_F(TableSourceTest, SplitsComeFromTheirColumn) {
  const RecordingSink sink =
      ScanFile("t.csv", "file,caption,split\na.jpg,1,train\nb.jpg,2,val\na.jpg,3,train\n");
  EXPECT_THAT(sink.splits, ElementsAre("train", "val"));
  EXPECT_THAT(sink.pair_splits, ElementsAre(0, 1, 0));
}

TEST_F(TableSourceTest, TemplatesMakePathsOfCells) {
  tree_.Write("audio/-x1_30.flac", "x");
  tree_.Write("audio/000000000042.flac", "y");
  options_.media_templates = {"audio/{youtube_id}_{start}.flac"};
  EXPECT_EQ(Pairs("t.csv", "youtube_id,start,caption\r\n-x1,30,c\r\n"),
            (Lines{"pair audio/-x1_30.flac | \"c\""}));
  options_.media_templates = {"audio/{image_id:012d}.flac"};
  EXPECT_EQ(Pairs("t.json", "[{\"image_id\": 42, \"caption\": \"c\"}]"),
            (Lines{"pair audio/000000000042.flac | \"c\""}));
}

TEST_F(TableSourceTest, OfSeveralTemplatesTheFirstThatIsThereCounts) {
  tree_.Write("v/1.mp4", "x");
  tree_.Write("v/1.webm", "x");
  tree_.Write("v/2.webm", "x");
  options_.media_templates = {"v/{id}.mp4", "v/{id%.x}.webm"};
  EXPECT_EQ(Pairs("t.csv", "id,caption\n1,a\n2.x,b\n"),
            (Lines{"pair v/1.mp4 | \"a\"", "pair v/2.webm | \"b\""}));
  EXPECT_EQ(ScanFile("t.csv", "id,caption\n1,a\n3,b\n").Only("note"),
            (Lines{"note missing-media v/3.mp4"}));
}

TEST_F(TableSourceTest, ATableWithoutHeaderIsToldWhatToSay) {
  tree_.Write("wavs/w1.wav", "x");
  EXPECT_THAT(Scanning("metadata.csv", "w1|raw \"|one\nw1|raw|two\n"),
              ThrowsMessage<UsageError>(AllOf(HasSubstr("--no-header"), HasSubstr("--columns"))));
  options_.no_header = true;
  options_.columns = {"id", "raw", "text"};
  EXPECT_EQ(Pairs("metadata.csv", "w1|raw|text \"\n"), (Lines{"pair wavs/w1.wav | \"text \"\""}));
}

TEST_F(TableSourceTest, PathsThatLeadOutsideNameTheOption) {
  tree_.Write("data/t.jsonl", "{\"text\": \"x\", \"videos\": [\"../a.jpg\"]}");
  EXPECT_THAT(ScanChosen(tree_("data/t.jsonl")).Only("note"),
              (Lines{"note outside-path ../a.jpg"}));
  EXPECT_EQ(ScanChosen(tree_.root()).Only("pair"), (Lines{"pair a.jpg | \"x\""}));
}

TEST_F(TableSourceTest, PathsThatLeadOutAndBackInStayInside) {
  const std::string directory = tree_.root().substr(tree_.root().rfind('/') + 1);
  EXPECT_EQ(Pairs("t.csv", "image,caption\n../" + directory + "/a.jpg,x\n"),
            (Lines{"pair a.jpg | \"x\""}));
}

// --- cells ---------------------------------------------------------------------------------------

TEST_F(TableSourceTest, NaLikeWordsAndEmptyCellsAreTexts) {
  EXPECT_EQ(Pairs("t.csv", "file,caption\na.jpg,NA\na.jpg,null\na.jpg,None\na.jpg,nan\na.jpg,\n"),
            (Lines{"pair a.jpg | \"NA\"", "pair a.jpg | \"null\"", "pair a.jpg | \"None\"",
                   "pair a.jpg | \"nan\"", "pair a.jpg | \"\""}));
}

TEST_F(TableSourceTest, EqualRowsStaySeparatePairs) {
  EXPECT_EQ(Pairs("t.csv", "file,caption\na.jpg,x\nb.jpg,y\na.jpg,x\n"),
            (Lines{"pair a.jpg | \"x\"", "pair b.jpg | \"y\"", "pair a.jpg | \"x\""}));
}

TEST_F(TableSourceTest, JsonNullMissingAndEmptyListAreAbsentOthersAreNot) {
  const RecordingSink sink = ScanFile("t.jsonl",
                                      "{\"image\": \"a.jpg\", \"caption\": null}\n"
                                      "{\"image\": \"a.jpg\"}\n\n"
                                      "{\"image\": \"a.jpg\", \"caption\": []}\n"
                                      "{\"image\": \"a.jpg\", \"caption\": \"\"}\n"
                                      "{\"image\": \"a.jpg\", \"caption\": 1.50}\n"
                                      "{\"image\": \"a.jpg\", \"caption\": {\"a\": [1]}}\n"
                                      "{\"image\": \"a.jpg\", \"caption\": [\"x\", \"y\", 7]}\n");
  EXPECT_EQ(sink.Only("pair"),
            (Lines{"pair a.jpg | -", "pair a.jpg | -", "pair a.jpg | -", "pair a.jpg | \"\"",
                   "pair a.jpg | \"1.50\"", "pair a.jpg | \"{\"a\": [1]}\"", "pair a.jpg | \"x\"",
                   "pair a.jpg | \"y\"", "pair a.jpg | \"7\""}));
  EXPECT_EQ(sink.Only("note unpaired-media").size(), 3U);
}

TEST_F(TableSourceTest, NullsInListsAreAbsentPairsAndCounted) {
  const char* rows =
      "{\"image\": \"a.jpg\", \"caption\": [null, \"x\"]}\n"
      "{\"image\": \"b.jpg\", \"caption\": [null]}\n";
  const RecordingSink sink = ScanFile("t.jsonl", rows);
  EXPECT_EQ(sink.Only("pair"), (Lines{"pair a.jpg | -", "pair a.jpg | \"x\"", "pair b.jpg | -"}));
  EXPECT_EQ(sink.Only("note"), (Lines{"note null-text a.jpg", "note null-text b.jpg"}));
  options_.unpaired_media = OnUnpairedMedia::kSkip;
  EXPECT_EQ(Pairs("t.jsonl", rows), (Lines{"pair a.jpg | \"x\""}));
}

TEST_F(TableSourceTest, NumbersBeyondDoubleAreTheirTokensTexts) {
  const std::string digits(400, '7');
  EXPECT_EQ(Pairs("t.jsonl", "{\"image\": \"a.jpg\", \"caption\": 1e999, \"x\": " + digits +
                                 "}\n"
                                 "{\"image\": \"a.jpg\", \"caption\": [-1e400, " +
                                 digits + "]}\n"),
            (Lines{"pair a.jpg | \"1e999\"", "pair a.jpg | \"-1e400\"",
                   "pair a.jpg | \"" + digits + "\""}));
}

TEST_F(TableSourceTest, OneArrayOfObjectsAndTheSectionDataAreTables) {
  EXPECT_EQ(Pairs("t.json", "\xef\xbb\xbf[{\"image\": \"a.jpg\", \"caption\": \"a\\u0000b\"}]"),
            (Lines{Bytes("pair a.jpg | \"a\0b\"")}));
  EXPECT_EQ(Pairs("w.json", "{\"n\": 1, \"data\": [{\"id\": \"a.jpg\", \"caption\": \"x\"}]}"),
            (Lines{"pair a.jpg | \"x\""}));
  EXPECT_EQ(Pairs("l.jsonl", "[{\"image\": \"a.jpg\", \"caption\": \"x\"}]"),
            (Lines{"pair a.jpg | \"x\""}));
}

TEST_F(TableSourceTest, ListLiteralsInCsvCellsAreAPairEach) {  // nlphuji/flickr30k
  EXPECT_EQ(Pairs("t.csv",
                  "raw,filename\n"
                  "\"[\"\"Two \\u00e9\"\", \"\"it's\"\"]\",a.jpg\n"
                  "\"['one\\n', \"\"two's\"\"]\",b.jpg\n"),
            (Lines{"pair a.jpg | \"Two \xc3\xa9\"", "pair a.jpg | \"it's\"",
                   "pair b.jpg | \"one\n\"", "pair b.jpg | \"two's\""}));
}

TEST_F(TableSourceTest, ACellOfAMillionBracketsIsAText) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(Pairs("t.csv", "file,caption\na.jpg,x\nb.jpg," + deep + "\n"),
            (Lines{"pair a.jpg | \"x\"", "pair b.jpg | \"" + deep + "\""}));
}

TEST_F(TableSourceTest, TextsThatOnlyLookLikeAListStayOneText) {
  EXPECT_EQ(Pairs("t.csv", "file,caption\na.jpg,[Music] playing\nb.jpg,\"[\"\"x\"\"]\"\n"),
            (Lines{"pair a.jpg | \"[Music] playing\"", "pair b.jpg | \"[\"x\"]\""}));
}

// --- dialects ------------------------------------------------------------------------------------

TEST_F(TableSourceTest, QuotesInTsvAreDataWhereverTheyStand) {
  EXPECT_EQ(Pairs("t.tsv", "file\ttitle\tgenre\na.jpg\t\"Great Performances\" Cats\tMusical\n"),
            (Lines{"pair a.jpg | \"\"Great Performances\" Cats\""}));
}

TEST_F(TableSourceTest, DirectoriesAndNamesWithPatternCharactersAreBytes) {
  tree_.Write("[D_DATA], x/.d/-a #1*?.jpg", "x");
  tree_.Write("[D_DATA], x/t.csv", "file,caption\n.d/-a #1*?.jpg,x\n");
  EXPECT_THAT(ScanChosen(tree_("[D_DATA], x")).Only("pair"),
              ElementsAre("pair .d/-a #1*?.jpg | \"x\""));
}

TEST_F(TableSourceTest, TsvQuotesNothingByDefault) {
  EXPECT_EQ(Pairs("t.tsv", "file\tcaption\na.jpg\t\"one\nb.jpg\tsay \"x\" \n"),
            (Lines{"pair a.jpg | \"\"one\"", "pair b.jpg | \"say \"x\" \""}));
}

TEST_F(TableSourceTest, BomAndCrLfGoEverythingElseStays) {
  EXPECT_EQ(Pairs("t.csv",
                  "\xef\xbb\xbf"
                  "file,caption\r\na.jpg, x \r\nb.jpg,\"y\r\n\"\r\n"),
            (Lines{"pair a.jpg | \" x \"", "pair b.jpg | \"y\r\n\""}));
}

TEST_F(TableSourceTest, TabsInAFileCalledCsvAreSeen) {  // OpenCLIP
  EXPECT_EQ(Pairs("t.csv", "filepath\ttitle\na.jpg\t\"one, \"\"two\"\"\"\n"),
            (Lines{"pair a.jpg | \"one, \"two\"\""}));
}

TEST_F(TableSourceTest, AWrongNumberOfColumnsNamesTheLine) {
  EXPECT_THAT(Scanning("t.csv", "file,caption\na.jpg,one\nb.jpg,a cat, a dog\n"),
              ThrowsMessage<InputError>(AllOf(HasSubstr("t.csv:3"), HasSubstr("3 columns where 2"),
                                              HasSubstr("--last-column-rest"))));
  EXPECT_THAT(Scanning("t.csv", "file,caption\na.jpg,one\nb.jpg\n"),
              ThrowsMessage<InputError>(HasSubstr("t.csv:3")));
}

TEST_F(TableSourceTest, ABadRowThatHoldsNulIsToldWhole) {
  const std::string table("file,caption\na.jpg,1\nb\0c\n", 25);
  EXPECT_THAT(Scanning("t.csv", table),
              ThrowsMessage<InputError>(HasSubstr("'b\\x00c'; --lenient leaves such rows out")));
  options_.lenient = true;
  EXPECT_THAT(ScanFile("t.csv", table).Only("note"), ElementsAre(HasSubstr("'b\\x00c'")));
}

TEST_F(TableSourceTest, TheLastColumnCanTakeTheRest) {
  options_.last_column_rest = true;
  EXPECT_EQ(Pairs("t.csv", "file,caption\na.jpg,a \"cat\", a dog,, x\n"),
            (Lines{"pair a.jpg | \"a \"cat\", a dog,, x\""}));
}

TEST_F(TableSourceTest, LenientLeavesRowsOfTheWrongLengthOutAndTellsThem) {
  options_.lenient = true;
  const RecordingSink sink = ScanFile("t.csv", "file,caption\na.jpg\nb.jpg,x\na.jpg,\"open\n");
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair b.jpg | \"x\""));
  EXPECT_EQ(sink.Only("note truncated").size(), 1U);
  EXPECT_EQ(sink.Only("note lost-rest").size(), 1U);
}

TEST_F(TableSourceTest, ListsOfAddressesAreToldAsSuch) {
  for (const char* list : {"https://a.b/1.jpg", "https://a.b/1.jpg\nhttps://a.b/2,3.jpg\n",
                           "a caption\thttps://a.b/1\n"}) {
    EXPECT_THAT([&] { ScanFile("t.tsv", list); },
                ThrowsMessage<UsageError>(AllOf(HasSubstr("url), and it names URLs, no files"),
                                                HasSubstr("--no-header --columns"))))
        << list;
  }
}

TEST_F(TableSourceTest, LjSpeechNeedsNoOption) {
  tree_.Write("wavs/LJ1.wav", "1");
  tree_.Write("wavs/LJ2.wav", "2");
  EXPECT_EQ(
      Pairs("metadata.csv", "LJ1|Of 2, \"one\", it|Of two, \"one\", it\nLJ2|b|b, too\n"),
      (Lines{"pair wavs/LJ1.wav | \"Of two, \"one\", it\"", "pair wavs/LJ2.wav | \"b, too\""}));
  EXPECT_EQ(Pairs("metadata.csv", "LJ1|two words\nLJ2|one\n"),
            (Lines{"pair wavs/LJ1.wav | \"two words\"", "pair wavs/LJ2.wav | \"one\""}));
  EXPECT_EQ(Pairs("metadata.csv", "id|text\nLJ1|two words\n"),  // a header says what it is
            (Lines{"pair wavs/LJ1.wav | \"two words\""}));
  options_.text_columns = {"raw"};
  EXPECT_EQ(Pairs("metadata.csv", "LJ1|Dr. X|Doctor X\n"),
            (Lines{"pair wavs/LJ1.wav | \"Dr. X\""}));
}

TEST_F(TableSourceTest, ATableWithoutHeaderNeedsToSaySoAndIsWarnedAbout) {
  tree_.Write("wavs/my_1.wav", "1");
  tree_.Write("wavs/my_2.wav", "2");
  options_.no_header = true;
  options_.columns = {"id", "text", "normalised"};
  EXPECT_EQ(Pairs("metadata.csv", "my_1|say \"x\"|n\nmy_2|two|n\n"),
            (Lines{"pair wavs/my_1.wav | \"say \"x\"\"", "pair wavs/my_2.wav | \"two\""}));
  options_ = {};
  options_.text_columns = {"one"};
  EXPECT_THAT(ScanFile("t.csv", "a.jpg,one\nb.jpg,two\n").Only("note"),
              ElementsAre("note header-looks-like-data the header names a media: is --no-header "
                          "--columns meant?"));
  options_ = {};
  options_.no_header = true;
  options_.columns = {"file", "caption"};
  options_.missing_media = OnMissingMedia::kSkip;
  EXPECT_THAT(ScanFile("t.csv", "image,caption\nb.jpg,two\n").Only("note"),
              ElementsAre("note header-looks-like-data the first row looks like a header",
                          "note missing-media image"));
}

TEST_F(TableSourceTest, UrlsAreNotDownloadedAndAHeaderThatHoldsOneIsNone) {
  constexpr const char* kCc3m = "a man, a hat\thttp://x.y/a.jpg\na dog\thttps://x.y/i?n=3\n";
  constexpr const char* kCc12m = "http://x.y/i?n=1\ta man\nhttps://x.y/i?n=3\ta dog\n";
  constexpr const char* kHeader = "image_url,caption\nhttp://x.y/i?n=1,a man\n";
  constexpr const char* kRows = "[{\"u\": \"http://x.y/i?n=1\", \"caption\": \"a man\"}]";
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"cc3m.tsv", kCc3m, "no header (say --no-header --columns caption,url)"},
      {"cc12m.tsv", kCc12m, "no header (say --no-header --columns url,caption)"},
      {"u.csv", kHeader, "its column 'image_url' holds URLs"},
      {"u.json", kRows, "its column 'u' holds URLs"}};
  for (const auto& [name, bytes, what] : cases) {
    EXPECT_THAT(Scanning(name, bytes),
                ThrowsMessage<UsageError>(AllOf(HasSubstr(what), HasSubstr("nothing is downloaded"),
                                                HasSubstr("img2dataset"))));
  }
  TempTree alone;  // in a directory, too, beside what is no table
  alone.Write("a.txt", "A readme, say.\n");
  alone.Write("cc3m.tsv", kCc3m);
  EXPECT_THAT([&] { ScanChosen(alone.root()); },
              ThrowsMessage<UsageError>(HasSubstr("nothing is downloaded")));
  options_.no_header = true;
  EXPECT_THAT(Scanning("cc3m.tsv", kCc3m),
              ThrowsMessage<UsageError>(HasSubstr("its column '2' holds URLs")));
}

TEST_F(TableSourceTest, AHeaderThatNamesAMediaSaysHowTheColumnsMayBeCalled) {
  EXPECT_THAT(
      Scanning("t.csv", "a.jpg,one\nb.jpg,two\n"),
      ThrowsMessage<UsageError>(HasSubstr("no header: say --no-header --columns image,caption")));
}

TEST_F(TableSourceTest, AUrlBesideAPathIsNoMatter) {
  EXPECT_EQ(Pairs("t.csv", "file,url,caption\na.jpg,http://x.y/a.jpg,1\n"),
            (Lines{"pair a.jpg | \"1\""}));
  EXPECT_EQ(Pairs("u.csv", "file,caption\na.jpg,see http://x.y for more\n"),
            (Lines{"pair a.jpg | \"see http://x.y for more\""}));
}

struct Advice {
  const char* name;
  const char* bytes;
  const char* said;
  bool no_header = false;
  std::vector<std::string> columns = {};
};

TEST_F(TableSourceTest, AdviceForTablesWithAnotherHeader) {
  const Advice cases[] = {
      {"id.csv", "a,one\nb,two\n", "say --no-header --columns id,caption"},
      {"gone.csv", "a dog,data/1.jpg\na cat,data/2.jpg\n",
       "first row names a media ('data/1.jpg'), so it has no header: say --no-header --columns "
       "caption,image; none of its first rows"},
      {"one.csv", "a.jpg,only\n",
       "its only line names a media ('a.jpg'), so it has no header: say --no-header --columns "
       "image,caption"},
      {"header.csv", "image,caption\na.jpg,x\n", "looks like a header: leave out --no-header",
       true},
      {"numbers.csv", "a.jpg,x\nb.jpg,y\n", "no names yet: say --no-header --columns", true},
      {"swapped.csv",
       "x,a.jpg\ny,b.jpg\n",
       "'caption' names the media",
       true,
       {"image", "caption"}},
      {"swapped_header.csv", "caption,image\na.jpg,x\nb.jpg,y\n", "'caption' names the media"},
  };
  for (const auto& [name, bytes, said, no_header, columns] : cases) {
    options_.no_header = no_header;
    options_.columns = columns;
    EXPECT_THAT(
        Scanning(name, bytes),
        ThrowsMessage<UsageError>(AllOf(HasSubstr(said), testing::Not(HasSubstr("did you mean")))))
        << name;
  }
}

TEST_F(TableSourceTest, TheAdviceForATableOfIdsWithoutHeaderHoldsWhatItSays) {
  options_.no_header = true;
  options_.columns = {"id", "caption"};
  EXPECT_EQ(Pairs("id.csv", "a,one\nb,two\n"),
            (Lines{"pair a.jpg | \"one\"", "pair b.jpg | \"two\""}));
}

// --- media paths ---------------------------------------------------------------------------------

TEST_F(TableSourceTest, MissingMediaIsToldAndTheRowSkipped) {
  const RecordingSink sink = ScanFile("t.csv", "file,caption\na.jpg,1\ngone.jpg,2\nb.jpg,3\n");
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.jpg | \"1\"", "pair b.jpg | \"3\""));
  EXPECT_THAT(sink.Only("note"), ElementsAre("note missing-media gone.jpg"));
  EXPECT_THAT(sink.note_origins, ElementsAre(tree_("t.csv") + ":3"));
}

TEST_F(TableSourceTest, BackslashesMatchWithAWarningUnlessSuchAFileExists) {
  EXPECT_EQ(ScanFile("t.csv", "file,caption\nimages\\c.jpg,1\na.jpg,2\n").lines,
            (Lines{"fields :txt", "note backslash-path images\\c.jpg", "pair images/c.jpg | \"1\"",
                   "pair a.jpg | \"2\""}));
  tree_.Write("images\\c.jpg", "itself");
  EXPECT_EQ(Pairs("t.csv", "file,caption\nimages\\c.jpg,1\n"),
            (Lines{"pair images\\c.jpg | \"1\""}));
}

TEST_F(TableSourceTest, EveryRowThatIsMatchedInAnotherFormIsTold) {
  const std::string table = "file,caption\nimages\\c.jpg,1\n.\\images\\c.jpg,2\nimages/c.jpg,3\n";
  const RecordingSink sink = ScanFile("t.csv", table);
  EXPECT_THAT(sink.Only("note"), ElementsAre("note backslash-path images\\c.jpg",
                                             "note backslash-path .\\images\\c.jpg"));
  EXPECT_THAT(sink.note_origins, ElementsAre(tree_("t.csv") + ":2", tree_("t.csv") + ":3"));
}

TEST_F(TableSourceTest, UnicodeFormsMatchWithAWarning) {
  tree_.Write("e\xcc\x81.jpg", "decomposed");
  EXPECT_EQ(ScanFile("t.csv", "file,caption\n\xc3\xa9.jpg,1\na.jpg,2\n").lines,
            (Lines{"fields :txt", "note unicode-form \xc3\xa9.jpg", "pair e\xcc\x81.jpg | \"1\"",
                   "pair a.jpg | \"2\""}));
  tree_.Write("\xc3\xa9.jpg", "composed");
  EXPECT_THAT(ScanFile("t.csv", "file,caption\n\xc3\xa9.jpg,1\n").Only("note"), IsEmpty());
}

TEST_F(TableSourceTest, NamesInAnotherEncodingAreFoundIfItIsSaid) {
  tree_.Write("M\xfcnchen.jpg", "Latin-1");
  tree_.Write("images/K\xc3\xb6ln.jpg", "UTF-8");
  const std::string utf8 = "file,caption\nM\xc3\xbcnchen.jpg,1\nMu\xcc\x88nchen.jpg,2\na.jpg,3\n";
  EXPECT_THAT(ScanFile("t.csv", utf8).Only("pair"), ElementsAre("pair a.jpg | \"3\""));
  options_.name_encoding = "latin1";
  EXPECT_THAT(ScanFile("t.csv", utf8).Only("pair"),
              ElementsAre("pair M\xfcnchen.jpg | \"1\"", "pair M\xfcnchen.jpg | \"2\"",
                          "pair a.jpg | \"3\""));
  EXPECT_THAT(ScanFile("t.csv", "file,caption\nimages/K\xf6ln.jpg,1\na.jpg,2\n").Only("pair"),
              ElementsAre("pair images/K\xc3\xb6ln.jpg | \"1\"", "pair a.jpg | \"2\""));
}

TEST_F(TableSourceTest, PathsThatLeadOutsideAreRefusedUnlessAllowed) {
  TempTree outside{"o.jpg"};
  const std::string table =
      "file,caption\na.jpg,1\n../x.jpg,2\n" + outside("o.jpg") + ",3\nimages/../b.jpg,4\n";
  const RecordingSink sink = ScanFile("t.csv", table);
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.jpg | \"1\"", "pair b.jpg | \"4\""));
  EXPECT_THAT(sink.Only("note"),
              ElementsAre("note outside-path ../x.jpg", "note outside-path " + outside("o.jpg")));
  options_.allow_outside = true;
  const RecordingSink allowed = ScanFile("t.csv", table);
  EXPECT_EQ(allowed.pairs, 3U);
  EXPECT_EQ(allowed.Only("pair")[1], "pair " + outside("o.jpg").substr(1) + " | \"3\"");
}

TEST_F(TableSourceTest, LinksThatAreNotToBeFollowedAreMissingMedia) {
  TempTree outside{"o.jpg"};
  tree_.Link("in.jpg", "a.jpg");
  tree_.Link("out.jpg", outside("o.jpg"));
  tree_.Link("dir", "images");
  const std::string table = "file,caption\na.jpg,1\nin.jpg,2\nout.jpg,3\ndir/c.jpg,4\n";
  EXPECT_THAT(ScanFile("t.csv", table).Only("note"), IsEmpty());
  options_.symlinks = OnSymlink::kInside;
  EXPECT_THAT(ScanFile("t.csv", table).Only("note"),
              ElementsAre("note missing-media out.jpg (a link, --symlinks)"));
  options_.symlinks = OnSymlink::kSkip;
  const RecordingSink skip = ScanFile("t.csv", table);
  EXPECT_THAT(skip.Only("pair"), ElementsAre("pair a.jpg | \"1\""));
  EXPECT_THAT(skip.Only("note"), ElementsAre("note missing-media in.jpg (a link, --symlinks)",
                                             "note missing-media out.jpg (a link, --symlinks)",
                                             "note missing-media dir/c.jpg (a link, --symlinks)"));
}

TEST_F(TableSourceTest, TheSlashBehindAStrippedPrefixGoesWithIt) {
  const std::string table = "file,caption\n/export/a.jpg,1\n/export//images/c.jpg,2\n";
  for (const char* prefix : {"/export", "/export/", "/exp"}) {
    options_.strip_prefix = prefix;
    const bool whole = options_.strip_prefix != "/exp";
    EXPECT_EQ(ScanFile("t.csv", table).Only("pair a.jpg").size(), whole ? 1U : 0U) << prefix;
  }
  options_.strip_prefix = "/export";
  EXPECT_EQ(ScanFile("t.csv", table).pairs, 2U);
  options_.strip_prefix = "file://";  // what is left is a path of this machine
  EXPECT_EQ(Pairs("t.csv", "file,caption\nfile://" + tree_("a.jpg") + ",1\n"),
            (Lines{"pair a.jpg | \"1\""}));
  EXPECT_THAT(ScanFile("t.csv", "file,caption\na.jpg,1\nfile:///x/b.jpg,2\n").Only("note"),
              ElementsAre("note outside-path /x/b.jpg"));
}

TEST_F(TableSourceTest, AbsolutePathsInsideTheRootAndStrippedPrefixesAreFine) {
  EXPECT_EQ(Pairs("t.csv", "file,caption\n" + tree_("images/c.jpg") + ",1\n"),
            (Lines{"pair images/c.jpg | \"1\""}));
  options_.strip_prefix = "/export/share/";
  EXPECT_EQ(Pairs("t.csv", "file,caption\n/export/share/a.jpg,1\n"), (Lines{"pair a.jpg | \"1\""}));
}

TEST_F(TableSourceTest, RowsOfJsonMayLieByTheirMedia) {  // kohya
  const Lines pairs{"pair a.jpg | \"one\"", "pair images/c.jpg | \"three\""};
  EXPECT_EQ(Pairs("meta.json", R"({"a.jpg": {"caption": "one", "tags": "x"},
                                   "images/c.jpg": {"tags": "y", "caption": "three"}})"),
            pairs);
  EXPECT_EQ(ScanChosen(tree_.root()).Only("pair"), pairs);
  options_.media_column = "file_name";
  options_.text_columns = {"tags"};
  EXPECT_EQ(ScanChosen(tree_("meta.json"), options_).Only("pair"),
            (Lines{"pair a.jpg | \"x\"", "pair images/c.jpg | \"y\""}));
}

TEST_F(TableSourceTest, RowsByTheirMediaMayNameThemselves) {
  for (const char* row : {R"("file_name": "images/c.jpg")", R"("image": "images/c.jpg")"}) {
    EXPECT_EQ(Pairs("t.json", fmt::format(R"({{"c.jpg": {{{}, "caption": "c"}}}})", row)),
              (Lines{"pair images/c.jpg | \"c\""}));
  }
  EXPECT_EQ(Pairs("t.json", R"({"a.jpg": {"name": "a.jpg", "caption": "a"}})"),
            (Lines{"pair a.jpg | \"a\""}));
}

TEST_F(TableSourceTest, RowsByOtherIdsThatNameNoMediaAreNoTable) {
  EXPECT_THAT(Scanning("t.json", R"({"a": {"caption": "one"}, "b": {"caption": "two"}})"),
              ThrowsMessage<InputError>(HasSubstr("the table has no rows")));
}

TEST_F(TableSourceTest, RowsWithoutMediaAreCounted) {
  const RecordingSink sink = ScanFile("t.json",
                                      "[{\"image\": \"a.jpg\", \"text\": \"1\"}, {\"text\": \"2\"},"
                                      "{\"image\": \"\", \"text\": \"3\"}]");
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.jpg | \"1\""));
  EXPECT_EQ(sink.Only("note row-without-media").size(), 2U);
}

TEST_F(TableSourceTest, SeveralMediaInARowFollowTheOption) {
  const char* table =
      "{\"images\": [\"a.jpg\", \"b.jpg\"], \"text\": \"1\"}\n{\"images\": [\"b.jpg\"], \"text\": "
      "\"2\"}\n";
  EXPECT_THAT(Pairs("t.jsonl", table), ElementsAre("pair b.jpg | \"2\""));
  options_.multi_media = OnMultiMedia::kEach;
  EXPECT_THAT(Pairs("t.jsonl", table),
              ElementsAre("pair a.jpg | \"1\"", "pair b.jpg | \"1\"", "pair b.jpg | \"2\""));
  options_.multi_media = OnMultiMedia::kFirst;
  EXPECT_THAT(Pairs("t.jsonl", table), ElementsAre("pair a.jpg | \"1\"", "pair b.jpg | \"2\""));
  EXPECT_THAT(ScanFile("t.jsonl", table).Only("note"),
              ElementsAre("note multi-media-row a.jpg, b.jpg"));
}

// --- directories ---------------------------------------------------------------------------------

TEST_F(TableSourceTest, ADirectoryKeepsEverythingElseAsExtras) {
  tree_.Write("annotations/t.csv", "file,caption\n../a.jpg,1\n../images/c.jpg,2\n");
  tree_.Write(".DS_Store", "x");
  const RecordingSink sink = ScanChosen(tree_.root());
  EXPECT_EQ(sink.lines, (Lines{"fields :txt", "pair a.jpg | \"1\"", "pair images/c.jpg | \"2\"",
                               "note hidden-file .DS_Store", "extra b.jpg", "extra .DS_Store",
                               "dir annotations", "extra annotations/t.csv", "dir images"}));
  EXPECT_EQ(Recognise(tree_.root(), {}).reading.view, ViewKind::kAll);
}

TEST_F(TableSourceTest, AFileTakesReferencedMediaOnly) {
  const RecordingSink sink = ScanFile("t.csv", "file,caption\na.jpg,1\n");
  EXPECT_EQ(sink.lines, (Lines{"fields :txt", "pair a.jpg | \"1\""}));
  EXPECT_EQ(Recognise(tree_("t.csv"), {}).reading.view, ViewKind::kPairs);
}

TEST_F(TableSourceTest, TablesOfTheSameColumnsAreSplits) {
  tree_.Write("captions_val.csv", "file,caption\nb.jpg,2\n");
  tree_.Write("captions_train.csv", "file,caption\na.jpg,1\n");
  tree_.Write("notes.csv", "a,b\n1,2\n");
  const RecordingSink sink = ScanChosen(tree_.root());
  EXPECT_THAT(sink.splits, ElementsAre("train", "val"));
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.jpg | \"1\"", "pair b.jpg @1 | \"2\""));
}

TEST_F(TableSourceTest, TablesCalledAsSplitsNeedOnlyTheSameMediaAndTexts) {  // LAVIS
  tree_.Write("coco_karpathy_train.json",
              "[{\"caption\": \"1\", \"image\": \"a.jpg\", \"image_id\": \"coco_1\"}]");
  tree_.Write("coco_karpathy_val.json", "[{\"image\": \"b.jpg\", \"caption\": [\"2\", \"3\"]}]");
  const RecordingSink sink = ScanChosen(tree_.root());
  EXPECT_THAT(sink.splits, ElementsAre("train", "val"));
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair a.jpg | \"1\"", "pair b.jpg @1 | \"2\"", "pair b.jpg @1 | \"3\""));
}

TEST_F(TableSourceTest, TablesCalledAsSplitsOfOtherTextsAreAmbiguous) {
  tree_.Write("c_train.csv", "file,caption,id\na.jpg,1,1\n");
  tree_.Write("c_val.csv", "file,title\nb.jpg,2\n");
  EXPECT_THAT([&] { ScanChosen(tree_.root()); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("--from table:c_train.csv: "),
                                              HasSubstr("--from table:c_val.csv: "),
                                              HasSubstr("(1 pair)"))));
}

TEST_F(TableSourceTest, FilesThatAreNoTablesAreExtras) {
  tree_.Write("t.csv", "file,caption\na.jpg,1\n");
  tree_.Write("zero.csv", "");
  tree_.Write("binary.csv", Bytes("\x1f\x8b\0\0\"\n\"\xff,\0\n\x80,,\n"));
  tree_.Write("sizes.csv", "name,size\nx,1\n");
  const RecordingSink sink = ScanChosen(tree_.root());
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.jpg | \"1\""));
  EXPECT_THAT(sink.Only("extra"), AllOf(Contains("extra zero.csv"), Contains("extra binary.csv"),
                                        Contains("extra sizes.csv")));
}

TEST_F(TableSourceTest, AUrlIsToldAsItIsSpelled) {
  options_.missing_media = OnMissingMedia::kSkip;
  EXPECT_THAT(ScanFile("t.csv", "file,caption\nhttp://x/0.jpg,1\na.jpg,2\n").Only("note"),
              ElementsAre("note missing-media http://x/0.jpg (a URL; nothing is downloaded)"));
}

TEST_F(TableSourceTest, TablesOfDifferentColumnsAreAmbiguous) {
  tree_.Write("one.csv", "file,caption\nb.jpg,2\n");
  tree_.Write("two.csv", "path,text\na.jpg,1\n");
  EXPECT_THAT([&] { Recognise(tree_.root(), {}); },
              ThrowsMessage<UsageError>(
                  AllOf(HasSubstr("--from table:one.csv"), HasSubstr("--from table:two.csv"))));
  options_.from = "table:two.csv";
  EXPECT_THAT(ScanChosen(tree_.root(), options_).Only("pair"), ElementsAre("pair a.jpg | \"1\""));
}

TEST_F(TableSourceTest, AMisspeltColumnInADirectoryIsToldWithItsTable) {
  tree_.Write("t.csv", "file,caption\na.jpg,1\n");
  options_.text_columns = {"Caption"};
  EXPECT_THAT([&] { Recognise(tree_.root(), options_); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("t.csv"), HasSubstr("did you mean"))));
}

TEST_F(TableSourceTest, AskedForATableThatNamesNoMediaItSaysSo) {
  tree_.Write("t.csv", "file,caption\n/export/a.png,1\n");
  options_.from = "table";
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.Only("note"), (Lines{"note outside-path /export/a.png"}));
  EXPECT_EQ(sink.note_origins, (Lines{"t.csv:2"}));
}

TEST_F(TableSourceTest, ATableWithoutTextColumnStopsBeforeMediaOnly) {
  tree_.Write("labels.csv", "file,label\na.jpg,cat\n");
  EXPECT_THAT([&] { Recognise(tree_.root(), {}); },
              ThrowsMessage<UsageError>(
                  AllOf(HasSubstr("labels.csv"), HasSubstr("'label'"), HasSubstr("--from files"))));
}

TEST_F(TableSourceTest, HuggingFaceFoldersHaveSplitsByDirectory) {
  tree_.Write("train/1.jpg", "1");
  tree_.Write("my-val-set/2.jpg", "2");
  tree_.Write("train/metadata.jsonl", "{\"file_name\": \"1.jpg\", \"text\": \"one\"}\n");
  tree_.Write("my-val-set/metadata.jsonl", "{\"file_name\": \"2.jpg\", \"text\": \"two\"}\n");
  const RecordingSink sink = ScanChosen(tree_.root());
  EXPECT_THAT(sink.splits, ElementsAre("validation", "train"));
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair my-val-set/2.jpg | \"two\"", "pair train/1.jpg @1 | \"one\""));
}

// --- real data -----------------------------------------------------------------------------------

TEST(TableFixtureTest, FfslimTdpGivesThePairsOfItsFiles) {
  const std::string path = FixturePath("ffslim_prototype_twin/TDP");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  const RecordingSink sink = ScanChosen(path);
  EXPECT_EQ(sink.pairs, 25U);
  EXPECT_EQ(sink.Only("pair")[0], "pair img/000000318219.jpg | \"This is an orange\"");
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra TDP.csv"));
}

TEST(TableFixtureTest, HuggingFaceImageAndAudioFolder) {
  const std::string path = FixturePath("hf_imagefolder_audiofolder");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  EXPECT_STREQ(Recognise(path + "/images", {}).kind->from, "hf");
  EXPECT_THAT(ScanChosen(path + "/images").Only("pair"),
              ElementsAre("pair 1.jpg | \"a drawing of a green pokemon with red eyes\"",
                          "pair 2.jpg | \"a green and yellow toy with a red nose\""));
  EXPECT_THAT(ScanChosen(path + "/audios").Only("pair"),
              ElementsAre("pair 1.wav | \"big cat\"", "pair 2.wav | \"small cat\""));
}

TEST(TableFixtureTest, CreditsNeedTheirTextColumnNamed) {
  const std::string path = FixturePath("images_credits_cc");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  EXPECT_THAT([&] { Recognise(path, {}); },
              ThrowsMessage<UsageError>(HasSubstr("did you mean 'Title'")));
  ConvertOptions options;
  options.text_columns = {"Title"};
  const RecordingSink sink = ScanChosen(path, options);
  EXPECT_EQ(sink.pairs, 18U);
  EXPECT_EQ(
      sink.Only("pair")[0],
      "pair test_images/0006400c1c224e19.jpg | \"Fireworks and Morey's Pier in North Wildwood "
      "July 2007\"");
  EXPECT_THAT(sink.Only("extra"),
              ElementsAre("extra test_images.txt", "extra test_images/README.md",
                          "extra test_images/credits.csv"));
}

TEST(TableFixtureTest, LjSpeech) {
  const std::string path = FixturePath("audio_tts_mindspore/testLJSpeechData/LJSpeech-1.1");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  EXPECT_THAT(ScanChosen(path).Only("pair"),
              ElementsAre("pair wavs/my_wave_1.wav | \"this is my_wave_1\"",
                          "pair wavs/my_wave_2.wav | \"this is my_wave_2\"",
                          "pair wavs/my_wave_3.wav | \"this is my_wave_3\""));
}

TEST(TableFixtureTest, LlavaCaptionListsAreAPairEach) {
  const std::string path = FixturePath("llava_jsonl/caps_boxes_coco2014_val_80.jsonl");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  EXPECT_THAT(ScanChosen(path).Only("note missing"), testing::Not(testing::IsEmpty()));
  TempTree media;
  media.Write("000000296284.jpg", "x");
  ConvertOptions options;
  options.media_root = media.root();
  options.missing_media = OnMissingMedia::kSkip;
  EXPECT_EQ(ScanChosen(path, options).pairs, 5U);
}

TEST(TableFixtureTest, CocoResultsSayWhatIsNeeded) {
  const std::string path =
      FixturePath("coco_results_cocoapi/captions_val2014_fakecap_results.json");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  EXPECT_THAT([&] { Recognise(path, {}); }, ThrowsMessage<UsageError>(HasSubstr("{image_id:012}")));
}

}  // namespace
}  // namespace ulhff
