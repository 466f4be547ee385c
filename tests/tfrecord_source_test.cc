// Tests TFRecord files: framing, sums, compression, Example and SequenceExample.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

std::string PairExample(const std::string& image, const std::string& caption) {
  return Example({{"image/encoded", BytesFeature({image})}, {"caption", BytesFeature({caption})}});
}

std::string Gzip(const std::string& bytes) { return Deflated(bytes, 31); }

class TfrecordTest : public testing::Test {
 protected:
  TfrecordTest() { options.tmp_dir = tree.root(); }

  RecordingSink ScanFile(const std::string& bytes) {
    tree.Write("a.tfrecord", bytes);
    return ScanChosen(tree("a.tfrecord"), options);
  }
  RecordingSink ScanExample(const std::string& example) { return ScanFile(Framed(example)); }

  TempTree tree;
  ConvertOptions options;
};

// --- pairs

TEST_F(TfrecordTest, EachExampleIsAPairWhateverTheOrderOfItsFeatures) {
  const std::string swapped =
      Example({{"caption", BytesFeature({"u"})}, {"image/encoded", BytesFeature({"b"})}});
  const RecordingSink sink = ScanFile(Framed(PairExample("a", "t")) + Framed(swapped));
  EXPECT_EQ(sink.lines, (Lines{"fields :txt", "pair [a] | \"t\"", "pair [b] | \"u\""}));
  EXPECT_THAT(sink.rules, ElementsAre("columns image/encoded and caption: 2"));
}

TEST_F(TfrecordTest, EachValueOfATextIsAPairAndEmptyOnesAreTexts) {
  const std::string several =
      Example({{"jpg", BytesFeature({"a"})}, {"captions/text", BytesFeature({"x", "", "x"})}});
  const std::string none =
      Example({{"jpg", BytesFeature({"b"})}, {"captions/text", BytesFeature({})}});
  EXPECT_THAT(ScanFile(Framed(several) + Framed(none)).lines,
              ElementsAre("fields :txt", "pair [a] | \"x\"", "pair [a] | \"\"", "pair [a] | \"x\"",
                          "note unpaired-media record 1", "pair [b] | -"));
}

TEST_F(TfrecordTest, AGapInShardsThatCountThemselvesIsTold) {
  const auto notes_with = [](const Lines& names) {
    TempTree shards;
    for (const std::string& name : names) shards.Write(name, Framed(PairExample(name, "t")));
    ConvertOptions options;
    options.tmp_dir = shards.root();
    return ScanChosen(shards.root(), options).Only("note");
  };
  EXPECT_THAT(notes_with({"t-00000-of-00003", "t-00002-of-00003"}),
              ElementsAre("note missing-shard 2 of 3 are there, t-00001-of-00003 is not"));
  EXPECT_THAT(notes_with({"t-1-of-3.tfrecord", "t-3-of-3.tfrecord"}),
              ElementsAre("note missing-shard 2 of 3 are there, t-2-of-3.tfrecord is not"));
  EXPECT_THAT(
      notes_with({"a/t-0-of-999999999", "t-99999999999-of-99999999999"}),
      ElementsAre("note missing-shard 1 of 999999999 are there, a/t-1-of-999999999 is not"));
  EXPECT_THAT(notes_with({"t-0-of-2", "t-1-of-2", "u-1-of-1", "x-of-y"}), IsEmpty());
}

