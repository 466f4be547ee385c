// metadata.jsonl in the generated views: contents, places, cookies, refusals, damage (T20 of
// docs/semantics.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/dataset.h"
#include "tests/model_dataset.h"
#include "tests/temp_dir.h"
#include "ulhff/error.h"
#include "ulhff/tree.h"

namespace ulhff {
namespace {

using testing::HasSubstr;
using testing::Optional;
using testing::ThrowsMessage;

// Two media; three pairs in two splits, two fields.
Dataset TwoFields() {
  Dataset set;
  set.options.fields = {{"", "txt"}, {"tags", "json"}};
  set.options.splits = {"train", "val", "unused"};
  set.objects = {{"jpg", "A", {{{"one", "[1]"}, 0}, {{std::nullopt, ""}, 1}}, {}},
                 {"png", "B", {{{"t\"wo\n\xff", std::nullopt}, 0}}, {}}};
  return set;
}

TreeOptions Described(ViewKind view) {
  TreeOptions options;
  options.view = view;
  options.hf_metadata = true;
  return options;
}

std::string Contents(const Tree& tree, std::string_view path) {
  const auto node = tree.Resolve(path);
  if (!node) return "no such file";
  const auto attributes = tree.GetAttributes(*node);
  if (!attributes) return "no attributes";
  std::string bytes(attributes->size + 10, '?');
  bytes.resize(tree.ReadMade(*node, 0, std::as_writable_bytes(std::span(bytes))));
  EXPECT_EQ(bytes.size(), attributes->size);
  return bytes;
}

struct Entry {
  std::string name;
  uint64_t next;
};

std::vector<Entry> List(const Tree& tree, Node directory, uint64_t cookie, size_t limit) {
  struct State {
    std::vector<Entry> entries;
    size_t limit;
  } state{{}, limit};
  tree.List(
      directory, cookie,
      [](void* context, std::string_view name, Node, uint64_t next) {
        auto* s = static_cast<State*>(context);
        s->entries.push_back({std::string(name), next});
        return s->entries.size() < s->limit;
      },
      &state);
  return state.entries;
}

class MetadataViewTest : public testing::Test {
 protected:
  Reader Write(const Dataset& set) {
    set.Write(dir_ / "file.ulhff");
    return Reader::Open(dir_ / "file.ulhff");
  }
  TempDir dir_;
};

TEST_F(MetadataViewTest, DescribesThePairsOfEachSplit) {
  const Reader reader = Write(TwoFields());
  const Tree tree(reader, Described(ViewKind::kPairs));
  EXPECT_EQ(Contents(tree, "train/metadata.jsonl"),
            R"({"file_name": "00000/000000000.jpg", "text": "one", "tags": "[1]"})"
            "\n"
            R"({"file_name": "00000/000000001.png", "text": "t\"wo\n)"
            "\xef\xbf\xbd"
            R"(", "tags": null})"
            "\n");
  EXPECT_EQ(Contents(tree, "val/metadata.jsonl"),
            R"({"file_name": "00000/000000000.jpg", "text": null, "tags": ""})"
            "\n");
  EXPECT_EQ(Contents(tree, "unused/metadata.jsonl"), "no such file");
  EXPECT_EQ(Contents(tree, "metadata.jsonl"), "no such file");
}

TEST_F(MetadataViewTest, DescribesEachMediaOnceInObjects) {
  const Reader reader = Write(TwoFields());
  const Tree tree(reader, Described(ViewKind::kAll));
  EXPECT_THAT(
      Contents(tree, "objects/metadata.jsonl"),
      HasSubstr(
          R"({"file_name": "00000/000000000.jpg", "text": ["one", null], "tags": ["[1]", ""]})"));
  EXPECT_THAT(Contents(tree, "pairs/train/metadata.jsonl"),
              HasSubstr(R"({"file_name": "00000/000000000.jpg", "text": "one")"));
  const auto objects = tree.Resolve("objects/metadata.jsonl");
  const auto train = tree.Resolve("pairs/train/metadata.jsonl");
  ASSERT_TRUE(objects && train);
  EXPECT_NE(*objects, *train);
  EXPECT_THAT(tree.FindPath(*objects), Optional(std::string("objects/metadata.jsonl")));
  EXPECT_THAT(tree.FindPath(*train), Optional(std::string("pairs/train/metadata.jsonl")));
  EXPECT_EQ(tree.GetAttributes(*train)->links, 1u);
  EXPECT_FALSE(tree.GetAttributes(Node(NodeKind::kMade, train->number() + 100)));
  EXPECT_FALSE(tree.Lookup(*train, "x"));
}

