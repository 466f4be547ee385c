// Tests of SBU as a source.
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

class SbuSourceTest : public testing::Test {
 protected:
  SbuSourceTest() {
    tree_.Write("SBU_captioned_photo_dataset_urls.txt",
                "http://static.flickr.com/1/a.jpg\nhttp://static.flickr.com/2/b.jpg\r\n");
    tree_.Write("SBU_captioned_photo_dataset_captions.txt", " one \ntwo\r\n");
  }
  TempTree tree_;
  ConvertOptions options_;
};

TEST_F(SbuSourceTest, LineNOfTheCaptionsBelongsToLineNOfTheUrls) {
  tree_.Write("dataset/a.jpg", "1");
  tree_.Write("dataset/b.jpg", "2");
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_THAT(sink.Only("pair"),
              ElementsAre("pair dataset/a.jpg | \" one \"", "pair dataset/b.jpg | \"two\""));
  EXPECT_EQ(sink.Only("extra").size(), 2U);
  EXPECT_EQ(ScanChosen(tree_("SBU_captioned_photo_dataset_urls.txt"), options_).pairs, 2U);
}

TEST_F(SbuSourceTest, FilesAreCalledAsEachToolCallsThem) {
  tree_.Write("sbu_images/m_1_a.jpg", "1");
  tree_.Write("other/2_b.jpg", "2");
  EXPECT_THAT(ScanChosen(tree_.root(), options_).Only("pair"),
              ElementsAre("pair sbu_images/m_1_a.jpg | \" one \"", "pair other/2_b.jpg | \"two\""));
}

TEST_F(SbuSourceTest, FilesOfDifferentLengthAreAnError) {
  tree_.Write("SBU_captioned_photo_dataset_captions.txt", "one\n");
  EXPECT_THAT([&] { ScanChosen(tree_.root(), options_); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("urls.txt:2"), HasSubstr("captions.txt has no such line"))));
  tree_.Write("dataset/a.jpg", "1");
  options_.lenient = true;
  const RecordingSink sink = ScanChosen(tree_.root(), options_);
  EXPECT_EQ(sink.pairs, 1U);
  EXPECT_EQ(sink.Only("note truncated").size(), 1U);
}

TEST(SbuFixtureTest, FiveOfTenImagesAreThere) {
  const std::string path = FixturePath("sbu_mindspore");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  const RecordingSink sink = ScanChosen(path);
  EXPECT_EQ(sink.pairs, 5U);
  EXPECT_EQ(sink.Only("pair")[0],
            "pair sbu_images/3_123_123456789_123456781.jpg | \" This is 1.\"");
  EXPECT_EQ(sink.Only("note missing-media").size(), 5U);
}

}  // namespace
}  // namespace ulhff
