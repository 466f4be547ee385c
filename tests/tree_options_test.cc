// Tree options as strings: accepted values, and one clear line for wrong ones.
#include "ulhff/tree_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace ulhff {
namespace {

TEST(TreeOptionsTest, SetsEveryOption) {
  TreeOptions options;
  EXPECT_TRUE(ParseTreeOption(options, "view", "pairs"));
  EXPECT_TRUE(ParseTreeOption(options, "fan_out", "500"));
  EXPECT_TRUE(ParseTreeOption(options, "flat", ""));
  EXPECT_TRUE(ParseTreeOption(options, "width", "12"));
  EXPECT_TRUE(ParseTreeOption(options, "template", "x{number}"));
  EXPECT_TRUE(ParseTreeOption(options, "media_ext", ".png"));
  EXPECT_TRUE(ParseTreeOption(options, "text_ext", "caption"));
  EXPECT_TRUE(ParseTreeOption(options, "absent_text", "empty"));
  EXPECT_TRUE(ParseTreeOption(options, "hf_metadata", ""));
  EXPECT_EQ(options.view, ViewKind::kPairs);
  EXPECT_EQ(options.fan_out, 500u);
  EXPECT_TRUE(options.flat);
  EXPECT_EQ(options.width, 12u);
  EXPECT_EQ(options.pair_template, "x{number}");
  EXPECT_EQ(options.media_extension, "png");
  EXPECT_EQ(options.text_extension, "caption");
  EXPECT_EQ(options.absent_text, AbsentText::kEmpty);
  EXPECT_TRUE(options.hf_metadata);
}

TEST(TreeOptionsTest, LeavesTheOptionsOfOthersAlone) {
  TreeOptions options;
  for (const char* key : {"allow_other", "ro", "View", "views", ""})
    EXPECT_FALSE(ParseTreeOption(options, key, "pairs")) << key;
}

TEST(TreeOptionsTest, KnowsExactlyWhatItLists) {
  for (const TreeOptionHelp& help : TreeOptionList()) {
    TreeOptions options;
    // Known: the option is taken, or its value complained about.
    try {
      EXPECT_TRUE(ParseTreeOption(options, help.key, "")) << help.key;
    } catch (const std::invalid_argument&) {
    }
  }
}

struct BadOption {
  const char* key;
  const char* value;
  const char* error;
};
class RefusedOption : public testing::TestWithParam<BadOption> {};
TEST_P(RefusedOption, NamesKeyAndValue) {
  TreeOptions options;
  EXPECT_THAT([&] { ParseTreeOption(options, GetParam().key, GetParam().value); },
              testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr(GetParam().error)));
}
INSTANTIATE_TEST_SUITE_P(
    TreeOptionsTest, RefusedOption,
    testing::Values(BadOption{"view", "pair", "view: 'pair' is none of"},
                    BadOption{"view", "", "view: '' is none of"},
                    BadOption{"fan_out", "0", "fan_out: '0'"},
                    BadOption{"fan_out", "10k", "fan_out: '10k'"},
                    BadOption{"fan_out", "-1", "fan_out: '-1'"},
                    BadOption{"fan_out", "18446744073709551616", "fan_out: '1844"},
                    BadOption{"width", "20", "width: '20' is not a number 1..19"},
                    BadOption{"flat", "yes", "flat: takes no value"},
                    BadOption{"template", "{shard}", "must hold {number}"},
                    BadOption{"media_ext", "", "media_ext: no extension"},
                    BadOption{"text_ext", ".", "text_ext: no extension"},
                    BadOption{"absent_text", "skip", "absent_text: 'skip'"}));

}  // namespace
}  // namespace ulhff