TEST_F(MetadataViewTest, ChangesNothingElse) {
  const ModelDataset dataset(dir_ / "file.ulhff", {.objects = 30, .splits = {"a", "b"}});
  const Reader reader = Reader::Open(dir_ / "file.ulhff");
  for (const bool flat : {false, true}) {
    TreeOptions plain;
    plain.view = ViewKind::kPairs;
    plain.flat = flat;
    if (!flat) plain.fan_out = 3;
    TreeOptions described = plain;
    described.hf_metadata = true;
    const Tree before(reader, plain);
    const Tree after(reader, described);
    EXPECT_FALSE(before.Resolve("a/metadata.jsonl"));
    EXPECT_EQ(after.file_count(), before.file_count() + 2);
    const Node split = *after.Resolve("a");
    EXPECT_EQ(before.Resolve("a"), split);
    const auto wanted = List(before, split, 0, 1000);
    const auto got = List(after, split, 0, 1000);
    ASSERT_EQ(got.size(), wanted.size() + 1);
    for (size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ(got[i].name, wanted[i].name);
      EXPECT_EQ(got[i].next, wanted[i].next);
    }
    EXPECT_EQ(got.back().name, "metadata.jsonl");
  }
}

TEST_F(MetadataViewTest, IsListedOnceWhereverAListingStops) {
  const ModelDataset dataset(dir_ / "file.ulhff", {.objects = 5});
  const Reader reader = Reader::Open(dir_ / "file.ulhff");
  TreeOptions options = Described(ViewKind::kObjects);
  options.flat = true;
  const Tree tree(reader, options);
  const auto all = List(tree, kRootNode, 0, 1000);
  for (size_t stop = 1; stop <= all.size(); ++stop) {
    auto entries = List(tree, kRootNode, 0, stop);
    const auto rest = List(tree, kRootNode, entries.back().next, 1000);
    EXPECT_EQ(entries.size() + rest.size(), all.size()) << stop;
  }
  EXPECT_TRUE(List(tree, kRootNode, all.back().next, 1000).empty());
}

TEST_F(MetadataViewTest, IsMadeOnceForManyThreads) {
  const ModelDataset dataset(dir_ / "file.ulhff", {.objects = 200});
  const Reader reader = Reader::Open(dir_ / "file.ulhff");
  const Tree tree(reader, Described(ViewKind::kPairs));
  std::vector<std::string> contents(4);
  std::vector<std::thread> threads;
  for (std::string& own : contents)
    threads.emplace_back([&] { own = Contents(tree, "metadata.jsonl"); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& own : contents) EXPECT_EQ(own, contents[0]);
  EXPECT_EQ(std::count(contents[0].begin(), contents[0].end(), '\n'),
            static_cast<ptrdiff_t>(dataset.pairs().size()));
}

TEST_F(MetadataViewTest, RefusesANameThatIsTaken) {
  const Reader reader = Write(SmallestDataset());
  TreeOptions options = Described(ViewKind::kPairs);
  options.pair_template = "metadata.jsonl/{number:9}";
  EXPECT_THAT([&] { Tree(reader, options); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("metadata.jsonl already")));
}

TEST_F(MetadataViewTest, RefusesTwoColumnsOfOneName) {
  Dataset set = TwoFields();
  set.options.fields = {{"", "txt"}, {"text", "text"}};
  const Reader reader = Write(set);
  EXPECT_THAT([&] { Tree(reader, Described(ViewKind::kPairs)); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("'text'")));
}

// T19: what is damaged fails for what needs it, and is still listed.
TEST_F(MetadataViewTest, FailsForADamagedTextAndIsListed) {
  TwoFields().Write(dir_ / "file.ulhff");
  std::string bytes = ReadBytes(dir_ / "file.ulhff");
  bytes[bytes.find("one")] ^= 1;
  WriteBytes(dir_ / "file.ulhff", bytes);
  const Reader reader = Reader::Open(dir_ / "file.ulhff");
  const Tree tree(reader, Described(ViewKind::kPairs));
  const auto damaged = tree.Resolve("train/metadata.jsonl");
  ASSERT_TRUE(damaged);
  EXPECT_THROW(tree.GetAttributes(*damaged), FormatError);
  EXPECT_THROW(tree.GetAttributes(*damaged), FormatError);
  EXPECT_EQ(List(tree, *tree.Resolve("train"), 0, 10).size(), 2u);
  EXPECT_THAT(Contents(tree, "val/metadata.jsonl"), HasSubstr("null"));
}

TEST_F(MetadataViewTest, NamesEveryPairsOwnMedia) {
  const Reader reader = Write(TwoFields());
  TreeOptions options = Described(ViewKind::kPairs);
  const Tree pairs(reader, options);
  EXPECT_THAT(pairs.PathOfPair(1), Optional(std::string("val/00000/000000000.jpg")));
  options.view = ViewKind::kAll;
  const Tree all(reader, options);
  EXPECT_THAT(all.PathOfPair(1), Optional(std::string("objects/00000/000000000.jpg")));
}

}  // namespace
}  // namespace ulhff
