// Tests the reader of delimited text: dialects, positions, broken quoting, chunk boundaries, real
// files.
#include "converter/csv_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "converter/input_error.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Rows = std::vector<std::vector<std::string>>;

constexpr size_t kChunks[] = {1, 2, 3, 4, 5, 6, 7, 8, 1 << 17};
constexpr CsvOptions kCsv;
constexpr CsvOptions kTsv = {.delimiter = '\t', .quoting = false};

Rows ReadAll(const std::string& path, CsvOptions options) {
  return PeekCsvRows(path, options, SIZE_MAX);
}

struct Dialect {
  const char* name;
  std::string bytes;
  CsvOptions options;
  Rows rows;
};

class CsvReads : public testing::TestWithParam<Dialect> {};

TEST_P(CsvReads, TheSameRowsAtEveryChunkSize) {
  const TempText file("table.csv", GetParam().bytes);
  for (const size_t chunk : kChunks) {
    CsvOptions options = GetParam().options;
    options.chunk_bytes = chunk;
    EXPECT_EQ(ReadAll(file.path(), options), GetParam().rows) << "chunk of " << chunk;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Dialects, CsvReads,
    testing::ValuesIn(std::vector<Dialect>{
        {"Plain", "a,b\nc,d\n", kCsv, {{"a", "b"}, {"c", "d"}}},
        {"NoNewlineAtTheEnd", "a,b\nc,d", kCsv, {{"a", "b"}, {"c", "d"}}},
        {"EmptyFile", "", kCsv, {}},
        {"OnlyEmptyLines", "\n\r\n\n", kCsv, {}},
        {"EmptyLinesAreNoRows", "a\n\nb\n\r\nc", kCsv, {{"a"}, {"b"}, {"c"}}},
        {"QuotedEmptyCellIsARow", "a\n\"\"\nb\n", kCsv, {{"a"}, {""}, {"b"}}},
        {"EmptyCells", ",\n,,", kCsv, {{"", ""}, {"", "", ""}}},
        {"RowsOfDifferentLength", "a\nb,c\nd,e,f\n", kCsv, {{"a"}, {"b", "c"}, {"d", "e", "f"}}},
        {"CrLf", "a,b\r\n\"c\",\"d\"\r\n", kCsv, {{"a", "b"}, {"c", "d"}}},
        {"CrInsideStays", "a\rb,c\r\r\nd,e\r", kCsv, {{"a\rb", "c\r"}, {"d", "e\r"}}},
        {"SpacesStay", " a , b\t,\t\n", kCsv, {{" a ", " b\t", "\t"}}},
        {"LineOfSpacesIsARow", "a\n  \n", kCsv, {{"a"}, {"  "}}},
        {"NulStays",
         Bytes("a\0b,\0\n\"\0\",c\n"),
         kCsv,
         {{Bytes("a\0b"), Bytes("\0")}, {Bytes("\0"), "c"}}},
        {"InvalidUtf8Stays",
         "\xff,\xfe\n\xc3,\"\xe2\x82\"\n",
         kCsv,
         {{"\xff", "\xfe"}, {"\xc3", "\xe2\x82"}}},
        {"Quoted", "\"a\",\"b c\"\n", kCsv, {{"a", "b c"}}},
        {"DelimiterInQuotes", "\"a,b\",c\n", kCsv, {{"a,b", "c"}}},
        {"DoubledQuotes", "\"a\"\"b\",\"\"\"\",\"\"\n", kCsv, {{"a\"b", "\"", ""}}},
        {"NewlinesInQuotes", "\"a\nb\r\n\nc\",d\n", kCsv, {{"a\nb\r\n\nc", "d"}}},
        {"QuotesThenNewlineThenQuotes",
         "x,\"\"\"\n\"\"\"\ny,z\n",
         kCsv,
         {{"x", "\"\n\""}, {"y", "z"}}},
        {"OtherDelimiter", "a|\"b|c\"|d,e\n", {.delimiter = '|'}, {{"a", "b|c", "d,e"}}},
        {"QuotedTsv", "a\t\"b\tc\"\n", {.delimiter = '\t'}, {{"a", "b\tc"}}},
        {"HighByteAsDelimiter", "a\xff\"b\"\n", {.delimiter = '\xff'}, {{"a", "b"}}},
        {"BomIsStrippedOnce",
         "\xEF\xBB\xBFimage,caption\n\xEF\xBB\xBFx,y\n",
         kCsv,
         {{"image", "caption"}, {"\xEF\xBB\xBFx", "y"}}},
        {"QuoteAfterBom", "\xEF\xBB\xBF\"image\",caption\n", kCsv, {{"image", "caption"}}},
        // What pandas and others take for missing values.
        {"NothingIsMissing",
         "null,NA,n/a,None,nan,NaN,\n",
         kCsv,
         {{"null", "NA", "n/a", "None", "nan", "NaN", ""}}},
        {"UnmatchedQuoteInTsv",
         "1\t\"He said\n2\tfine\n",
         kTsv,
         {{"1", "\"He said"}, {"2", "fine"}}},
        {"QuotesAreDataInTsv",
         "51372\t\"Great Performances\" Cats\tMusical\n",
         kTsv,
         {{"51372", "\"Great Performances\" Cats", "Musical"}}},
        {"CrLfInTsv", "a\t\"b\"\r\nc\td\r\n", kTsv, {{"a", "\"b\""}, {"c", "d"}}},
        {"UnquotedCommasAreColumns",
         "img.jpg,a cat, a dog, and a bird\n",
         kCsv,
         {{"img.jpg", "a cat", " a dog", " and a bird"}}},
        {"RowBrokenAcrossLinesIsTwoRows",
         "1,a bird\nsings,2\n",
         kCsv,
         {{"1", "a bird"}, {"sings", "2"}}},
        {"BackslashesStay",
         "images\\train\\1.jpg,a\\\"\n",
         {.quoting = false},
         {{"images\\train\\1.jpg", "a\\\""}}},
        {"FlickrToken",
         "1.jpg#0\tA \"dog\" .\n1.jpg#1\tTwo\n",
         kTsv,
         {{"1.jpg#0", "A \"dog\" ."}, {"1.jpg#1", "Two"}}},
    }),
    [](const auto& info) { return info.param.name; });

struct BadText {
  const char* name;
  std::string bytes;
  const char* error;
};

class CsvRejects : public testing::TestWithParam<BadText> {};

TEST_P(CsvRejects, WithPlaceAndHintAtEveryChunkSize) {
  const TempText file("table.csv", GetParam().bytes);
  for (const size_t chunk : kChunks) {
    EXPECT_THAT([&] { ReadAll(file.path(), {.chunk_bytes = chunk}); },
                testing::ThrowsMessage<InputError>(HasSubstr(GetParam().error)))
        << "chunk of " << chunk;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Broken, CsvRejects,
    testing::Values(
        BadText{"TextAfterQuote", "a,b\n\"c\"x,d\n", ":2: byte 7: text after the closing quote"},
        BadText{"SpaceAfterQuote", "\"c\" ,d\n", ":1: byte 3: text after the closing quote"},
        BadText{"CrAfterQuote", "\"c\"\r,d\n", ":1: byte 3: text after the closing quote"},
        BadText{"CrAfterQuoteAtTheEnd", "\"c\"\r", ":1: byte 3: text after the closing quote"},
        BadText{"QuoteInUnquotedField", "a,b\nc \"d\" e,f\n",
                ":2: byte 6: a quote inside an unquoted"},
        BadText{"QuoteAfterSpace", "a, \"b\"\n", ":1: byte 3: a quote inside an unquoted"},
        BadText{"TitleInQuotesThenText", "51372,\"Great Performances\" Cats,Musical\n",
                ":1: byte 26: text after the closing quote"},
        BadText{"SecondLineOfAField", "x\n\"a\nb\"c\n", ":3: byte 7: text after the closing quote"},
        BadText{"AfterABom", "\xEF\xBB\xBF\"a\"b\n", ":1: byte 6: text after the closing quote"},
        BadText{"NamesTheWayOut", "\"a\"b\n", "use --quote none"},
        BadText{"Utf16LittleEndian",
                "\xFF\xFE"
                "a",
                "UTF-16"},
        BadText{"Utf16BigEndian",
                "\xFE\xFF"
                "a",
                "UTF-16"},
        BadText{"LfsPointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
                "Git LFS pointer"},
        BadText{"Gzip", "\x1f\x8b\x08", "gunzip"}),
    [](const auto& info) { return info.param.name; });

TEST(CsvStream, NamesTheFirstLineOfARowWhoseQuoteIsNeverClosed) {
  const TempText file("table.csv", "a,b\nc,\"d\ne\nf");
  EXPECT_THAT([&] { ReadAll(file.path(), kCsv); },
              testing::ThrowsMessage<TruncatedError>(
                  HasSubstr("table.csv:2: byte 4: a quote of this row is still open")));
}

TEST(CsvStream, DeliversTheRowsBeforeABrokenOne) {
  const TempText file("table.csv", "a\nb\n\"c\"d\n");
  EXPECT_EQ(PeekCsvRows(file.path(), kCsv, 2), (Rows{{"a"}, {"b"}}));
}

TEST(CsvStream, KnowsLineAndOffsetOfEachRow) {
  const TempText file("table.csv", "\xEF\xBB\xBFh\r\n\n\"a\n\nb\",1\nc\n");
  CsvStream csv(file.path(), {.chunk_bytes = 2});
  std::vector<std::pair<uint64_t, uint64_t>> places;
  while (const CsvRow* row = csv.Next()) places.emplace_back(row->line, row->offset);
  EXPECT_THAT(places, ElementsAre(testing::Pair(1, 3), testing::Pair(3, 7), testing::Pair(6, 16)));
  EXPECT_EQ(csv.Next(), nullptr);
}

TEST(CsvStream, PeeksAtRowsWithoutReadingFurther) {
  const TempText file("table.csv", "a,b\nc,d\ne,f\n");
  EXPECT_EQ(PeekCsvRows(file.path(), kCsv, 2), (Rows{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(PeekCsvRows(file.path(), kCsv, 9).size(), 3u);
}

TEST(CsvStream, LimitsTheLengthOfARow) {
  const TempText line("table.csv", std::string(200, 'x') + "\n");
  const TempText field("table.csv", "\"" + std::string(50, '\n') + "\"\n");
  const CsvOptions options = {.max_row_bytes = 40, .chunk_bytes = 8};
  EXPECT_THAT([&] { ReadAll(line.path(), options); },
              testing::ThrowsMessage<InputError>(HasSubstr(":1: byte 0: a line of more than 40")));
  EXPECT_THAT([&] { ReadAll(field.path(), options); },
              testing::ThrowsMessage<InputError>(HasSubstr("a quoted field of more than 40")));
}

TEST(CsvStream, ReadsFieldsOfManyMegabytes) {
  const std::string big(5 << 20, 'q');
  const TempText file("table.csv", "a,\"" + big + "\n" + big + "\",b\n");
  EXPECT_EQ(ReadAll(file.path(), kCsv), (Rows{{"a", big + "\n" + big, "b"}}));
}

TEST(CsvStream, ReportsAMissingFileAsSystemError) {
  EXPECT_THROW(CsvStream("/nonexistent/table.csv"), std::system_error);
  EXPECT_THROW(CsvStream("/"), std::system_error);
}

// Writes random tables as RFC 4180 and reads them back.
TEST(CsvStream, ReadsBackRandomTables) {
  std::mt19937 random(1);
  const std::string alphabet = Bytes("ab,\"\n\r\0\t \xc3");
  for (int round = 0; round < 300; ++round) {
    Rows rows(1 + random() % 5);
    std::string bytes;
    for (auto& row : rows) {
      row.resize(1 + random() % 4);
      for (size_t i = 0; i < row.size(); ++i) {
        for (size_t n = random() % 6; n > 0; --n) row[i] += alphabet[random() % alphabet.size()];
        bytes += i == 0 ? "\"" : ",\"";
        for (const char c : row[i]) bytes += c == '"' ? std::string("\"\"") : std::string(1, c);
        bytes += '"';
      }
      bytes += random() % 2 == 0 ? "\n" : "\r\n";
    }
    const TempText file("table.csv", bytes);
    ASSERT_EQ(ReadAll(file.path(), {.chunk_bytes = 1 + random() % 16}), rows) << bytes;
  }
}

struct RealTable {
  const char* path;
  CsvOptions options;
  size_t rows;     // the header included
  size_t columns;  // of each row
};

class CsvReadsReal : public testing::TestWithParam<RealTable> {};

TEST_P(CsvReadsReal, EveryRowWithAllItsColumns) {
  const std::string path = FixturePath(GetParam().path);
  if (path.empty()) GTEST_SKIP() << "no fixture " << GetParam().path << "; set ULHFF_SHARED";
  const Rows rows = ReadAll(path, GetParam().options);
  EXPECT_EQ(rows.size(), GetParam().rows);
  for (const auto& row : rows) ASSERT_EQ(row.size(), GetParam().columns) << row[0];
}

// Counted with Python's csv module.
INSTANTIATE_TEST_SUITE_P(
    Fixtures, CsvReadsReal,
    testing::Values(RealTable{"audiocaps_csv/dataset/val.csv", kCsv, 2476, 4},
                    RealTable{"audiocaps_csv/dataset/test.csv", kCsv, 4876, 4},
                    RealTable{"audiocaps_csv/dataset2.0/val.csv", kCsv, 2476, 4},
                    RealTable{"images_credits_cc/test_images/credits.csv", kCsv, 19, 12},
                    RealTable{"csv_dialects_mindspore/1.csv", kCsv, 3, 4},
                    RealTable{"csv_dialects_mindspore/2.csv", kCsv, 7, 4},
                    RealTable{"csv_dialects_mindspore/chinese.csv", kCsv, 1, 5},
                    RealTable{"csv_dialects_mindspore/default.csv", kCsv, 2, 4},
                    RealTable{"csv_dialects_mindspore/header.csv", kCsv, 2, 4},
                    RealTable{"csv_dialects_mindspore/separated.csv", {.delimiter = '|'}, 1, 4}));

struct DialectFile {
  const char* path;
  Rows rows;
};

TEST(CsvStream, ReadsTheCornerCasesOfAnotherLoader) {
  const DialectFile files[] = {
      {"quoted.csv", {{"a", "b", "c", "d"}}},
      {"embedded.csv", {{"a,b", "c\"d", "e\nf", " g "}}},
      {"number.csv", {{"3", "0.3", "4", "55.5"}}},
      {"size.csv",
       {{"1", "2", "3", "4"},
        {"a", "b", "c\n", "d\ne"},
        {"5", "6", "7", "8"},
        {"9", "10", "11", "12"},
        {"a", "b\n", "c", "d\ne"}}},
  };
  for (const DialectFile& file : files) {
    const std::string path = FixturePath(std::string("csv_dialects_mindspore/") + file.path);
    if (path.empty()) GTEST_SKIP() << "no fixtures; set ULHFF_SHARED";
    EXPECT_EQ(ReadAll(path, kCsv), file.rows) << file.path;
  }
}

TEST(CsvStream, NamesTheUnterminatedQuoteOfARealFile) {
  const std::string path = FixturePath("csv_dialects_mindspore/exception.csv");
  if (path.empty()) GTEST_SKIP() << "no fixtures; set ULHFF_SHARED";
  EXPECT_THAT([&] { ReadAll(path, kCsv); }, testing::ThrowsMessage<TruncatedError>(
                                                HasSubstr(":3: byte 16: a quote of this row")));
  EXPECT_EQ(ReadAll(path, {.quoting = false}).back(),
            (std::vector<std::string>{"a", "\"c\"", "d", "\"e"}));
}

}  // namespace
}  // namespace ulhff
