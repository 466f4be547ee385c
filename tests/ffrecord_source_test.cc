// Tests FFRecord files: pairs, damage, packed folders, and what the genuine writer wrote.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"
#include "converter/pipeline.h"
#include "tests/conversion.h"
#include "tests/record_files.h"
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

const std::string kJpeg = "\xff\xd8\xff";

std::string PickledPair(const std::string& image, const std::string& caption) {
  return PickledDict({{"image", PickledBytes(image)}, {"caption", PickledText(caption)}});
}

class FfrecordTest : public testing::Test {
 protected:
  FfrecordTest() { options.tmp_dir = tree.root(); }

  RecordingSink ScanFile(const std::string& bytes, const std::string& name = "a.ffr") {
    tree.Write(name, bytes);
    return ScanChosen(tree(name), options);
  }

  TempTree tree;
  ConvertOptions options;
};

// --- pairs

TEST_F(FfrecordTest, EachPickledPairIsAPairInRecordOrder) {
  const RecordingSink sink = ScanFile(Ffrecord({PickledPair("b", "first"), PickledPair("a", ""),
                                                PickledPair("b", "NA \xf0\x9f\x98\x80\n")}));
  EXPECT_EQ(sink.lines, (Lines{"fields :txt", "pair [b] | \"first\"", "pair [a] | \"\"",
                               "pair [b] | \"NA \xf0\x9f\x98\x80\n\""}));
  EXPECT_THAT(sink.rules, ElementsAre("columns image and caption: 3"));
}

TEST_F(FfrecordTest, EachCaptionOfAnFfslimRecordIsAPair) {
  const std::string record = PickledDict(
      {{"captions", PickledList({PickledText("x"), PickledText("y"), PickledText("x")})},
       {"image", PickledBytes("i")}});
  EXPECT_THAT(ScanFile(Ffrecord({record})).Only("pair"),
              ElementsAre("pair [i] | \"x\"", "pair [i] | \"y\"", "pair [i] | \"x\""));
}

TEST_F(FfrecordTest, MissingCaptionsAreAbsentAndNanIsCounted) {
  const auto with = [](const std::string& key, const std::string& value) {
    return PickledDict({{"image", PickledBytes("i")}, {key, value}});
  };
  const RecordingSink sink = ScanFile(Ffrecord(
      {with("caption", PickledText("t")), with("caption", "N"), with("caption", kPickledNan),
       with("captions", "]"), with("captions", PickledList({kPickledNan, PickledText("b")})),
       with("other", "N")}));
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair [i] | \"t\"", "pair [i] | -", "pair [i] | -", "pair [i] | -",
                          "pair [i] | -", "pair [i] | \"b\"", "pair [i] | -"));
  EXPECT_THAT(sink.Only("note"),
              ElementsAre("note unpaired-media record 1", "note nan-text record 2",
                          "note unpaired-media record 2", "note unpaired-media record 3",
                          "note nan-text record 4", "note unpaired-media record 5",
                          "note left-column other (1 record)"));
}

TEST_F(FfrecordTest, RecordsWithoutMediaAreLeftOutAndCounted) {
  const RecordingSink sink = ScanFile(
      Ffrecord({PickledPair("i", "t"), PickledDict({{"image", "N"}, {"caption", PickledText("u")}}),
                PickledDict({{"caption", PickledText("v")}})}));
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair [i] | \"t\""));
  EXPECT_THAT(sink.Only("note"),
              ElementsAre("note row-without-media record 1", "note row-without-media record 2"));
}

TEST_F(FfrecordTest, RawRecordsAreMediaAlone) {
  const RecordingSink sink = ScanFile(Ffrecord({"one", "", kJpeg}));
  EXPECT_EQ(sink.Only("pair"), (Lines{"pair [one]", "pair []", "pair [" + kJpeg + "]"}));
  EXPECT_EQ(sink.lines[0], "fields");
  EXPECT_THAT(sink.Only("note"), ElementsAre(HasSubstr("no-text")));
  EXPECT_THAT(sink.rules, ElementsAre("records as they are: 3"));
}

