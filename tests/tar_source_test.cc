// Tests tar archives as sources: members, links, keys, samples, shards, damage.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"
#include "converter/odd.h"
#include "converter/tar_samples.h"
#include "tests/recording_sink.h"
#include "tests/tar_files.h"
#include "tests/temp_tree.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::ThrowsMessage;

using Lines = std::vector<std::string>;

class TarTest : public testing::Test {
 protected:
  TarTest() { options.tmp_dir = tree.root(); }

  RecordingSink ScanFile(const std::string& bytes, const std::string& name = "x.tar") {
    tree.Write(name, bytes);
    return ScanChosen(tree(name), options);
  }
  RecordingSink Scan(const TarFiles& files) { return ScanFile(TarOf(files)); }

  // What a media or extra holds.
  static std::string Bytes(const RecordingSink& sink, const std::string& name) {
    return RecordingSink::Read(sink.places.at(name));
  }

  TempTree tree;
  ConvertOptions options;
};

// --- samples

TEST_F(TarTest, MembersOfOneKeyAreASampleAndKeepTheirNames) {
  const RecordingSink sink =
      Scan({{"0/a.jpg", "A"}, {"0/a.txt", "eins"}, {"0/b.jpg", "B"}, {"0/b.txt", ""}});
  EXPECT_EQ(sink.lines, (Lines{"fields :txt", "pair 0/a.jpg | 0/a.txt=\"eins\"",
                               "pair 0/b.jpg | 0/b.txt=\"\""}));
  EXPECT_THAT(sink.rules, ElementsAre("members jpg and txt: 2"));
  EXPECT_EQ(Bytes(sink, "0/a.jpg"), "A");
}

TEST_F(TarTest, TheOrderOfMembersInASampleDoesNotMatter) {
  EXPECT_THAT(Scan({{"a.json", "{}"}, {"a.txt", "t"}, {"a.mp4", "A"}}).lines,
              ElementsAre("fields :txt json:json", "pair a.mp4 | a.txt=\"t\" | a.json=\"{}\""));
}

struct KeyCase {
  const char* name;
  std::optional<size_t> first, last;
};

TEST(TarKeyTest, KeysEndAtADotOfTheBaseName) {
  const KeyCase cases[] = {{"a.jpg", 1, 1},
                           {"x.y/a.seg.png", 5, 9},
                           {"22.0/1.1.png", 6, 8},
                           {"noext", {}, {}},
                           {"d.ir/noext", {}, {}},
                           {".hidden", {}, {}},
                           {"d/.hidden.jpg", {}, 9},
                           {"./a.jpg", 3, 3},
                           {"a.", 1, 1},
                           {"", {}, {}},
                           {"Track 2.0 (Clean).mp3", 7, 17}};
  for (const KeyCase& test : cases) {
    EXPECT_EQ(KeySize(test.name, KeyRule::kFirstDot), test.first) << test.name;
    EXPECT_EQ(KeySize(test.name, KeyRule::kLastDot), test.last) << test.name;
  }
}

TEST_F(TarTest, TheRuleOfTheKeyIsAnOption) {
  const TarFiles files = {{"x.ogg", "A"}, {"x.hq.ogg", "B"}, {"x.txt", "t"}};
  EXPECT_THAT(Scan(files).Only("note"), Contains("note multi-media-row x: ogg, hq.ogg"));
  options.key_rule = KeyRule::kLastDot;
  const TarFiles dotted = {{"Track 2.0.mp3", "A"},
                           {"Track 2.0.txt", "t"},
                           {"Track 2.1.mp3", "B"},
                           {"Track 2.1.txt", "u"}};
  EXPECT_THAT(Scan(dotted).Only("pair"), ElementsAre("pair Track 2.0.mp3 | Track 2.0.txt=\"t\"",
                                                     "pair Track 2.1.mp3 | Track 2.1.txt=\"u\""));
}

TEST_F(TarTest, SamplesOfOneMemberAreCounted) {
  const RecordingSink sink =
      Scan({{"1.0.png", "A"}, {"1.0.txt", "t"}, {"2.png", "B"}, {"3.txt", "u"}});
  EXPECT_THAT(sink.Only("note"), ElementsAre("note unpaired-media 2", "note unpaired-text 3.txt",
                                             "note lone-member 2 of 3 samples"));
}

TEST_F(TarTest, TextsThatAllStandBehindTheirMediaAreCountedAsSamplesOfOneMember) {
  EXPECT_THAT(Scan({{"1.jpg", "A"}, {"2.jpg", "B"}, {"1.txt", "t"}, {"2.txt", "u"}}).Only("note"),
              Contains("note lone-member 4 of 4 samples"));
  EXPECT_THAT(Scan({{"1.jpg", "A"}, {"2.jpg", "B"}}).Only("note lone"), IsEmpty());
}