// What damage does to the first header must not make a shard a side file.
TEST_F(TfrecordTest, AShardIsOneByItsNameWhateverItsFirstBytesAre) {
  std::string damaged = Framed(PairExample("b", "u"));
  damaged[8] ^= 1;
  for (const std::string& bytes : {damaged, std::string("junk")}) {
    for (const auto& [good, bad] : {std::pair{"a.tfrecord", "b.tfrecord"},
                                    {"a", "b.TFRecords.gz"},
                                    {"a", "b.tfrec-00000-of-00001"},
                                    {"t-00000-of-00002", "t-00001-of-00002"},
                                    {"t-00001-of-00002", "t-00000-of-00002"}}) {
      TempTree shards;
      shards.Write(good, Framed(PairExample("a", "t")));
      shards.Write(bad, bytes);
      ConvertOptions options;
      options.tmp_dir = shards.root();
      EXPECT_THAT([&] { ScanChosen(shards.root(), options); },
                  ThrowsMessage<InputError>(
                      AllOf(HasSubstr(shards(bad)), HasSubstr("byte 0"), HasSubstr("record 0"))))
          << bad;
      options.lenient = true;
      const RecordingSink sink = ScanChosen(shards.root(), options);
      EXPECT_THAT(sink.Only("pair"), ElementsAre("pair [a] | \"t\"")) << bad;
      EXPECT_THAT(sink.Only("note"), ElementsAre(HasSubstr("note truncated record 0"),
                                                 fmt::format("note empty-shard {}", bad)));
    }
  }
  EXPECT_THAT([&] { ScanFile(damaged); }, ThrowsMessage<InputError>(HasSubstr("record 0")));
}

TEST_F(TfrecordTest, AShardWithoutRecordsIsOneAndTold) {
  tree.Write("a.tfrecord", Framed(PairExample("a", "t")));
  tree.Write("b.tfrecord", "");
  tree.Write("c.tfrecord", Gzip(""));
  tree.Write("d.tfrecord.md5", "");
  const RecordingSink sink = ScanChosen(tree.root(), options);
  EXPECT_THAT(sink.Only("note"),
              ElementsAre("note empty-shard b.tfrecord", "note empty-shard c.tfrecord"));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra d.tfrecord.md5"));
}

TEST_F(TfrecordTest, MediaAndTextsHaveTheNamesOfImg2dataset) {
  const RecordingSink sink = ScanExample(Example({{"key", BytesFeature({"000000001"})},
                                                  {"jpg", BytesFeature({"a"})},
                                                  {"txt", BytesFeature({"t"})},
                                                  {"width", IntFeature({640})}}));
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair [a] | \"t\""));
  EXPECT_THAT(sink.Only("note"),
              ElementsAre("note left-column key (1 record)", "note left-column width (1 record)"));
}

TEST_F(TfrecordTest, OptionsChooseFeatures) {
  options.media_column = "my/media";
  options.text_columns = {"label", "note_*"};
  options.id_column = "name";
  options.split_column = "part";
  options.keep_columns = true;
  const RecordingSink sink = ScanExample(Example({{"my/media", BytesFeature({"m"})},
                                                  {"label", IntFeature({7, 8}, false)},
                                                  {"note_b", BytesFeature({"B"})},
                                                  {"note_a", BytesFeature({"A"})},
                                                  {"name", BytesFeature({"n.png"})},
                                                  {"part", BytesFeature({"dev"})},
                                                  {"raw", BytesFeature({"\xff"})}}));
  const std::string json =
      " | \"{\"label\":[7,8],\"note_b\":\"B\",\"note_a\":\"A\",\"name\":\"n.png\",\"part\":\"dev\","
      "\"raw\":null}\"";
  EXPECT_EQ(sink.lines,
            (Lines{"fields :txt json:json", "split 0 dev", "pair n.png | n.0.txt=\"7\"" + json,
                   "pair n.png | n.1.txt=\"8\"" + json, "pair n.png | n.2.txt=\"A\"" + json,
                   "pair n.png | n.3.txt=\"B\"" + json}));
}

TEST_F(TfrecordTest, NumbersKeepTheirValues) {
  const std::string floats = Field(2, Field(1, Little(0x3fc00000, 4) + Little(0x7fc00000, 4)));
  options.text_columns = {"i", "f"};
  const RecordingSink sink =
      ScanExample(Example({{"image", BytesFeature({"m"})},
                           {"i", IntFeature({0, 1, ~uint64_t{0}, uint64_t{1} << 63})},
                           {"f", floats}}));
  EXPECT_THAT(
      sink.Only("pair"),
      ElementsAre("pair [m] | \"0\"", "pair [m] | \"1\"", "pair [m] | \"-1\"",
                  "pair [m] | \"-9223372036854775808\"", "pair [m] | \"1.5\"", "pair [m] | -"));
}

