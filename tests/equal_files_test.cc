// Tests that files are merged exactly if all their bytes are equal, in every kind of group.
#include "converter/equal_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <map>
#include <random>

#include "converter/scan.h"
#include "tests/conversion.h"

namespace ulhff {
namespace {

using testing::ElementsAre;

// Larger than kWholeSize, and no multiple of a chunk.
constexpr size_t kLarge = 2 * (size_t{1} << 20) + 12345;
constexpr size_t kSmall = 30'000;

std::string RandomBytes(size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (size_t i = 0; i + 4 <= size; i += 4) {
    const auto word = static_cast<uint32_t>(random());
    std::memcpy(&bytes[i], &word, 4);
  }
  return bytes;
}

// Differs from `bytes` in one byte that no sample reads.
std::string Variant(std::string bytes, size_t number) {
  bytes[5000 + number] = static_cast<char>(bytes[5000 + number] ^ 1);
  return bytes;
}

class EqualFilesTest : public ConversionTest {
 protected:
  // Converts media whose content is contents[i], each with the text "i", and returns the objects as
  // lists of texts.
  std::vector<std::string> Merge(const std::vector<std::string>& contents) {
    for (size_t i = 0; i < contents.size(); ++i) tree.Write(Name(i), contents[i]);
    return MergeWritten(contents.size());
  }
  std::vector<std::string> MergeWritten(size_t count) {
    Convert([&](SourceSink& sink) {
      for (size_t i = 0; i < count; ++i) Pair(sink, Name(i), std::to_string(i));
    });
    const Reader reader = Open();
    std::vector<std::string> objects;
    for (uint64_t object = 0; object < reader.info().objects; ++object) {
      const ObjectLayout layout = reader.Object(object);
      std::string texts;
      for (uint64_t i = 0; i < layout.pairs; ++i) {
        texts += (i > 0 ? " " : "") + TextOf(reader, layout.first_text + i);
      }
      objects.push_back(texts);
    }
    for (size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(Show(reader, Name(i)) == ReadBytes(tree(Name(i)))) << Name(i);
    }
    return objects;
  }
  static std::string Name(size_t i) { return "m" + std::to_string(i) + ".bin"; }
};

TEST_F(EqualFilesTest, MergesEqualOnesWhereverTheyStand) {
  EXPECT_THAT(Merge({"aa", "b", "aa", "cc", "b", "aa"}), ElementsAre("0 2 5", "1 4", "3"));
}

TEST_F(EqualFilesTest, MergesEmptyMedia) {
  EXPECT_THAT(Merge({"", "x", ""}), ElementsAre("0 2", "1"));
}

TEST_F(EqualFilesTest, ComparesBytesThatNoSampleSees) {
  for (const size_t size : {kSmall, kLarge}) {
    SCOPED_TRACE(size);
    options.force = true;
    const std::string bytes = RandomBytes(size, 1);
    const std::string other = Variant(bytes, 0);
    EXPECT_THAT(Merge({bytes, other, bytes, other}), ElementsAre("0 2", "1 3"));
    EXPECT_THAT(Merge({bytes, other, Variant(bytes, 1), other, Variant(bytes, 2), bytes}),
                ElementsAre("0 5", "1 3", "2", "4"));
  }
}

TEST_F(EqualFilesTest, ComparesLargeFilesToTheirLastByte) {
  const std::string bytes = RandomBytes(kLarge, 2);
  std::string other = bytes;
  other[kLarge - 5000] = static_cast<char>(other[kLarge - 5000] ^ 1);
  EXPECT_THAT(Merge({bytes, other, bytes}), ElementsAre("0 2", "1"));
}

TEST_F(EqualFilesTest, MergesMoreLargeFilesThanAreComparedAtOnce) {
  const std::string bytes = RandomBytes(kLarge, 3);
  std::vector<std::string> contents(12, bytes);
  contents[4] = contents[10] = Variant(bytes, 0);
  EXPECT_THAT(Merge(contents), ElementsAre("0 1 2 3 5 6 7 8 9 11", "4 10"));
}

TEST_F(EqualFilesTest, MergesHardLinksOfLeadersAndOfCandidates) {
  for (const size_t size : {kSmall, kLarge}) {
    SCOPED_TRACE(size);
    options.force = true;
    const std::string bytes = RandomBytes(size, 4);
    tree.Write(Name(0), bytes);
    tree.Write(Name(1), Variant(bytes, 0));
    tree.Write(Name(4), bytes);
    for (const auto& [link, target] : std::map<size_t, size_t>{{2, 0}, {3, 1}, {5, 4}, {6, 1}}) {
      std::filesystem::remove(tree(Name(link)));
      std::filesystem::create_hard_link(tree(Name(target)), tree(Name(link)));
    }
    EXPECT_THAT(MergeWritten(7), ElementsAre("0 2 4 5", "1 3 6"));
  }
}

// 200 files of one size whose samples are equal, each twice: the time must not grow with the square
// of their number, and none may be lost.
TEST_F(EqualFilesTest, SurvivesGroupsMadeToCollide) {
  constexpr size_t kFiles = 200;
  const std::string bytes = RandomBytes(kSmall, 5);
  std::vector<std::string> contents(2 * kFiles);
  std::vector<std::string> expected;
  for (size_t i = 0; i < kFiles; ++i) {
    contents[i] = contents[i + kFiles] = Variant(bytes, i);
    expected.push_back(std::to_string(i) + " " + std::to_string(i + kFiles));
  }
  EXPECT_EQ(Merge(contents), expected);
}

TEST_F(EqualFilesTest, WritesTheSameBytesWhateverTheNumberOfThreads) {
  std::vector<std::string> contents;
  const std::string small = RandomBytes(kSmall, 6);
  const std::string large = RandomBytes(kLarge, 7);
  for (unsigned i = 0; i < 60; ++i) contents.push_back(RandomBytes(2000 + i % 7 * 1000, i / 3));
  for (unsigned i = 0; i < 20; ++i) contents.push_back(i % 3 == 0 ? small : Variant(small, i % 5));
  for (unsigned i = 0; i < 6; ++i) contents.push_back(i % 2 == 0 ? large : Variant(large, 0));
  for (size_t i = 0; i < contents.size(); ++i) tree.Write(Name(i), contents[i]);
  options.force = true;
  std::string first;
  for (const unsigned threads : {1u, 2u, 3u, 5u, 8u}) {
    options.threads = threads;
    MergeWritten(contents.size());
    const std::string bytes = ReadBytes(options.output);
    if (first.empty()) first = bytes;
    ASSERT_TRUE(bytes == first) << threads << " threads";
  }
}

// Records groups as the `first`s of their members.
class GroupRecorder : public GroupSink {
 public:
  void Begin(const Loaded& leader) override { EXPECT_EQ(leader.entry.leader, leader.entry.first); }
  void Append(ByteSpan) override {}
  void Add(Loaded member) override { group_.push_back(member.entry.first); }
  void End() override {
    groups.push_back(group_);
    group_.clear();
  }
  std::vector<std::vector<uint64_t>> groups;

 private:
  std::vector<uint64_t> group_;
};

TEST_F(EqualFilesTest, LeavesFilesAloneWhoseFullHashesCollide) {
  FileList files(out.path());
  WorkerPool pool(2);
  Feed feed(files, Plan(out.path()), pool, {});
  for (uint64_t i = 0; i < 4; ++i) {
    tree.Write(Name(i), i % 2 == 0 ? "same" : "diff");
    FileRecord record;
    record.path = tree(Name(i));
    record.size = 4;
    // As if all hashes were equal.
    feed.PutBack({.leader = 0, .first = i, .same = i, .file = files.Add(record), .size = 4}, true);
  }
  GroupRecorder recorder;
  Progress progress(/*quiet=*/true);
  MergeEqualFiles(feed, files, pool, recorder, progress);
  EXPECT_THAT(recorder.groups, ElementsAre(ElementsAre(0, 2), ElementsAre(1), ElementsAre(3)));
}

}  // namespace
}  // namespace ulhff