TEST_F(TarTest, AKeyThatComesAgainIsAnotherSampleUnderAnotherName) {
  const RecordingSink sink = Scan({{"a.jpg", "A"},
                                   {"a.txt", "1"},
                                   {"b.jpg", "B"},
                                   {"b.txt", "2"},
                                   {"a.jpg", "C"},
                                   {"a.txt", "3"},
                                   {"a.jpg", "D"},
                                   {"a.txt", "4"},
                                   {"a~4.jpg", "E"}});
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.jpg | a.txt=\"1\"", "pair b.jpg | b.txt=\"2\"",
                                             "pair a~2.jpg | a~2.txt=\"3\"",
                                             "pair a~3.jpg | a~3.txt=\"4\"", "pair a~4.jpg | -"));
  EXPECT_THAT(sink.Only("note repeated"),
              ElementsAre("note repeated-key a -> a~2", "note repeated-key a -> a~3"));
  EXPECT_EQ(Bytes(sink, "a~3.jpg"), "D");
}

TEST_F(TarTest, KeysApartWithoutACommonNameKeepTheirNames) {
  const RecordingSink sink = Scan({{"a.jpg", "A"}, {"b.jpg", "B"}, {"a.txt", "1"}});
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra a.txt"));
  EXPECT_THAT(sink.Only("note repeated"), IsEmpty());
}

TEST_F(TarTest, AHundredThousandMembersOfOneNameTakeNoLongerThanOthers) {
  std::string tar;
  const std::string part = TarPart("a.jpg", "");
  for (int i = 0; i < 100'000; ++i) tar += part;
  const RecordingSink sink = ScanFile(tar + kTarEnd);
  EXPECT_EQ(sink.pairs, 100'000U);
  EXPECT_EQ(sink.Only("pair").back(), "pair a~100000.jpg | -");
}

TEST_F(TarTest, TextsAreThoseOfTheFirstExtensionInTheirOrder) {
  const RecordingSink sink = Scan({{"a.10.txt", "c"},
                                   {"a.2.txt", "b"},
                                   {"a.txt", "a"},
                                   {"a.json", "{}"},
                                   {"a.meta.json", "[]"},
                                   {"a.PNG", "A"}});
  EXPECT_EQ(sink.lines, (Lines{"fields :txt json:json", "pair a.PNG | a.txt=\"a\" | a.json=\"{}\"",
                               "pair a.PNG | a.2.txt=\"b\" | a.json=\"{}\"",
                               "pair a.PNG | a.10.txt=\"c\" | a.json=\"{}\"", "extra a.meta.json",
                               "note left-column meta.json (1 member, kept in the source tree)"}));
}

TEST_F(TarTest, FieldsMayVaryFromSampleToSample) {
  const RecordingSink sink = Scan({{"1.jpg", "A"},
                                   {"1.txt", "t"},
                                   {"1.json", "{}"},
                                   {"1.cls", "7"},
                                   {"2.png", "B"},
                                   {"2.cls", "8"},
                                   {"3.input.jpg", "C"},
                                   {"3.txt", "u"},
                                   {"4.nodata", ""}});
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair 1.jpg | 1.txt=\"t\" | 1.json=\"{}\"", "pair 2.png | - | -",
                          "pair 3.input.jpg | 3.txt=\"u\" | -"));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra 1.cls", "extra 2.cls", "extra 4.nodata"));
}

TEST_F(TarTest, OptionsChooseMembers) {
  options.media_column = "left.jpg";
  options.text_columns = {"cap*", "txt"};
  options.fields = {{"class", "cls"}};
  options.split_column = "part";
  const RecordingSink sink = Scan({{"1.left.jpg", "L"},
                                   {"1.right.jpg", "R"},
                                   {"1.cap2", "2"},
                                   {"1.cap1", "1"},
                                   {"1.txt", "t"},
                                   {"1.cls", "7"},
                                   {"1.part", "dev"},
                                   {"2.left.jpg", "M"}});
  EXPECT_EQ(sink.lines, (Lines{"fields :txt class:cls", "split 0 dev",
                               "pair 1.left.jpg | 1.cap1=\"1\" | 1.cls=\"7\"",
                               "pair 1.left.jpg | 1.cap2=\"2\" | 1.cls=\"7\"",
                               "pair 1.left.jpg | 1.txt=\"t\" | 1.cls=\"7\"", "extra 1.right.jpg",
                               "extra 1.part", "note unpaired-media 2", "split 1 default",
                               "pair 2.left.jpg @1 | - | -", "note lone-member 1 of 2 samples",
                               "note left-column right.jpg (1 member, kept in the source tree)"}));
}

