// Every view of random datasets against plain maps: names, nodes, attributes, cookies, paths.
#include "ulhff/tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <ostream>
#include <set>
#include <stdexcept>

#include "tests/model_dataset.h"
#include "tests/temp_dir.h"
#include "ulhff/error.h"

namespace ulhff {

void PrintTo(Node node, std::ostream* out) {
  *out << fmt::format("Node(kind {}, number {})", static_cast<int>(node.kind()), node.number());
}

namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

struct Entry {
  std::string name;
  Node node;
  uint64_t cookie;
};

// At most `limit` entries from `cookie` on.
std::vector<Entry> List(const Tree& tree, Node directory, uint64_t cookie = 0,
                        size_t limit = ~size_t{0}) {
  struct State {
    std::vector<Entry> entries;
    size_t limit;
  } state{{}, limit};
  if (limit == 0) return {};
  tree.List(
      directory, cookie,
      [](void* context, std::string_view name, Node node, uint64_t next) {
        auto* s = static_cast<State*>(context);
        s->entries.push_back({std::string(name), node, next});
        return s->entries.size() < s->limit;
      },
      &state);
  return state.entries;
}

TreeOptions Showing(ViewKind view) {
  TreeOptions options;
  options.view = view;
  return options;
}

constexpr std::array kViewNames = {"source", "pairs", "objects", "all"};

struct Case {
  const char* name;
  ModelShape shape;
  TreeOptions options;
};

void PrintTo(const Case& test_case, std::ostream* out) { *out << test_case.name; }

std::vector<Case> Cases() {
  const std::vector<FieldSpec> two = {{"caption", "txt"}, {"", "json"}};
  const std::vector<FieldSpec> four = {
      {"", "caption"}, {"json", "json"}, {"meta", "json"}, {"notes", ""}};
  TreeOptions small;
  small.fan_out = 3;
  TreeOptions flat;
  flat.flat = true;
  flat.width = 1;
  flat.media_extension = "png";
  flat.text_extension = "cap";
  TreeOptions empty = small;
  empty.absent_text = AbsentText::kEmpty;
  empty.width = 2;
  return {
      {"Plain", {}, {}},
      {"SmallDirectories", {.seed = 2, .objects = 30}, small},
      {"FlatWithOverriddenExtensions", {.seed = 3, .extensions = {"jpg", "JPEG", ""}}, flat},
      {"AbsentTextsShownEmpty", {.seed = 4, .fields = two, .absent_percent = 50}, empty},
      {"FieldsOfAllKinds", {.seed = 5, .fields = four, .extensions = {"jpg", "webp"}}, small},
      {"Splits", {.seed = 6, .objects = 40, .splits = {"train", "val", "never"}}, small},
      {"OneSplit", {.seed = 7, .splits = {"train"}}, small},
      {"SplitWithoutPairs", {.seed = 8, .objects = 1, .max_pairs = 1, .splits = {"a", "b"}}, small},
      {"FixedRatio", {.seed = 9, .max_pairs = 5, .fixed = true}, small},
      {"OneToOne", {.seed = 10, .max_pairs = 1}, empty},
      {"UniModal", {.seed = 11, .max_pairs = 1, .fields = {}}, small},
      {"UniModalWithDuplicates", {.seed = 12, .max_pairs = 3, .fields = {}}, small},
      {"UniModalSplits", {.seed = 13, .max_pairs = 2, .fields = {}, .splits = {"x", "y"}}, flat},
      {"TableWithoutTextNames", {.seed = 14, .name_texts = false}, small},
      {"NoObjects", {.seed = 15, .objects = 0}, {}},
      {"Larger", {.seed = 16, .objects = 150, .fields = two, .blobs = 40}, {}},
  };
}

class TreeMatchesModel : public testing::TestWithParam<std::tuple<Case, ViewKind>> {
 protected:
  void SetUp() override {
    const ViewKind view = std::get<1>(GetParam());
    if (view != ViewKind::kSource) options_ = std::get<0>(GetParam()).options;
    options_.view = view;
    dataset_.emplace(dir_ / "file.ulhff", std::get<0>(GetParam()).shape);
    model_ = dataset_->View(options_);
    reader_.emplace(Reader::Open(dir_ / "file.ulhff"));
    tree_.emplace(*reader_, options_);
  }

