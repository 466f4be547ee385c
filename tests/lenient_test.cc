// Tests that --lenient leaves out single bad rows and replaces single bad characters, each counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"
#include "converter/source.h"
#include "tests/recording_sink.h"
#include "tests/temp_tree.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

class LenientTest : public testing::Test {
 protected:
  RecordingSink Scan(const std::string& name, const std::string& bytes) {
    tree_.Write(name, bytes);
    EXPECT_THROW(ScanChosen(tree_(name)), InputError);
    ConvertOptions options;
    options.lenient = true;
    return ScanChosen(tree_(name), options);
  }
  TempTree tree_{"a.jpg", "b.jpg"};
};

TEST_F(LenientTest, LeavesOutARowWithBadQuotes) {
  const RecordingSink sink = Scan("t.csv", "image,caption\na.jpg,\"bad\" x\nb.jpg,\"y, z\"\n");
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair b.jpg | \"y, z\""));
  EXPECT_THAT(
      sink.Only("note truncated"),
      ElementsAre(AllOf(HasSubstr("text after the closing quote"), Not(HasSubstr("t.csv")))));
  EXPECT_THAT(sink.note_origins, ElementsAre(tree_("t.csv") + ":2"));
}

TEST_F(LenientTest, NamesThePlaceOfALeftOutPartOnce) {
  const std::pair<const char*, const char*> cases[] = {
      {"t.csv", "image,caption\na.jpg,x\nb.jpg\n"},
      {"t.token", "a.jpg#0\tx\nbroken\nb.jpg#0\ty\n"},
      {"t.jsonl", "{\"image\":\"a.jpg\",\"caption\":\"x\"}\nnothing\n"},
      {"t.json",
       "{\"images\":[{\"id\":1,\"file_name\":\"a.jpg\"}],\"annotations\":["
       "{\"image_id\":1,\"caption\":\"x\"},{\"image_id\":1,\"caption\":\"y\"},\n"
       "{\"caption\":\"z\"},"}};
  for (const auto& [name, bytes] : cases) {
    const RecordingSink sink = Scan(name, bytes);
    EXPECT_THAT(sink.Only("note"), testing::Each(Not(HasSubstr(name)))) << name;
    for (const std::string& origin : sink.note_origins) {
      EXPECT_THAT(origin, testing::AnyOf(testing::EndsWith(":2"), testing::EndsWith(":3")));
    }
  }
}

TEST_F(LenientTest, LeavesOutARowWithBadQuotesFarDown) {
  std::string rows = "image,caption\n";
  for (int i = 0; i < 300; ++i) rows += "a.jpg,x\n";
  const RecordingSink sink = Scan("t.csv", rows + "a.jpg,\"bad\" x\nb.jpg,\"y\nz\"\n");
  EXPECT_EQ(sink.pairs, 301U);
  EXPECT_THAT(sink.note_origins, ElementsAre(tree_("t.csv") + ":302"));
}

TEST_F(LenientTest, SaysWhichLinesAQuoteTookAlong) {
  const std::string bad = "a.jpg,\"open\nb.jpg,\"y\"\n";
  const RecordingSink inside = Scan("t.csv", "image,caption\na.jpg,x\n" + bad + "b.jpg,z\n");
  EXPECT_THAT(inside.Only("note truncated"),
              ElementsAre(testing::EndsWith("left out are lines 3 to 4")));
  EXPECT_EQ(inside.pairs, 2U);
  const RecordingSink open = Scan("t.csv", "image,caption\na.jpg,x\na.jpg,\"open\nb.jpg,y\n\n");
  EXPECT_THAT(open.Only("note lost-rest"),
              ElementsAre(AllOf(HasSubstr("still open"), HasSubstr("lines 3 to 5"))));
  const RecordingSink joined = Scan("t.csv", "image,caption\na.jpg,x\na.jpg,\"\n\",z\n");
  EXPECT_THAT(joined.Only("note truncated"),
              ElementsAre(AllOf(HasSubstr("3 columns"), HasSubstr("lines 3 to 4"))));
}