TEST_F(TarTest, TextsFieldsAndSplitsCanBeKeysOfTheJson) {
  options.text_columns = {"json.captions", "json.alt"};
  options.fields = {{"size", "json.size"}, {"class", "cls"}};
  options.split_column = "json.split";
  const RecordingSink sink =
      Scan({{"1.jpg", "A"},
            {"1.cls", "7"},
            {"1.json", R"({"captions": ["a", "b"], "alt": "c", "size": [1, 2], "split": "dev"})"},
            {"2.jpg", "B"},
            {"2.json", R"({"alt": null, "size": 3})"},
            {"3.jpg", "C"}});
  EXPECT_EQ(sink.Only("pair"),
            (Lines{"pair 1.jpg | \"a\" | \"[1, 2]\" | 1.cls=\"7\"",
                   "pair 1.jpg | \"b\" | \"[1, 2]\" | 1.cls=\"7\"",
                   "pair 1.jpg | \"c\" | \"[1, 2]\" | 1.cls=\"7\"", "pair 2.jpg @1 | - | \"3\" | -",
                   "pair 3.jpg @1 | - | - | -"}));
  EXPECT_THAT(sink.rules, ElementsAre("members jpg and json.captions, json.alt: 3"));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra 1.json", "extra 2.json"));
  EXPECT_THAT(sink.Only("fields"), ElementsAre("fields :txt size:txt class:cls"));
}

TEST_F(TarTest, NullsInListsAreAbsentPairsAndCounted) {
  options.text_columns = {"json.captions"};
  const RecordingSink sink = Scan({{"1.jpg", "A"}, {"1.json", R"({"captions": [null, "b"]})"}});
  EXPECT_EQ(sink.Only("pair"), (Lines{"pair 1.jpg | -", "pair 1.jpg | \"b\""}));
  EXPECT_THAT(sink.Only("note"), ElementsAre("note null-text 1"));
}

TEST_F(TarTest, ATableOfOtherThingsIsAnExtraAndCounted) {
  const RecordingSink sink =
      Scan({{"1.jpg", "A"}, {"1.txt", "a"}, {"sizes.csv", "name,size\nx,1\n"}});
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair 1.jpg | 1.txt=\"a\""));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra sizes.csv"));
}

TEST_F(TarTest, AllMembersCanBeOneField) {
  options.keep_columns = true;
  const RecordingSink sink = Scan({{"1.jpg", "A"},
                                   {"1.txt", "t\n"},
                                   {"1.json", "{\"k\": 1e3}"},
                                   {"1.cls", "7"},
                                   {"1.npy", "\x93NUMPY"},
                                   {"2.jpg", "B"}});
  EXPECT_EQ(sink.Only("pair"), (Lines{R"(pair 1.jpg | 1.txt="t
" | "{"txt":"t\n","json":{"k": 1e3},"cls":"7","npy":null}")",
                                      R"(pair 2.jpg | - | "{}")"}));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra 1.json", "extra 1.cls", "extra 1.npy"));
  options.id_column = "cls";
  EXPECT_THAT([&] { Scan({{"1.jpg", "A"}}); }, ThrowsMessage<UsageError>(HasSubstr("--id-column")));
}

TEST_F(TarTest, AJsonThatIsNoneIsAnError) {
  options.text_columns = {"json.caption"};
  const TarFiles files = {{"1.jpg", "A"}, {"1.json", "{\"caption\": tru"}};
  EXPECT_THAT([&] { Scan(files); },
              ThrowsMessage<InputError>(HasSubstr("byte 1024: 1.json: byte 15: Invalid value")));
  options.lenient = true;
  EXPECT_THAT(Scan(files).Only("pair"), ElementsAre("pair 1.jpg | -"));
}

TEST_F(TarTest, SeveralMediaFollowTheirPolicy) {
  const TarFiles files = {
      {"1.a.jpg", "A"}, {"1.b.jpg", "B"}, {"1.txt", "t"}, {"2.jpg", "C"}, {"2.txt", "u"}};
  const std::string second = "pair 2.jpg | 2.txt=\"u\"";
  options.multi_media = OnMultiMedia::kEach;
  EXPECT_THAT(Scan(files).Only("pair"),
              ElementsAre("pair 1.a.jpg | 1.txt=\"t\"", "pair 1.b.jpg | 1.txt=\"t\"", second));
  options.multi_media = OnMultiMedia::kFirst;
  const RecordingSink first = Scan(files);
  EXPECT_THAT(first.Only("pair"), ElementsAre("pair 1.a.jpg | 1.txt=\"t\"", second));
  EXPECT_THAT(first.Only("extra"), ElementsAre("extra 1.b.jpg"));
  options.multi_media = OnMultiMedia::kSkip;
  const RecordingSink skip = Scan(files);
  EXPECT_THAT(skip.Only("pair"), ElementsAre(second));
  EXPECT_THAT(skip.Only("extra"), ElementsAre("extra 1.a.jpg", "extra 1.b.jpg", "extra 1.txt"));
}

