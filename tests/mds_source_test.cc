// Tests MosaicML Streaming datasets: indexes, shards, encodings, compression, damage.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "converter/input_error.h"
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
using testing::SizeIs;
using testing::ThrowsMessage;

using Lines = std::vector<std::string>;
using Samples = std::vector<std::vector<std::string>>;

const std::vector<MdsFileColumn> kPair = {{"caption", "str"}, {"image", "jpeg"}};

std::string Zstd(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

class MdsTest : public testing::Test {
 protected:
  MdsTest() { options.tmp_dir = tree.root(); }

  // A dataset of one shard.
  void Write(const std::vector<MdsFileColumn>& columns, const Samples& samples) {
    const std::string shard = MdsFile(columns, samples);
    tree.Write("data/shard.00000.mds", shard);
    tree.Write("data/index.json",
               MdsIndex({MdsEntry(columns, "shard.00000.mds", shard.size(), samples.size())}));
  }
  RecordingSink Scan() { return ScanChosen(tree("data"), options); }
  RecordingSink Scan(const std::vector<MdsFileColumn>& columns, const Samples& samples) {
    Write(columns, samples);
    return Scan();
  }

  TempTree tree;
  ConvertOptions options;
};

// --- pairs

TEST_F(MdsTest, EachSampleIsAPair) {
  const RecordingSink sink = Scan(kPair, {{"t", "a"}, {"", "b"}, {"u", ""}});
  EXPECT_EQ(sink.lines,
            (Lines{"fields :txt", "pair [a] | \"t\"", "pair [b] | \"\"", "pair [] | \"u\""}));
  EXPECT_THAT(sink.rules, ElementsAre("columns image and caption: 3"));
}

TEST_F(MdsTest, TheIndexItselfIsAnOperandToo) {
  Write(kPair, {{"t", "a"}});
  EXPECT_THAT(ScanChosen(tree("data/index.json"), options).Only("pair"),
              ElementsAre("pair [a] | \"t\""));
}

TEST_F(MdsTest, AnEncodingSaysThatAColumnIsAMedia) {
  EXPECT_THAT(Scan({{"x", "png"}, {"y", "str"}}, {{"a", "t"}}).Only("pair"),
              ElementsAre("pair [a]"));
  options.text_columns = {"y"};
  EXPECT_THAT(Scan({{"x", "png"}, {"y", "str"}}, {{"a", "t"}}).Only("pair"),
              ElementsAre("pair [a] | \"t\""));
}

TEST_F(MdsTest, ListsOfImagesAreSeveralMedia) {
  options.multi_media = OnMultiMedia::kEach;
  const std::string array = Little(2, 4) + Little(1, 4) + Little(2, 4) + "abb";
  EXPECT_THAT(Scan({{"caption", "str"}, {"pics", "jpeg_array"}}, {{"t", array}}).Only("pair"),
              ElementsAre("pair [a] | \"t\"", "pair [bb] | \"t\""));
  EXPECT_THAT(
      Scan({{"caption", "str"}, {"pics", "list[png]"}}, {{"t", Little(0, 4) + array}}).Only("pair"),
      ElementsAre("pair [a] | \"t\"", "pair [bb] | \"t\""));
  for (const std::string& bad :
       {array.substr(0, 10), array + "x", Little(~0U, 4), std::string("a")}) {
    EXPECT_THAT(
        [&] {
          Scan({{"caption", "str"}, {"pics", "jpegarray"}}, {{"t", bad}});
        },
        ThrowsMessage<InputError>(HasSubstr("column 'pics' is to be a media, but it is a list")));
  }
}

TEST_F(MdsTest, ScalarsKeepTheirValues) {
  struct Scalar {
    const char* encoding;
    size_t size;
    std::string bytes;
    const char* text;
  };
  const Scalar scalars[] = {
      {"int", 8, Little(~uint64_t{4}, 8), "-5"},
      {"int8", 1, "\xff", "-1"},
      {"uint8", 1, "\xff", "255"},
      {"int16", 2, "\xff\xff", "-1"},
      {"uint16", 2, "\xff\xff", "65535"},
      {"int32", 4, Little(~0U, 4), "-1"},
      {"uint32", 4, Little(~0U, 4), "4294967295"},
      {"int64", 8, Little(7, 8), "7"},
      {"uint64", 8, Little(~uint64_t{0}, 8), "18446744073709551615"},
      {"float32", 4, Little(0x3fc00000, 4), "1.5"},
      {"float64", 8, Little(0x3ff0000000000000, 8), "1.0"},
      {"str_int", 0, "123456789012345678901234567890", "123456789012345678901234567890"},
      {"json", 0, "\"a \\u00e9\"", "a \xc3\xa9"},
      {"json", 0, "{\"k\": [1, 2]}", "{\"k\": [1, 2]}"},
      {"json", 0, "1.50", "1.50"},
      {"json", 0, "1e999", "1e999"},
      {"json", 0, "{\"k\": 1e999}", "{\"k\": 1e999}"},
  };
  options.text_columns = {"v"};
  for (const Scalar& scalar : scalars) {
    const RecordingSink sink =
        Scan({{"image", "bytes"}, {"v", scalar.encoding, scalar.size}}, {{"m", scalar.bytes}});
    EXPECT_THAT(sink.Only("pair"), ElementsAre(fmt::format("pair [m] | \"{}\"", scalar.text)))
        << scalar.encoding;
  }
}

TEST_F(MdsTest, AJsonListOfTextsIsAPairEach) {
  EXPECT_THAT(Scan({{"captions", "json"}, {"image", "bytes"}},
                   {{"[\"x\", null, \"\", 3e400]", "m"}, {"[]", "n"}})
                  .Only("pair"),
              ElementsAre("pair [m] | \"x\"", "pair [m] | -", "pair [m] | \"\"",
                          "pair [m] | \"3e400\"", "pair [n] | -"));
}

TEST_F(MdsTest, PicklesAreNeverOpened) {
  const std::vector<MdsFileColumn> columns = {{"image", "bytes"}, {"p", "pkl"}};
  const Samples samples = {{"m", Bytes("cos\nsystem\n(X\2\0\0\0idtR.")}};
  EXPECT_THAT(Scan(columns, samples).Only("pair"), ElementsAre("pair [m]"));
  options.text_columns = {"p"};
  EXPECT_THAT([&] { Scan(columns, samples); },
              ThrowsMessage<InputError>(HasSubstr(
                  "column 'p' is to be a text, but it is a pickle, which is never opened")));
}

TEST_F(MdsTest, RawPixelsAreRefusedAsMedia) {
  EXPECT_THAT(
      [&] {
        Scan({{"caption", "str"}, {"image", "pil"}}, {{"t", "x"}});
      },
      ThrowsMessage<InputError>(HasSubstr("raw pixels (encoding pil)")));
  EXPECT_THAT(
      [&] {
        Scan({{"caption", "str"}, {"image", "ndarray:uint8:1"}}, {{"t", "x"}});
      },
      ThrowsMessage<InputError>(HasSubstr("1 bytes of encoding ndarray")));
}

// --- several shards and directories

TEST_F(MdsTest, MergedIndexesNameShardsInDirectories) {
  const std::string shard = MdsFile(kPair, {{"t", "a"}});
  const auto entry = [&](const std::string& name) {
    return MdsEntry(kPair, name, shard.size(), 1);
  };
  tree.Write("data/0/shard.00000.mds", shard);
  tree.Write("data/26/shard.00000.mds", shard);
  tree.Write("data/0/index.json", MdsIndex({entry("shard.00000.mds")}));
  tree.Write("data/1/index.json", MdsIndex({}));
  tree.Write("data/index.json",
             MdsIndex({entry("0/shard.00000.mds"), entry("26/shard.00000.mds")}));
  tree.Write("data/README.md", "r");
  const RecordingSink sink = Scan();
  EXPECT_EQ(sink.pairs, 2U);
  EXPECT_THAT(sink.splits, IsEmpty());
  EXPECT_THAT(sink.Only("extra"),
              ElementsAre("extra README.md", "extra 0/index.json", "extra 1/index.json"));
}

TEST_F(MdsTest, DirectoriesWithIndexesOfTheirOwnAreSplitsByTheirNames) {
  const std::string shard = MdsFile(kPair, {{"t", "a"}});
  for (const char* split : {"train", "val"}) {
    tree.Write(fmt::format("data/{}/shard.00000.mds", split), shard);
    tree.Write(fmt::format("data/{}/index.json", split),
               MdsIndex({MdsEntry(kPair, "shard.00000.mds", shard.size(), 1)}));
  }
  const RecordingSink sink = Scan();
  EXPECT_THAT(sink.splits, ElementsAre("train", "val"));
  EXPECT_THAT(sink.pair_splits, ElementsAre(0, 1));
  EXPECT_THAT(sink.Only("extra"), IsEmpty());
}

TEST_F(MdsTest, ColumnsMayDifferBetweenShards) {
  const std::string one = MdsFile(kPair, {{"t", "a"}});
  const std::vector<MdsFileColumn> others = {{"image", "jpeg"}, {"text", "str"}};
  const std::string two = MdsFile(others, {{"b", "u"}});
  tree.Write("data/1.mds", one);
  tree.Write("data/2.mds", two);
  tree.Write("data/index.json", MdsIndex({MdsEntry(kPair, "1.mds", one.size(), 1),
                                          MdsEntry(others, "2.mds", two.size(), 1)}));
  EXPECT_THAT(Scan().Only("pair"), ElementsAre("pair [a] | \"t\"", "pair [b] | \"u\""));
}

TEST_F(MdsTest, NamesThatLeadOutsideAreRefused) {
  for (const char* name : {"../shard.mds", "/etc/passwd", "a/../../b", ""}) {
    tree.Write("data/index.json", MdsIndex({MdsEntry(kPair, name, 10, 1)}));
    EXPECT_THAT([&] { Scan(); }, ThrowsMessage<InputError>(HasSubstr("leads outside"))) << name;
  }
}

// --- compression

TEST_F(MdsTest, ShardsOnlyThereAsZstdAreDecompressed) {
  const std::string shard = MdsFile(kPair, {{"t", "a"}, {"u", "b"}});
  tree.Write("data/shard.mds.zstd", Zstd(shard));
  tree.Write("data/index.json",
             MdsIndex({MdsEntry(kPair, "shard.mds", shard.size(), 2, "shard.mds.zstd", "zstd:7")}));
  EXPECT_EQ(Scan().lines, (Lines{"fields :txt", "pair [a] | \"t\"", "pair [b] | \"u\""}));
}

TEST_F(MdsTest, TheRawShardIsPreferred) {
  Write(kPair, {{"t", "a"}});
  const std::string shard = MdsFile(kPair, {{"t", "a"}});
  tree.Write("data/shard.00000.mds.zstd", "damaged");
  tree.Write("data/index.json", MdsIndex({MdsEntry(kPair, "shard.00000.mds", shard.size(), 1,
                                                   "shard.00000.mds.zstd", "zstd")}));
  EXPECT_EQ(Scan().lines, (Lines{"fields :txt", "pair [a] | \"t\""}));
}

TEST_F(MdsTest, OtherCompressionsAreRefusedByName) {
  tree.Write("data/shard.mds.br", "abcdefgh");
  tree.Write("data/index.json",
             MdsIndex({MdsEntry(kPair, "shard.mds", 100, 1, "shard.mds.br", "br:11")}));
  EXPECT_THAT([&] { Scan(); },
              ThrowsMessage<InputError>(HasSubstr("compression \"br\" is not read")));
}

TEST_F(MdsTest, EveryTruncationOfAZstdShardIsAnErrorOrKeepsWhatIsWhole) {
  const std::string shard = MdsFile(kPair, {{std::string(300, 't'), "a"}, {"u", "b"}});
  const std::string zip = Zstd(shard);
  tree.Write("data/index.json",
             MdsIndex({MdsEntry(kPair, "shard.mds", shard.size(), 2, "shard.mds.zstd", "zstd")}));
  for (size_t size = 0; size < zip.size(); ++size) {
    tree.Write("data/shard.mds.zstd", zip.substr(0, size));
    options.lenient = false;
    EXPECT_THROW(Scan(), InputError) << size;
    options.lenient = true;
    EXPECT_LE(Scan().pairs, 2U) << size;
  }
}

// --- damage

TEST_F(MdsTest, EveryTruncationOfAShardIsAnErrorOrKeepsWhatIsWhole) {
  const Samples samples = {{"t", "a"}, {"u", "b"}, {"v", "c"}};
  const std::string shard = MdsFile(kPair, samples);
  Write(kPair, samples);
  for (size_t size = 0; size < shard.size(); ++size) {
    tree.Write("data/shard.00000.mds", shard.substr(0, size));
    options.lenient = false;
    EXPECT_THROW(Scan(), TruncatedError) << size;
    options.lenient = true;
    // Each sample has 4 + 4 + 1 + 1 bytes.
    const size_t missing = (shard.size() - size + 9) / 10;
    EXPECT_EQ(Scan().pairs, missing > 3 ? 0 : 3 - missing) << size;
  }
}

TEST_F(MdsTest, OffsetsThatDoNotGrowAreAnError) {
  const Samples samples = {{"t", "a"}, {"u", "b"}};
  std::string shard = MdsFile(kPair, samples);
  Write(kPair, samples);
  for (const uint32_t offset : {0U, 15U, ~0U}) {
    std::string bad = shard;
    bad.replace(8, 4, Little(offset, 4));
    tree.Write("data/shard.00000.mds", bad);
    EXPECT_THAT([&] { Scan(); }, ThrowsMessage<TruncatedError>(HasSubstr("sample 0"))) << offset;
  }
}

TEST_F(MdsTest, SizesOfColumnsThatDoNotFitAreAnErrorOrLeaveTheSampleOut) {
  const Samples samples = {{"t", "a"}, {"u", "b"}};
  std::string shard = MdsFile(kPair, samples);
  const size_t begin = shard.size() - 20;
  for (const uint32_t size : {0U, 2U, ~0U}) {
    std::string bad = shard;
    bad.replace(begin, 4, Little(size, 4));
    Write(kPair, samples);
    tree.Write("data/shard.00000.mds", bad);
    options.lenient = false;
    EXPECT_THAT([&] { Scan(); }, ThrowsMessage<TruncatedError>(
                                     HasSubstr("sample 0: its columns do not fill its bytes")));
    options.lenient = true;
    EXPECT_THAT(Scan().Only("pair"), ElementsAre("pair [b] | \"u\"")) << size;
  }
}

TEST_F(MdsTest, ACountThatTheIndexDoesNotSayIsAnError) {
  const std::string shard = MdsFile(kPair, {{"t", "a"}});
  tree.Write("data/shard.mds", shard);
  tree.Write("data/index.json", MdsIndex({MdsEntry(kPair, "shard.mds", shard.size(), 2)}));
  EXPECT_THAT([&] { Scan(); },
              ThrowsMessage<TruncatedError>(HasSubstr("the shard says 1 samples, the index 2")));
}

TEST_F(MdsTest, IndexesOfOtherVersionsAndFormatsAreRefused) {
  std::string entry = MdsEntry(kPair, "shard.mds", 10, 1);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = entry;
    changed.replace(changed.find(from), from.size(), to);
    tree.Write("data/index.json", MdsIndex({entry, changed}));
  };
  with("\"version\": 2", "\"version\": 3");
  EXPECT_THAT([&] { Scan(); },
              ThrowsMessage<InputError>(HasSubstr("shard 1: version \"3\" is not \"2\"")));
  with("\"format\": \"mds\"", "\"format\": \"jsonl\"");
  EXPECT_THAT([&] { Scan(); }, ThrowsMessage<InputError>(HasSubstr("format \"jsonl\" is not")));
  with("\"samples\": 1", "\"samples\": \"x\"");
  EXPECT_THAT([&] { Scan(); }, ThrowsMessage<InputError>(HasSubstr("\"samples\" is no number: x")));
  with("[\"caption\", \"image\"]", "[\"caption\"]");
  EXPECT_THAT([&] { Scan(); }, ThrowsMessage<InputError>(HasSubstr("not lists of one length")));
}

