// Random datasets, written by the Writer and read by read_ulhff.py, which knows docs/format.md
// only.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/istreamwrapper.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/dataset.h"
#include "tests/temp_dir.h"

namespace ulhff {
namespace {

using rapidjson::Value;

std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<uint8_t>(c));
  return text;
}

// Builds what read_ulhff.py should print.
class Expected {
 public:
  explicit Expected(const Dataset& data) : data_(data) {}

  rapidjson::Document Make() {
    document_.SetObject();
    Add("objects", Objects());
    Value blobs(rapidjson::kArrayType);
    for (const auto& blob : data_.blobs) Push(blobs, String(Hex(blob.bytes)));
    Add("blobs", std::move(blobs));
    Add("names", Names());
    Add("order", Order());
    Add("splits", Splits());
    Add("object_links", Links(TargetKind::kMedia, data_.objects.size()));
    Add("text_links", Links(TargetKind::kText, data_.pairs() * data_.options.fields.size()));
    Add("blob_links", Links(TargetKind::kBlob, data_.blobs.size()));
    AddTimes();
    return std::move(document_);
  }

 private:
  Value String(const std::string& text) { return Value(text.c_str(), document_.GetAllocator()); }
  void Push(Value& array, Value value) { array.PushBack(value, document_.GetAllocator()); }
  void Add(const char* name, Value value) {
    document_.AddMember(rapidjson::StringRef(name), value, document_.GetAllocator());
  }

  Value Objects() {
    Value all(rapidjson::kArrayType);
    uint64_t first_pair = 0;
    for (const auto& object : data_.objects) {
      Value texts(rapidjson::kArrayType);
      for (const auto& pair : object.pairs) {
        for (const auto& text : pair.texts) Push(texts, text ? String(Hex(*text)) : Value());
      }
      Value value(rapidjson::kObjectType);
      auto& allocator = document_.GetAllocator();
      value.AddMember("media", String(Hex(object.media)), allocator);
      value.AddMember("extension", String(Hex(object.extension)), allocator);
      value.AddMember("first_pair", first_pair, allocator);
      value.AddMember("pairs", uint64_t{object.pairs.size()}, allocator);
      value.AddMember("texts", texts, allocator);
      Push(all, std::move(value));
      first_pair += object.pairs.size();
    }
    return all;
  }

  // The tree, and from it the entries breadth-first.
  struct Node {
    std::map<std::string, Node> entries;  // ordered by char: names here are compared as unsigned
    Target target{TargetKind::kDirectory, 0};
    int64_t time = 0;
  };

  Node& NodeOf(Node& root, std::string_view path) {
    Node* node = &root;
    while (!path.empty()) {
      const size_t end = std::min(path.find('/'), path.size());
      const auto [at, is_new] = node->entries.try_emplace(std::string(path.substr(0, end)));
      if (is_new) at->second.time = data_.options.default_mtime_ns;
      node = &at->second;
      path.remove_prefix(std::min(end + 1, path.size()));
    }
    return *node;
  }

  Value Names() {
    static constexpr const char* kKinds[] = {"directory", "media", "text", "blob"};
    Node root;
    root.time = data_.options.default_mtime_ns;
    for (const auto& [path, target] : data_.names) NodeOf(root, path).target = target;
    for (const auto& [path, time] : data_.directories) {
      Node& node = NodeOf(root, path);
      if (time) node.time = *time;
    }
    Value names(rapidjson::kArrayType);
    std::deque<std::pair<std::string, const Node*>> queue = {{"", &root}};
    directory_times_ = {root.time};
    for (; !queue.empty(); queue.pop_front()) {
      const auto [path, directory] = queue.front();
      for (const auto& [name, node] : directory->entries) {
        const std::string full = path + name;
        const bool is_directory = node.target.kind == TargetKind::kDirectory;
        const uint64_t number = is_directory ? directory_times_.size() : node.target.number;
        Value entry(rapidjson::kArrayType);
        Push(entry, String(Hex(full)));
        Push(entry, String(kKinds[static_cast<size_t>(node.target.kind)]));
        Push(entry, Value(number));
        Push(names, std::move(entry));
        if (!is_directory) continue;
        queue.emplace_back(full + "/", &node);
        directory_times_.push_back(node.time);
      }
    }
    return names;
  }