TEST_F(FfrecordTest, OptionsChooseColumnsAndKeepOthers) {
  const std::string record = PickledDict({{"pic", PickledBytes("i")},
                                          {"cap_10", PickledText("ten")},
                                          {"cap_2", PickledText("two")},
                                          {"id", "K\7"},
                                          {"tags", PickledList({PickledText("a"), "K\1"})}});
  options.media_column = "pic";
  options.text_columns = {"cap_*"};
  options.fields = {{"number", "id"}, {"tags", "tags"}};
  options.keep_columns = true;
  const RecordingSink sink = ScanFile(Ffrecord({record}));
  EXPECT_EQ(sink.lines[0], "fields :txt number:txt tags:txt json:json");
  const std::string rest =
      " | \"7\" | \"[\"a\",1]\" | "
      "\"{\"cap_10\":\"ten\",\"cap_2\":\"two\",\"id\":7,\"tags\":[\"a\",1]}\"";
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair [i] | \"two\"" + rest, "pair [i] | \"ten\"" + rest));
}

TEST_F(FfrecordTest, UnknownColumnsOfAnyOptionAreAMistakeInTheCommand) {
  const std::string path = Ffrecord({PickledDict(
      {{"image", PickledBytes("i")}, {"caption", PickledText("t")}, {"name", PickledText("n")}})});
  const auto told = testing::ThrowsMessage<UsageError>(testing::HasSubstr("did you mean 'name'?"));
  for (const auto option :
       {&ConvertOptions::id_column, &ConvertOptions::media_column, &ConvertOptions::split_column}) {
    options = {};
    options.*option = "Name";
    EXPECT_THAT([&] { ScanFile(path); }, told);
  }
  options = {};
  options.fields = {{"x", "Name"}};
  EXPECT_THAT([&] { ScanFile(path); }, told);
}

TEST_F(FfrecordTest, ColumnsThatAreNotTakenAreTold) {
  const RecordingSink sink = ScanFile(Ffrecord(
      {PickledDict({{"image", PickledBytes("i")}, {"caption", PickledText("t")}, {"id", "K\7"}})}));
  EXPECT_THAT(sink.Only("note"), ElementsAre("note left-column id (1 record)"));
}

TEST_F(FfrecordTest, AMediaIsFoundByItsContentWhateverItsColumn) {
  const RecordingSink sink = ScanFile(Ffrecord({PickledDict({{"x", PickledBytes(kJpeg + "abc")},
                                                             {"caption_0", PickledText("t")},
                                                             {"caption_1", PickledText("u")}})}));
  EXPECT_EQ(sink.Only("pair"),
            (Lines{"pair [" + kJpeg + "abc] | \"t\"", "pair [" + kJpeg + "abc] | \"u\""}));
}

TEST_F(FfrecordTest, SeveralMediaOfARecordFollowThePolicy) {
  const std::string file =
      Ffrecord({PickledDict({{"images", PickledList({PickledBytes("a"), PickledBytes("b")})},
                             {"text", PickledText("t")}})});
  options.media_column = "images";
  EXPECT_THAT(ScanFile(file).lines,
              ElementsAre("fields :txt", "note multi-media-row record 0: 2 media"));
  options.multi_media = OnMultiMedia::kEach;
  EXPECT_THAT(ScanFile(file).Only("pair"), ElementsAre("pair [a] | \"t\"", "pair [b] | \"t\""));
  options.multi_media = OnMultiMedia::kFirst;
  EXPECT_THAT(ScanFile(file).Only("pair"), ElementsAre("pair [a] | \"t\""));
}

TEST_F(FfrecordTest, IdColumnGivesNames) {
  const auto record = [](const std::string& id, const std::vector<std::string>& captions) {
    std::vector<std::string> texts;
    for (const std::string& caption : captions) texts.push_back(PickledText(caption));
    return PickledDict({{"id", PickledText(id)},
                        {"image", PickledBytes(kJpeg)},
                        {"captions", PickledList(texts)}});
  };
  options.id_column = "id";
  EXPECT_THAT(ScanFile(Ffrecord({record("d/x", {"t"}), record("y.PNG", {"u", "v"})})).Only("pair"),
              ElementsAre("pair d/x.jpg | d/x.txt=\"t\"", "pair y.PNG | y.0.txt=\"u\"",
                          "pair y.PNG | y.1.txt=\"v\""));
}