TEST_F(TarTest, WhatHasNoPairFollowsItsPolicy) {
  const TarFiles files = {{"1.jpg", "A"}, {"1.txt", "t"}, {"2.jpg", "B"}, {"3.txt", "u"}};
  options.unpaired_media = OnUnpairedMedia::kSkip;
  options.unpaired_text = OnUnpairedText::kSkip;
  const RecordingSink sink = Scan(files);
  EXPECT_THAT(sink.Only("pair"), SizeIs(1));
  EXPECT_THAT(sink.Only("extra"), IsEmpty());
  options.unpaired_text = OnUnpairedText::kExtra;
  EXPECT_THAT(Scan(files).Only("extra"), ElementsAre("extra 3.txt"));
  options.extras = false;
  EXPECT_THAT(Scan(files).Only("extra"), IsEmpty());
  EXPECT_THAT(Scan({{"1.jpg", "A"}, {"2.jpg", "B"}}).Only("pair"), IsEmpty())
      << "nor has any where all have none";
}

TEST_F(TarTest, TextsCanBeLines) {
  options.texts = TextsMode::kLines;
  EXPECT_THAT(Scan({{"a.jpg", "A"}, {"a.txt", "one\ntwo\r\n\nfour"}}).lines,
              ElementsAre("fields :txt", "extra a.txt", "pair a.jpg | \"one\"",
                          "pair a.jpg | \"two\"", "pair a.jpg | \"\"", "pair a.jpg | \"four\""));
}

TEST_F(TarTest, MediaOfUnknownNamesAreKnownByContent) {
  const RecordingSink sink = Scan({{"a.image", "\xff\xd8\xff."}, {"a.txt", "t"}});
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.image | a.txt=\"t\""));
}

TEST_F(TarTest, ATarWithoutMediaSaysWhatIsInIt) {
  EXPECT_THAT(
      [&] {
        Scan({{"1.txt", "t"}, {"1.cls", "7"}});
      },
      ThrowsMessage<InputError>(AllOf(HasSubstr("its only sample has not a media"),
                                      HasSubstr("'cls', 'txt'"), HasSubstr("--media-column"))));
  options.media_column = "cls";
  EXPECT_EQ(Scan({{"1.txt", "t"}, {"1.cls", "7"}}).pairs, 1U);
}

// --- names

TEST_F(TarTest, HiddenFilesAndDirectoriesEndNoRunAndArePairedNever) {
  const RecordingSink sink = ScanFile(
      TarPart("d/", "", '5') + TarPart("d/._a.jpg", "x") + TarPart("d/a.jpg", "A") +
      TarPart("d/._a.txt", "x") + TarPart("__MACOSX/d/a.png", "x") + TarPart("d/sub/", "", '5') +
      TarPart("README", "r") + TarPart("d/a.txt", "t") + TarPart("d/.DS_Store", "x") +
      TarPart(".git/", "", '5') + TarPart("d/$RECYCLE.BIN/x/", "", '5') + kTarEnd);
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair d/a.jpg | d/a.txt=\"t\""));
  EXPECT_THAT(sink.Only("extra"),
              ElementsAre("extra d/._a.jpg", "extra d/._a.txt", "extra __MACOSX/d/a.png",
                          "extra README", "extra d/.DS_Store"));
  EXPECT_THAT(sink.Only("note hidden"), SizeIs(4));
  EXPECT_THAT(sink.Only("dir"),
              ElementsAre("dir d", "dir d/sub", "dir .git", "dir d/$RECYCLE.BIN/x"));
  options.drop_hidden = true;
  const RecordingSink without = ScanChosen(tree("x.tar"), options);
  EXPECT_THAT(without.Only("extra"), ElementsAre("extra README"));
  EXPECT_THAT(without.Only("dir"), ElementsAre("dir d", "dir d/sub"));
}

TEST_F(TarTest, AMemberWithoutANameIsCounted) {
  const std::string tar =
      TarPart("a.jpg", "A") + TarPart("", "bytes") + TarPart("a.txt", "t") + kTarEnd;
  for (const bool extras : {true, false}) {
    options.extras = extras;
    const RecordingSink sink = ScanFile(tar);
    EXPECT_EQ(sink.pairs, 1U);
    EXPECT_THAT(sink.Only("extra"), IsEmpty());
    EXPECT_THAT(sink.Only("note"), ElementsAre("note no-name "));
  }
}

