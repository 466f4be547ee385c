// Tests the command line of `ulhff convert`, and its result for people and programs.
#include "converter/convert_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "converter/convert_summary.h"
#include "converter/input_error.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::ThrowsMessage;

ConvertOptions Parse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "convert");
  std::vector<char*> argv;
  argv.reserve(arguments.size());
  for (std::string& argument : arguments) argv.push_back(argument.data());
  return ParseConvertOptions(static_cast<int>(argv.size()), argv.data()).value();
}

TEST(ConvertOptionsTest, HasTheDefaultsThatAreDocumented) {
  const ConvertOptions options = Parse({"in", "more", "out"});
  EXPECT_THAT(options.sources, ElementsAre("in", "more"));
  EXPECT_EQ(options.output, "out");
  EXPECT_EQ(options.from, "");
  EXPECT_EQ(options.missing_media, OnMissingMedia::kError);
  EXPECT_EQ(options.unpaired_media, OnUnpairedMedia::kKeep);
  EXPECT_EQ(options.unpaired_text, OnUnpairedText::kExtra);
  EXPECT_EQ(options.empty, OnEmpty::kKeep);
  EXPECT_EQ(options.duplicates, OnDuplicate::kError);
  EXPECT_EQ(options.symlinks, OnSymlink::kFollow);
  EXPECT_EQ(options.multi_media, OnMultiMedia::kError);
  EXPECT_TRUE(options.extras);
  EXPECT_EQ(options.texts, TextsMode::kWhole);
  EXPECT_EQ(options.alignment, 64u);
  EXPECT_FALSE(options.delimiter || options.quoting);
  EXPECT_FALSE(options.force || options.dry_run || options.json || options.quiet ||
               options.strict || options.lenient || options.allow_outside || options.keep_columns ||
               options.no_header || options.last_column_rest || options.drop_hidden ||
               options.lower_ext);
  EXPECT_EQ(options.name_encoding, "");
}

TEST(ConvertOptionsTest, TakesEveryOption) {
  const ConvertOptions options = Parse({"--from",
                                        "table:a.csv",
                                        "--media-column=m",
                                        "--text-column",
                                        "caption_*",
                                        "--text-column",
                                        "t",
                                        "--field",
                                        "q=question",
                                        "--keep-columns",
                                        "--id-column",
                                        "id",
                                        "--split-column",
                                        "s",
                                        "--media-root",
                                        "r",
                                        "--media-template",
                                        "{id}.jpg",
                                        "--strip-prefix",
                                        "/x/",
                                        "--no-header",
                                        "--columns",
                                        "a,b",
                                        "--delimiter",
                                        "tab",
                                        "--quote",
                                        "none",
                                        "--last-column-rest",
                                        "--media-ext",
                                        "jpg,png",
                                        "--media-ext",
                                        "gif",
                                        "--text-ext",
                                        "cap",
                                        "--pair-dirs",
                                        "images:labels",
                                        "--texts",
                                        "lines",
                                        "--extras",
                                        "none",
                                        "--drop-hidden",
                                        "--name-encoding",
                                        "latin1",
                                        "--lower-ext",
                                        "--missing-media",
                                        "skip",
                                        "--unpaired-media",
                                        "error",
                                        "--unpaired-text",
                                        "skip",
                                        "--empty",
                                        "skip",
                                        "--duplicates",
                                        "rename",
                                        "--symlinks",
                                        "inside",
                                        "--multi-media",
                                        "each",
                                        "--allow-outside",
                                        "--strict",
                                        "--lenient",
                                        "--threads",
                                        "3",
                                        "--align",
                                        "4096",
                                        "-f",
                                        "-n",
                                        "--json",
                                        "-q",
                                        "--report",
                                        "rep",
                                        "--tmp-dir",
                                        "tmp",
                                        "--",
                                        "-in",
                                        "out"});
  EXPECT_EQ(options.from, "table:a.csv");
  EXPECT_EQ(options.media_column, "m");
  EXPECT_THAT(options.text_columns, ElementsAre("caption_*", "t"));
  EXPECT_THAT(options.fields, ElementsAre(Pair("q", "question")));
  EXPECT_EQ(options.id_column + options.split_column, "ids");
  EXPECT_EQ(options.media_root + options.media_templates.at(0) + options.strip_prefix,
            "r{id}.jpg/x/");
  EXPECT_THAT(options.columns, ElementsAre("a", "b"));
  EXPECT_EQ(options.delimiter, '\t');
  EXPECT_EQ(options.quoting, false);
  EXPECT_THAT(options.media_extensions, ElementsAre("jpg", "png", "gif"));
  EXPECT_THAT(options.text_extensions, ElementsAre("cap"));
  EXPECT_THAT(options.pair_dirs, ElementsAre(Pair("images", "labels")));
  EXPECT_EQ(options.texts, TextsMode::kLines);
  EXPECT_FALSE(options.extras);
  EXPECT_EQ(options.missing_media, OnMissingMedia::kSkip);
  EXPECT_EQ(options.unpaired_media, OnUnpairedMedia::kError);
  EXPECT_EQ(options.unpaired_text, OnUnpairedText::kSkip);
  EXPECT_EQ(options.empty, OnEmpty::kSkip);
  EXPECT_EQ(options.duplicates, OnDuplicate::kRename);
  EXPECT_EQ(options.symlinks, OnSymlink::kInside);
  EXPECT_EQ(options.multi_media, OnMultiMedia::kEach);
  EXPECT_TRUE(options.force && options.dry_run && options.json && options.quiet && options.strict &&
              options.lenient && options.allow_outside && options.keep_columns &&
              options.no_header && options.last_column_rest && options.drop_hidden &&
              options.lower_ext);
  EXPECT_EQ(options.name_encoding, "latin1");
  EXPECT_EQ(options.threads, 3u);
  EXPECT_EQ(options.alignment, 4096u);
  EXPECT_EQ(options.report + options.tmp_dir, "reptmp");
  EXPECT_THAT(options.sources, ElementsAre("-in"));
}