TEST_F(LenientTest, NamesTheFaultWhereItLeavesNoRow) {
  ConvertOptions options;
  options.lenient = true;
  const std::pair<const char*, const char*> cases[] = {
      {"image,caption\na.jpg,\"open\nb.jpg,y\n", ":2: a quote of this row is still open"},
      {"image,caption\na.jpg\nb.jpg\n", ":2: 1 column where 2 are expected"}};
  for (const auto& [bytes, fault] : cases) {
    tree_.Write("t.csv", bytes);
    EXPECT_THAT([&] { ScanChosen(tree_("t.csv"), options); },
                ThrowsMessage<InputError>(
                    AllOf(HasSubstr("t.csv" + std::string(fault)), HasSubstr("; no row is left"))));
  }
}

TEST_F(LenientTest, DoesNotAdviseWhatIsGiven) {
  const char* const bytes = "image,caption\na.jpg,x\nb.jpg\n";
  EXPECT_THAT(Scan("t.csv", bytes).Only("note truncated"),
              ElementsAre(Not(HasSubstr("--lenient"))));
  EXPECT_THAT([&] { ScanChosen(tree_("t.csv")); },
              ThrowsMessage<InputError>(HasSubstr("--lenient leaves such rows out")));
}

TEST_F(LenientTest, LeavesOutLinesThatAreNoJson) {
  const std::string a = "{\"image\": \"a.jpg\", \"caption\": \"x\"}\n";
  const std::string b = "{\"image\": \"b.jpg\", \"caption\": \"y\"}\n";
  for (const std::string bad :
       {"nothing\n", "{\"image\": \"a.jpg\"\n", "{\"image\": \"a\n", "{\"image\": 1} {}\n", "[1]\n",
        "{\"image\": \"a.jpg\", \"image\": \"b.jpg\", \"caption\": \"z\"}\n"}) {
    const RecordingSink sink = Scan("t.jsonl", a + bad + b);
    EXPECT_EQ(sink.Only("note truncated").size(), 1U) << bad;
    EXPECT_EQ(sink.Only("pair a").front(), "pair a.jpg | \"x\"") << bad;
    EXPECT_EQ(sink.Only("pair b").back(), "pair b.jpg | \"y\"") << bad;
    if (bad.starts_with('[')) continue;  // the whole file is an array then
    EXPECT_THAT(Scan("t.jsonl", bad + a + b).Only("pair b"), ElementsAre("pair b.jpg | \"y\""));
  }
}

// What is whole of a table in JSON, be it an array, a section or an object of rows by their ids.
TEST_F(LenientTest, LeavesOutMalformedElementsOfArrays) {
  const std::string a = R"({"image": "a.jpg", "caption": "x"})";
  const std::string b = R"({"image": "b.jpg", "caption": "y"})";
  for (const std::string bad :
       {"nothing", "5", "[1]", R"({"image": bad})", R"({"image": "a.jpg" "caption": {"[": "}"}})",
        R"({"image": "a "red" hat"})", R"({"image": "5" tall", "x": [{}]})",
        "{\"image\": \"a.jpg,\n \"x\": [1]}", R"({"image": "a\u12"})",
        R"({"image": 1, "image": 2})", ""}) {
    const std::string rows = a + ",\n" + bad + ",\n" + b;
    for (const std::string& whole : {"[" + rows + "]", R"({"info": {}, "data": [)" + rows + "]}"}) {
      const RecordingSink sink = Scan("t.json", whole);
      EXPECT_THAT(sink.Only("pair"), ElementsAre("pair a.jpg | \"x\"", "pair b.jpg | \"y\""))
          << bad;
      EXPECT_EQ(sink.Only("note truncated").size(), 1U) << bad;
      EXPECT_THAT(sink.note_origins, ElementsAre(tree_("t.json") + ":2")) << bad;
    }
  }
  EXPECT_THAT(Scan("t.json", "[{\"image\": bad},\n" + a + "\n" + b + ",]").Only("note truncated"),
              ElementsAre(Not(HasSubstr("no entry is lost")),  // a comma too few, one too many
                          HasSubstr("no entry is lost"), HasSubstr("no entry is lost")));
}

