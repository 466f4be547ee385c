// Makes, writes and compares the datasets of round-trip tests.
#include "tests/dataset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string_view>
#include <utility>

namespace ulhff {

namespace {

class Maker {
 public:
  Maker(uint64_t seed, const DatasetShape& shape) : random_(seed), shape_(shape) {}

  Dataset Make() {
    data_.options.alignment = shape_.alignment;
    for (uint64_t f = 0; f < shape_.fields; ++f) {
      data_.options.fields.push_back({f == 0 ? "" : "field" + std::to_string(f), "txt"});
    }
    for (uint64_t s = 0; s < shape_.splits; ++s) {
      data_.options.splits.push_back("split" + std::to_string(s));
    }
    data_.options.default_mtime_ns = 1'600'000'000'123'456'789;
    data_.options.sort_memory = Below(3) * 20'000;  // 0: each name is a run of the sort
    data_.options.default_view = static_cast<ViewKind>(Below(4));
    for (uint64_t i = 0; i < shape_.objects; ++i) AddObject(i);
    for (uint64_t i = 0; i < shape_.blobs; ++i) AddBlob(i);
    MakeOrder();
    data_.directories = {
        {"", Time()}, {"a/b", Time()}, {"empty", std::nullopt}, {"deep/er/empty", Time()}};
    if (!shape_.named) {
      data_.names.clear();
      data_.directories.clear();
    }
    data_.facts = {Below(9), data_.names.size(), Below(1'000'000)};
    return std::move(data_);
  }

 private:
  uint64_t Below(uint64_t bound) {
    return std::uniform_int_distribution<uint64_t>(0, bound - 1)(random_);
  }

  std::string Bytes(uint64_t max_size) {
    std::string bytes(Below(max_size + 1), '\0');
    for (char& c : bytes) c = static_cast<char>(random_());
    return bytes;
  }

  // Before and after 1970.
  std::optional<int64_t> Time() {
    if (Below(3) != 0) return std::nullopt;
    return static_cast<int64_t>(random_()) >> 2;
  }

  void MakeOrder() {
    if (!shape_.shuffled_order && !shape_.rotated_order) return;
    auto& order = data_.order;
    order.resize(data_.pairs());
    std::iota(order.begin(), order.end(), 0);
    const auto middle = order.begin() + static_cast<ptrdiff_t>(order.size() / 3);
    std::rotate(order.begin(), middle, order.end());
    if (shape_.shuffled_order) std::shuffle(order.begin(), order.end(), random_);
  }

  // Names are any bytes; some are as long as may be.
  std::string Path(std::string name) {
    if (Below(10) == 0) name = Bytes(8) + name;
    std::replace(name.begin(), name.end(), '/', '\n');
    std::replace(name.begin(), name.end(), '\0', ' ');
    if (Below(50) == 0) name.insert(0, 255 - name.size(), 'x');
    static constexpr const char* kDirectories[] = {"", "a/", "a/b/", "images/", "z/\xFF\x01/"};
    return kDirectories[Below(std::size(kDirectories))] + name;
  }

  void AddObject(uint64_t number) {
    DatasetObject object;
    static constexpr const char* kExtensions[] = {"jpg", "png", "JPG", ""};
    object.extension = kExtensions[Below(4)];
    object.media = Bytes(shape_.media_size);
    object.mtime_ns = Time();
    const uint64_t pairs =
        shape_.fixed ? shape_.pairs_per_object : 1 + Below(shape_.pairs_per_object);
    for (uint64_t p = 0; p < pairs; ++p) AddPair(object, number, p);
    for (uint64_t copy = 0; copy <= Below(3); ++copy) {
      data_.names[Path(std::to_string(number) + "-" + std::to_string(copy) + ".jpg")] = {
          TargetKind::kMedia, number};
    }
    data_.objects.push_back(std::move(object));
  }

