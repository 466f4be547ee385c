// Tests that a conversion in shards, merged, gives the file of one conversion, byte for byte.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>

#include "converter/input_error.h"
#include "tests/merging.h"
#include "tests/record_files.h"
#include "tests/sample_dataset.h"
#include "tests/tar_files.h"
#include "ulhff/verify.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::ThrowsMessage;

class ShardTest : public MergingTest {
 protected:
  static std::string Jpeg(const std::string& rest) { return "\xff\xd8\xff\xe0" + rest; }
};

void SetTime(const std::string& path, int64_t seconds) {
  const timespec times[2] = {{0, UTIME_OMIT}, {seconds, 123}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0) << path;
}

// --- made-up sources: everything a source can say, at random

struct RandomMedia {
  std::string name;  // empty: a part of the container
  Locator bytes;
};

class RandomSource {
 public:
  RandomSource(TempTree& tree, uint64_t seed) : random_(seed), tree_(&tree) {
    fields_ = Below(4) == 0 ? 0 : 1 + Below(3);
    splits_ = Below(3);
    same_count_ = Below(3) == 0;
    MakeMedia();
    MakeExtras();
    tree.MakeDir("empty/below");
    SetTime(tree("empty/below"), 77);
    MakeRows();
  }

  void Scan(SourceSink& sink) const {
    std::vector<std::pair<std::string, std::string>> fields;
    for (uint64_t i = 0; i < std::max<uint64_t>(fields_, 1); ++i) {
      fields.emplace_back(i == 0 ? "" : fmt::format("f{}", i), "txt");
    }
    sink.DeclareFields(fields);
    sink.Directory("empty", 5'000'000'000);
    sink.Directory("empty/below", 7'000'000'000);
    for (const Row& row : rows_) EmitRow(sink, row, fields.size());
    sink.Directory("m0", 8'000'000'000);
    for (const std::string& name : extras_) {
      sink.Extra(name, {(*tree_)(name), 0, std::nullopt}, {name});
    }
  }

 private:
  struct Row {
    size_t media;
    std::vector<std::optional<std::string>> texts;
    std::string text_name;
    uint64_t split;
  };

  uint64_t Below(uint64_t n) { return random_() % n; }

  std::string Content() {
    // Few, so that many are equal; some are larger than what is held whole.
    const uint64_t kind = Below(8);
    if (Below(40) == 0) return std::string(size_t{2'200'000} + Below(2), 'L');
    return std::string(kind * 700, static_cast<char>('a' + kind));
  }

  void MakeMedia() {
    std::string container;
    std::vector<std::pair<uint64_t, uint64_t>> parts;
    const uint64_t count = 3 + Below(20);
    for (uint64_t i = 0; i < count; ++i) {
      const std::string content = Content();
      if (Below(4) == 0) {
        media_.push_back({"", {(*tree_)("container"), container.size(), content.size()}});
        container += content;
        continue;
      }
      const std::string name = fmt::format("m{}/{}.{}", Below(3), i, Below(5) == 0 ? "PNG" : "jpg");
      tree_->Write(name, content);
      SetTime((*tree_)(name), static_cast<int64_t>(1000 + Below(50)));
      media_.push_back({name, {(*tree_)(name), 0, std::nullopt}});
    }
    tree_->Write("container", container);
    SetTime((*tree_)("container"), 1500);
  }

  void MakeExtras() {
    const uint64_t count = Below(6);
    for (uint64_t i = 0; i < count; ++i) {
      extras_.push_back(fmt::format("x{}/{}.json", Below(2), i));
      tree_->Write(extras_.back(), Content());
      SetTime((*tree_)(extras_.back()), static_cast<int64_t>(1000 + Below(50)));
    }
  }

  // Records keep their pairs together, as containers do; the others are scattered.
  void MakeRows() {
    for (size_t media = 0; media < media_.size(); ++media) {
      const uint64_t count = same_count_ ? 2 : 1 + Below(4);
      for (uint64_t i = 0; i < count; ++i) AddRow(media);
    }
    if (Below(3) > 0) std::shuffle(rows_.begin(), rows_.end(), random_);
  }

  void AddRow(size_t media) {
    Row row{media, {}, "", Below(std::max<uint64_t>(splits_, 1))};
    for (uint64_t i = 0; i < fields_; ++i) {
      const uint64_t kind = Below(5);
      row.texts.emplace_back(fmt::format("{} {}", rows_.size(), Below(9)));
      if (kind == 0) row.texts.back().reset();
      if (kind == 1) row.texts.back() = "";
    }
    if (fields_ > 0 && Below(3) == 0) {
      row.text_name = fmt::format("m{}/{}.txt", Below(3), rows_.size());
      tree_->Write(row.text_name, row.texts[0].value_or("text"));
      SetTime((*tree_)(row.text_name), static_cast<int64_t>(1000 + Below(50)));
    }
    rows_.push_back(std::move(row));
  }

  void EmitRow(SourceSink& sink, const Row& row, size_t fields) const {
    const RandomMedia& media = media_[row.media];
    // A record is one media wherever it comes: only named ones can come again.
    std::optional<MediaId> id;
    if (media.name.empty()) {
      const auto [known, added] = records_.emplace(row.media, 0);
      if (added) known->second = *sink.Media("", media.bytes, {"container"});
      id = known->second;
    } else {
      id = sink.Media(media.name, media.bytes, {media.name});
    }
    std::vector<Text> texts(fields, Absent{});
    for (size_t i = 0; i < row.texts.size(); ++i) {
      if (row.texts[i]) texts[i] = InlineText{*row.texts[i]};
    }
    if (!row.text_name.empty()) {
      texts[0] = FileText{row.text_name, {(*tree_)(row.text_name), 0, std::nullopt}};
    }
    const uint64_t split = splits_ > 0 ? sink.Split(fmt::format("split{}", row.split)) : 0;
    sink.Pair(*id, texts, split, {"table", 1, std::nullopt});
    if (&row == &rows_.back()) records_.clear();
  }

  std::mt19937_64 random_;
  TempTree* tree_;
  uint64_t fields_, splits_;
  bool same_count_;
  std::vector<RandomMedia> media_;
  std::vector<std::string> extras_;
  std::vector<Row> rows_;
  mutable std::map<size_t, MediaId> records_;
};

TEST_F(ShardTest, OfRandomSourcesMergeToTheWhole) {
  for (uint64_t seed = 1; seed <= 15; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    TempTree files;
    const RandomSource source(files, seed);
    options.sources = {files.root()};
    options.alignment = seed % 2 == 0 ? 64 : 512;
    options.force = true;
    ExpectShardsToMerge([&] {
      std::vector<NamedSource> operands;
      operands.push_back(
          {std::make_unique<FakeSource>([&](SourceSink& sink) { source.Scan(sink); }), files.root(),
           "", ViewKind::kAll});
      return operands;
    });
  }
}

// --- every kind of source

TEST_F(ShardTest, OfPlainFilesMergeToTheWhole) {
  const SampleDataset sample(3);
  sample.WriteFiles(tree("d"));
  ExpectShardsToMerge({tree("d")}, {1, 3, 7, 40});
}

TEST_F(ShardTest, OfAUlhffFileMergeToTheWhole) {
  const SampleDataset sample(4);
  ExpectShardsToMerge({sample.container()});
}

TEST_F(ShardTest, OfATableWithScatteredCaptionsAndSplitsMergeToTheWhole) {
  std::string table = "image,caption,split\n";
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 13; ++i) {
      table += fmt::format("img/{}.jpg,\"caption {} of {}\",{}\n", i, round, i,
                           (i + round) % 4 == 0 ? "val" : "train");
    }
  }
  for (int i = 0; i < 13; ++i) {
    tree.Write(fmt::format("d/img/{}.jpg", i), Jpeg(std::string(1000, static_cast<char>(i % 9))));
  }
  tree.Write("d/captions.csv", table);
  tree.Write("d/LICENSE", "free");
  tree.MakeDir("d/none");
  options.split_column = "split";
  ExpectShardsToMerge({tree("d")});
}

TEST_F(ShardTest, OfMediaAloneMergeToTheWhole) {
  for (int i = 0; i < 9; ++i) tree.Write(fmt::format("d/{}.jpg", i), Jpeg(std::to_string(i % 6)));
  ExpectShardsToMerge({tree("d")});
}

TEST_F(ShardTest, OfSeveralOperandsMergeToTheWhole) {
  for (int i = 0; i < 9; ++i) {
    tree.Write(fmt::format("{}/{}.jpg", i % 2, i), Jpeg(std::to_string(i % 3)));
    tree.Write(fmt::format("{}/{}.txt", i % 2, i), std::to_string(i));
  }
  ExpectShardsToMerge({tree("0"), tree("1")});
}

TEST_F(ShardTest, OfRecordsWithoutNamesMergeToTheWhole) {
  std::string records;
  for (int i = 0; i < 17; ++i) {
    records += Framed(Example({{"image/encoded", BytesFeature({Jpeg(std::to_string(i % 5))})},
                               {"caption", BytesFeature({"a", std::to_string(i)})}}));
  }
  tree.Write("a.tfrecord", records);
  tree.Write("gz.tfrecord", Deflated(records, 31));
  options.tmp_dir = out.path();
  ExpectShardsToMerge({tree("a.tfrecord")});
  ExpectShardsToMerge({tree("gz.tfrecord"), tree("a.tfrecord")}, {3});
}

TEST_F(ShardTest, OfTarsMergeToTheWhole) {
  TarFiles files;
  for (int i = 0; i < 11; ++i) {
    files.push_back({fmt::format("{}.jpg", i), Jpeg(std::to_string(i % 4))});
    files.push_back({fmt::format("{}.txt", i), std::to_string(i)});
  }
  tree.Write("a.tar", TarOf(files));
  options.tmp_dir = out.path();
  ExpectShardsToMerge({tree("a.tar")});
}

TEST_F(ShardTest, OfCocoCaptionsMergeToTheWhole) {
  std::string images;
  std::string captions;
  for (int i = 0; i < 8; ++i) {
    images += fmt::format("{}{{\"id\":{},\"file_name\":\"{}.jpg\"}}", i > 0 ? "," : "", i, i);
    captions += fmt::format("{}{{\"id\":{},\"image_id\":{},\"caption\":\"c{}\"}}", i > 0 ? "," : "",
                            i, i * 3 % 7, i);
    tree.Write(fmt::format("d/images/{}.jpg", i), Jpeg(std::to_string(i / 2)));
  }
  tree.Write("d/annotations/captions.json",
             fmt::format("{{\"images\":[{}],\"annotations\":[{}]}}", images, captions));
  ExpectShardsToMerge({tree("d")});
}

// --- what a shard is

TEST_F(ShardTest, EachHoldsItsShareOfTheBytesThoughCaptionsAreScattered) {
  const auto scan = [&](SourceSink& sink) {
    for (int round = 0; round < 5; ++round) {
      for (int i = 0; i < 40; ++i) Pair(sink, fmt::format("{}.jpg", i), "text");
    }
  };
  for (int i = 0; i < 40; ++i) {
    tree.Write(fmt::format("{}.jpg", i), fmt::format("{:0>50000}", i));
  }
  const auto shards = ConvertShards(4, [&] {
    std::vector<NamedSource> operands;
    operands.push_back({std::make_unique<FakeSource>(scan), tree.root(), "", ViewKind::kSource});
    return operands;
  });
  for (const std::string& shard : shards) {
    const Reader reader = Reader::Open(shard);
    EXPECT_EQ(reader.info().objects, 10u);
    EXPECT_EQ(reader.info().pairs, 50u);
    EXPECT_THAT(Verify(reader, {}), IsEmpty());
  }
}

TEST_F(ShardTest, MayBeEmpty) {
  tree.Write("d/a.jpg", Jpeg("a"));
  tree.Write("d/a.txt", "a");
  options.sources = {tree("d")};
  const auto shards = ConvertShards(5, [&] { return Open({tree("d")}); });
  uint64_t pairs = 0;
  for (const std::string& shard : shards) {
    const Reader reader = Reader::Open(shard);
    pairs += reader.info().pairs;
    EXPECT_THAT(Verify(reader, {}), IsEmpty()) << shard;
    EXPECT_EQ(reader.Shard()->count, 5u);
  }
  EXPECT_EQ(pairs, 1u);
}

TEST_F(ShardTest, AllFindTheErrorsOfTheSource) {
  tree.Write("d/a.jpg", Jpeg("a"));
  tree.Write("d/t.csv", "image,caption\na.jpg,x\nmissing.jpg,y\n");
  options.shards = 3;
  for (options.shard = 1; options.shard <= 3; ++options.shard) {
    options.media_column = "image";
    EXPECT_THAT([&] { ConvertTo("x.ulhff", {tree("d/t.csv")}); },
                ThrowsMessage<InputError>(HasSubstr("missing.jpg")));
  }
  EXPECT_THAT(out.Names(), IsEmpty());
}

// --- sets of shards

class ShardSetTest : public ShardTest {
 protected:
  ShardSetTest() {
    for (int i = 0; i < 9; ++i) {
      tree.Write(fmt::format("d/{}.jpg", i), Jpeg(std::to_string(i)));
      tree.Write(fmt::format("d/{}.txt", i), std::to_string(i));
    }
    options.sources = {tree("d")};
  }
  std::vector<std::string> Shards(uint64_t count) {
    return ConvertShards(count, [&] { return Open({tree("d")}); });
  }
  auto Merging(std::vector<std::string> paths) {
    return [this, paths] { Merge("merged.ulhff", paths); };
  }
};

TEST_F(ShardSetTest, MergesInWhateverOrderTheyAreNamed) {
  const std::string whole = ReadBytes(ConvertTo("whole.ulhff", {tree("d")}));
  std::vector<std::string> shards = Shards(3);
  std::swap(shards[0], shards[2]);
  EXPECT_TRUE(ReadBytes(Merge("merged.ulhff", shards)) == whole);
}

TEST_F(ShardSetTest, TellsWhichAreMissing) {
  std::vector<std::string> shards = Shards(9);
  EXPECT_THAT(Merging({shards[0], shards[1], shards[2], shards[4], shards[5], shards[6], shards[7],
                       shards[8]}),
              ThrowsMessage<InputError>(HasSubstr("shard 4 of 9 is missing")));
  EXPECT_THAT(Merging({shards[8]}),
              ThrowsMessage<InputError>(HasSubstr("shards 1, 2, 3, 4, 5 and 3 more of 9 are")));
}

TEST_F(ShardSetTest, RefusesThoseOfDifferentConversions) {
  const std::vector<std::string> two = Shards(2);
  const std::vector<std::string> three = Shards(3);
  EXPECT_THAT(Merging({two[0], three[1]}),
              ThrowsMessage<InputError>(HasSubstr("are of different conversions")));
  EXPECT_THAT(Merging({two[0], two[0]}),
              ThrowsMessage<InputError>(HasSubstr("are the same shard")));
  tree.Write("d/4.txt", "longer");
  tree.Write("d/new.jpg", Jpeg("new"));
  options.force = true;
  const std::vector<std::string> changed = Shards(2);
  Shards(2);
  std::filesystem::copy(changed[1], out / "changed.ulhff");
  std::filesystem::remove(tree("d/new.jpg"));
  EXPECT_THAT(Merging({Shards(2)[0], out / "changed.ulhff"}),
              ThrowsMessage<InputError>(HasSubstr("are of different conversions")));
}

TEST_F(ShardSetTest, RefusesThoseWhoseFurtherNamesAreSpelledOtherwise) {
  std::filesystem::create_hard_link(tree("d/1.jpg"), tree("d/further.JPG"));
  const std::string whole = ConvertTo("whole.ulhff", {tree("d")});
  const auto shards = [&] { return ConvertShards(2, [&] { return Open({whole}); }); };
  const std::vector<std::string> plain = shards();
  std::filesystem::copy(plain[1], out / "plain.ulhff");
  options.lower_ext = options.force = true;
  EXPECT_THAT(Merging({shards()[0], out / "plain.ulhff"}),
              ThrowsMessage<InputError>(HasSubstr("are of different conversions")));
}

TEST_F(ShardSetTest, RefusesToMixThemWithOtherFiles) {
  const std::vector<std::string> shards = Shards(2);
  const std::string whole = ConvertTo("whole.ulhff", {tree("d")});
  EXPECT_THAT(Merging({shards[0], shards[1], whole}),
              ThrowsMessage<InputError>(HasSubstr("merge the shards alone first")));
}

TEST_F(ShardSetTest, JoinsWhatIsThereAsOrdinaryFilesIfConvertIsAsked) {
  const std::vector<std::string> shards = Shards(3);
  const Reader reader = Reader::Open(ConvertTo("part.ulhff", {shards[2], shards[0]}));
  EXPECT_EQ(reader.info().pairs, 6u);
  EXPECT_FALSE(reader.Shard().has_value());
}

}  // namespace
}  // namespace ulhff
