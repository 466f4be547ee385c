// Tests of Flickr token files as a source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"
#include "converter/source.h"
#include "tests/recording_sink.h"
#include "tests/temp_tree.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

using Lines = std::vector<std::string>;

class TokenSourceTest : public testing::Test {
 protected:
  TokenSourceTest() {
    for (const char* media : {"imgs/a.jpg", "imgs/b.jpg"}) tree_.Write(media, media);
  }
  TempTree tree_;
  ConvertOptions options_;
};

TEST_F(TokenSourceTest, ALineIsAPairInFileOrder) {
  tree_.Write("results.token",
              "b.jpg#0\tone \\* two .\r\na.jpg#0\t\"x\ty \nb.jpg#12\t\n\na.jpg#1\tlast");
  const RecordingSink sink = ScanChosen(tree_.root());
  EXPECT_EQ(sink.lines, (Lines{"fields :txt", "pair imgs/b.jpg | \"one \\* two .\"",
                               "pair imgs/a.jpg | \"\"x\ty \"", "pair imgs/b.jpg | \"\"",
                               "pair imgs/a.jpg | \"last\"", "extra results.token", "dir imgs"}));
  EXPECT_EQ(sink.origins.back(), "results.token:5");
}

TEST_F(TokenSourceTest, AnImageInTwoFilesAppends) {
  tree_.Write("t1.token", "a.jpg#0\tone\nb.jpg#0\tx\nb.jpg#1\ty\n");
  tree_.Write("t2.token", "a.jpg#0\tone\n");
  EXPECT_THAT(ScanChosen(tree_.root()).Only("pair"),
              ElementsAre("pair imgs/a.jpg | \"one\"", "pair imgs/b.jpg | \"x\"",
                          "pair imgs/b.jpg | \"y\"", "pair imgs/a.jpg | \"one\""));
}

TEST_F(TokenSourceTest, TwoFormsOfTheSameCaptionsAreAmbiguous) {
  tree_.Write("Flickr8k.token.txt", "a.jpg#0\tDogs run .\nb.jpg#0\tA cat .\n");
  tree_.Write("Flickr8k.lemma.token.txt", "b.jpg#0\ta cat .\na.jpg#0\tdog run .\n");
  EXPECT_THAT([&] { Recognise(tree_.root(), {}); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("--from token:Flickr8k.lemma.token.txt"),
                                              HasSubstr("--from token:Flickr8k.token.txt"),
                                              HasSubstr("2 pairs"))));
  options_.from = "token:Flickr8k.token.txt";
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair imgs/a.jpg | \"Dogs run .\"", "pair imgs/b.jpg | \"A cat .\""));
  EXPECT_THAT(sink.Only("extra"),
              ElementsAre("extra Flickr8k.lemma.token.txt", "extra Flickr8k.token.txt"));
}

TEST_F(TokenSourceTest, OtherFlickrTextsAreNoTokens) {
  tree_.Write("Flickr8k.token.txt", "a.jpg#0\tDogs run .\n");
  tree_.Write("Flickr_8k.trainImages.txt", "a.jpg\nb.jpg\n");
  tree_.Write("ExpertAnnotations.txt", "a.jpg\tb.jpg#2\t1\t1\t1\n");
  EXPECT_EQ(ScanChosen(tree_.root()).pairs, 1U);
}

TEST_F(TokenSourceTest, AMissingImageIsToldForEachOfItsLines) {
  tree_.Write("t.token", "gone.jpg.1#0\tx\ngone.jpg.1#1\ty\na.jpg#0\tz\n");
  const RecordingSink sink = ScanChosen(tree_.root());
  EXPECT_THAT(sink.Only("pair"), ElementsAre("pair imgs/a.jpg | \"z\""));
  EXPECT_THAT(sink.Only("note"),
              ElementsAre("note missing-media gone.jpg.1", "note missing-media gone.jpg.1"));
}

TEST_F(TokenSourceTest, NamesWithHashesEndAtTheLastOne) {
  tree_.Write("imgs/x#1.jpg", "x");
  tree_.Write("t.token", "x#1.jpg#0\tx\n");
  EXPECT_THAT(ScanChosen(tree_.root()).Only("pair"), ElementsAre("pair imgs/x#1.jpg | \"x\""));
}

TEST_F(TokenSourceTest, AnotherLineIsAnErrorUnlessLenient) {
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += "a.jpg#" + std::to_string(i) + "\tx\n";
  tree_.Write("t.token", lines + "a.jpg no number\nb.jpg#0\ty\n");
  EXPECT_THAT([&] { ScanChosen(tree_.root()); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("t.token:201"), HasSubstr("NAME#N"))));
  options_.lenient = true;
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_EQ(sink.pairs, 201U);
  EXPECT_EQ(sink.Only("note truncated").size(), 1U);
}

TEST_F(TokenSourceTest, AFileOperandTakesItsImagesOnly) {
  tree_.Write("Flickr8k_text/t.token.txt", "a.jpg#0\tx\n");
  EXPECT_EQ(ScanChosen(tree_("Flickr8k_text/t.token.txt")).lines,
            (Lines{"fields :txt", "pair imgs/a.jpg | \"x\""}));
  tree_.Write("t.token", "a.jpg#0\tx\n");
  EXPECT_EQ(ScanChosen(tree_("t.token")).lines, (Lines{"fields :txt", "pair imgs/a.jpg | \"x\""}));
}

TEST(TokenFixtureTest, MindsporeSampleAppendsTheRepeatedImage) {
  const std::string path = FixturePath("flickr30k_token_mindspore");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  const RecordingSink sink = ScanChosen(path);
  const Lines pairs = sink.Only("pair");
  ASSERT_EQ(pairs.size(), 30U);
  EXPECT_EQ(pairs[0], "pair flickr30k-images/000001.jpg | \"This is \\*a banana.\"");
  EXPECT_EQ(pairs[9], "pair flickr30k-images/000002.jpg | \"The pen has two colors.\"");
  EXPECT_EQ(pairs[29], "pair flickr30k-images/000001.jpg | \"The banana is very big.\"");
  EXPECT_THAT(sink.Only("extra"),
              ElementsAre("extra test1.token", "extra test2.token", "extra test3.token"));
  EXPECT_THAT(sink.Only("note"), IsEmpty());
}

}  // namespace
}  // namespace ulhff
