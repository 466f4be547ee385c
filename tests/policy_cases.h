// Converts small sources of any kind, and tells what became of what is odd in them.
#ifndef ULHFF_TESTS_POLICY_CASES_H_
#define ULHFF_TESTS_POLICY_CASES_H_

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "converter/input_error.h"
#include "tests/merging.h"
#include "tests/small_source.h"

namespace ulhff {

// For each kind of source.
class SmallSourceTest : public MergingTest, public testing::WithParamInterface<SmallKind> {
 protected:
  SmallSourceTest() {
    fresh_.tmp_dir = out.path();
    fresh_.report = out / "report.jsonl";
    fresh_.force = true;
  }
  // Instead of all that was there; options are the defaults again.
  void Write(const Items& items) {
    std::filesystem::remove_all(tree.root());
    GetParam().write(tree, items);
    options = fresh_;
  }
  std::string ConvertSource() { return ConvertSources({GetParam().Operand(tree)}); }
  std::string ConvertSources(const std::vector<std::string>& operands) {
    std::filesystem::remove(out / "x.ulhff");
    return PlainOutline(Outline(Reader::Open(ConvertTo("x.ulhff", operands))));
  }
  void ExpectRefused(Odd odd, uint64_t count = 1) {
    const OddKind& kind = Describe(odd);
    const std::string told(count == 1 ? kind.singular : kind.plural);
    EXPECT_THAT([&] { ConvertSource(); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(told)));
    EXPECT_FALSE(std::filesystem::exists(options.output));
  }
  // `outline` == nullptr: refused. Counted in any case, and all in --report.
  void ExpectFollowed(const char* outline, Odd odd, uint64_t count = 1) {
    if (outline != nullptr) {
      EXPECT_EQ(ConvertSource(), outline);
    } else {
      ExpectRefused(odd, count);
    }
    EXPECT_EQ(report->count(odd), count);
    EXPECT_EQ(Reported(odd), count);
  }

 private:
  // How many lines of --report are about it.
  uint64_t Reported(Odd odd) {
    report->Close();
    const std::string kind = fmt::format("\"kind\":\"{}\"", Describe(odd).key);
    std::ifstream lines(options.report);
    uint64_t count = 0;
    for (std::string line; std::getline(lines, line);) count += line.find(kind) != line.npos;
    return count;
  }

  ConvertOptions fresh_;
};

#define ULHFF_FOR_SMALL_KINDS(test, can)                                          \
  INSTANTIATE_TEST_SUITE_P(Sources, test, testing::ValuesIn(SmallKindsThat(can)), \
                           [](const auto& kind) { return std::string(kind.param.name); })

}  // namespace ulhff

#endif  // ULHFF_TESTS_POLICY_CASES_H_