TEST_F(TarTest, LeadingSlashesAreLeftOut) {
  const RecordingSink sink = Scan({{"/abs.jpg", "A"},
                                   {"/abs.txt", "t"},
                                   {"./b.jpg", "B"},
                                   {"./b.txt", "u"},
                                   {"c//c.jpg", "C"},
                                   {"../x.jpg", "D"}});
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair abs.jpg | abs.txt=\"t\"", "pair ./b.jpg | ./b.txt=\"u\"",
                          "pair c//c.jpg | -", "pair ../x.jpg | -"));  // the pipeline's to settle
  EXPECT_THAT(sink.Only("note absolute"),
              ElementsAre("note absolute-name /abs.txt", "note absolute-name /abs.jpg"));
}

// Whatever they are called then, and texts where they stand themselves.
TEST_F(TarTest, NamesThatAreOddAreToldAsTheArchiveHasThem) {
  const std::string tar = TarPart("x.jpg", "A") + TarPart("../x.jpg", "B") +
                          TarPart("../x.txt", "t") + TarPart("/x.jpg", "C") + kTarEnd;
  EXPECT_THAT(ScanFile(tar).Only("pair"),
              ElementsAre("pair x.jpg | -", "pair ../x.jpg | ../x.txt=\"t\"", "pair x~2.jpg | -"));
  options.allow_outside = true;
  const RecordingSink sink = ScanFile(tar);
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair x.jpg | -", "pair x~2.jpg | x~2.txt=\"t\"", "pair x~3.jpg | -"));
  std::vector<std::string> notes;
  for (size_t i = 0; i < sink.note_offsets.size(); ++i) {
    const std::string note = sink.Only("note")[i];
    if (note.find("-path") == std::string::npos && note.find("-name") == std::string::npos)
      continue;
    notes.push_back(fmt::format("{} at {}", note, sink.note_offsets[i]));
  }
  EXPECT_THAT(notes, testing::UnorderedElementsAre("note outside-path ../x.jpg at 1024",
                                                   "note outside-path ../x.txt at 2048",
                                                   "note absolute-name /x.jpg at 3072"));
}

TEST_F(TarTest, LongNamesAndAnyBytesAreKept) {
  const std::string stem(300, 's');
  const std::string umlaut = "d/\xc3\x9c";
  const RecordingSink sink =
      ScanFile(GnuLongName(stem + ".jpg") + TarPart(stem.substr(0, 100), "A") +
               PaxHeader({{"path", stem + ".txt"}}) + TarPart("short", "t") +
               TarPart("L\xfc.jpg", "B") + PaxHeader({{"path", umlaut + ".jpg"}}) +
               TarPart("d/U.jpg", "C") + PaxHeader({{"path", "L\xfc.jpg"}}) + TarPart("x", "D") +
               TarPart(umlaut + ".txt", "u") + kTarEnd);
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair " + stem + ".jpg | " + stem + ".txt=\"t\"", "pair L\xfc.jpg | -",
                          "pair " + umlaut + ".jpg | -", "pair L\xfc~2.jpg | -"));
}

