// Tests what one key of a JSON object says.
#include "converter/json_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulhff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Texts = std::vector<std::optional<std::string>>;

TEST(JsonKeyTest, AValueIsOneTextAndAListOneForEachElement) {
  const struct {
    const char* value;
    Texts texts;
  } cases[] = {
      {R"("a\nb")", {"a\nb"}},
      {R"("")", {""}},
      {"null", {}},
      {"[]", {}},
      {"1.50e3", {"1.50e3"}},
      {"18446744073709551616", {"18446744073709551616"}},
      {"-1e400", {"-1e400"}},
      {R"([1e999, "1e999"])", {"1e999", "1e999"}},
      {R"({"k": 1e999})", {R"({"k": 1e999})"}},
      {"true", {"true"}},
      {R"({"k": [1, "x"]})", {R"({"k": [1, "x"]})"}},
      {R"(["a", null, "", 7, {"b": [ ]}, [1]])", {"a", {}, "", "7", R"({"b": [ ]})", "[1]"}}};
  for (const auto& test : cases) {
    const std::string json = std::string(R"( {"x": {"c": "no"}, "list": [{"c": 1}], "c": )") +
                             test.value + R"(, "y": ["c"]})";
    const JsonKeyTexts found = TextsOfKey(json, "c");
    EXPECT_EQ(found.texts, test.texts) << json;
    EXPECT_EQ(found.error, "");
    EXPECT_EQ(found.raw, test.value[0] == '[' ? test.value : "");
    EXPECT_THAT(TextsOfKey(json, "none").texts, IsEmpty());
  }
}

TEST(JsonKeyTest, OfEqualKeysTheLastCounts) {
  EXPECT_THAT(TextsOfKey(R"({"c": ["a", "b"], "c": "d"})", "c").texts, ElementsAre("d"));
  EXPECT_THAT(TextsOfKey(R"({"c": "d", "c": null})", "c").texts, IsEmpty());
}

TEST(JsonKeyTest, WhatIsNoObjectIsAnError) {
  for (const char* json : {"", "[{\"c\": 1}]", "\"c\"", "7", "{\"c\": ", "{\"c\" 1}", "{} x"}) {
    EXPECT_THAT(TextsOfKey(json, "c").error, HasSubstr("byte ")) << json;
  }
  const std::string deep = "{\"c\": " + std::string(1'000'000, '[');
  EXPECT_THAT(TextsOfKey(deep, "c").error, HasSubstr("byte "));
}

}  // namespace
}  // namespace ulhff
