// Tests what is counted, listed and told of odd input, and how progress is shown.
#include "converter/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <system_error>

#include "converter/input_error.h"
#include "converter/odd.h"
#include "converter/progress.h"
#include "tests/temp_dir.h"

namespace ulhff {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

TEST(StrictTest, WhatIsLeftOutOrNotPairedIsAnErrorWhateverItsOptionSays) {
  ConvertOptions options;
  options.missing_media = OnMissingMedia::kSkip;
  for (const Odd kind :
       {Odd::kMissingMedia, Odd::kUnpairedMedia, Odd::kUnpairedText, Odd::kEmptyText}) {
    options.strict = false;
    EXPECT_FALSE(IsError(kind, options));
    options.strict = true;
    EXPECT_TRUE(IsError(kind, options));
  }
}

TEST(ReportTest, CountsEverythingAndKeepsTwentyExamples) {
  const ConvertOptions options;
  Report report(options);
  for (uint64_t i = 1; i <= 25; ++i) report.Note(Odd::kHiddenFile, ".x", {"list", i, {}});
  EXPECT_EQ(report.count(Odd::kHiddenFile), 25u);
  EXPECT_THAT(report.examples(Odd::kHiddenFile), SizeIs(20));
  EXPECT_EQ(report.examples(Odd::kHiddenFile).front(), "list:1: .x");
  EXPECT_EQ(report.count(Odd::kEmptyText), 0u);
  EXPECT_NO_THROW(report.ThrowErrors());
}

TEST(ReportTest, AnErrorCountsAsTheSummaryDoesAndTellsOfADoubtfulHeader) {
  const ConvertOptions options;
  Report report(options);
  for (int i = 0; i < 1234; ++i) report.Note(Odd::kMissingMedia, "image_id", {"t.csv", 1, {}});
  report.Note(Odd::kHeaderLooksLikeData, "the first row looks like a header", {"t.csv", 1, {}});
  report.Note(Odd::kHiddenFile, ".x", {".x"});
  EXPECT_THAT([&] { report.ThrowErrors(); },
              ThrowsMessage<InputError>(testing::AllOf(
                  HasSubstr("1,234 rows name media"), HasSubstr("and 1,214 more"),
                  HasSubstr("\n1 table with a doubtful header (--no-header --columns):\n"
                            "  t.csv:1: the first row looks like a header"),
                  testing::Not(HasSubstr("hidden")), testing::Not(testing::EndsWith("\n")))));
}

TEST(ReportTest, AFileThatIsItsOwnOriginIsNamedOnce) {
  const ConvertOptions options;
  Report report(options);
  report.Note(Odd::kMagicMismatch, "d.jpg: content is PNG", {"d.jpg"});
  report.Note(Odd::kMagicMismatch, "d.jpg: content is PNG", {"t.csv", 2, {}});
  EXPECT_THAT(report.examples(Odd::kMagicMismatch),
              ElementsAre("d.jpg: content is PNG", "t.csv:2: d.jpg: content is PNG"));
}

TEST(ReportTest, AnOptionThatWasGivenIsNoRemedy) {
  ConvertOptions options;
  EXPECT_THAT(RemedyOf(Odd::kMissingMedia, options), HasSubstr("--missing-media skip"));
  EXPECT_THAT(RemedyOf(Odd::kMultiMediaRow, options), HasSubstr("--multi-media"));
  options.missing_media = OnMissingMedia::kSkip;
  options.multi_media = OnMultiMedia::kEach;
  EXPECT_EQ(RemedyOf(Odd::kMissingMedia, options),
            "--media-root, --strip-prefix say where to look");
  EXPECT_EQ(RemedyOf(Odd::kMultiMediaRow, options), "");
  options.drop_hidden = options.allow_outside = options.no_header = true;
  options.key_rule = KeyRule::kLastDot;
  options.duplicates = OnDuplicate::kRename;
  for (const Odd kind : {Odd::kHiddenFile, Odd::kOutsidePath, Odd::kHeaderLooksLikeData,
                         Odd::kLoneMember, Odd::kRepeatedKey}) {
    const ConvertOptions unset;
    EXPECT_NE(RemedyOf(kind, unset), RemedyOf(kind, options)) << Describe(kind).key;
    EXPECT_THAT(RemedyOf(kind, options), testing::Not(HasSubstr(Describe(kind).remedy)));
  }
}

TEST(ReportTest, WritesALineOfJsonForEachOccurrence) {
  const TempDir dir;
  ConvertOptions options;
  options.report = dir / "odd.jsonl";
  Report report(options);
  report.Note(Odd::kMissingMedia, "a \"b\"\n\xff\\", {"captions.csv", 12, 345});
  report.Note(Odd::kNoText, "", {});
  report.Close();
  EXPECT_EQ(ReadBytes(options.report),
            "{\"kind\":\"missing_media\",\"what\":\"a \\\"b\\\"\\n\\udcff\\\\\","
            "\"file\":\"captions.csv\",\"line\":12,\"offset\":345}\n"
            "{\"kind\":\"no_text\",\"what\":\"\"}\n");
}

TEST(ReportTest, TellsThatItsFileCannotBeWritten) {
  ConvertOptions options;
  options.report = "/nonexistent/report";
  EXPECT_THAT([&] { Report report(options); },
              ThrowsMessage<std::system_error>(HasSubstr("/nonexistent/report")));
  options.report = "/dev/full";
  Report report(options);
  report.Note(Odd::kNoText, "x", {});
  EXPECT_THAT([&] { report.Close(); }, ThrowsMessage<std::system_error>(HasSubstr("/dev/full")));
}

TEST(ReportTest, AddsUpRules) {
  const ConvertOptions options;
  Report report(options);
  report.Rule("same stem", 3);
  report.Rule("alone", 1);
  report.Rule("same stem", 2);
  EXPECT_THAT(report.rules(),
              ElementsAre(testing::Pair("same stem", 5), testing::Pair("alone", 1)));
}

TEST(OddTest, HasADistinctKeyAndASentenceForEachKind) {
  std::set<std::string_view> keys;
  for (size_t i = 0; i < kOddKinds; ++i) {
    const OddKind& kind = Describe(static_cast<Odd>(i));
    EXPECT_FALSE(kind.key.empty() || kind.singular.empty() || kind.plural.empty()) << i;
    EXPECT_TRUE(keys.insert(kind.key).second) << kind.key;
  }
  EXPECT_EQ(Describe(Odd::kHeaderLooksLikeData).key, "header_looks_like_data");
}

class ProgressTest : public testing::Test {
 protected:
  Progress Make(Progress::Mode mode) {
    return Progress(mode, {[this](std::string_view text) { shown += text; },
                           [this] { return width; }, [this] { return now; }});
  }
  std::string shown;
  unsigned width = 80;
  Progress::Clock::time_point now;
};

TEST_F(ProgressTest, DrawsABarAtMostTenTimesASecondAndRemovesIt) {
  {
    Progress progress = Make(Progress::Mode::kBar);
    progress.Stage("copying", 1000, Progress::Unit::kCount);
    for (int i = 0; i < 500; ++i) {
      now += milliseconds(4);  // 2 seconds
      progress.Advance(1);
    }
    const auto bars = std::count(shown.begin(), shown.end(), '\r');
    EXPECT_GE(bars, 18);
    EXPECT_LE(bars, 20);
    EXPECT_THAT(shown, HasSubstr("copying 500 of 1,000, 250/s, 2.0 s left"));
    EXPECT_THAT(shown, HasSubstr("█"));
  }
  EXPECT_TRUE(shown.ends_with("\r\x1b[K"));
}

TEST_F(ProgressTest, FitsNarrowTerminals) {
  for (const unsigned columns : {200u, 80u, 40u, 20u, 5u}) {
    width = columns;
    shown.clear();
    Progress progress = Make(Progress::Mode::kBar);
    progress.Stage("copying", 1'000'000'000, Progress::Unit::kBytes);
    now += milliseconds(1500);
    progress.Advance(123'456'789);
    std::string line = shown.substr(shown.rfind('\r') + 4);
    // A block is three bytes and one column.
    const auto blocks = std::count(line.begin(), line.end(), '\xe2');
    EXPECT_LT(line.size() - 2 * static_cast<size_t>(blocks), columns);
  }
}

TEST_F(ProgressTest, PrintsALineNowAndThenWhereThereIsNoTerminal) {
  Progress progress = Make(Progress::Mode::kLines);
  progress.Stage("scanning, pairs", 0, Progress::Unit::kCount);
  for (int i = 0; i < 12; ++i) {
    now += milliseconds(1000);
    progress.Advance(10);
  }
  EXPECT_EQ(shown, "scanning, pairs 50, 10/s\nscanning, pairs 100, 10/s\n");
}

TEST_F(ProgressTest, SaysNothingIfQuiet) {
  Progress progress = Make(Progress::Mode::kQuiet);
  progress.Stage("copying", 10, Progress::Unit::kCount);
  now += milliseconds(100'000);
  progress.Advance(5);
  progress.Clear();
  EXPECT_EQ(shown, "");
}

TEST(FormatTimeTest, SuitsTheLength) {
  EXPECT_EQ(FormatTime(0.04), "0.0 s");
  EXPECT_EQ(FormatTime(9.94), "9.9 s");
  EXPECT_EQ(FormatTime(41.4), "41 s");
  EXPECT_EQ(FormatTime(59.7), "1:00");
  EXPECT_EQ(FormatTime(187), "3:07");
  EXPECT_EQ(FormatTime(3723), "1:02:03");
}

}  // namespace
}  // namespace ulhff
