// Tests that the policies about odd input mean the same in every container of records.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"
#include "tests/merging.h"
#include "tests/record_files.h"
#include "tests/tar_files.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct Row {
  std::string key, media, text;
};
using Rows = std::vector<Row>;

void WriteFfrecord(TempTree& tree, const Rows& rows) {
  std::vector<std::string> records;
  for (const Row& row : rows) {
    records.push_back(PickledDict({{"key", PickledText(row.key)},
                                   {"image", PickledBytes(row.media)},
                                   {"caption", PickledText(row.text)}}));
  }
  tree.Write("d/a.ffr", Ffrecord(records));
}

void WriteTfrecord(TempTree& tree, const Rows& rows) {
  std::string records;
  for (const Row& row : rows) {
    records += Framed(Example({{"key", BytesFeature({row.key})},
                               {"image", BytesFeature({row.media})},
                               {"caption", BytesFeature({row.text})}}));
  }
  tree.Write("d/a.tfrecord", records);
}

void WriteMds(TempTree& tree, const Rows& rows) {
  const std::vector<MdsFileColumn> columns = {
      {"key", "str"}, {"image", "jpeg"}, {"caption", "str"}};
  std::vector<std::vector<std::string>> samples;
  for (const Row& row : rows) samples.push_back({row.key, row.media, row.text});
  const std::string shard = MdsFile(columns, samples);
  tree.Write("d/a.mds", shard);
  tree.Write("d/index.json", MdsIndex({MdsEntry(columns, "a.mds", shard.size(), rows.size())}));
}

void WriteTar(TempTree& tree, const Rows& rows) {
  TarFiles files;
  for (const Row& row : rows) {
    files.push_back({row.key, row.media});
    files.push_back({row.key.substr(0, row.key.find('.')) + ".txt", row.text});
  }
  tree.Write("d/a.tar", TarOf(files));
}

struct Container {
  const char* name;
  void (*write)(TempTree& tree, const Rows& rows);
  bool has_id_column;
};

class RecordPoliciesTest : public MergingTest, public testing::WithParamInterface<Container> {
 protected:
  RecordPoliciesTest() {
    options.tmp_dir = out.path();
    options.force = true;
  }
  Reader ConvertRows(const Rows& rows) {
    GetParam().write(tree, rows);
    return Reader::Open(ConvertTo("x.ulhff", {tree("d")}));
  }
};

TEST_P(RecordPoliciesTest, DuplicateKeysFollowThePolicy) {
  const Rows rows = {{"k.jpg", "A", "1"}, {"x.jpg", "B", "2"}, {"k.jpg", "C", "3"}};
  if (GetParam().has_id_column) {
    options.id_column = "key";
    EXPECT_THAT([&] { ConvertRows(rows); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("k.jpg (first: "), HasSubstr("byte"))));
  } else {  // a sample of its own in every reader of tars
    EXPECT_EQ(Outline(ConvertRows(rows)), "A: 1 | B: 2 | C: 3");
    EXPECT_EQ(report->count(Odd::kRepeatedKey), 1U);
    options.strict = true;
    EXPECT_THAT([&] { ConvertRows(rows); }, ThrowsMessage<InputError>(HasSubstr("k -> k~2")));
    options.strict = false;
  }
  options.duplicates = OnDuplicate::kFirst;
  const Reader first = ConvertRows(rows);
  EXPECT_EQ(Outline(first), "A: 1 | B: 2");
  EXPECT_EQ(Show(first, "k.txt"), "1");
  options.duplicates = OnDuplicate::kLast;
  const Reader last = ConvertRows(rows);
  EXPECT_EQ(Outline(last), "B: 2 | C: 3");
  EXPECT_EQ(Show(last, "k.jpg"), "C");
  EXPECT_EQ(Show(last, "k.txt"), "3");
  options.duplicates = OnDuplicate::kRename;
  const Reader renamed = ConvertRows(rows);
  EXPECT_EQ(Outline(renamed), "A: 1 | B: 2 | C: 3");
  EXPECT_EQ(Show(renamed, "k.jpg"), "A");
  EXPECT_EQ(Show(renamed, "k~2.jpg"), "C");
  EXPECT_EQ(Show(renamed, "k~2.txt"), "3");
}

struct EmptyCase {
  Rows rows;
  const char *kept, *without;  // nullptr: nothing is left, which is an error
};

TEST_P(RecordPoliciesTest, EmptyTextsAndMediaFollowThePolicyWhereverTheyStand) {
  const EmptyCase cases[] = {{{{"a.jpg", "A", ""}, {"b.jpg", "B", "2"}}, "A:  | B: 2", "B: 2"},
                             {{{"a.jpg", "A", "1"}, {"b.jpg", "B", ""}}, "A: 1 | B: ", "A: 1"},
                             {{{"a.jpg", "A", ""}, {"b.jpg", "B", ""}}, "A:  | B: ", nullptr},
                             {{{"a.jpg", "", "1"}, {"b.jpg", "B", "2"}}, ": 1 | B: 2", "B: 2"},
                             {{{"a.jpg", "A", "1"}, {"b.jpg", "", "2"}}, "A: 1 | : 2", "A: 1"},
                             {{{"a.jpg", "", "1"}, {"b.jpg", "", ""}}, ": 1, ", nullptr},
                             {{{"a.jpg", "A", "1"}, {"b.jpg", "A", ""}}, "A: 1, ", "A: 1"}};
  for (const bool named : {false, true}) {
    if (named && GetParam().has_id_column) options.id_column = "key";
    for (const EmptyCase& empty : cases) {
      options.empty = OnEmpty::kKeep;
      EXPECT_EQ(Outline(ConvertRows(empty.rows)), empty.kept);
      options.empty = OnEmpty::kError;
      EXPECT_THAT([&] { ConvertRows(empty.rows); },
                  ThrowsMessage<InputError>(HasSubstr(" empty ")));
      options.empty = OnEmpty::kSkip;
      if (empty.without != nullptr) {
        EXPECT_EQ(Outline(ConvertRows(empty.rows)), empty.without);
      } else {
        EXPECT_THAT([&] { ConvertRows(empty.rows); },
                    ThrowsMessage<InputError>(HasSubstr("no media found")));
      }
    }
  }
}

constexpr Container kContainers[] = {{"Ffrecord", WriteFfrecord, true},
                                     {"Tfrecord", WriteTfrecord, true},
                                     {"Mds", WriteMds, true},
                                     {"Tar", WriteTar, false}};
INSTANTIATE_TEST_SUITE_P(Containers, RecordPoliciesTest, testing::ValuesIn(kContainers),
                         [](const auto& container) { return std::string(container.param.name); });

}  // namespace
}  // namespace ulhff