TEST_F(FfrecordTest, PicklesOfOldProtocolsHaveTheirBytesSpooled) {
  const std::string old = Bytes(
      "\x80\2}(X\5\0\0\0imagec_codecs\nencode\nX\3\0\0\0\xc3\xbfyX\6\0\0\0latin1\x86RX\7\0\0\0"
      "captionX\1\0\0\0tu.");
  EXPECT_THAT(ScanFile(Ffrecord({old, old})).Only("pair"),
              ElementsAre("pair [\xffy] | \"t\"", "pair [\xffy] | \"t\""));
}

// --- refusals

TEST_F(FfrecordTest, CodeIsRefusedByNameRecordAndOffset) {
  const std::string good = PickledPair("i", "t");
  const std::string file = Ffrecord({good, Bytes("\x80\2cos\nsystem\n(X\2\0\0\0idtR.")});
  EXPECT_THAT([&] { ScanFile(file); },
              ThrowsMessage<InputError>(AllOf(
                  HasSubstr("a.ffr: byte "),
                  HasSubstr(fmt::format("byte {}: record 1: pickle: GLOBAL of os.system could run "
                                        "code and is refused",
                                        12 + 24 + good.size() + 2)))));
}

TEST_F(FfrecordTest, PicklesThatAreNoDictAreRefused) {
  EXPECT_THAT([&] { ScanFile(Ffrecord({Bytes("\x80\4K\1K\2\x86.")})); },
              ThrowsMessage<InputError>(HasSubstr("record 0: a pickle that is no dict")));
}

TEST_F(FfrecordTest, ColumnsOfTheWrongKindAreRefused) {
  options.media_column = "image";
  EXPECT_THAT(
      [&] {
        ScanFile(Ffrecord(
            {PickledDict({{"image", PickledText("a.jpg")}, {"caption", PickledText("t")}})}));
      },
      ThrowsMessage<InputError>(HasSubstr("record 0: column 'image' is to be a media, but it "
                                          "is a text")));
}

TEST_F(FfrecordTest, WithoutAMediaTheColumnsAreTold) {
  EXPECT_THAT(
      [&] {
        ScanFile(Ffrecord({PickledDict({{"a", PickledText("x")}, {"b", "K\1"}})}));
      },
      ThrowsMessage<InputError>(AllOf(HasSubstr("'a', 'b'"), HasSubstr("--media-column"))));
}

// --- damage

TEST_F(FfrecordTest, ACountBeyondTheFileIsRefusedBeforeAnythingIsAllocated) {
  std::string file = Ffrecord({"a", "b"});
  file.replace(4, 8, Little(uint64_t{1} << 60, 8));
  options.from = "ffrecord";
  EXPECT_THAT([&] { ScanFile(file); },
              ThrowsMessage<InputError>(HasSubstr("the header says 1152921504606846976 records")));
  options.lenient = true;
  EXPECT_THAT(ScanFile(file).Only("pair"), IsEmpty());
}

TEST_F(FfrecordTest, AWrongSumIsAnErrorOrLeavesTheRecordOut) {
  std::string file =
      Ffrecord({PickledPair("a", "s"), PickledPair("b", "t"), PickledPair("c", "u")});
  const size_t middle = 12 + 36 + PickledPair("a", "s").size();
  file[middle + 12] = static_cast<char>(file[middle + 12] ^ 1);
  EXPECT_THAT([&] { ScanFile(file); }, ThrowsMessage<TruncatedError>(HasSubstr(fmt::format(
                                           "byte {}: record 1 has not the CRC-32", middle))));
  options.lenient = true;
  const RecordingSink sink = ScanFile(file);
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair [a] | \"s\"", "pair [c] | \"u\""));
  EXPECT_THAT(sink.Only("note"), ElementsAre(HasSubstr("note truncated record 1 has not")));
}

TEST_F(FfrecordTest, AWrongIndexIsAnError) {
  const std::string good = Ffrecord({"abc", "def"});
  for (const size_t at : {0U, 4U, 12U, 16U, 20U, 28U}) {
    std::string file = good;
    file[at] = static_cast<char>(file[at] ^ 0x01);
    options.from = "ffrecord";
    EXPECT_THROW(ScanFile(file), InputError) << at;
  }
}