  // Paths of the model directly in `directory`.
  std::set<std::string> Children(const std::string& directory) const {
    const std::string prefix = directory.empty() ? "" : directory + "/";
    std::set<std::string> names;
    const auto add = [&](const std::string& path) {
      if (!path.empty() && path.starts_with(prefix) &&
          path.find('/', prefix.size()) == std::string::npos)
        names.insert(path.substr(prefix.size()));
    };
    for (const auto& [path, file] : model_.files) add(path);
    for (const auto& [path, mtime] : model_.directories) add(path);
    return names;
  }

  std::string Content(Node node) const {
    std::string bytes(1000, '?');
    const std::span<std::byte> out = std::as_writable_bytes(std::span(bytes));
    size_t size = 0;
    if (node.kind() == NodeKind::kMedia) size = reader_->ReadMedia(node.number(), 0, out);
    if (node.kind() == NodeKind::kText) size = reader_->ReadText(node.number(), 0, out);
    if (node.kind() == NodeKind::kBlob) size = reader_->ReadBlob(node.number(), 0, out);
    return bytes.substr(0, size);
  }

  TempDir dir_;
  TreeOptions options_;
  std::optional<ModelDataset> dataset_;
  Model model_;
  std::optional<Reader> reader_;
  std::optional<Tree> tree_;
};

// T2, T3, T4, T5, T9, T10, T11
TEST_P(TreeMatchesModel, ListsExactlyTheNamesOfEachDirectory) {
  for (const auto& [path, mtime] : model_.directories) {
    const auto directory = tree_->Resolve(path);
    ASSERT_TRUE(directory) << path;
    std::set<std::string> listed;
    for (const Entry& entry : List(*tree_, *directory)) {
      EXPECT_TRUE(listed.insert(entry.name).second) << entry.name;
      EXPECT_EQ(tree_->Lookup(*directory, entry.name), entry.node) << entry.name;
    }
    EXPECT_EQ(listed, Children(path)) << path;
  }
}

// T17
TEST_P(TreeMatchesModel, ContinuesFromEveryCookie) {
  for (const auto& [path, mtime] : model_.directories) {
    const Node directory = tree_->Resolve(path).value();
    const std::vector<Entry> whole = List(*tree_, directory);
    for (size_t i = 0; i < whole.size(); ++i) {
      const std::vector<Entry> rest = List(*tree_, directory, whole[i].cookie, 2);
      ASSERT_EQ(rest.size(), std::min<size_t>(2, whole.size() - i - 1));
      for (size_t j = 0; j < rest.size(); ++j) {
        EXPECT_EQ(rest[j].name, whole[i + 1 + j].name);
        EXPECT_EQ(rest[j].cookie, whole[i + 1 + j].cookie);
      }
      EXPECT_GT(whole[i].cookie, i == 0 ? 0 : whole[i - 1].cookie) << "cookies grow";
    }
  }
}

// T2, T12, T13, T14, T15, T16
TEST_P(TreeMatchesModel, LeadsFromPathToNodeContentAndAttributes) {
  std::map<uint64_t, uint64_t> names;
  for (const auto& [path, file] : model_.files) ++names[Node(file.kind, file.number).inode()];
  for (const auto& [path, file] : model_.files) {
    const auto node = tree_->Resolve(path);
    ASSERT_EQ(node, Node(file.kind, file.number)) << path;
    EXPECT_EQ(Content(*node), file.content);
    const auto attributes = tree_->GetAttributes(*node);
    ASSERT_TRUE(attributes) << path;
    EXPECT_EQ(attributes->node, *node);
    EXPECT_FALSE(attributes->directory);
    EXPECT_EQ(attributes->size, file.content.size()) << path;
    EXPECT_EQ(attributes->mtime_ns, file.mtime_ns) << path;
    EXPECT_EQ(attributes->links, names[node->inode()]) << path;
    EXPECT_EQ(tree_->Resolve(tree_->PathOf(*node)), node) << tree_->PathOf(*node);
  }
  EXPECT_GE(tree_->file_count(), model_.files.size());
}

// T14, T15, T16
TEST_P(TreeMatchesModel, GivesDirectoriesTheirAttributesAndParents) {
  for (const auto& [path, mtime] : model_.directories) {
    const Node node = tree_->Resolve(path).value();
    const auto attributes = tree_->GetAttributes(node);
    ASSERT_TRUE(attributes) << path;
    EXPECT_EQ(attributes->node, node);
    EXPECT_TRUE(attributes->directory && node.is_directory());
    EXPECT_TRUE(attributes->size > 0 && attributes->size % 4096 == 0);
    EXPECT_EQ(attributes->mtime_ns, mtime) << path;
    uint64_t subdirectories = 0;
    for (const std::string& name : Children(path))
      subdirectories += model_.directories.count(path.empty() ? name : path + "/" + name);
    EXPECT_EQ(attributes->links, 2 + subdirectories) << path;
    const size_t slash = path.rfind('/');
    EXPECT_EQ(tree_->Parent(node),
              tree_->Resolve(slash == std::string::npos ? "" : path.substr(0, slash)));
    EXPECT_EQ(tree_->PathOf(node), path);
  }
}

// T8
TEST_P(TreeMatchesModel, FindsNoNameThatIsNotListed) {
  for (const auto& [path, file] : model_.files) {
    const std::string bases[] = {path,
                                 path + "0",
                                 path + ".",
                                 "0" + path,
                                 path + "/x",
                                 path + std::string(1, '\0'),
                                 path.substr(0, path.size() - 1)};
    for (const std::string& base : bases) {
      for (const char extra : {'\0', '+', '0', '1', '9', ' ', '.'}) {
        std::string changed = base;
        if (extra != '\0') {
          const size_t slash = changed.rfind('/');
          changed.insert(slash == std::string::npos ? 0 : slash + 1, 1, extra);
        }
        if (model_.files.count(changed) + model_.directories.count(changed) > 0) continue;
        if (changed.ends_with('/') || changed.empty()) continue;
        EXPECT_EQ(tree_->Resolve(changed), std::nullopt) << changed;
      }
    }
  }
}

// T12
TEST_P(TreeMatchesModel, KnowsNoNodesBesidesThoseOfItsNames) {
  std::set<uint64_t> shown;
  for (const auto& [path, file] : model_.files) shown.insert(Node(file.kind, file.number).inode());
  for (const NodeKind kind : {NodeKind::kMedia, NodeKind::kText, NodeKind::kBlob}) {
    for (uint64_t number = 0; number < 200; ++number) {
      const Node node(kind, number);
      EXPECT_EQ(tree_->GetAttributes(node).has_value(), shown.count(node.inode()) > 0)
          << static_cast<int>(kind) << " " << number;
    }
    EXPECT_FALSE(tree_->GetAttributes(Node(kind, (uint64_t{1} << 44) - 1)));
  }
  std::set<uint64_t> directories;
  for (const auto& [path, mtime] : model_.directories)
    directories.insert(tree_->Resolve(path)->inode());
  EXPECT_EQ(directories.size(), model_.directories.size());
  // Numbers around every real one, and each bit of it flipped, among them the file's 16.
  for (const uint64_t inode : directories) {
    for (unsigned bit = 0; bit < 64; ++bit) {
      const Node other = Node::FromInode(inode ^ uint64_t{1} << bit);
      const auto attributes = tree_->GetAttributes(other);
      if (!attributes || !attributes->directory) continue;
      EXPECT_TRUE(directories.count(attributes->node.inode())) << other.inode();
    }
  }
}

TEST_P(TreeMatchesModel, AnswersForNumbersThatAreNoDirectory) {
  for (const NodeKind kind : {NodeKind::kMedia, NodeKind::kText, NodeKind::kBlob, NodeKind::kRoot,
                              NodeKind::kSourceDir, NodeKind::kPairsDir, NodeKind::kObjectsDir}) {
    const Node node(kind, (uint64_t{1} << 43) + 12345);
    EXPECT_EQ(tree_->Lookup(node, "a"), std::nullopt);
    EXPECT_TRUE(List(*tree_, node).empty());
    EXPECT_TRUE(tree_->GetAttributes(tree_->Parent(node))) << "a directory that exists";
  }
  EXPECT_TRUE(List(*tree_, kRootNode, ~uint64_t{0}).empty());
}

INSTANTIATE_TEST_SUITE_P(TreeTest, TreeMatchesModel,
                         testing::Combine(testing::ValuesIn(Cases()),
                                          testing::Values(ViewKind::kSource, ViewKind::kPairs,
                                                          ViewKind::kObjects, ViewKind::kAll)),
                         [](const auto& info) {
                           return fmt::format(
                               "{}_{}", std::get<0>(info.param).name,
                               kViewNames.at(static_cast<size_t>(std::get<1>(info.param))));
                         });

// One dataset in a file, with a tree over it as the test wants it.
class TreeTest : public testing::Test {
 protected:
  const Tree& Open(const ModelShape& shape, const TreeOptions& options) {
    const std::string path = dir_ / fmt::format("{}.ulhff", ++files_);
    dataset_.emplace(path, shape);
    tree_.reset();
    reader_.emplace(Reader::Open(path));
    return tree_.emplace(*reader_, options);
  }