TEST_F(TfrecordTest, WordsOfASequenceAreJoinedAndThatIsSaid) {
  const auto word = [](const std::string& text) { return Field(1, BytesFeature({text})); };
  const std::string record =
      Field(1, Map({{"image/image_id", IntFeature({9})}, {"image/data", BytesFeature({"m"})}})) +
      Field(2, Map({{"image/caption", word("<S>") + word("a") + word("dog") + word("</S>")},
                    {"image/caption_ids", Field(1, IntFeature({1})) + Field(1, IntFeature({2}))}}));
  const RecordingSink sink = ScanExample(record);
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair [m] | \"<S> a dog </S>\""));
  EXPECT_THAT(sink.rules, ElementsAre("columns image/data and image/caption, words joined with "
                                      "blanks: the text as it was is not in the file: 1"));
}

TEST_F(TfrecordTest, OfEqualFeaturesTheLastOneCountsAndUnknownFieldsAreSkipped) {
  const std::string record = Example({{"jpg", BytesFeature({"old"})},
                                      {"jpg", BytesFeature({"new"})},
                                      {"txt", BytesFeature({"t"})}}) +
                             Field(9, "abc") + Varint(10 << 3) + Varint(5) + Varint(11 << 3 | 5) +
                             Little(0, 4) + Varint(12 << 3 | 1) + Little(0, 8);
  EXPECT_THAT(ScanExample(record).Only("pair"), ElementsAre("pair [new] | \"t\""));
}

TEST_F(TfrecordTest, LargeValuesAreNotCopied) {
  const std::string image = "\xff\xd8\xff" + std::string(size_t{3} << 20, 'x');
  const std::string text(size_t{100} << 10, 't');
  const RecordingSink sink =
      ScanFile(Framed(PairExample(image, text)) + Framed(PairExample("b", "u")));
  EXPECT_EQ(sink.Only("pair"),
            (Lines{"pair [" + image + "] | =\"" + text + "\"", "pair [b] | \"u\""}));
}

TEST_F(TfrecordTest, WithoutTextsItIsMediaAlone) {
  const RecordingSink sink =
      ScanExample(Example({{"image", BytesFeature({"m"})}, {"label", IntFeature({1})}}));
  EXPECT_THAT(sink.lines, ElementsAre("fields", HasSubstr("note no-text"), "pair [m]",
                                      "note left-column label (1 record)"));
}

// --- compression and shards

TEST_F(TfrecordTest, GzipAndZlibAreSeenByTheirFirstBytes) {
  const std::string plain = Framed(PairExample("a", "t")) + Framed(PairExample("b", "u"));
  for (const std::string& file : {Gzip(plain), Deflated(plain, 15), Gzip(plain) + Gzip(plain)}) {
    const RecordingSink sink = ScanFile(file);
    ASSERT_GE(sink.pairs, 2U);
    EXPECT_EQ(sink.Only("pair")[0], "pair [a] | \"t\"");
    EXPECT_EQ(sink.Only("pair").back(), "pair [b] | \"u\"");
  }
}

TEST_F(TfrecordTest, ShardsOfADirectoryAreOneSetAndSplitsByTheirNames) {
  const std::string plain = Framed(PairExample("a", "t"));
  tree.Write("train-00000-of-00002", plain);
  tree.Write("train-00001-of-00002", Gzip(plain));
  tree.Write("val-00000-of-00001", plain);
  tree.Write("dataset_info.json", "{}");
  tree.Write("other.bin", "no frame");
  const RecordingSink sink = ScanChosen(tree.root(), options);
  EXPECT_THAT(sink.splits, ElementsAre("train", "val"));
  EXPECT_THAT(sink.pair_splits, ElementsAre(0, 0, 1));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra dataset_info.json", "extra other.bin"));
}