  void AddPair(DatasetObject& object, uint64_t number, uint64_t slot) {
    DatasetPair pair;
    if (shape_.splits > 0) pair.split = Below(shape_.splits);
    for (uint64_t f = 0; f < shape_.fields; ++f) {
      const uint64_t text = next_pair_ * shape_.fields + f;
      if (slot % 2 == 0) pair.mtimes_ns.push_back(Time());
      if (Below(5) == 0) {
        pair.texts.emplace_back();
        continue;
      }
      pair.texts.emplace_back(Bytes(shape_.text_size));
      if (Below(4) != 0) {
        const std::string name = std::to_string(number) + "." + std::to_string(slot);
        data_.names[Path(name + ".txt" + std::to_string(f))] = {TargetKind::kText, text};
      }
    }
    ++next_pair_;
    object.pairs.push_back(std::move(pair));
  }

  void AddBlob(uint64_t number) {
    data_.blobs.push_back({Bytes(shape_.media_size), Time()});
    data_.names[Path("LICENSE" + std::to_string(number))] = {TargetKind::kBlob, number};
  }

  std::mt19937_64 random_;
  const DatasetShape& shape_;
  uint64_t next_pair_ = 0;
  Dataset data_;
};

void WritePair(Writer& writer, const DatasetPair& pair) {
  std::vector<std::optional<ByteSpan>> texts;
  for (const auto& text : pair.texts) {
    texts.push_back(text ? std::optional(AsBytes(*text)) : std::nullopt);
  }
  writer.AddPair(texts, pair.split, pair.mtimes_ns);
}

template <typename Read>
std::string ReadWhole(uint64_t size, Read&& read) {
  std::string bytes(size, '\0');
  // One byte more than there is, to see that no more comes.
  std::string room(size + 1, '\0');
  const size_t n = read(std::as_writable_bytes(std::span(room)));
  EXPECT_EQ(n, size);
  bytes.assign(room, 0, n);
  return bytes;
}

void ExpectSameObject(const Dataset& dataset, const Reader& reader, uint64_t o,
                      uint64_t& next_pair) {
  const DatasetObject& object = dataset.objects[o];
  const ObjectLayout layout = reader.Object(o);
  EXPECT_EQ(layout.media_size, object.media.size());
  EXPECT_EQ(layout.first_pair, next_pair);
  ASSERT_EQ(layout.pairs, object.pairs.size());
  EXPECT_EQ(MediaOf(reader, o), object.media);
  EXPECT_EQ(reader.Extension(o), object.extension);
  EXPECT_EQ(reader.ObjectTime(o), object.mtime_ns.value_or(dataset.options.default_mtime_ns));
  AlignedBuffer buffer;
  const ByteSpan whole = reader.ReadObject(layout, buffer);
  EXPECT_EQ(AsText(whole.first(layout.media_size)), object.media);
  for (uint64_t slot = 0; slot < object.pairs.size(); ++slot, ++next_pair) {
    const PairLocation location = reader.Locate(next_pair);
    EXPECT_EQ(location.object, o);
    EXPECT_EQ(location.slot, slot);
    for (uint64_t f = 0; f < dataset.fields(); ++f) {
      const uint64_t number = next_pair * dataset.fields() + f;
      const auto& text = object.pairs[slot].texts[f];
      const auto& times = object.pairs[slot].mtimes_ns;
      const auto time = times.empty() ? std::nullopt : times[f];
      EXPECT_EQ(reader.TextTime(number), time.value_or(dataset.options.default_mtime_ns));
      const TextLayout at = reader.Text(layout, number);
      EXPECT_EQ(at.absent, !text.has_value()) << "text " << number;
      EXPECT_EQ(TextOf(reader, number), text.value_or("")) << "text " << number;
      EXPECT_EQ(AsText(whole.subspan(at.position, at.size)), text.value_or(""));
    }
  }
}

void ExpectSameOrderAndSplits(const Dataset& dataset, const Reader& reader) {
  const uint64_t pairs = dataset.pairs();
  for (uint64_t i = 0; i < pairs; ++i) {
    EXPECT_EQ(reader.PairAtSourcePosition(i), dataset.order.empty() ? i : dataset.order[i]);
  }
  std::vector<uint64_t> counts(dataset.options.splits.size());
  uint64_t pair = 0;
  for (const DatasetObject& object : dataset.objects) {
    for (const DatasetPair& p : object.pairs) {
      if (counts.empty()) continue;
      const SplitNumber number = reader.SplitOf(pair);
      EXPECT_EQ(number.split, p.split);
      EXPECT_EQ(number.number, counts[p.split]);
      EXPECT_EQ(reader.PairInSplit(p.split, counts[p.split]), pair);
      ++counts[p.split];
      ++pair;
    }
  }
  for (size_t s = 0; s < counts.size(); ++s) EXPECT_EQ(reader.SplitPairs(s), counts[s]);
}

// Walks the source tree; every name is found by ListNames and by FindName.
class TreeWalk {
 public:
  explicit TreeWalk(const Reader& reader) : reader_(reader) {
    directories[""] = reader.Directory(0).mtime_ns;
    Visit(0, "");
  }