TEST_F(FfrecordTest, OldFilesWithoutASumAreFlaggedAndTheirOffsetsChecked) {
  std::string file = Ffrecord({PickledPair("a", "s"), PickledPair("b", "t")});
  file.replace(0, 4, Little(0, 4));
  EXPECT_THAT(ScanFile(file).Only("note"), ElementsAre(HasSubstr("note no-checksum")));
  for (const uint64_t offset : {uint64_t{0}, uint64_t{35}, ~uint64_t{0}, uint64_t{1} << 63}) {
    std::string bad = file;
    bad.replace(28, 8, Little(offset, 8));
    EXPECT_THAT([&] { ScanFile(bad); }, ThrowsMessage<TruncatedError>(HasSubstr("record 1")))
        << offset;
  }
}

TEST_F(FfrecordTest, BytesBehindAPickleAreNoticedWithoutASum) {
  std::string file = Ffrecord({PickledPair("a", "s")}) + "zzz";
  file.replace(0, 8, Little(0, 4) + Little(1, 4));
  file.replace(12, 4, Little(0, 4));
  EXPECT_THAT([&] { ScanFile(file); },
              ThrowsMessage<InputError>(HasSubstr("3 bytes follow the STOP")));
}

TEST_F(FfrecordTest, EveryTruncationIsAnErrorOrLeavesOutWhatIsCut) {
  const Lines records{PickledPair("a", "s"), PickledPair("b", "t"), PickledPair("c", "u")};
  const std::string file = Ffrecord(records);
  options.from = "ffrecord";
  for (size_t size = 0; size < file.size(); ++size) {
    options.lenient = false;
    EXPECT_THROW(ScanFile(file.substr(0, size)), TruncatedError) << size;
    options.lenient = true;
    const RecordingSink sink = ScanFile(file.substr(0, size));
    size_t whole = 0;
    for (size_t end = 12 + 36; whole < 3 && end + records[whole].size() <= size; ++whole) {
      end += records[whole].size();
    }
    EXPECT_EQ(sink.pairs, whole) << size;
    EXPECT_THAT(sink.Only("note truncated"), testing::SizeIs(1)) << size;
  }
}

// --- folders

TEST_F(FfrecordTest, PartsOfAFolderAreOneSetInTheOrderOfStrings) {
  tree.Write("10.ffr", Ffrecord({PickledPair("a", "1")}));
  tree.Write("2.ffr", Ffrecord({PickledPair("b", "2")}));
  tree.Write("readme.txt", "r");
  const RecordingSink sink = ScanChosen(tree.root(), options);
  EXPECT_EQ(sink.lines,
            (Lines{"fields :txt", "pair [a] | \"1\"", "pair [b] | \"2\"", "extra readme.txt"}));
  EXPECT_THAT(sink.origins, ElementsAre("10.ffr:0", "2.ffr:0"));
}

TEST_F(FfrecordTest, FoldersCalledLikeSplitsAreSplits) {
  tree.Write("train/0.ffr", Ffrecord({PickledPair("a", "1")}));
  tree.Write("val/0.ffr", Ffrecord({PickledPair("b", "2")}));
  const RecordingSink sink = ScanChosen(tree.root(), options);
  EXPECT_THAT(sink.splits, ElementsAre("train", "val"));
  EXPECT_THAT(sink.pair_splits, ElementsAre(0, 1));
}

TEST_F(FfrecordTest, NamesHoldWithinTheirShard) {
  const std::string part = Ffrecord({PickledDict(
      {{"id", "K\1"}, {"image", PickledBytes(kJpeg)}, {"caption", PickledText("t")}})});
  tree.Write("a.ffr", part);
  tree.Write("b.ffr", part);
  options.id_column = "id";
  EXPECT_THAT(ScanChosen(tree.root(), options).Only("pair"),
              ElementsAre("pair a/1.jpg | a/1.txt=\"t\"", "pair b/1.jpg | b/1.txt=\"t\""));
}

// --- packed folders

// The table of names as pack_folder writes it: OrderedDicts, by protocol 2's means.
std::string Names(const std::string& items) {
  return "piouhjgbr\x80\x02"
         "ccollections\nOrderedDict\n)R(" +
         items + "u.";
}
std::string Name(const std::string& name, unsigned char record) {
  return PickledText(name) + "K" + static_cast<char>(record);
}
std::string Folder(const std::string& name, const std::string& items) {
  return PickledText(name) + "ccollections\nOrderedDict\n)R(" + items + "u";
}