TEST_F(LenientTest, LeavesOutAMalformedRowOfAnObjectOfRows) {
  const RecordingSink sink = Scan(
      "t.json", R"({"1": {"image": "a.jpg", "caption": "x"}, "2": {bad}, "3": {"image": "b.jpg",)"
                R"( "caption": "y"}})");
  EXPECT_EQ(sink.pairs, 2U);
  EXPECT_EQ(sink.Only("note truncated").size(), 1U);
}

TEST_F(LenientTest, KnowsAnnotationsWhoseFirstEntriesAreMalformed) {
  const char* const cases[] = {
      R"({"images": [{"id": 9, bad}, {"id": 1, "file_name": "a.jpg"}],
          "annotations": [{"image_id": 1, "caption": "x"}]})",  // COCO
      R"({"images": [{"id": 9, bad}, {"filename": "a.jpg", "sentences": [{"raw": "x"}]}]})",
      R"({"9": {bad}, "1": {"imageId": "a", "question": "x"}})"};  // GQA
  for (const char* const bytes : cases) {
    const RecordingSink sink = Scan("t.json", bytes);
    EXPECT_EQ(sink.pairs, 1U) << bytes;
    EXPECT_EQ(sink.Only("note truncated").size(), 1U) << bytes;
  }
}

TEST_F(LenientTest, LeavesOutTheRestWhereItIsNotToBeTold) {
  const std::string a = R"({"image": "a.jpg", "caption": "x"},)";
  for (const std::string& rest :
       {R"({"image": "b.jpg", )" + a + "]", R"("open, )" + a, "{} 5, " + a + "]", "5] [" + a}) {
    const RecordingSink sink = Scan("t.json", "[" + a + rest);
    EXPECT_EQ(sink.pairs, 1U) << rest;
    EXPECT_THAT(sink.Only("note lost-rest"), ElementsAre(HasSubstr("all behind it is left out")))
        << rest;
  }
}

TEST_F(LenientTest, LeavesOutMalformedAnnotations) {
  std::string parts;
  for (int i = 0; i < 2000; ++i) parts += "{\"image_id\": 1, \"caption\": \"x\"},\n";
  const RecordingSink sink =
      Scan("t.json", R"({"images": [{"id": 1, "file_name": "a.jpg"}], "annotations": [)" + parts +
                         "{\"image_id\": 1, \"caption\": \"a \"red\" hat\"},\n" + parts +
                         R"({"image_id": 1, "caption": "last"}]})");
  EXPECT_EQ(sink.pairs, 4001U);
  EXPECT_THAT(sink.note_origins, ElementsAre(tree_("t.json") + ":2001"));
}

TEST_F(LenientTest, CountsReplacedHalvesOfCharacters) {
  const RecordingSink sink = Scan("t.jsonl",
                                  "{\"image\": \"a.jpg\", \"caption\": \"x\"}\n"
                                  "{\"image\": \"b.jpg\", \"caption\": \"x\\ud800y\"}\n");
  EXPECT_EQ(sink.Only("pair b").front(), "pair b.jpg | \"x\xef\xbf\xbdy\"");
  EXPECT_EQ(sink.Only("note replaced").size(), 1U);
  EXPECT_THAT(sink.note_origins, ElementsAre(tree_("t.jsonl") + ":2"));
}

TEST_F(LenientTest, CountsThemInAnnotationsToo) {
  const RecordingSink sink =
      Scan("t.json",
           "{\"images\": [{\"id\": 1, \"file_name\": \"a.jpg\"}],"
           " \"annotations\": [{\"image_id\": 1, \"caption\": \"\\udc00\"}]}");
  EXPECT_EQ(sink.Only("note replaced").size(), 1U);
}

}  // namespace
}  // namespace ulhff