  std::map<std::string, Target> files;
  std::map<std::string, int64_t> directories;  // and their times

 private:
  void Visit(uint64_t directory, const std::string& prefix) {
    std::vector<std::pair<std::string, NameTarget>> entries;
    auto add = [](void* context, std::string_view name, NameTarget target, uint64_t) {
      static_cast<decltype(entries)*>(context)->emplace_back(name, target);
      return true;
    };
    reader_.ListNames(directory, 0, add, &entries);
    const DirectoryInfo info = reader_.Directory(directory);
    EXPECT_EQ(entries.size(), info.entries);
    EXPECT_TRUE(std::is_sorted(entries.begin(), entries.end(),
                               [](auto& a, auto& b) { return a.first < b.first; }));
    uint64_t children = 0;
    for (const auto& [name, target] : entries) {
      const auto found = reader_.FindName(directory, name);
      EXPECT_TRUE(found && found->kind == target.kind && found->number == target.number) << name;
      EXPECT_FALSE(reader_.FindName(directory, name + "x")) << name;
      if (target.kind == TargetKind::kDirectory) {
        ++children;
        EXPECT_EQ(reader_.Directory(target.number).parent, directory);
        directories[prefix + name] = reader_.Directory(target.number).mtime_ns;
        Visit(target.number, prefix + name + "/");
      } else {
        files[prefix + name] = {target.kind, target.number};
      }
    }
    EXPECT_EQ(children, info.children);
  }