TEST_F(FfrecordTest, PackedFoldersKeepNamesAndPairByStem) {
  const std::string names = Names(
      Name("a.jpg", 0) + Name("a.txt", 1) + Name("b.jpg", 2) + Name("notes.md", 3) +
      Folder("d", Name("x.0.txt", 4) + Name("x.1.txt", 5) + Name("x.jpg", 6) + Name("z.txt", 7)));
  const RecordingSink sink = ScanFile(Ffrecord({"A", "at", "B", "n", "x0", "x1", "X", "z", names}));
  EXPECT_EQ(sink.lines, (Lines{"fields :txt", "pair a.jpg | a.txt=\"at\"",
                               "note unpaired-media b.jpg", "pair b.jpg | -", "extra notes.md",
                               "pair d/x.jpg | d/x.0.txt=\"x0\"", "pair d/x.jpg | d/x.1.txt=\"x1\"",
                               "note unpaired-text d/z.txt", "extra d/z.txt"}));
  EXPECT_EQ(Recognise(tree("a.ffr"), options).reading.view, ViewKind::kSource);
}

TEST_F(FfrecordTest, TablesOfNamesThatLieAreRefused) {
  const auto refuses = [&](const Lines& records, const char* message) {
    EXPECT_THAT([&] { ScanFile(Ffrecord(records)); }, ThrowsMessage<InputError>(HasSubstr(message)))
        << message;
  };
  refuses({"A", Names(Name("a", 1))}, "a is said to be record 1 of 1");
  refuses({"A", "B", Names(Name("a", 0) + Name("b", 0))}, "b is said to be record 0");
  refuses({"A", "B", Names(Name("a", 0))}, "a record has no name");
  refuses({"A", "B", Names(Name("a", 0) + Name("a", 1))}, "used twice");
  refuses({"A", Names(Name(std::string(65536, 'a'), 0))}, "a name of 65536 bytes");
  refuses({"A", Names(PickledText("a") + PickledText("b"))}, "neither number nor dict for a");
  refuses({"A", Names(Bytes("K\1K\0"))}, "a name that is no text");
  refuses({"A", Bytes("piouhjgbrcos\nsystem\n.")}, "table of names: pickle: GLOBAL of os.system");
  // d contains itself.
  refuses({"A", "piouhjgbr}q" + Bytes("\0") + PickledText("d") + "h" + Bytes("\0") + "s."},
          "directories");
}

TEST_F(FfrecordTest, APackedFolderAmongPartsIsNotMistakenForMedia) {
  tree.Write("1.ffr", Ffrecord({"A", Names(Name("a", 0))}));
  tree.Write("2.ffr", Ffrecord({"B"}));
  EXPECT_THAT([&] { ScanChosen(tree.root(), options); },
              ThrowsMessage<InputError>(HasSubstr("the table of a packed folder")));
}

// --- end to end

class FfrecordConversionTest : public ConversionTest {
 protected:
  ConversionResult ConvertSource(const std::string& path) {
    const Choice choice = Recognise(path, options);
    std::vector<NamedSource> operands;
    operands.push_back(
        {choice.kind->open(path, choice.reading, options), path, "", choice.reading.view});
    return Convert(std::move(operands));
  }
};

TEST_F(FfrecordConversionTest, EqualMediaMergeAndPairsKeepTheirOrder) {
  tree.Write("a.ffr", Ffrecord({PickledPair(kJpeg + "a", "1"), PickledPair(kJpeg + "b", "2"),
                                PickledPair(kJpeg + "a", "3")}));
  const ConversionResult summary = ConvertSource(tree("a.ffr"));
  EXPECT_EQ(summary.pairs, 3U);
  EXPECT_EQ(summary.objects, 2U);
  const Reader reader = Open();
  EXPECT_EQ(Outline(reader), kJpeg + "a: 1, 3 | " + kJpeg + "b: 2");
  EXPECT_THAT(Order(reader), ElementsAre(0, 2, 1));
  EXPECT_EQ(reader.Extension(0), "jpg");
}