  Value Order() {
    Value order(rapidjson::kArrayType);
    for (uint64_t i = 0; i < data_.pairs(); ++i) {
      Push(order, Value(data_.order.empty() ? i : data_.order[i]));
    }
    return order;
  }

  Value Splits() {
    std::vector<Value> splits(data_.options.splits.size());
    for (Value& split : splits) split.SetArray();
    uint64_t number = 0;
    for (const auto& object : data_.objects) {
      for (const auto& pair : object.pairs) {
        if (!splits.empty()) Push(splits[pair.split], Value(number));
        ++number;
      }
    }
    Value all(rapidjson::kArrayType);
    for (Value& split : splits) Push(all, std::move(split));
    return all;
  }

  Value Links(TargetKind kind, uint64_t count) {
    std::vector<uint64_t> links(count);
    for (const auto& [path, target] : data_.names) {
      if (target.kind == kind) ++links.at(target.number);
    }
    Value all(rapidjson::kArrayType);
    for (const uint64_t n : links) Push(all, Value(n));
    return all;
  }

  void AddTimes() {
    Value objects(rapidjson::kArrayType);
    Value texts(rapidjson::kArrayType);
    Value blobs(rapidjson::kArrayType);
    Value directories(rapidjson::kArrayType);
    const int64_t other = data_.options.default_mtime_ns;
    for (const auto& object : data_.objects) {
      Push(objects, Value(object.mtime_ns.value_or(other)));
      for (const auto& pair : object.pairs) {
        for (size_t i = 0; i < pair.texts.size(); ++i) {
          Push(texts, Value(pair.mtimes_ns.empty() ? other : pair.mtimes_ns[i].value_or(other)));
        }
      }
    }
    for (const auto& blob : data_.blobs) Push(blobs, Value(blob.mtime_ns.value_or(other)));
    for (const int64_t time : directory_times_) Push(directories, Value(time));
    Add("object_times", std::move(objects));
    Add("text_times", std::move(texts));
    Add("blob_times", std::move(blobs));
    Add("directory_times", std::move(directories));
  }

  const Dataset& data_;
  rapidjson::Document document_;
  std::vector<int64_t> directory_times_;
};

std::string Text(const Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return buffer.GetString();
}

struct ReadCase {
  const char* name;
  DatasetShape shape;
};
const ReadCase kCases[] = {
    {"Empty", {.objects = 0, .splits = 2, .blobs = 0, .named = false}},
    {"OneToOne", {.objects = 300, .pairs_per_object = 1}},
    {"FixedRatio", {.alignment = 4096, .objects = 60, .fixed = true, .rotated_order = true}},
    {"Hybrid", {.objects = 200, .fields = 2, .splits = 3, .blobs = 5, .shuffled_order = true}},
    {"HybridOfManyBlocks",
     {.objects = 9000, .pairs_per_object = 3, .media_size = 3, .named = false}},
    {"UniModal", {.objects = 100, .pairs_per_object = 1, .fields = 0}},
    {"UniModalWithDuplicates", {.objects = 100, .pairs_per_object = 2, .fields = 0, .splits = 2}},
    {"LargeMedia", {.objects = 6, .blobs = 4, .media_size = 700'000}},
    {"Table", {.objects = 400, .splits = 256, .blobs = 0, .shuffled_order = true, .named = false}},
};

class PythonReads : public testing::TestWithParam<ReadCase> {};

TEST_P(PythonReads, WhatWasWritten) {
  const TempDir dir;
  if (std::system("python3 --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no python3";
  const Dataset data = RandomDataset(1, GetParam().shape);
  const std::string file = dir / "random.ulhff";
  data.Write(file);
  const std::string command =
      fmt::format("python3 {}/tests/read_ulhff.py {} > {}", ULHFF_SOURCE_DIR, file, dir / "json");
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream stream(dir / "json");
  rapidjson::IStreamWrapper wrapper(stream);
  rapidjson::Document found;
  found.ParseStream(wrapper);
  ASSERT_FALSE(found.HasParseError());
  const rapidjson::Document want = Expected(data).Make();
  for (const auto& member : want.GetObject()) {
    ASSERT_TRUE(found.HasMember(member.name)) << member.name.GetString();
    EXPECT_TRUE(found[member.name] == member.value)
        << member.name.GetString() << "\nfound " << Text(found[member.name]).substr(0, 2000)
        << "\nwant  " << Text(member.value).substr(0, 2000);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, PythonReads, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace ulhff