// --- damage

TEST_F(TfrecordTest, AWrongSumOfDataIsAnErrorOrLeavesTheRecordOut) {
  const std::string first = Framed(PairExample("a", "t"));
  std::string file = first + Framed(PairExample("b", "u")) + Framed(PairExample("c", "v"));
  file[first.size() + 20] = static_cast<char>(file[first.size() + 20] ^ 1);
  EXPECT_THAT(
      [&] { ScanFile(file); },
      ThrowsMessage<TruncatedError>(HasSubstr(fmt::format(
          "a.tfrecord: byte {}: record 1: the CRC-32C of its data is", first.size() + 12))));
  options.lenient = true;
  EXPECT_THAT(ScanFile(file).Only("pair"), ElementsAre("pair [a] | \"t\"", "pair [c] | \"v\""));
}

TEST_F(TfrecordTest, AWrongSumOfALengthEndsTheShard) {
  const std::string first = Framed(PairExample("a", "t"));
  std::string file = first + Framed(PairExample("b", "u"));
  file[first.size()] = static_cast<char>(file[first.size()] ^ 1);
  EXPECT_THAT([&] { ScanFile(file); },
              ThrowsMessage<TruncatedError>(HasSubstr(
                  fmt::format("byte {}: record 1: its length has not the CRC-32C", first.size()))));
  options.lenient = true;
  EXPECT_THAT(ScanFile(file).Only("pair"), ElementsAre("pair [a] | \"t\""));
}

TEST_F(TfrecordTest, ALengthBeyondTheFileIsCutShortAndNotAllocated) {
  const std::string length = Little(uint64_t{1} << 60, 8);
  const uint32_t crc = Crc32cOf(length);
  const std::string header = length + Little(((crc >> 15) | (crc << 17)) + 0xa282ead8U, 4);
  EXPECT_THAT(
      [&] { ScanFile(header + "abc"); },
      ThrowsMessage<TruncatedError>(HasSubstr(
          "record 0: cut short, 1152921504606846976 bytes of data and 4 of their sum where 3 "
          "are left")));
}

TEST_F(TfrecordTest, EveryTruncationIsAnErrorOrKeepsWhatIsWhole) {
  const std::string first = Framed(PairExample("a", "t"));
  const std::string file = first + Framed(PairExample("b", "u"));
  options.from = "tfrecord";
  for (size_t size = 1; size < file.size(); ++size) {
    options.lenient = false;
    if (size != first.size()) {
      EXPECT_THROW(ScanFile(file.substr(0, size)), InputError) << size;
    }
    options.lenient = true;
    EXPECT_EQ(ScanFile(file.substr(0, size)).pairs, size < first.size() ? 0U : 1U) << size;
  }
}

TEST_F(TfrecordTest, EveryTruncationOfACompressedFileIsAnErrorOrKeepsWhatIsWhole) {
  const std::string first = Framed(PairExample("a", std::string(300, 't')));
  const std::string file = Gzip(first + Framed(PairExample("b", "u")));
  options.from = "tfrecord";
  for (size_t size = 1; size < file.size(); ++size) {
    options.lenient = false;
    EXPECT_THROW(ScanFile(file.substr(0, size)), InputError) << size;
    options.lenient = true;
    const RecordingSink sink = ScanFile(file.substr(0, size));
    EXPECT_LE(sink.pairs, 2U) << size;
    EXPECT_THAT(sink.Only("note truncated"), SizeIs(1)) << size;
  }
}