TEST_F(FfrecordConversionTest, SpooledMediaAreThereWhenTheyAreWritten) {
  tree.Write(
      "a.ffr",
      Ffrecord({Bytes(
          "\x80\2}(X\5\0\0\0imagec_codecs\nencode\nX\3\0\0\0\xc3\xbfyX\6\0\0\0latin1\x86RX\7\0\0\0"
          "captionX\1\0\0\0tu.")}));
  ConvertSource(tree("a.ffr"));
  EXPECT_EQ(Outline(Open()), "\xffy: t");
}

// --- written by the genuine FileWriter

class FfrecordFixtureTest : public FfrecordTest {
 protected:
  RecordingSink ScanFixture(const std::string& path) {
    return ScanChosen(FixturePath("ffrecord_edge/" + path), options);
  }
  void SetUp() override {
    if (FixturePath("ffrecord_edge").empty()) GTEST_SKIP() << "no fixtures";
  }
};

TEST_F(FfrecordFixtureTest, WholeFilesAreRead) {
  EXPECT_EQ(ScanFixture("parts").pairs, 25U);
  EXPECT_EQ(ScanFixture("mixed_sizes.ffr").pairs, 8U);
  EXPECT_EQ(ScanFixture("one_empty_record.ffr").Only("pair"), Lines{"pair []"});
  EXPECT_EQ(ScanFixture("empty.ffr").pairs, 0U);
  EXPECT_THAT(ScanFixture("parts_lexical").lines, Contains("extra readme.txt"));
  EXPECT_THAT(ScanFixture("parts_lexical").Only("pair"),
              ElementsAre("pair [from-10]", "pair [from-2]"));
  EXPECT_THAT(ScanFixture("packed_folder.ffr").Only("extra"),
              ElementsAre("extra 001.txt", "extra 002.txt", "extra sub/003.txt"));
}

TEST_F(FfrecordFixtureTest, DamagedFilesAreRefusedOrKeptAsFarAsTheyAreWhole) {
  EXPECT_THAT(ScanFixture("old_version_zero_meta_crc.ffr").Only("note no-checksum"),
              testing::SizeIs(1));
  EXPECT_EQ(ScanFixture("old_version_zero_meta_crc.ffr").pairs, 10U);
  for (const char* name : {"bad_meta_crc", "bad_record_crc", "truncated", "trailing_bytes"}) {
    options.lenient = false;
    EXPECT_THROW(ScanFixture(fmt::format("{}.ffr", name)), TruncatedError) << name;
    options.lenient = true;
    const uint64_t whole = name == std::string("bad_meta_crc") ? 0 : 9;
    EXPECT_EQ(ScanFixture(fmt::format("{}.ffr", name)).pairs, whole) << name;
  }
  options.lenient = false;
  EXPECT_THAT([&] { ScanFixture("huge_n.ffr"); },
              ThrowsMessage<TruncatedError>(HasSubstr("says 1099511627776 records")));
}

class FfslimTwinTest : public FfrecordConversionTest {
 protected:
  void SetUp() override {
    if (FixturePath("ffslim_prototype_twin").empty()) GTEST_SKIP() << "no fixtures";
  }
};

TEST_F(FfslimTwinTest, FfrecordHas25PairsOf4Media) {
  const ConversionResult summary =
      ConvertSource(FixturePath("ffslim_prototype_twin/FFRecord/mscoco_caption.ffr"));
  EXPECT_EQ(summary.pairs, 25U);
  EXPECT_EQ(summary.objects, 4U);
  EXPECT_EQ(summary.type, PairingType::kHybridOneToMany);
  EXPECT_EQ(Open().Extension(0), "jpg");
}

TEST_F(FfslimTwinTest, FfslimHas25PairsOf4MediaAndItsSideFilesAreExtras) {
  const ConversionResult summary = ConvertSource(FixturePath("ffslim_prototype_twin/FFSlim"));
  EXPECT_EQ(summary.pairs, 25U);
  EXPECT_EQ(summary.objects, 4U);
  EXPECT_EQ(summary.extras, 2U);
  const Reader reader = Open();
  EXPECT_EQ(reader.Object(0).pairs, 10U);
  EXPECT_EQ(TextOf(reader, 0), "This is an orange");
}

}  // namespace
}  // namespace ulhff