TEST_F(MdsTest, AMissingShardIsAnErrorWithItsPathOrLeavesItsSamplesOut) {
  const std::string shard = MdsFile(kPair, {{"t", "a"}});
  tree.Write("data/there.mds", shard);
  for (const char* compressed : {"", "gone.mds.zstd"}) {
    tree.Write("data/index.json", MdsIndex({MdsEntry(kPair, "gone.mds", shard.size(), 7, compressed,
                                                     *compressed != '\0' ? "zstd" : ""),
                                            MdsEntry(kPair, "there.mds", shard.size(), 1)}));
    options.lenient = false;
    EXPECT_THAT([&] { Scan(); }, ThrowsMessage<TruncatedError>(
                                     AllOf(HasSubstr("data/gone.mds"), HasSubstr("7 samples"))));
    options.lenient = true;
    const RecordingSink sink = Scan();
    EXPECT_THAT(sink.Only("pair"), ElementsAre("pair [a] | \"t\""));
    EXPECT_THAT(sink.Only("note truncated"), SizeIs(1));
  }
}

TEST_F(MdsTest, OtherIndexFilesAreNotMistaken) {
  tree.Write("data/index.json", "{\"shards\": [{\"format\": \"jsonl\"}]}");
  tree.Write("data/a.jpg", "a");
  EXPECT_EQ(Recognise(tree("data"), options).reading.from, "files");
}

// --- written by MDSWriter

TEST_F(MdsTest, RealShardsAreRead) {
  const std::string path = FixturePath("mds_joining");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  options.media_column = "color";
  EXPECT_THAT(
      [&] { ScanChosen(path + "/color", options); },
      ThrowsMessage<InputError>(HasSubstr("column 'color' is to be a media, but it is a text")));
  // No fixture has media: numbers show that values are found.
  options.media_column = "";
  EXPECT_THAT([&] { ScanChosen(path + "/y", options); },
              ThrowsMessage<InputError>(HasSubstr("no column of its first 100 records")));
}

}  // namespace
}  // namespace ulhff
