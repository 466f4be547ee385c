// Pairs in the order of the source with their texts, and the paths of their media.
#include "converter/pair_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "converter/input_error.h"
#include "converter/media_paths.h"
#include "tests/dataset.h"
#include "tests/temp_dir.h"

namespace ulhff {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class PairWalkTest : public testing::Test {
 protected:
  Reader Write(const Dataset& set) {
    const std::string path = dir_ / std::to_string(++files_);
    set.Write(path);
    return Reader::Open(path);
  }
  TempDir dir_;
  int files_ = 0;
};

// The texts of a pair as the dataset has them.
const std::vector<std::optional<std::string>>& TextsOf(const Dataset& set, uint64_t pair) {
  for (const DatasetObject& object : set.objects) {
    if (pair < object.pairs.size()) return object.pairs[pair].texts;
    pair -= object.pairs.size();
  }
  throw std::out_of_range("pair");
}

TEST_F(PairWalkTest, FollowsTheSource) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Dataset set = RandomDataset(
        seed, {.objects = 30, .fields = 2, .splits = seed % 3, .shuffled_order = seed % 2 == 0});
    const Reader reader = Write(set);
    PairWalk walk(reader);
    std::map<uint64_t, uint64_t> seen;  // by split
    for (uint64_t position = 0; position < reader.info().pairs; ++position) {
      ASSERT_TRUE(walk.Next());
      EXPECT_EQ(walk.position(), position);
      EXPECT_EQ(walk.pair(), reader.PairAtSourcePosition(position));
      EXPECT_EQ(walk.object(), reader.Locate(walk.pair()).object);
      EXPECT_EQ(walk.split().has_value(), !reader.info().splits.empty());
      EXPECT_EQ(walk.number(), seen[walk.split().value_or(0)]++);
      const auto& wanted = TextsOf(set, walk.pair());
      const auto texts = walk.ReadTexts();
      ASSERT_EQ(texts.size(), wanted.size());
      for (size_t field = 0; field < texts.size(); ++field) {
        EXPECT_EQ(texts[field].has_value(), wanted[field].has_value());
        EXPECT_EQ(walk.HasText(field), wanted[field].has_value());
        if (texts[field] && wanted[field]) {
          EXPECT_EQ(*texts[field], *wanted[field]);
        }
      }
    }
    EXPECT_FALSE(walk.Next());
  }
}

TEST_F(PairWalkTest, KeepsToASplit) {
  const Dataset set = RandomDataset(7, {.splits = 3, .shuffled_order = true});
  const Reader reader = Write(set);
  uint64_t all = 0;
  for (uint64_t split = 0; split < 3; ++split) {
    PairWalk walk(reader, split);
    uint64_t count = 0;
    for (; walk.Next(); ++count) EXPECT_EQ(walk.split(), split);
    EXPECT_EQ(count, reader.SplitPairs(split));
    all += count;
  }
  EXPECT_EQ(all, reader.info().pairs);
  EXPECT_EQ(SplitCalled(reader.info(), reader.info().splits[1]), 1u);
  EXPECT_THAT([&] { SplitCalled(reader.info(), "none"); },
              ThrowsMessage<UsageError>(HasSubstr(reader.info().splits[2])));
}

TEST_F(PairWalkTest, NamesMediaOfTheSourceByOneOfTheirNames) {
  const Dataset set = RandomDataset(3, {.objects = 50});
  const Reader reader = Write(set);
  TreeOptions options;
  options.view = ViewKind::kSource;
  const Tree tree(reader, options);
  const MediaPaths paths(tree, reader.info().objects, dir_.path());
  for (uint64_t object = 0; object < reader.info().objects; ++object) {
    const auto path = paths.Of(reader.Object(object).first_pair, object);
    EXPECT_EQ(path.has_value(), reader.ObjectLinks(object) > 0);
    if (path) {
      EXPECT_EQ(tree.Resolve(*path), Node(NodeKind::kMedia, object));
    }
  }
}

TEST_F(PairWalkTest, NamesNoMediaWhereTheSourceHasNoNames) {
  const Reader reader = Write(RandomDataset(4, {.named = false}));
  TreeOptions options;
  options.view = ViewKind::kSource;
  const Tree tree(reader, options);
  EXPECT_FALSE(MediaPaths(tree, reader.info().objects, dir_.path()).Of(0, 0));
}

}  // namespace
}  // namespace ulhff