struct Mistake {
  std::vector<std::string> arguments;
  const char* message;
};

TEST(ConvertOptionsTest, NamesMistakes) {
  const Mistake mistakes[] = {
      {{"in"}, "OUT.ulhff is missing"},
      {{"--nonsense", "in", "out"}, "--nonsense"},
      {{"--emp", "keep", "in", "out"}, "--emp"},
      {{"--empty", "maybe", "in", "out"}, "--empty maybe: not one of keep, skip, error"},
      {{"--threads", "0", "in", "out"}, "--threads 0: not a number in 1..256"},
      {{"--threads", "two", "in", "out"}, "--threads two"},
      {{"--threads", "99999999999999999999", "in", "out"}, "not a number"},
      {{"--align", "100", "in", "out"}, "--align 100: not a power of two"},
      {{"--align", "8192", "in", "out"}, "64..4096"},
      {{"--field", "question", "in", "out"}, "--field question: needs a '='"},
      {{"--pair-dirs", "a:", "in", "out"}, "--pair-dirs a:"},
      {{"--delimiter", "::", "in", "out"}, "one byte"},
  };
  for (const Mistake& mistake : mistakes) {
    EXPECT_THAT([&] { Parse(mistake.arguments); },
                ThrowsMessage<UsageError>(HasSubstr(mistake.message)));
  }
}

