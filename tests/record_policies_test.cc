// Tests that the policies about odd input mean the same in every container of records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"
#include "tests/merging.h"
#include "tests/small_source.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class RecordPoliciesTest : public MergingTest, public testing::WithParamInterface<SmallKind> {
 protected:
  RecordPoliciesTest() {
    options.tmp_dir = out.path();
    options.force = true;
  }
  Reader ConvertItems(const Items& items) {
    GetParam().write(tree, items);
    return Reader::Open(ConvertTo("x.ulhff", {tree("d")}));
  }
};

TEST_P(RecordPoliciesTest, DuplicateKeysFollowThePolicy) {
  const Items items = {{"k", "A", "1"}, {"x", "B", "2"}, {"k", "C", "3"}};
  if (GetParam().Is(kHasKeys)) {
    options.id_column = "key";
    EXPECT_THAT([&] { ConvertItems(items); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("k.jpg (first: "), HasSubstr("byte"))));
  } else {  // a sample of its own in every reader of tars
    EXPECT_EQ(Outline(ConvertItems(items)), "A: 1 | B: 2 | C: 3");
    EXPECT_EQ(report->count(Odd::kRepeatedKey), 1U);
    options.strict = true;
    EXPECT_THAT([&] { ConvertItems(items); }, ThrowsMessage<InputError>(HasSubstr("k -> k~2")));
    options.strict = false;
  }
  options.duplicates = OnDuplicate::kFirst;
  const Reader first = ConvertItems(items);
  EXPECT_EQ(Outline(first), "A: 1 | B: 2");
  EXPECT_THAT(report->rules(), ElementsAre(testing::Pair(testing::_, 2)));
  EXPECT_EQ(Show(first, "k.txt"), "1");
  options.duplicates = OnDuplicate::kLast;
  const Reader last = ConvertItems(items);
  EXPECT_EQ(Outline(last), "B: 2 | C: 3");
  EXPECT_EQ(Show(last, "k.jpg"), "C");
  EXPECT_EQ(Show(last, "k.txt"), "3");
  options.duplicates = OnDuplicate::kRename;
  const Reader renamed = ConvertItems(items);
  EXPECT_EQ(Outline(renamed), "A: 1 | B: 2 | C: 3");
  EXPECT_EQ(Show(renamed, "k.jpg"), "A");
  EXPECT_EQ(Show(renamed, "k~2.jpg"), "C");
  EXPECT_EQ(Show(renamed, "k~2.txt"), "3");
}

struct EmptyCase {
  Items items;
  const char *kept, *without;  // nullptr: nothing is left, which is an error
};

TEST_P(RecordPoliciesTest, EmptyTextsAndMediaFollowThePolicyWhereverTheyStand) {
  const EmptyCase cases[] = {{{{"a", "A", ""}, {"b", "B", "2"}}, "A:  | B: 2", "B: 2"},
                             {{{"a", "A", "1"}, {"b", "B", ""}}, "A: 1 | B: ", "A: 1"},
                             {{{"a", "A", ""}, {"b", "B", ""}}, "A:  | B: ", nullptr},
                             {{{"a", "", "1"}, {"b", "B", "2"}}, ": 1 | B: 2", "B: 2"},
                             {{{"a", "A", "1"}, {"b", "", "2"}}, "A: 1 | : 2", "A: 1"},
                             {{{"a", "", "1"}, {"b", "", ""}}, ": 1, ", nullptr},
                             {{{"a", "A", "1"}, {"b", "A", ""}}, "A: 1, ", "A: 1"}};
  for (const bool named : {false, true}) {
    if (named && GetParam().Is(kHasKeys)) options.id_column = "key";
    for (const EmptyCase& empty : cases) {
      options.empty = OnEmpty::kKeep;
      EXPECT_EQ(Outline(ConvertItems(empty.items)), empty.kept);
      options.empty = OnEmpty::kError;
      EXPECT_THAT([&] { ConvertItems(empty.items); },
                  ThrowsMessage<InputError>(HasSubstr(" empty ")));
      options.empty = OnEmpty::kSkip;
      if (empty.without != nullptr) {
        EXPECT_EQ(Outline(ConvertItems(empty.items)), empty.without);
        EXPECT_THAT(report->rules(), ElementsAre(testing::Pair(testing::_, 1)));
      } else {
        EXPECT_THAT([&] { ConvertItems(empty.items); },
                    ThrowsMessage<InputError>(HasSubstr("no media found")));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Containers, RecordPoliciesTest,
                         testing::ValuesIn(SmallKindsThat(kHasSamples)),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace ulhff
