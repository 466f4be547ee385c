// The grammar of view templates, and numbers to names and back.
#include "ulhff/view_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace ulhff {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string KeyName(const ViewTemplate& t, uint64_t number) {
  NameBuffer name;
  t.key.Append(name, number);
  return std::string(name.view());
}

TEST(ViewTemplateTest, ParsesTheDefault) {
  const ViewTemplate t = ViewTemplate::Parse("{shard:05}/{number:09}");
  ASSERT_EQ(t.directories.size(), 1u);
  EXPECT_EQ(t.shard_level, 0u);
  NameBuffer shard;
  t.directories[0].Append(shard, 12);
  EXPECT_EQ(shard.view(), "00012");
  EXPECT_EQ(KeyName(t, 120034), "000120034");
}

TEST(ViewTemplateTest, KeepsLiteralsAroundFields) {
  const ViewTemplate t = ViewTemplate::Parse("data/part-{shard:3}.d/all/img_{number}-x");
  ASSERT_EQ(t.directories.size(), 3u);
  EXPECT_EQ(t.shard_level, 1u);
  EXPECT_EQ(t.directories[0].before, "data");
  EXPECT_FALSE(t.directories[0].width);
  NameBuffer shard;
  t.directories[1].Append(shard, 7);
  EXPECT_EQ(shard.view(), "part-007.d");
  EXPECT_EQ(KeyName(t, 0), "img_0-x");
}

struct BadTemplate {
  const char* text;
  const char* error;
};
class RefusedTemplate : public testing::TestWithParam<BadTemplate> {};
TEST_P(RefusedTemplate, SaysWhatIsWrong) {
  EXPECT_THAT([] { ViewTemplate::Parse(GetParam().text); },
              ThrowsMessage<std::invalid_argument>(HasSubstr(GetParam().error)));
}
INSTANTIATE_TEST_SUITE_P(
    ViewTemplateTest, RefusedTemplate,
    testing::Values(
        BadTemplate{"", "empty"}, BadTemplate{"/{number}", "empty"},
        BadTemplate{"a//{number}", "empty"}, BadTemplate{"{number}/", "{number} must"},
        BadTemplate{"../{number}", "'..' is no name"}, BadTemplate{"./{number}", "'.' is no name"},
        BadTemplate{"{shard}", "must hold {number}"}, BadTemplate{"name", "must hold {number}"},
        BadTemplate{"{number}/a", "must stand behind"},
        BadTemplate{"{shard}/{shard}/{number}", "twice"},
        BadTemplate{"{shard}-{number}", "more than one field"},
        BadTemplate{"{number}7", "a digit follows"}, BadTemplate{"{number:0}", "is not 1..19"},
        BadTemplate{"{number:20}", "is not 1..19"}, BadTemplate{"{number:}", "is not 1..19"},
        BadTemplate{"{number:-3}", "is not 1..19"}, BadTemplate{"{number:3x}", "is not 1..19"},
        BadTemplate{"{Number}", "unknown field {Number}"}, BadTemplate{"{}", "unknown field {}"},
        BadTemplate{"{number", "brace"}, BadTemplate{"number}", "brace"},
        BadTemplate{"}{number}", "brace"},
        BadTemplate{"1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/g/h/{number}", "more than 16"}));

TEST(ViewTemplateTest, RefusesDirectoryNamesOver255Bytes) {
  EXPECT_THROW(ViewTemplate::Parse(std::string(240, 'x') + "{shard}/{number}"),
               std::invalid_argument);
  EXPECT_NO_THROW(ViewTemplate::Parse(std::string(236, 'x') + "{shard}/{number}"));
}

struct NumberText {
  const char* text;
  unsigned width;
  std::optional<uint64_t> number;
  const char* rest;
};
class TakenNumber : public testing::TestWithParam<NumberText> {};
TEST_P(TakenNumber, IsCanonicalOrNone) {
  std::string_view text = GetParam().text;
  EXPECT_EQ(TakeNumber(text, GetParam().width), GetParam().number);
  EXPECT_EQ(text, GetParam().rest);
}
INSTANTIATE_TEST_SUITE_P(
    ViewTemplateTest, TakenNumber,
    testing::Values(
        NumberText{"007.jpg", 3, 7, ".jpg"}, NumberText{"000", 3, 0, ""},
        NumberText{"1000", 3, 1000, ""}, NumberText{"0", 1, 0, ""},
        NumberText{"17592186044415", 1, kMaxCount, ""},
        NumberText{"17592186044416", 1, std::nullopt, "17592186044416"},
        NumberText{"99999999999999999999", 1, std::nullopt, "99999999999999999999"},
        NumberText{"0000000000000000005", 19, 5, ""}, NumberText{"07", 3, std::nullopt, "07"},
        NumberText{"0007", 3, std::nullopt, "0007"}, NumberText{"00", 1, std::nullopt, "00"},
        NumberText{"+7", 1, std::nullopt, "+7"}, NumberText{" 7", 1, std::nullopt, " 7"},
        NumberText{"", 1, std::nullopt, ""}, NumberText{"x7", 1, std::nullopt, "x7"}));

TEST(ViewTemplateTest, TakesBackWhatItAppends) {
  const ViewTemplate t = ViewTemplate::Parse("{shard:02}/k{number:3}_");
  for (const uint64_t number :
       {uint64_t{0}, uint64_t{9}, uint64_t{999}, uint64_t{1000}, kMaxCount}) {
    const std::string name = KeyName(t, number) + ".txt";
    std::string_view rest = name;
    EXPECT_EQ(t.key.Take(rest), number);
    EXPECT_EQ(rest, ".txt");
  }
  for (std::string_view wrong : {"k07_.txt", "K007_.txt", "k007.txt", "k0007_", "k", ""}) {
    const std::string_view before = wrong;
    EXPECT_EQ(t.key.Take(wrong), std::nullopt) << before;
    EXPECT_EQ(wrong, before);
  }
}

}  // namespace
}  // namespace ulhff