  TempDir dir_;
  int files_ = 0;
  std::optional<ModelDataset> dataset_;
  std::optional<Reader> reader_;
  std::optional<Tree> tree_;
};

// T1
TEST_F(TreeTest, ShowsTheFilesDefaultViewUnlessToldOtherwise) {
  const Tree& tree = Open({.objects = 3, .max_pairs = 2, .fixed = true}, {});
  EXPECT_EQ(tree.view(), ViewKind::kSource);
  EXPECT_EQ(tree.Description(), "source view: 6 pairs of 3 media");
  EXPECT_EQ(Open({.objects = 1, .max_pairs = 1}, Showing(ViewKind::kAll)).Description(),
            "all views (objects, pairs, source): 1 pair of 1 media");
}

// T12
TEST_F(TreeTest, KeepsNodesAcrossViews) {
  const Tree& all = Open({}, Showing(ViewKind::kAll));
  for (const ViewKind view : {ViewKind::kSource, ViewKind::kPairs, ViewKind::kObjects}) {
    const Tree one(*reader_, Showing(view));
    const std::string name = kViewNames.at(static_cast<size_t>(view));
    for (const Entry& entry : List(one, kRootNode))
      EXPECT_EQ(all.Resolve(name + "/" + entry.name), entry.node);
  }
}

// T13, T14
TEST_F(TreeTest, SharesOneNodeAmongThePairsOfAMedia) {
  const Tree& tree = Open({.objects = 2, .max_pairs = 3, .fixed = true}, Showing(ViewKind::kPairs));
  const auto first = tree.Resolve("00000/000000000.jpg");
  ASSERT_TRUE(first);
  EXPECT_EQ(tree.Resolve("00000/000000002.jpg"), first);
  EXPECT_NE(tree.Resolve("00000/000000003.jpg"), first);
  EXPECT_EQ(tree.GetAttributes(*first)->links, 3u);
}

// T3, T8
TEST_F(TreeTest, PutsPairsWhereTheTemplateSays) {
  TreeOptions options = Showing(ViewKind::kPairs);
  options.pair_template = "data/part-{shard:2}/files/{number:03}_img";
  options.fan_out = 4;
  const ModelShape shape{
      .objects = 10, .max_pairs = 1, .splits = {"train", "val"}, .absent_percent = 0};
  const Tree& tree = Open(shape, options);
  for (const ModelPair& pair : dataset_->pairs()) {
    const std::string path =
        fmt::format("{}/data/part-{:02}/files/{:03}_img.jpg", shape.splits[pair.split],
                    pair.number_in_split / 4, pair.number_in_split);
    const auto node = tree.Resolve(path);
    EXPECT_EQ(node, Node(NodeKind::kMedia, pair.object)) << path;
    EXPECT_EQ(tree.PathOf(Node(NodeKind::kMedia, pair.object)), path);
  }
  EXPECT_EQ(tree.Resolve("train/data/part-00/files/004_img.jpg"), std::nullopt) << "other shard";
  EXPECT_EQ(tree.Resolve("train/data/part-0/files"), std::nullopt);
  EXPECT_EQ(tree.GetAttributes(*tree.Resolve("train/data"))->links,
            2 + List(tree, *tree.Resolve("train/data")).size());
}

// Read calls of this process so far. With a cache smaller than the index each is one block of it.
uint64_t ReadCalls() {
  std::ifstream io("/proc/self/io");
  std::string key;
  uint64_t value = 0;
  while (io >> key >> value) {
    if (key == "syscr:") return value;
  }
  return 0;
}

// The most blocks that a lookup in a directory of `names` names reads.
uint64_t BlocksOfALookup(const std::string& path, uint64_t names) {
  Writer writer(path, {});
  writer.BeginObject("jpg");
  writer.AddPair({});
  writer.EndObject();
  for (uint64_t i = 0; i < names; ++i)
    writer.AddName(fmt::format("{:07}.jpg", i), {TargetKind::kMedia, 0});
  writer.Finish();
  const Reader reader = Reader::Open(path, {ReadMode::kBuffered, 16 * 4096});
  const Tree tree(reader, {});
  uint64_t most = 0;
  for (uint64_t i = 0; i < names; i += names / 100) {
    const std::string name = fmt::format("{:07}.jpg", i);
    const uint64_t before = ReadCalls();
    EXPECT_TRUE(tree.Lookup(kRootNode, name));
    const uint64_t between = ReadCalls();
    EXPECT_FALSE(tree.Lookup(kRootNode, name + "x"));
    most = std::max({most, between - before, ReadCalls() - between});
  }
  return most;
}

// T18
TEST_F(TreeTest, LooksUpOneOfTwoMillionNamesInAFewBlocks) {
  if (ReadCalls() == 0) GTEST_SKIP() << "no /proc/self/io here";
  // 2^13 blocks of names: 13 steps, the block itself, where it starts, and sum blocks above them;
  // reading /proc/self/io counts as well.
  EXPECT_LE(BlocksOfALookup(dir_ / "file.ulhff", 2'000'000), 26u);
}

// T8
TEST_F(TreeTest, CountsBeyondTheWidth) {
  TreeOptions options = Showing(ViewKind::kObjects);
  options.pair_template = "{shard:1}/{number:1}";
  options.fan_out = 1;
  const Tree& tree = Open({.objects = 12, .max_pairs = 1}, options);
  EXPECT_EQ(tree.Resolve("11/11.jpg"), Node(NodeKind::kMedia, 11));
  EXPECT_EQ(tree.Resolve("011/11.jpg"), std::nullopt);
  EXPECT_EQ(tree.Resolve("11/011.jpg"), std::nullopt);
  EXPECT_EQ(tree.Resolve("12"), std::nullopt);
  EXPECT_EQ(List(tree, kRootNode).size(), 12u);
}

TEST_F(TreeTest, NamesNodesThatItDoesNotShow) {
  const Tree& tree = Open({.absent_percent = 100}, Showing(ViewKind::kPairs));
  EXPECT_EQ(tree.PathOf(Node(NodeKind::kBlob, 2)), "<blob 2>");
  EXPECT_EQ(tree.PathOf(Node(NodeKind::kText, 3)), "<text 3>");
  EXPECT_EQ(tree.PathOf(Node(NodeKind::kSourceDir, 1)), "<directory 1>");
}

uint64_t WalkOrFail(const Tree& tree, Node directory, uint64_t& failed) {
  uint64_t served = 0;
  try {
    for (const Entry& entry : List(tree, directory)) {
      try {
        EXPECT_EQ(tree.Lookup(directory, entry.name), entry.node);
        served += tree.GetAttributes(entry.node).has_value() ? 1 : 0;
      } catch (const FormatError&) {
        // Once: in the source view it is a search.
        if (failed++ == 0) {
          EXPECT_FALSE(tree.PathOf(entry.node).empty());
        }
      }
      if (entry.node.is_directory()) served += WalkOrFail(tree, entry.node, failed);
    }
  } catch (const FormatError&) {
    ++failed;
  }
  return served;
}

// T19
TEST_F(TreeTest, ServesWhatADamagedIndexBlockDoesNotHold) {
  const ModelShape shape{.objects = 500, .max_pairs = 3, .absent_percent = 0};
  const ModelDataset dataset(dir_ / "file.ulhff", shape);
  const std::string bytes = ReadBytes(dir_ / "file.ulhff");
  uint64_t whole = 0;
  uint64_t harmed = 0;
  // The index stands last; its blocks are aligned.
  const size_t index_bytes = 24 * 4096;
  for (size_t at = bytes.size() - index_bytes; at <= bytes.size(); at += 4096) {
    std::string damaged = bytes;
    if (at < bytes.size()) damaged[at + 1000] = static_cast<char>(damaged[at + 1000] ^ 0x10);
    WriteBytes(dir_ / "damaged.ulhff", damaged);
    uint64_t failed = 0;
    try {
      const Reader reader = Reader::Open(dir_ / "damaged.ulhff");
      const Tree tree(reader, Showing(ViewKind::kAll));
      const uint64_t served = WalkOrFail(tree, kRootNode, failed);
      if (at >= bytes.size()) whole = served;
      EXPECT_GT(served, 2u);
    } catch (const FormatError&) {
      EXPECT_EQ(at, bytes.size() - 4096) << "only a bad root refuses the file";
    }
    harmed += failed > 0 ? 1 : 0;
  }
  EXPECT_GT(whole, 4000u);
  EXPECT_GE(harmed, 10u);
}

struct BadTree {
  const char* name;
  ModelShape shape;
  TreeOptions options;
  const char* error;
};
void PrintTo(const BadTree& bad, std::ostream* out) { *out << bad.name; }
std::vector<BadTree> BadTrees() {
  const auto with = [](ViewKind view, const char* media, const char* text) {
    TreeOptions options = Showing(view);
    options.media_extension = media;
    options.text_extension = text;
    return options;
  };
  const auto templated = [](const std::string& text, bool flat = false,
                            std::optional<uint64_t> fan_out = {}) {
    TreeOptions options = Showing(ViewKind::kPairs);
    options.pair_template = text;
    options.flat = flat;
    options.fan_out = fan_out;
    return options;
  };
  const std::vector<FieldSpec> jpg = {{"", "txt"}, {"jpg", "jpg"}};
  const std::vector<FieldSpec> twins = {{"", "txt"}, {"json", "json"}, {"", "json"}};
  return {
      {"MediaAsText", {}, with(ViewKind::kPairs, "txt", ""), "KEY.txt in the pairs view"},
      {"TextAsMedia", {}, with(ViewKind::kAll, "keep", "jpg"), "KEY.jpg in the pairs view"},
      {"FieldAsMedia", {.fields = jpg}, with(ViewKind::kPairs, "keep", ""), "KEY.jpg"},
      {"FieldsAsEachOther",
       {.fields = twins},
       with(ViewKind::kObjects, "keep", ""),
       "fields 1 and 2 would both be called KEY.json"},
      {"FieldAsPrimary",
       {.fields = twins},
       with(ViewKind::kPairs, "keep", "json"),
       "fields 0 and 1"},
      {"MediaAsSlot",
       {.extensions = {"12.txt"}},
       with(ViewKind::kObjects, "keep", ""),
       "KEY.12.txt in the objects view"},
      {"SlashInExtension", {}, with(ViewKind::kPairs, "a/b", ""), "media_ext"},
      {"NulInExtension",
       {},
       [&] {
         TreeOptions options = with(ViewKind::kPairs, "keep", "");
         options.text_extension = std::string("a\0b", 3);
         return options;
       }(),
       "text_ext"},
      {"FlatWithFanOut", {}, templated("", true, 4), "fan_out: not with flat"},
      {"FanOutOfNoShards",
       {},
       templated("x{number}", false, 4),
       "fan_out: there is no {shard} in template 'x{number}'"},
      {"WidthBesideATemplate",
       {},
       [&] {
         TreeOptions options = templated("{shard}/{number}");
         options.width = 4;
         return options;
       }(),
       "width: not with template"},
      {"KeysOfTheSource",
       {},
       with(ViewKind::kSource, "keep", "cap"),
       "text_ext: not in the source"},
      {"MediaOfTheSource", {}, with(ViewKind::kSource, "png", ""), "media_ext: not in the source"},
      {"FlatWithShards", {}, templated("{shard}/{number}", true), "flat contradicts"},
      {"NoFanOut", {}, templated("", false, 0), "fan_out"},
      {"BadTemplate", {}, templated("{shard}"), "must hold {number}"},
      {"LongNames", {}, templated(std::string(240, 'x') + "{number}"), "exceed 255 bytes"},
  };
}
class RefusedTree : public testing::TestWithParam<BadTree> {};
// T6, T7, T8
TEST_P(RefusedTree, SaysWhyInOneLine) {
  const TempDir dir;
  const ModelDataset dataset(dir / "file.ulhff", GetParam().shape);
  const Reader reader = Reader::Open(dir / "file.ulhff");
  EXPECT_THAT([&] { Tree(reader, GetParam().options); },
              ThrowsMessage<std::invalid_argument>(
                  testing::AllOf(HasSubstr(GetParam().error), testing::Not(HasSubstr("\n")))));
}
INSTANTIATE_TEST_SUITE_P(TreeTest, RefusedTree, testing::ValuesIn(BadTrees()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace ulhff
