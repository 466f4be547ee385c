// Tests the tree of one JSON record: exact bytes, decoded strings, look-up, damaged input.
#include "converter/json_value.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "converter/input_error.h"
#include "converter/json_stream.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr size_t kChunks[] = {1, 2, 3, 4, 5, 6, 7, 8, 1 << 17};

// The tree without its spaces, each string decoded and in <>.
std::string Render(JsonValue value) {
  std::string text;
  if (value.is_array()) {
    for (const JsonValue element : value.elements()) text += Render(element) + ",";
    return fmt::format("{}[{}]", value.size(), text);
  }
  if (value.is_object()) {
    for (const auto& [key, member] : value.members()) {
      text += fmt::format("<{}>:{},", key, Render(member));
    }
    return fmt::format("{}{{{}}}", value.size(), text);
  }
  return value.is_string() ? fmt::format("<{}>", value.text()) : std::string(value.text());
}

struct TreeCase {
  const char* name;
  std::string json;
  std::string rendered;
};

class JsonBuilds : public testing::TestWithParam<TreeCase> {};

TEST_P(JsonBuilds, TheTreeOfARecordAtEveryChunkSize) {
  const TempText file("a.json", "[" + GetParam().json + "]");
  for (const size_t chunk : kChunks) {
    JsonStream json(file.path(), {.chunk_bytes = chunk});
    const JsonRecord* record = json.Next();
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(Render(record->value), GetParam().rendered) << chunk;
    EXPECT_EQ(record->value.raw(), GetParam().json) << chunk;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Values, JsonBuilds,
    testing::ValuesIn(std::vector<TreeCase>{
        {"Null", "null", "null"},
        {"Nested", "{\"a\" : [1, {\"b\":[[],{}]}, 2] , \"c\":{\"d\":true}, \"e\": false}",
         "3{<a>:3[1,1{<b>:2[0[],0{},],},2,],<c>:1{<d>:true,},<e>:false,}"},
        {"EqualKeysAreAllThere", "{\"a\":1,\"a\":2}", "2{<a>:1,<a>:2,}"},
        {"ShortEscapes", R"("\"\\\/\b\f\n\r\t")", "<\"\\/\b\f\n\r\t>"},
        {"SeparatorsInStrings", "{\",:\": \" ,\", \"\":\":\"}", "2{<,:>:< ,>,<>:<:>,}"},
        {"NulIsKept", R"("a\u0000b")", Bytes("<a\0b>")},
        {"UnicodeEscapes", R"("\u00e9\u20AC\ud83d\udc4d")", "<\u00e9\u20ac\U0001F44D>"},
        {"EscapedKey", R"({"\u0061\\":"\\"})", "1{<a\\>:<\\>,}"},
        {"EscapedBackslashThenSurrogateText", R"("\\ud800")", "<\\ud800>"},
        {"InvalidUtf8IsKept", "\"\xff\xc3\xed\xa0\x80\"", "<\xff\xc3\xed\xa0\x80>"},
        {"TrailingSpacesOfCaptionsStay", "\" A cake. \"", "< A cake. >"},
        {"SingleQuotesAreData", "\"['a']\"", "<['a']>"},
    }),
    [](const auto& info) { return info.param.name; });

TEST(JsonValue, FindsTheLastOfEqualKeysAndNothingElse) {
  const TempText file("a.json", R"([{"a":1,"b":2,"a":3,"Caption":"x"},[4]])");
  JsonStream json(file.path());
  const JsonValue object = json.Next()->value;
  EXPECT_EQ(object.Find("a")->text(), "3");
  EXPECT_EQ(object.Find("b")->text(), "2");
  EXPECT_FALSE(object.Find("caption"));  // case counts
  EXPECT_FALSE(object.Find("1"));        // a value, no key
  EXPECT_FALSE(json.Next()->value.Find("a"));
}

// Ids: 42 and "42" mixed, and beyond the 53 bits of a double.
TEST(JsonValue, GivesIdsTheSameTextAsNumberAndAsString) {
  const TempText file("a.json", R"([42,"42",9007199254740993,"9007199254740993","n578564"])");
  JsonStream json(file.path());
  std::vector<std::string> ids;
  while (const JsonRecord* record = json.Next()) ids.emplace_back(record->value.text());
  EXPECT_THAT(ids, ElementsAre("42", "42", "9007199254740993", "9007199254740993", "n578564"));
}

// Instruction sets: no image, a list of images, captions as string or list, null and empty apart.
TEST(JsonValue, TellsMissingNullEmptyListAndStringApart) {
  const TempText file("a.jsonl",
                      "{\"image\":[\"a\",\"b\"],\"caption\":\"one\"}\n{\"caption\":[\"x\",\"y\"]}\n"
                      "{\"image\":null,\"caption\":\"\"}\n{\"image\":[]}\n");
  JsonStream json(file.path());
  std::vector<std::string> seen;
  while (const JsonRecord* record = json.Next()) {
    const auto image = record->value.Find("image");
    const auto caption = record->value.Find("caption");
    seen.push_back(
        fmt::format("{} {}", image ? Render(*image) : "-", caption ? Render(*caption) : "-"));
  }
  EXPECT_THAT(seen, ElementsAre("2[<a>,<b>,] <one>", "- 2[<x>,<y>,]", "null <>", "0[] -"));
}

TEST(JsonValue, ReadsLoneSurrogatesAsReplacementCharactersIfLenient) {
  const TempText file("a.json", R"(["\ud800","a\uDC00b","\ud800\ud83d\udc4d\\","\ud83d\\udc4d"])");
  for (const size_t chunk : kChunks) {
    JsonStream json(file.path(), {.lenient = true, .chunk_bytes = chunk});
    std::string texts;
    while (const JsonRecord* record = json.Next()) texts += Render(record->value);
    EXPECT_EQ(texts, "<\uFFFD><a\uFFFDb><\uFFFD\U0001F44D\\><\uFFFD\\udc4d>") << chunk;
  }
}

// Nothing that a changed byte does may crash, hang, or be anything but a record or an InputError.
TEST(JsonValue, SurvivesRandomDamage) {
  std::mt19937 random(1);
  const std::string alphabet = Bytes("{}[]\",:\\u0d8 \nNt-1e.\0\xff");
  for (int round = 0; round < 5000; ++round) {
    std::string bytes =
        R"({"info":{"ok":[true,false,null]},"images":[{"id":-2.5e3,"n":"\ud83d\udc4d"},[]]})";
    for (size_t n = 1 + random() % 3; n > 0; --n) {
      bytes[random() % bytes.size()] = alphabet[random() % alphabet.size()];
    }
    const TempText file(round % 2 == 0 ? "a.json" : "a.jsonl", bytes);
    try {
      JsonStream json(file.path(), {.lenient = round % 3 == 0, .chunk_bytes = 1 + random() % 16});
      while (const JsonRecord* record = json.Next()) Render(record->value);
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(": byte "));
    }
  }
}

}  // namespace
}  // namespace ulhff