  const Reader& reader_;
};

void ExpectSameNames(const Dataset& dataset, const Reader& reader) {
  const TreeWalk walk(reader);
  ASSERT_EQ(walk.files.size(), dataset.names.size());
  std::map<std::pair<TargetKind, uint64_t>, uint64_t> links;
  for (const auto& [path, target] : dataset.names) {
    const auto found = walk.files.find(path);
    ASSERT_NE(found, walk.files.end()) << path;
    EXPECT_EQ(found->second.kind, target.kind) << path;
    EXPECT_EQ(found->second.number, target.number) << path;
    ++links[{target.kind, target.number}];
  }
  for (const auto& [path, time] : walk.directories) {
    const auto given = dataset.directories.find(path);
    const auto want = given == dataset.directories.end() ? std::nullopt : given->second;
    EXPECT_EQ(time, want.value_or(dataset.options.default_mtime_ns)) << path;
  }
  for (const auto& [path, time] : dataset.directories) {
    EXPECT_TRUE(walk.directories.count(path)) << path;
  }
  for (uint64_t o = 0; o < dataset.objects.size(); ++o) {
    EXPECT_EQ(reader.ObjectLinks(o), (links[{TargetKind::kMedia, o}]));
  }
  for (uint64_t t = 0; t < dataset.pairs() * dataset.fields(); ++t) {
    EXPECT_EQ(reader.TextLinks(t), (links[{TargetKind::kText, t}]));
  }
  for (uint64_t b = 0; b < dataset.blobs.size(); ++b) {
    EXPECT_EQ(reader.BlobLinks(b), (links[{TargetKind::kBlob, b}]));
  }
}

}  // namespace

uint64_t Dataset::pairs() const {
  return std::accumulate(objects.begin(), objects.end(), uint64_t{0},
                         [](uint64_t sum, const auto& o) { return sum + o.pairs.size(); });
}

std::string Dataset::Write(const std::string& path) const {
  Writer writer(path, options);
  for (const DatasetObject& object : objects) {
    writer.BeginObject(object.extension, object.mtime_ns);
    // In pieces, as whoever reads files gives them.
    for (size_t at = 0; at < object.media.size(); at += 100'000) {
      writer.AppendMedia(AsBytes(std::string_view(object.media).substr(at, 100'000)));
    }
    for (const DatasetPair& pair : object.pairs) WritePair(writer, pair);
    writer.EndObject();
  }
  for (const DatasetBlob& blob : blobs) {
    writer.BeginBlob(blob.mtime_ns);
    writer.AppendBlob(AsBytes(blob.bytes));
    writer.EndBlob();
  }
  std::vector<std::pair<std::string, Target>> shuffled(names.begin(), names.end());
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(shuffled.size()));
  for (const auto& [name, target] : shuffled) writer.AddName(name, target);
  for (const auto& [directory, mtime_ns] : directories) writer.AddDirectory(directory, mtime_ns);
  for (const uint64_t pair : order) writer.AppendOrder(pair);
  writer.SetSourceFacts(facts);
  return writer.Finish();
}

Dataset RandomDataset(uint64_t seed, const DatasetShape& shape) {
  return Maker(seed, shape).Make();
}

Dataset SmallestDataset() {
  Dataset data;
  data.options.fields = {{"text", "txt"}};
  data.objects = {{"jpg", "m", {{{"t"}}}, std::nullopt}};
  data.names = {{"a.jpg", {TargetKind::kMedia, 0}}, {"a.txt", {TargetKind::kText, 0}}};
  data.facts = {0, 2, 2};
  return data;
}

std::string MediaOf(const Reader& reader, uint64_t object) {
  return ReadWhole(reader.Object(object).media_size,
                   [&](auto out) { return reader.ReadMedia(object, 0, out); });
}

std::string TextOf(const Reader& reader, uint64_t text) {
  return ReadWhole(reader.Text(reader.ObjectOfText(text), text).size,
                   [&](auto out) { return reader.ReadText(text, 0, out); });
}

std::string BlobOf(const Reader& reader, uint64_t blob) {
  return ReadWhole(reader.Blob(blob).media_size,
                   [&](auto out) { return reader.ReadBlob(blob, 0, out); });
}

void ExpectSame(const Dataset& dataset, const Reader& reader) {
  ASSERT_EQ(reader.info().objects, dataset.objects.size());
  ASSERT_EQ(reader.info().pairs, dataset.pairs());
  ASSERT_EQ(reader.info().blobs, dataset.blobs.size());
  uint64_t next_pair = 0;
  for (uint64_t o = 0; o < dataset.objects.size(); ++o) {
    ExpectSameObject(dataset, reader, o, next_pair);
  }
  for (uint64_t b = 0; b < dataset.blobs.size(); ++b) {
    const DatasetBlob& blob = dataset.blobs[b];
    EXPECT_EQ(BlobOf(reader, b), blob.bytes);
    EXPECT_EQ(reader.BlobTime(b), blob.mtime_ns.value_or(dataset.options.default_mtime_ns));
  }
  ExpectSameOrderAndSplits(dataset, reader);
  ExpectSameNames(dataset, reader);
}

}  // namespace ulhff
