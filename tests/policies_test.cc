// Tests that every policy about the parts of pairs means the same in every kind of source.
#include "tests/policy_cases.h"

namespace ulhff {
namespace {

const std::string kJpgA = Jpg("A"), kJpgB = Jpg("B"), kJpgC = Jpg("C");
const Items kPlain = {{"1", kJpgA, "one"}, {"2", kJpgB, "two"}, {"3", kJpgC, "three"}};
const Items kMissing = {{"1", kJpgA, "one"}, {"2", std::nullopt, "two"}, {"3", kJpgC, "three"}};
const Items kUnpaired = {{"1", kJpgA, "one"}, {"2", kJpgB, std::nullopt}, {"3", kJpgC, "three"}};
const Items kTextless = {
    {"1", kJpgA, std::nullopt}, {"2", kJpgB, std::nullopt}, {"3", kJpgC, std::nullopt}};
const Items kEmptyText = {{"1", kJpgA, "one"}, {"2", kJpgB, ""}, {"3", kJpgC, "three"}};
const Items kEmptyMedia = {{"1", kJpgA, "one"}, {"2", "", "two"}, {"3", kJpgC, "three"}};
const Items kMismatch = {{"1", kJpgA, "one"}, {"2", "\x89PNG\r\n\x1a\n.", "two"}};
const Items kPage = {{"1", kJpgA, "one"}, {"2", "<!DOCTYPE html>", "two"}};
const Items kPointer = {{"1", kJpgA, "one"},
                        {"2", "version https://git-lfs.github.com/spec/v1\noid x", "two"}};

// With an outline: what is kept. Without: the conversion stops.
struct Policy {
  const char* name;
  const Items* items;
  unsigned needs;
  Odd odd;
  void (*set)(ConvertOptions& options);
  const char* outline;
};

using Set = ConvertOptions&;
void Default(Set) {}
const Policy kPolicies[] = {
    {"MissingMediaError", &kMissing, kNamesFiles, Odd::kMissingMedia, Default, nullptr},
    {"MissingMediaSkip", &kMissing, kNamesFiles, Odd::kMissingMedia,
     [](Set o) { o.missing_media = OnMissingMedia::kSkip; }, "A: one | C: three"},
    {"UnpairedMediaKeep", &kUnpaired, kHasAbsentTexts, Odd::kUnpairedMedia, Default,
     "A: one | B: - | C: three"},
    {"UnpairedMediaSkip", &kUnpaired, kHasAbsentTexts, Odd::kUnpairedMedia,
     [](Set o) { o.unpaired_media = OnUnpairedMedia::kSkip; }, "A: one | C: three"},
    {"UnpairedMediaError", &kUnpaired, kHasAbsentTexts, Odd::kUnpairedMedia,
     [](Set o) { o.unpaired_media = OnUnpairedMedia::kError; }, nullptr},
    {"NoText", &kTextless, kHasNoTexts, Odd::kNoText, Default, "A: | B: | C:"},
    {"EmptyTextKeep", &kEmptyText, kHasEmptyTexts, Odd::kEmptyText, Default,
     "A: one | B:  | C: three"},
    {"EmptyTextSkip", &kEmptyText, kHasEmptyTexts, Odd::kEmptyText,
     [](Set o) { o.empty = OnEmpty::kSkip; }, "A: one | C: three"},
    {"EmptyTextError", &kEmptyText, kHasEmptyTexts, Odd::kEmptyText,
     [](Set o) { o.empty = OnEmpty::kError; }, nullptr},
    {"EmptyMediaKeep", &kEmptyMedia, 0, Odd::kEmptyMedia, Default, "A: one | : two | C: three"},
    {"EmptyMediaSkip", &kEmptyMedia, 0, Odd::kEmptyMedia, [](Set o) { o.empty = OnEmpty::kSkip; },
     "A: one | C: three"},
    {"EmptyMediaError", &kEmptyMedia, 0, Odd::kEmptyMedia, [](Set o) { o.empty = OnEmpty::kError; },
     nullptr},
    {"Mismatch", &kMismatch, kHasMediaNames, Odd::kMagicMismatch, Default,
     "A: one | \x89PNG\r\n\x1a\n.: two"},
    {"HtmlPage", &kPage, 0, Odd::kNotMedia, Default, "A: one | <!DOCTYPE html>: two"},
    {"LfsPointer", &kPointer, 0, Odd::kNotMedia, Default,
     "A: one | version https://git-lfs.github.com/spec/v1\noid x: two"}};

using PoliciesTest = SmallSourceTest;

TEST_P(PoliciesTest, AreFollowedAndCounted) {
  for (const Policy& policy : kPolicies) {
    if (!GetParam().Is(policy.needs)) continue;
    SCOPED_TRACE(policy.name);
    Write(*policy.items);
    policy.set(options);
    ExpectFollowed(policy.outline, policy.odd);
  }
}

TEST_P(PoliciesTest, AreNoExcuseIfStrict) {
  for (const Policy& policy : kPolicies) {
    if (!GetParam().Is(policy.needs) || policy.outline == nullptr) continue;
    SCOPED_TRACE(policy.name);
    Write(*policy.items);
    policy.set(options);
    options.strict = true;
    ExpectRefused(policy.odd);
  }
  Write(kPlain);
  options.strict = true;
  EXPECT_EQ(ConvertSource(), "A: one | B: two | C: three");
}

ULHFF_FOR_SMALL_KINDS(PoliciesTest, 0);

}  // namespace
}  // namespace ulhff