TEST_F(TfrecordTest, MessagesOfCompressedFilesSayWhichOffsetsTheyMean) {
  options.from = "tfrecord";
  EXPECT_THAT([&] { ScanFile(Gzip(Framed(PairExample("a", "t")) + "abc")); },
              ThrowsMessage<TruncatedError>(HasSubstr("(of the decompressed data)")));
  const std::string file = Gzip(Framed(PairExample("a", "t")));
  EXPECT_THAT(
      [&] { ScanFile(file.substr(0, file.size() - 1)); },
      ThrowsMessage<TruncatedError>(AllOf(HasSubstr("compressed byte"), HasSubstr("end early"))));
}

TEST_F(TfrecordTest, WhatIsNoExampleIsRefused) {
  EXPECT_THAT([&] { ScanExample("\xff\xff\xff"); },
              ThrowsMessage<InputError>(HasSubstr(
                  "byte 12: record 0: neither a tf.train.Example nor a SequenceExample")));
}

TEST_F(TfrecordTest, EveryChangedByteOfAnExampleIsReadOrRefused) {
  const std::string example = Example({{"jpg", BytesFeature({"a"})},
                                       {"n", IntFeature({1, 300})},
                                       {"txt", BytesFeature({"t"})}}) +
                              Field(2, Map({{"s", Field(1, BytesFeature({"w"}))}}));
  options.from = "tfrecord";
  for (size_t at = 0; at < example.size(); ++at) {
    for (unsigned change = 1; change < 256; change += 11) {
      std::string bytes = example;
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ change);
      try {
        ScanExample(bytes);
      } catch (const InputError&) {
      }
    }
  }
}

// --- written by TensorFlow

class TfrecordFixtureTest : public TfrecordTest {
 protected:
  std::string Path(const std::string& name) { return FixturePath("tfrecord_mindspore/" + name); }
  void SetUp() override {
    if (Path("").empty()) GTEST_SKIP() << "no fixtures";
  }
};

TEST_F(TfrecordFixtureTest, ImagesAreMediaAlone) {
  const RecordingSink sink = ScanChosen(Path("images"), options);
  EXPECT_EQ(sink.pairs, 3U);
  EXPECT_THAT(sink.Only("pair"), testing::Each(HasSubstr("pair [\xff\xd8\xff")));
  EXPECT_THAT(sink.Only("extra"), ElementsAre("extra datasetSchema.json"));
  EXPECT_EQ(ScanChosen(Path("identical_shards"), options).pairs, 6U);
  EXPECT_EQ(ScanChosen(Path("dummy/dummy.tfrecord"), options).Only("pair")[1],
            "pair [aaaabbbbcccc1]");
}

TEST_F(TfrecordFixtureTest, TextsHaveSeveralValuesAndUtf8) {
  options.media_column = "line";
  options.text_columns = {"words", "chinese"};
  const Lines pairs = ScanChosen(Path("text/text.tfrecord"), options).Only("pair");
  ASSERT_EQ(pairs.size(), 4U + 1 + 4 + 1 + 4 + 1);
  EXPECT_EQ(pairs[0], "pair [This is a text file.] | \"This\"");
  EXPECT_EQ(pairs[9], "pair [Be happy every day.] | \"男默女泪\"");
  EXPECT_EQ(pairs[11], "pair [Good luck to everyone.] | \"\"");
}

TEST_F(TfrecordFixtureTest, CompressedFilesAreLikePlainOnes) {
  for (const char* suffix : {"", ".gz", ".zlib"}) {
    const std::string path = Path(fmt::format("scalars/test1.data{}", suffix));
    EXPECT_THAT([&] { ScanChosen(path, options); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("no column of its first 10 records"),
                                                HasSubstr("--media-column"))));
  }
}

TEST_F(TfrecordFixtureTest, AllTypesAreRead) {
  options.media_column = "col_binary";
  options.text_columns = {"col_sint64", "col_float"};
  const Lines pairs = ScanChosen(Path("alltypes/test.data"), options).Only("pair");
  ASSERT_GE(pairs.size(), 2U);
  EXPECT_EQ(pairs[0], "pair [a] | \"-9223372036854775808\"");
}

}  // namespace
}  // namespace ulhff
