// Tests the JSON record stream: shapes, exact bytes, bad input, chunk boundaries, real annotation
// files.
#include "converter/json_stream.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "converter/input_error.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr size_t kChunks[] = {1, 2, 3, 4, 5, 6, 7, 8, 1 << 17};

// Every record as "section/key@line:offset raw".
std::vector<std::string> ReadAll(const std::string& path, JsonOptions options) {
  std::vector<std::string> records;
  JsonStream json(path, std::move(options));
  while (const JsonRecord* record = json.Next()) {
    records.push_back(fmt::format("{}/{}@{}:{} {}", record->section, record->key, record->line,
                                  record->offset, record->value.raw()));
  }
  EXPECT_EQ(json.Next(), nullptr);
  return records;
}

// More digits than a double has.
const std::string kLongNumber = "9" + std::string(400, '7') + ".5e+12345678901234567890";

struct Document {
  const char* name;
  const char* file;
  std::string bytes;
  std::vector<std::string> records;
};

class JsonReads : public testing::TestWithParam<Document> {};

TEST_P(JsonReads, TheSameRecordsAtEveryChunkSize) {
  const TempText file(GetParam().file, GetParam().bytes);
  for (const size_t chunk : kChunks) {
    EXPECT_EQ(ReadAll(file.path(), {.chunk_bytes = chunk}), GetParam().records) << chunk;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, JsonReads,
    testing::ValuesIn(std::vector<Document>{
        {"Array",
         "a.json",
         "[1, \"b\",\n {\"c\": [ ]} ,null]",
         {"/@1:1 1", "/@1:4 \"b\"", "/@2:10 {\"c\": [ ]}", "/@2:22 null"}},
        {"EmptyArray", "a.json", " [ ] \n", {}},
        {"Bom", "a.json", "\xEF\xBB\xBF[true,false]", {"/@1:4 true", "/@1:9 false"}},
        {"Sections",
         "a.json",
         "{\"info\": {\"year\":2014},\n\"annotations\":[{\"id\":1} , 2],\"images\":[ [3] "
         "],\"n\":4}\n",
         {"/info@1:9 {\"year\":2014}", "annotations/@2:39 {\"id\":1}", "annotations/@2:50 2",
          "images/@2:64 [3]", "/n@2:74 4"}},
        {"EmptySections", "a.json", "{\"images\":[],\"annotations\":[ \n]}", {}},
        {"EmptyObject", "a.json", "{ }", {}},
        {"KeyedByIdInFileOrder",
         "a.json",
         "{\"9\":{\"q\":1},\"10\":{\"q\":2},\"\\u0039\":{}}",
         {"/9@1:5 {\"q\":1}", "/10@1:18 {\"q\":2}", "/9@1:35 {}"}},
        {"Lines",
         "a.jsonl",
         "{\"a\":1}\n{\"b\":2}\r\n[3]\n\"4\" \n5",
         {"/@1:0 {\"a\":1}", "/@2:8 {\"b\":2}", "/@3:17 [3]", "/@4:21 \"4\"", "/@5:26 5"}},
        {"BlankLines",
         "a.jsonl",
         "\n{\"a\":1}\n \t\r\n\n{\"b\":2}\n\n\n",
         {"/@2:1 {\"a\":1}", "/@5:14 {\"b\":2}"}},
        {"OneLine", "a.jsonl", "{\"a\":[1]}\n", {"/@1:0 {\"a\":[1]}"}},
        {"OneLineOfNdjson", "a.ndjson", "{\"a\":[1]}", {"/@1:0 {\"a\":[1]}"}},
        {"OneLineOfJson", "a.json", "{\"a\":[1]}", {"a/@1:6 1"}},
        {"EmptyLinesFile", "a.jsonl", "", {}},
        {"ArrayInALinesFile",
         "a.jsonl",
         "\n [{\"a\":1},\n{\"b\":2}]\n",
         {"/@2:3 {\"a\":1}", "/@3:12 {\"b\":2}"}},
        // ModelArts writes its manifests like this.
        {"LinesInAJsonFile",
         "a.json",
         "{\"a\":1}\n{\"b\":2}\n",
         {"/@1:0 {\"a\":1}", "/@2:8 {\"b\":2}"}},
        {"LinesWithBom", "a.jsonl", "\xEF\xBB\xBF{\"a\":1}\n", {"/@1:3 {\"a\":1}"}},
        {"RawBytesOfNumbers",
         "a.json",
         "[42,-0,1e3,1.50E-7,12345678901234567890123]",
         {"/@1:1 42", "/@1:4 -0", "/@1:7 1e3", "/@1:11 1.50E-7", "/@1:19 12345678901234567890123"}},
        {"RawBytesOfNumbersBeyondDouble",
         "a.json",
         "[1e999,{\"1e999\":-1E+0400} ,\"\\\"1e999\"," + kLongNumber + "]",
         {"/@1:1 1e999", "/@1:7 {\"1e999\":-1E+0400}", "/@1:27 \"\\\"1e999\"",
          "/@1:37 " + kLongNumber}},
        {"NumbersBeyondDoubleBesideTheWanted",
         "a.json",
         "{\"x\":1e999,\"a\":[2]}\n{\"x\":" + kLongNumber + "}\n",
         {"/@1:0 {\"x\":1e999,\"a\":[2]}", "/@2:20 {\"x\":" + kLongNumber + "}"}},
        {"RawBytesOfContainers",
         "a.json",
         "[ { \"a\" : [ 1,2 ] } ]",
         {"/@1:2 { \"a\" : [ 1,2 ] }"}},
        {"RawBytesOfStrings",
         "a.json",
         "[\"a\\u0041\\n\\\"\\\\\",\"\xff\"]",
         {"/@1:1 \"a\\u0041\\n\\\"\\\\\"", "/@1:17 \"\xff\""}},
    }),
    [](const auto& info) { return info.param.name; });

struct BadDocument {
  const char* name;
  const char* file;
  std::string bytes;
  const char* error;
};

class JsonRejects : public testing::TestWithParam<BadDocument> {};

TEST_P(JsonRejects, WithPlaceAndReasonAtEveryChunkSize) {
  const TempText file(GetParam().file, GetParam().bytes);
  for (const size_t chunk : kChunks) {
    EXPECT_THAT([&] { ReadAll(file.path(), {.chunk_bytes = chunk}); },
                testing::ThrowsMessage<InputError>(HasSubstr(GetParam().error)))
        << "chunk of " << chunk;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Broken, JsonRejects,
    testing::Values(
        BadDocument{"Empty", "a.json", "", ":1: byte 0: the file ends too early"},
        BadDocument{"OnlySpace", "a.json", " \n\n", ":3: byte 3: the file ends too early"},
        BadDocument{"Scalar", "a.json", "42", ":1: byte 0: annotations in JSON begin with"},
        BadDocument{"Html", "a.json", "<!DOCTYPE html>",
                    ":1: byte 0: annotations in JSON begin with"},
        BadDocument{"TrailingCommaInArray", "a.json", "[1,\n]", ":2: byte 4: ']' where"},
        BadDocument{"TrailingCommaInObject", "a.json", "{\"a\":1,}", ":1: byte 7: '}' where"},
        BadDocument{"TrailingCommaInSection", "a.json", "{\"a\":[1,]}", ":1: byte 8: ']' where"},
        BadDocument{"TrailingCommaInRecord", "a.json", "[{\"a\":[1,]}]", ":1: byte 9: ']' where"},
        BadDocument{"TrailingCommaInRecordObject", "a.json", "[{\"a\":1,}]",
                    ":1: byte 8: '}' where"},
        BadDocument{"NoNumber", "a.json", "[1e999.5]", ":1: byte 6: "},
        BadDocument{"NoNumberEither", "a.json", "[-01e999]", ":1: byte 3: "},
        BadDocument{"MissingComma", "a.json", "[1\n2]", ":2: byte 3: ',' or ']' must stand here"},
        BadDocument{"MissingCommaInObject", "a.json", "{\"a\":1 \"b\":2}",
                    "',' or '}' must stand here"},
        BadDocument{"MissingCommaInRecord", "a.json", "[{\"a\":1 \"b\":2}]",
                    ":1: byte 8: bad JSON: Missing a comma"},
        BadDocument{"MissingColon", "a.json", "{\"a\" 1}", ":1: byte 5: ':' must follow a key"},
        BadDocument{"MissingValue", "a.json", "{\"a\":}", ":1: byte 5: '}' where"},
        BadDocument{"LeadingComma", "a.json", "[,1]", ":1: byte 1: ',' where"},
        BadDocument{"WrongBracket", "a.json", "[1}", ":1: byte 2: ',' or ']' must stand here"},
        BadDocument{"NumberAsKey", "a.json", "{1:2}", ":1: byte 1: a key in double quotes"},
        BadDocument{"SingleQuotes", "a.json", "[{'a':1}]", ":1: byte 2: a single quote"},
        BadDocument{"Nan", "a.json", "[{\"a\":NaN}]", ":1: byte 6: no JSON value; write null"},
        BadDocument{"MinusInfinity", "a.json", "[-Infinity]",
                    ":1: byte 2: no JSON value; write null"},
        BadDocument{"PythonNone", "a.json", "[None]", ":1: byte 1: no JSON value; write null"},
        BadDocument{"BareWord", "a.json", "[caption]", ":1: byte 1: bad JSON"},
        BadDocument{"LeadingZero", "a.json", "[01]", ":1: byte 2: ',' or ']' must stand here"},
        BadDocument{"RawNewlineInString", "a.json", "[\"a\nb\"]",
                    ":1: byte 3: a line break or control"},
        BadDocument{"BadEscape", "a.json", "[\"\\x\"]", ":1: byte 3: bad JSON: Invalid escape"},
        BadDocument{"BadHex", "a.json", "[\"\\u12g4\"]", "bad JSON: Incorrect hex digit"},
        BadDocument{"Comment", "a.json", "[1] // done", ":1: byte 4: more data after the end"},
        BadDocument{"TwoArrays", "a.json", "[1]\n[2]", ":2: byte 4: more data after the end"},
        BadDocument{"ArraysInALinesFile", "a.jsonl", "[1]\n[2]",
                    ":2: byte 4: more data after the end"},
        BadDocument{"BraceTooMany", "a.json", "{\"a\":[1]}\n}",
                    ":2: byte 10: more data after the end of the top-level value"},
        BadDocument{"BraceBeforeAMember", "a.json", "{\"a\":[1]},\"b\":[2]}",
                    ":1: byte 9: more data after the end of the top-level value"},
        BadDocument{"BracketTooMany", "a.json", "{\"a\":1}]",
                    ":1: byte 7: more data after the end of the top-level value"},
        BadDocument{"NulOutside", "a.json", Bytes("[1,\0 2]"), ":1: byte 3: a NUL byte"},
        BadDocument{"NulInString", "a.json", Bytes("[\"a\0b\"]"), ":1: byte 3: a NUL byte"},
        BadDocument{"NulAfterTheEnd", "a.json", Bytes("[1]\0"),
                    ":1: byte 3: more data after the end"},
        BadDocument{"NulBetweenLines", "a.jsonl", Bytes("{}\n\0\n{}"), ":2: byte 3: a NUL byte"},
        BadDocument{"LoneHighSurrogate", "a.json", R"(["\ud800"])",
                    ":1: byte 2: an escape of half a surrogate"},
        BadDocument{"LoneLowSurrogate", "a.json", R"(["x","a\udc00"])",
                    ":1: byte 7: an escape of half"},
        BadDocument{"HighThenHigh", "a.json", R"(["\ud800\ud800"])",
                    ":1: byte 2: an escape of half"},
        BadDocument{"HighThenOther", "a.json", R"(["\ud800\n"])", ":1: byte 2: an escape of half"},
        BadDocument{"LoneSurrogateInKey", "a.json", R"({"\udfff":1})",
                    ":1: byte 2: an escape of half"},
        BadDocument{"SurrogateNamesTheWayOut", "a.json", R"(["\ud800"])", "--lenient"},
        BadDocument{"CutLine", "a.jsonl", "{\"a\":1}\n{\"b\":\n{\"c\":3}\n",
                    ":2: byte 13: the record does not end on its line"},
        BadDocument{"CutStringInLines", "a.jsonl", "{\"a\":1}\n{\"b\":\"x\n{\"c\":3}\n",
                    ":2: byte 15: a line break"},
        BadDocument{"RecordOverLines", "a.jsonl", "{\"a\":\n1}\n",
                    ":1: byte 5: the record does not end on its line"},
        BadDocument{"TwoRecordsOnALine", "a.jsonl", "{}\n{} {}\n",
                    ":2: byte 6: more than one record on a line"},
        BadDocument{"BadRecordOfLines", "a.jsonl", "{}\n\n{\"a\":trux}\n",
                    ":3: byte 12: bad JSON: Invalid value."},
        BadDocument{"Utf16", "a.json", Bytes("\xFF\xFE[\0]\0"), "convert it to UTF-8"},
        BadDocument{"Utf16BigEndian", "a.jsonl", Bytes("\xFE\xFF\0[\0]"), "convert it to UTF-8"},
        BadDocument{"LfsPointer", "a.json",
                    "version https://git-lfs.github.com/spec/v1\noid sha256:00\n",
                    "is a Git LFS pointer"},
        BadDocument{"Gzip", "a.json", "\x1f\x8b\x08", "gunzip"}),
    [](const auto& info) { return info.param.name; });

constexpr std::string_view kSmall =
    "{\"info\":{\"year\":-2.5e3,\"ok\":[true,false,null]},\"images\":[{\"id\":1,"
    "\"n\":\"\\ud83d\\udc4d\\n\"},{\"id\":2}],\"annotations\":[]}";

TEST(JsonStream, CallsEveryTruncationTruncated) {
  const std::string array = "[" + std::string(kSmall) + "]";
  for (const std::string_view whole : {kSmall, std::string_view{array}}) {
    for (size_t size = 0; size < whole.size(); ++size) {
      const TempText file("a.json", whole.substr(0, size));
      EXPECT_THROW(ReadAll(file.path(), {.chunk_bytes = 1 + size % 9}), TruncatedError) << size;
    }
    EXPECT_NO_THROW(ReadAll(TempText("a.json", whole).path(), {}));
  }
}

TEST(JsonStream, CallsACutLastLineTruncated) {
  for (const std::string_view tail : {"{\"b\"", "{\"b\":\n", "[1,\n\n"}) {
    const TempText file("a.jsonl", "{\"a\":1}\n" + std::string(tail));
    EXPECT_THAT([&] { ReadAll(file.path(), {}); },
                testing::ThrowsMessage<TruncatedError>(HasSubstr(":2: byte")))
        << tail;
  }
}

TEST(JsonStream, DeliversWholeRecordsBeforeATruncation) {
  const TempText file("a.json", "{\"images\":[{\"id\":1},{\"id\":2},{\"id\":");
  JsonStream json(file.path());
  EXPECT_EQ(json.Next()->value.raw(), "{\"id\":1}");
  EXPECT_EQ(json.Next()->value.raw(), "{\"id\":2}");
  EXPECT_THROW(json.Next(), TruncatedError);
}

TEST(JsonStream, DeliversWantedSectionsOnly) {
  const TempText file(
      "a.json", "{\"info\":{\"x\":[1]},\"images\":[1,2],\"licenses\":[{}],\"annotations\":[3]}");
  EXPECT_THAT(ReadAll(file.path(), {.sections = {"annotations", "info"}, .chunk_bytes = 3}),
              ElementsAre("/info@1:8 {\"x\":[1]}", "annotations/@1:64 3"));
  EXPECT_THAT(ReadAll(file.path(), {.sections = {"questions"}}), ElementsAre());
}

TEST(JsonStream, SkipsTheRestOfASection) {
  const TempText file("a.json", "{\"images\":[1,2,3],\"annotations\":[4,5]}");
  JsonStream json(file.path(), {.chunk_bytes = 2});
  EXPECT_EQ(json.Next()->value.raw(), "1");
  json.SkipSection();
  const JsonRecord* record = json.Next();
  EXPECT_EQ(record->section, "annotations");
  EXPECT_EQ(record->value.raw(), "4");
  json.SkipSection();
  EXPECT_EQ(json.Next(), nullptr);
  json.SkipSection();
  EXPECT_EQ(json.Next(), nullptr);
}

TEST(JsonStream, PassesOverFaultsInWhatItSkips) {
  const char* const cases[] = {R"({"images":[1,bad,3],"annotations":[4]})",
                               R"({"images":[1,2,{"a":NaN},],"annotations":[4]})",
                               R"({"images":[1],"x":[{bad},{}],"annotations":[4]})",
                               R"({"images":[1],"x":{"a":bad},"annotations":[4]})",
                               R"({"images":[1],"x":"\u12","annotations":[4]})"};
  for (const std::string bytes : cases) {
    const TempText file("a.json", bytes);
    for (const size_t chunk : kChunks) {
      std::vector<Odd> kinds;
      JsonStream json(file.path(),
                      {.left_out = [&](const JsonLeftOut& part) { kinds.push_back(part.kind); },
                       .sections = {"images", "annotations"},
                       .chunk_bytes = chunk});
      EXPECT_EQ(json.Next()->value.raw(), "1");
      json.SkipSection();
      const JsonRecord* record = json.Next();
      ASSERT_NE(record, nullptr) << bytes;
      EXPECT_EQ(record->section, "annotations") << bytes;
      EXPECT_EQ(json.Next(), nullptr);
      EXPECT_THAT(kinds,
                  testing::AllOf(testing::Not(testing::IsEmpty()), testing::Each(Odd::kTruncated)))
          << bytes;
    }
  }
}

TEST(JsonStream, TellsItsShape) {
  EXPECT_EQ(JsonStream(TempText("a.json", "[]").path()).shape(), JsonShape::kArray);
  EXPECT_EQ(JsonStream(TempText("a.json", "{}").path()).shape(), JsonShape::kObject);
  EXPECT_EQ(JsonStream(TempText("a.jsonl", "{}").path()).shape(), JsonShape::kLines);
  EXPECT_EQ(JsonStream(TempText("a.json", "{}\n{}").path()).shape(), JsonShape::kLines);
  const std::string big = "{\"a\":[" + std::string(3 << 20, ' ') + "1]}";
  EXPECT_EQ(JsonStream(TempText("a.json", big).path()).shape(), JsonShape::kObject);
}

TEST(JsonStream, KeepsItsStackWhateverTheNesting) {
  const size_t depth = 1'000'000;
  const std::string deep = std::string(depth, '[') + std::string(depth, ']');
  const TempText file("a.json", "{\"skipped\":" + deep + ",\"read\":[" + deep + "]}");
  JsonStream json(file.path(), {.sections = {"read"}});
  EXPECT_EQ(json.Next()->value.raw().size(), 2 * depth);
  EXPECT_EQ(json.Next(), nullptr);
}

TEST(JsonStream, LimitsRecordsAndSkippedStringsButNotSkippedSections) {
  std::string elements = "1";
  for (int i = 0; i < 1000; ++i) elements += ",22";
  const std::string text = "\"" + std::string(1000, 'x') + "\"";
  const JsonOptions options = {.sections = {"read"}, .max_record_bytes = 100, .chunk_bytes = 16};
  const auto read = [&](const std::string& bytes) {
    return ReadAll(TempText("a.json", bytes).path(), options);
  };
  EXPECT_THAT(read("{\"skipped\":{\"a\":[" + elements + "]},\"read\":[1]}"),
              ElementsAre(HasSubstr(" 1")));
  for (const std::string& bytes :
       {"{\"read\":[[" + elements + "]]}", "{\"skipped\":" + text + "}", "{" + text + ":1}"}) {
    EXPECT_THAT([&] { read(bytes); },
                testing::ThrowsMessage<InputError>(HasSubstr("a record of more than 100 bytes")));
  }
}

TEST(JsonStream, ReadsRecordsOfManyMegabytes) {
  const std::string big(9 << 20, 'q');
  const TempText file("a.jsonl", "{\"a\":\"" + big + "\"}\n{\"a\":\"\\n" + big + "\"}\n");
  JsonStream json(file.path());
  EXPECT_EQ(json.Next()->value.Find("a")->text(), big);
  EXPECT_EQ(json.Next()->value.Find("a")->text(), "\n" + big);
}

TEST(JsonStream, ReportsAMissingFileAsSystemError) {
  EXPECT_THROW(JsonStream("/nonexistent/a.json"), std::system_error);
}

struct RealFile {
  const char* path;
  JsonShape shape;
  std::map<std::string, size_t> counts;  // records by section, or by "" and key
  const char* field;                     // that every record of a section has
};

class JsonReadsReal : public testing::TestWithParam<RealFile> {};

TEST_P(JsonReadsReal, EveryRecord) {
  const std::string path = FixturePath(GetParam().path);
  if (path.empty()) GTEST_SKIP() << "no fixture " << GetParam().path << "; set ULHFF_SHARED";
  JsonStream json(path, {.chunk_bytes = 4096});
  EXPECT_EQ(json.shape(), GetParam().shape);
  std::map<std::string, size_t> counts;
  while (const JsonRecord* record = json.Next()) {
    ++counts[record->key.empty() ? record->section : record->key];
    if (record->key.empty()) {
      ASSERT_TRUE(record->value.Find(GetParam().field)) << record->value.raw();
    }
  }
  EXPECT_EQ(counts, GetParam().counts);
}

// Counted with Python's json module.
INSTANTIATE_TEST_SUITE_P(
    Fixtures, JsonReadsReal,
    testing::Values(
        RealFile{"coco_results_cocoapi/captions_val2014_fakecap_results.json",
                 JsonShape::kArray,
                 {{"", 1000}},
                 "caption"},
        RealFile{"llava_jsonl/caps_boxes_coco2014_val_80.jsonl",
                 JsonShape::kLines,
                 {{"", 80}},
                 "captions"},
        RealFile{"llava_jsonl/coco2014_val_gpt4_qa_30x3.jsonl",
                 JsonShape::kLines,
                 {{"", 90}},
                 "instruction"},
        RealFile{"llava_jsonl/qa90_questions.jsonl", JsonShape::kLines, {{"", 90}}, "image"},
        RealFile{"coco_captions_croissant/captions.jsonl",
                 JsonShape::kLines,
                 {{"", 4}},
                 "captions/caption"},
        RealFile{"coco_captions_croissant/captions_train2014.json",
                 JsonShape::kObject,
                 {{"info", 1}, {"images", 6}, {"licenses", 8}, {"annotations", 4}},
                 "id"},
        RealFile{"manifest_mindspore/cpp2.json", JsonShape::kLines, {{"", 6}}, "source"}));

}  // namespace
}  // namespace ulhff