TEST_F(TarTest, MembersKeepTheirTimes) {
  const RecordingSink sink =
      ScanFile(TarPart("a.jpg", "A", '0', "", 1'000'000'000) +
               PaxHeader({{"mtime", "1234567890.5"}}) + TarPart("b.jpg", "B") + kTarEnd);
  EXPECT_EQ(sink.places.at("a.jpg").mtime_ns, int64_t{1'000'000'000} * 1'000'000'000);
  EXPECT_EQ(sink.places.at("b.jpg").mtime_ns, int64_t{1'234'567'890} * 1'000'000'000 + 500'000'000);
}

// --- links and special files

TEST_F(TarTest, HardLinksAreTheDataOfTheirTarget) {
  const RecordingSink sink = ScanFile(TarPart("a.jpg", "AAA") + TarPart("a.txt", "t") +
                                      TarPart("b.jpg", "", '1', "./a.jpg") + TarPart("b.txt", "u") +
                                      TarPart("c.jpg", "", '1', "b.jpg") + kTarEnd);
  EXPECT_EQ(sink.pairs, 3U);
  EXPECT_EQ(Bytes(sink, "b.jpg"), "AAA");
  EXPECT_EQ(Bytes(sink, "c.jpg"), "AAA");
  EXPECT_EQ(sink.places.at("b.jpg").offset, sink.places.at("a.jpg").offset);
}

TEST_F(TarTest, OfTargetsOfOneNameTheLastBeforeTheLinkCounts) {
  const RecordingSink sink =
      ScanFile(TarPart("a.jpg", "1") + TarPart("x.jpg", "", '1', "a.jpg") + TarPart("a.jpg", "2") +
               TarPart("y.jpg", "", '1', "a.jpg") + TarPart("z.jpg", "", '2', "later.jpg") +
               TarPart("later.jpg", "3") + kTarEnd);
  EXPECT_EQ(Bytes(sink, "x.jpg"), "1");
  EXPECT_EQ(Bytes(sink, "y.jpg"), "2");
  EXPECT_EQ(Bytes(sink, "z.jpg"), "3");
}

TEST_F(TarTest, SymbolicLinksToMembersAreTheirData) {
  const RecordingSink sink =
      ScanFile(TarPart("d/a.jpg", "A") + TarPart("e/l1.jpg", "", '2', "../d/a.jpg") +
               TarPart("d/l2.jpg", "", '2', "./a.jpg") +
               TarPart("d/l3.jpg", "", '2', "../e/l1.jpg") + kTarEnd);
  for (const char* name : {"e/l1.jpg", "d/l2.jpg", "d/l3.jpg"}) EXPECT_EQ(Bytes(sink, name), "A");
}

TEST_F(TarTest, ChainsOfLinksAreFollowedAsFarAsTheKernelDoes) {
  std::string tar = TarPart("0.jpg", "A");
  for (int i = 1; i <= 41; ++i)
    tar += TarPart(fmt::format("{}.jpg", i), "", '2', fmt::format("{}.jpg", i - 1));
  const RecordingSink sink = ScanFile(tar + kTarEnd);
  EXPECT_EQ(Bytes(sink, "40.jpg"), "A");
  EXPECT_THAT(sink.Only("note"), ElementsAre("note looping-link 41.jpg -> 40.jpg"));
  EXPECT_THAT(Describe(Odd::kLoopingLink).plural, HasSubstr("40"));
}

TEST_F(TarTest, LinksToNowhereAreNamed) {
  const RecordingSink sink =
      ScanFile(TarPart("a.jpg", "A") + TarPart("a.jpg", "", '1', "a.jpg") +
               TarPart("b.jpg", "", '1', "none.jpg") + TarPart("c.jpg", "", '2', "/etc/passwd") +
               TarPart("d.jpg", "", '2', "../../x.jpg") + TarPart("e.jpg", "", '2', "f.jpg") +
               TarPart("f.jpg", "", '2', "e.jpg") + TarPart("g.fifo", "", '6') + kTarEnd);
  EXPECT_EQ(sink.pairs, 1U);
  EXPECT_THAT(
      sink.Only("note"),
      ElementsAre("note looping-link a.jpg -> a.jpg", "note dangling-link b.jpg -> none.jpg",
                  "note outside-link c.jpg -> /etc/passwd",
                  "note outside-link d.jpg -> ../../x.jpg", "note looping-link e.jpg -> f.jpg",
                  "note looping-link f.jpg -> e.jpg", "note special-file g.fifo"));
}

TEST_F(TarTest, SymbolicLinksCanBeSkipped) {
  options.symlinks = OnSymlink::kSkip;
  const RecordingSink sink =
      ScanFile(TarPart("a.jpg", "A") + TarPart("b.jpg", "", '2', "a.jpg") + kTarEnd);
  EXPECT_THAT(sink.Only("note"), ElementsAre("note skipped-link b.jpg -> a.jpg"));
}

// --- sparse files

// 4 bytes at 64 KiB of a file of 192 KiB.
std::string SparseBytes() {
  std::string bytes(size_t{192} << 10, '\0');
  return bytes.replace(size_t{64} << 10, 4, "text");
}

TEST_F(TarTest, SparseFilesOfPaxAreExpanded) {
  const std::string map = "1\n65536\n4\n";
  const std::string v1 =
      PaxHeader({{"GNU.sparse.major", "1"},
                 {"GNU.sparse.minor", "0"},
                 {"GNU.sparse.name", "a.jpg"},
                 {"GNU.sparse.realsize", "196608"}}) +
      TarPart("GNUSparseFile.0/a.jpg", map + std::string(512 - map.size(), '\0') + "text");
  const std::string v01 = PaxHeader({{"GNU.sparse.size", "196608"},
                                     {"GNU.sparse.numblocks", "1"},
                                     {"GNU.sparse.name", "a.jpg"},
                                     {"GNU.sparse.map", "65536,4"}}) +
                          TarPart("GNUSparseFile.0/a.jpg", "text");
  const std::string v00 = PaxHeader({{"GNU.sparse.size", "196608"},
                                     {"GNU.sparse.numblocks", "1"},
                                     {"GNU.sparse.offset", "65536"},
                                     {"GNU.sparse.numbytes", "4"}}) +
                          TarPart("a.jpg", "text");
  for (const std::string& part : {v1, v01, v00}) {
    const RecordingSink sink = ScanFile(part + TarPart("b.jpg", "", '1', "a.jpg") + kTarEnd);
    EXPECT_TRUE(Bytes(sink, "a.jpg") == SparseBytes()) << sink.lines[1];
    EXPECT_TRUE(Bytes(sink, "b.jpg") == SparseBytes());
  }
}

TEST_F(TarTest, ACutSparseFileIsDamage) {
  const std::string part = PaxHeader({{"GNU.sparse.size", "196608"},
                                      {"GNU.sparse.numblocks", "1"},
                                      {"GNU.sparse.name", "b.jpg"},
                                      {"GNU.sparse.map", "65536,4000"}}) +
                           TarPart("GNUSparseFile.0/b.jpg", std::string(4000, 'x'));
  const std::string tar = TarPart("a.jpg", "A") + part.substr(0, 2 * 512 + 512 + 1000);
  EXPECT_THAT([&] { ScanFile(tar); },
              ThrowsMessage<TruncatedError>(AllOf(HasSubstr("byte 1024"), HasSubstr("'b.jpg'"))));
  options.lenient = true;
  EXPECT_EQ(ScanFile(tar).pairs, 1U);
}

// --- compression and shards

TEST_F(TarTest, CompressedShardsAreLikePlainOnes) {
  const std::string tar = TarOf({{"a.jpg", "A"}, {"a.txt", "t"}, {"b.jpg", "B"}, {"b.txt", "u"}});
  const std::pair<const char*, int> kinds[] = {
      {"x.tar", ARCHIVE_FILTER_NONE},      {"x.tar.gz", ARCHIVE_FILTER_GZIP},
      {"x.tgz", ARCHIVE_FILTER_GZIP},      {"x.tar.zst", ARCHIVE_FILTER_ZSTD},
      {"x.tar.bz2", ARCHIVE_FILTER_BZIP2}, {"x.tar.xz", ARCHIVE_FILTER_XZ},
      {"unnamed", ARCHIVE_FILTER_ZSTD}};
  for (const auto& [name, filter] : kinds) {
    EXPECT_THAT(ScanFile(Compressed(tar, filter), name).lines,
                ElementsAre("fields :txt", "pair a.jpg | a.txt=\"t\"", "pair b.jpg | b.txt=\"u\""))
        << name;
  }
}

TEST_F(TarTest, ShardsOfADirectoryAreOneSetAndTheirKeysTheirOwn) {
  tree.Write("d/00000.tar", TarOf({{"a.jpg", "A"}, {"a.txt", "1"}}));
  tree.Write("d/00001.tar.gz",
             Compressed(TarOf({{"a.jpg", "B"}, {"a.txt", "2"}}), ARCHIVE_FILTER_GZIP));
  tree.Write("d/00002.tar", kTarEnd);
  tree.Write("d/00000_stats.json", "{\"count\": 1}");
  tree.Write("d/00000.parquet", "PAR1");
  const RecordingSink sink = ScanChosen(tree("d"), options);
  EXPECT_EQ(sink.lines, (Lines{"fields :txt", "dir 00000", "pair 00000/a.jpg | 00000/a.txt=\"1\"",
                               "dir 00001", "pair 00001/a.jpg | 00001/a.txt=\"2\"", "dir 00002",
                               "extra 00000.parquet", "extra 00000_stats.json"}));
  EXPECT_THAT(sink.origins, ElementsAre("00000.tar:0", "00001.tar.gz:0"));
}

TEST_F(TarTest, ShardsOfOneStemGoToDirectoriesOfTheirWholeNames) {
  tree.Write("d/0.tar", TarOf({{"a.jpg", "A"}}));
  tree.Write("d/0.tgz", Compressed(TarOf({{"a.jpg", "B"}}), ARCHIVE_FILTER_GZIP));
  EXPECT_THAT(ScanChosen(tree("d"), options).Only("pair"),
              ElementsAre("pair 0.tar/a.jpg | -", "pair 0.tgz/a.jpg | -"));
}

TEST_F(TarTest, ShardsThatSayTheirSplitAreSplits) {
  tree.Write("d/train-0.tar", TarOf({{"a.jpg", "A"}, {"a.txt", "1"}}));
  tree.Write("d/val-0.tar", TarOf({{"a.jpg", "B"}, {"a.txt", "2"}}));
  EXPECT_THAT(ScanChosen(tree("d"), options).splits, ElementsAre("train", "val"));
}

TEST_F(TarTest, ArchivesThatFollowEachOtherAreAllRead) {
  const RecordingSink sink = ScanFile(TarOf({{"a.jpg", "A"}}) + TarOf({{"b.jpg", "B"}}) + kTarEnd);
  EXPECT_EQ(sink.pairs, 2U);
}

// --- damage

TEST_F(TarTest, ACutArchiveIsAnErrorAndLenientKeepsWhatIsWhole) {
  const std::string tar = TarOf({{"a.jpg", "A"}, {"a.txt", "t"}, {"b.jpg", std::string(600, 'B')}});
  const size_t b = 2048;
  struct Case {
    size_t size;
    uint64_t pairs;
    const char* what;
  };
  const Case cases[] = {
      {b + 512 + 599, 1, "byte 2048: cut short: 'b.jpg' has 600 bytes, of which 599"},
      {b + 512 + 600, 2, "byte 2048"},
      {b + 512 + 1024, 2, "byte 3584: cut short: no zeros end it"},
      {b + 100, 1, "byte 2048"},
      {b, 1, "byte 2048: cut short: no zeros end it"},
      {0, 0, "byte 0: empty"}};
  for (const Case& test : cases) {
    options.lenient = false;
    EXPECT_THAT([&] { ScanFile(tar.substr(0, test.size)); },
                ThrowsMessage<TruncatedError>(AllOf(HasSubstr(test.what), HasSubstr("x.tar"))))
        << test.size;
    options.lenient = true;
    const RecordingSink sink = ScanFile(tar.substr(0, test.size));
    EXPECT_EQ(sink.pairs, test.pairs) << test.size;
    EXPECT_THAT(sink.Only("note truncated"), SizeIs(1));
  }
}

TEST_F(TarTest, HowManyZerosEndAnArchiveDoesNotMatter) {
  const std::string tar = TarPart("a.jpg", "A");
  for (const size_t zeros : {1U, 511U, 512U, 700U, 1024U, 10240U}) {
    EXPECT_EQ(ScanFile(tar + std::string(zeros, '\0')).pairs, 1U) << zeros;
  }
}

TEST_F(TarTest, WhatIsNoHeaderIsDamage) {
  const std::string whole = TarPart("a.jpg", "A");
  std::string wrong = TarPart("b.jpg", "B");
  wrong[0] = 'c';
  for (const std::string& tail : {wrong + kTarEnd, kTarEnd + std::string(600, 'x')}) {
    options.lenient = false;
    EXPECT_THAT([&] { ScanFile(whole + tail); },
                ThrowsMessage<TruncatedError>(HasSubstr("byte 1024: Damaged tar archive")));
    options.lenient = true;
    EXPECT_EQ(ScanFile(whole + tail).pairs, 1U);
  }
}

TEST_F(TarTest, CutCompressedShardsGiveTheirWholeMembers) {
  std::string noise;
  for (uint32_t i = 0, x = 1; i < 5000; ++i)
    noise += static_cast<char>((x = x * 1103515245 + 12345) >> 16);
  const std::string tar = TarOf({{"a.jpg", "A"}, {"b.jpg", noise}});
  for (const int filter : {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_XZ}) {
    const std::string bytes = Compressed(tar, filter);
    const std::string cut = bytes.substr(0, bytes.size() - 200);
    options.lenient = false;
    EXPECT_THAT(
        [&] { ScanFile(cut, "x.tar.zst"); },
        ThrowsMessage<TruncatedError>(HasSubstr("of the decompressed data; compressed byte")))
        << filter;
    options.lenient = true;
    EXPECT_LE(ScanFile(cut, "x.tar.zst").pairs, 1U) << filter;
  }
}

TEST_F(TarTest, AFileThatIsOnlyCalledATarIsAnError) {
  EXPECT_THAT([&] { ScanFile("<html>not found</html>"); },
              ThrowsMessage<TruncatedError>(HasSubstr("x.tar: byte 0: ")));
}

TEST_F(TarTest, ChangedBytesAreReadOrRefused) {
  const std::string tar = TarPart("a.jpg", "A") + PaxHeader({{"path", "b.jpg"}}) +
                          TarPart("x", "B") + TarPart("c.jpg", "", '1', "a.jpg") + kTarEnd;
  options.lenient = true;
  options.from = "tar";
  for (size_t at = 0; at < tar.size() - kTarEnd.size(); at += 7) {
    std::string bytes = tar;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x41);
    try {
      ScanFile(bytes);
    } catch (const InputError&) {
    }
  }
}

// --- by the author of the format

TEST_F(TarTest, ShardsOfWebdatasetAreRead) {
  const std::string path = FixturePath("webdataset_testdata");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  options.fields = {{"class", "cls"}};
  const RecordingSink images = ScanChosen(path + "/sample.tgz", options);
  EXPECT_EQ(images.pairs, 90U);
  EXPECT_EQ(images.Only("pair")[0], "pair 10.png | - | 10.cls=\"0\"");
  options.fields = {};
  options.media_column = "ten";
  EXPECT_EQ(ScanChosen(path + "/tendata.tar", options).pairs, 100U);
  options.media_column = "txt.gz";
  const RecordingSink texts = ScanChosen(path + "/testgz.tar", options);
  EXPECT_EQ(texts.pairs, 1000U);
  EXPECT_THAT(texts.Only("pair")[1], HasSubstr("828d49cfaff64355882ec39c611ecb84.txt.gz"));
  EXPECT_THAT(ScanChosen(path + "/compressed.tar", options).Only("dir"),
              ElementsAre("dir compressed"));
}

}  // namespace
}  // namespace ulhff