class SummaryTest : public testing::Test {
 protected:
  SummaryTest() {
    options.output = "out.ulhff";
    result.type = PairingType::kFixedOneToMany;
    result.ratio = 5;
    result.pairs = 155'070;
    result.objects = 31'014;
    result.texts = 155'070;
    result.source = {.duplicates_merged = 4, .files = 186'084, .bytes = uint64_t{4} << 30};
    result.file = {.uuid = "u", .file_bytes = uint64_t{3} << 30, .table_bytes = 200'000};
    result.file.info.emplace();
    result.file.info->index_bytes = 100'000;
    result.file.info->table_bytes = 200'000;
    result.seconds = 40;
  }
  ConvertOptions options;
  ConversionResult result;
};

TEST_F(SummaryTest, TellsAPersonWhatMatters) {
  Report report(options);
  report.Rule("same stem", 155'070);
  report.Note(Odd::kHiddenFile, ".DS_Store", {".DS_Store"});
  report.Note(Odd::kHiddenFile, "x/.DS_Store", {"x/.DS_Store"});
  EXPECT_EQ(
      SummaryText(result, options, report),
      "out.ulhff: 155,070 pairs of 31,014 media, fixed one-to-many (1:5)\n"
      "\n"
      "  paired by   same stem (155,070)\n"
      "  duplicates  4 media files merged with another of the same bytes\n"
      "  size        4.0 GiB in 186,084 files -> 3.0 GiB in 1 file (-25.0 %)\n"
      "  index       97.7 KiB; besides it order 0 bytes, text lengths 0 bytes, names 0 bytes; "
      "all tables 195.3 KiB\n"
      "  time        40 s, 102.4 MiB/s, 3,876 pairs/s\n"
      "\n"
      "Worth a look:\n"
      "  2 hidden files, never paired: .DS_Store, ... (--drop-hidden leaves them out)\n"
      "  --report FILE lists all of them; docs/sources.md explains them\n");
}

TEST_F(SummaryTest, SaysWhereRulesCountMoreThanTheFileHas) {
  Report report(options);
  report.Rule("same stem", 9);
  options.shards = 3;
  EXPECT_THAT(SummaryText(result, options, report), HasSubstr("same stem (9 in all shards)\n"));
  options.shards = 1;
  options.duplicates = OnDuplicate::kLast;
  EXPECT_THAT(SummaryText(result, options, report), HasSubstr("same stem (9)\n"));
  report.Note(Odd::kDuplicateName, "a.jpg", {"a.jpg"});
  EXPECT_THAT(SummaryText(result, options, report),
              HasSubstr("same stem (9 with those that --duplicates last left out)\n"));
}

TEST_F(SummaryTest, NamesTheFaultBehindWhichNothingIsReadHoweverManyComeBefore) {
  Report report(options);
  for (uint64_t line = 1; line < 50; ++line) report.Note(Odd::kTruncated, "bad", {"c.json", line});
  report.Note(Odd::kLostRest, "worse; all behind it is left out", {"c.json", 50});
  EXPECT_THAT(SummaryText(result, options, report),
              AllOf(HasSubstr("49 cut or malformed parts, left out: c.json:1: bad, ...\n"),
                    HasSubstr("1 file whose rest is left out: c.json:50: worse; all behind it is "
                              "left out\n")));
}

TEST_F(SummaryTest, IsShorterWhereThereIsLessToTell) {
  result.source.duplicates_merged = 0;
  result.type = PairingType::kHybridOneToMany;
  result.ratio = 0;
  options.dry_run = true;
  const Report report(options);
  const std::string text = SummaryText(result, options, report);
  EXPECT_THAT(text, HasSubstr("out.ulhff would be: 155,070 pairs of 31,014 media, hybrid "
                              "one-to-many (1:5.00 on average)"));
  EXPECT_THAT(text, Not(HasSubstr("duplicates")));
  EXPECT_THAT(text, Not(HasSubstr("Worth")));
}

TEST_F(SummaryTest, TellsAProgramEverything) {
  Report report(options);
  report.Rule("rows of a.csv", 3);
  report.Note(Odd::kMissingMedia, "L\xfcneburg.jpg", {"a.csv", 7, {}});
  const std::string text = SummaryJson(result, options, report, {{"in", "table", "looks so"}});
  rapidjson::Document json;
  json.Parse<rapidjson::kParseValidateEncodingFlag>(text.c_str());
  ASSERT_FALSE(json.HasParseError()) << text;
  EXPECT_EQ(json["pairs"].GetUint64(), 155'070u);
  EXPECT_EQ(json["type"], "fixed one-to-many");
  EXPECT_EQ(json["duplicates_merged"].GetUint64(), 4u);
  EXPECT_EQ(json["sources"][0]["from"], "table");
  EXPECT_EQ(json["rules"]["rows of a.csv"].GetUint64(), 3u);
  EXPECT_EQ(json["odd"][0]["kind"], "missing_media");
  EXPECT_EQ(json["odd"][0]["count"].GetUint64(), 1u);
  EXPECT_FALSE(json["dry_run"].GetBool());
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
}  // namespace ulhff
