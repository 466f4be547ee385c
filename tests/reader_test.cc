// The reader against what the writer wrote: seeded round trips of every kind of dataset.
#include "ulhff/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "tests/dataset.h"
#include "tests/temp_dir.h"
#include "ulhff/error.h"

namespace ulhff {
namespace {

struct RoundTripCase {
  const char* name;
  DatasetShape shape;
  PairingType type;
  IndexKind index;
};

const RoundTripCase kRoundTrips[] = {
    {"OneToOne", {.pairs_per_object = 1}, PairingType::kOneToOne, IndexKind::kIdentity},
    {"FixedRatio",
     {.pairs_per_object = 5, .fixed = true},
     PairingType::kFixedOneToMany,
     IndexKind::kFixedRatio},
    {"Hybrid", {}, PairingType::kHybridOneToMany, IndexKind::kAvlPlus},
    {"UniModal",
     {.pairs_per_object = 1, .fields = 0},
     PairingType::kUniModal,
     IndexKind::kIdentity},
    {"ThreeFieldsAndSplits",
     {.fields = 3, .splits = 4, .shuffled_order = true},
     PairingType::kHybridOneToMany,
     IndexKind::kAvlPlus},
    {"PageAligned",
     {.alignment = 4096, .splits = 2},
     PairingType::kHybridOneToMany,
     IndexKind::kAvlPlus},
    {"ManyTinyObjects",
     {.objects = 3000, .media_size = 3, .text_size = 2, .shuffled_order = true},
     PairingType::kHybridOneToMany,
     IndexKind::kAvlPlus},
    {"MediaOfSeveralChunks",
     {.objects = 4, .media_size = 3'000'000, .text_size = 5000},
     PairingType::kHybridOneToMany,
     IndexKind::kAvlPlus},
    {"Rotated", {.rotated_order = true}, PairingType::kHybridOneToMany, IndexKind::kAvlPlus},
    {"WithoutNames", {.named = false}, PairingType::kHybridOneToMany, IndexKind::kAvlPlus},
    {"Nothing", {.objects = 0, .blobs = 0}, PairingType::kOneToOne, IndexKind::kIdentity},
};

class RoundTrip : public testing::TestWithParam<RoundTripCase> {};

TEST_P(RoundTrip, ReadsBackWhatWasWritten) {
  const TempDir dir;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const Dataset dataset = RandomDataset(seed, GetParam().shape);
    const std::string path = dir / ("file" + std::to_string(seed));
    dataset.Write(path);
    const Reader reader = Reader::Open(path);
    EXPECT_EQ(reader.info().type, GetParam().type);
    EXPECT_EQ(reader.info().index, GetParam().index);
    ExpectSame(dataset, reader);
  }
}

TEST_P(RoundTrip, ReadsTheSameThroughACacheOfAFewBlocks) {
  const TempDir dir;
  const Dataset dataset = RandomDataset(7, GetParam().shape);
  dataset.Write(dir / "file");
  ExpectSame(dataset, Reader::Open(dir / "file", {ReadMode::kBuffered, 1}));
}

INSTANTIATE_TEST_SUITE_P(Reader, RoundTrip, testing::ValuesIn(kRoundTrips),
                         [](const auto& info) { return std::string(info.param.name); });

// --- opening ---

// Bytes that read calls of this process asked for and got so far.
uint64_t BytesRead() {
  std::ifstream io("/proc/self/io");
  std::string key;
  uint64_t value = 0;
  io >> key >> value;
  EXPECT_EQ(key, "rchar:");
  return value;
}

TEST(ReaderTest, OpeningReadsTheSuperblockAndTheRootOfAFileOfAnySize) {
  const TempDir dir;
  const uint64_t own = [] {
    const uint64_t before = BytesRead();
    return BytesRead() - before;  // of reading /proc/self/io
  }();
  for (const uint64_t objects : {0U, 10U, 3000U}) {
    const std::string path = dir / std::to_string(objects);
    RandomDataset(1, {.objects = objects, .media_size = 100}).Write(path);
    const uint64_t before = BytesRead();
    const Reader reader = Reader::Open(path);
    EXPECT_NEAR(static_cast<double>(BytesRead() - before - own), 12'288, 200);
  }
}

TEST(ReaderTest, TellsWhatTheSuperblockSays) {
  const TempDir dir;
  const std::string uuid = SmallestDataset().Write(dir / "file");
  const Info info = Reader::Open(dir / "file").info();
  EXPECT_EQ(info.path, dir / "file");
  EXPECT_EQ(info.uuid, uuid);
  EXPECT_EQ(info.uuid, "4f1c1083-c77b-aea0-a79a-7b06c97a1c06") << "docs/format.md, section 12";
  EXPECT_EQ(info.alignment, 64);
  EXPECT_EQ(info.pairs, 1);
  EXPECT_EQ(info.objects, 1);
  EXPECT_EQ(info.entries, 2);
  EXPECT_EQ(info.media_bytes, 1);
  EXPECT_EQ(info.text_bytes, 1);
  EXPECT_EQ(info.file_bytes, 45'056);
  EXPECT_EQ(info.index_bytes, 4096);
  EXPECT_EQ(info.text_index_bytes, 4096);
  EXPECT_EQ(info.name_bytes, 5 * 4096);
  EXPECT_EQ(info.order_bytes, 0);
  ASSERT_EQ(info.fields.size(), 1);
  EXPECT_EQ(info.fields[0].name, "text");
  EXPECT_EQ(info.fields[0].extension, "txt");
  EXPECT_THAT(info.extensions, testing::ElementsAre("jpg"));
  EXPECT_THAT(info.splits, testing::IsEmpty());
}

TEST(ReaderTest, AFileThatIsMissingOrADirectoryIsASystemError) {
  const TempDir dir;
  EXPECT_THROW(Reader::Open(dir / "missing"), std::system_error);
  EXPECT_THROW(Reader::Open(dir.path()), std::system_error);
}

TEST(ReaderTest, NumbersOutOfRangeAreRefused) {
  const TempDir dir;
  SmallestDataset().Write(dir / "file");
  const Reader reader = Reader::Open(dir / "file");
  EXPECT_THROW(reader.Locate(1), std::out_of_range);
  EXPECT_THROW(reader.Object(1), std::out_of_range);
  EXPECT_THROW(reader.ObjectOfText(1), std::out_of_range);
  EXPECT_THROW(reader.Text(reader.Object(0), 1), std::out_of_range);
  EXPECT_THROW(reader.Blob(0), std::out_of_range);
  EXPECT_THROW(reader.PairAtSourcePosition(1), std::out_of_range);
  EXPECT_THROW(reader.SplitPairs(0), std::out_of_range);
  EXPECT_THROW(reader.SplitOf(0), std::out_of_range);
  EXPECT_THROW(reader.Directory(1), std::out_of_range);
  EXPECT_THROW(reader.FindName(1, "a"), std::out_of_range);
}

// --- reading parts ---

class ReadParts : public testing::Test {
 protected:
  ReadParts() {
    std::mt19937_64 random(1);
    const auto bytes = [&](size_t size) {
      std::string s(size, '\0');
      for (char& c : s) c = static_cast<char>(random());
      return s;
    };
    dataset_.options.fields = {{"", "txt"}};
    dataset_.objects = {{"jpg", bytes(2'000'000), {{{bytes(50)}}, {{bytes(3'000'000)}}}, {}}};
    dataset_.Write(path_);
    reader_.emplace(Reader::Open(path_));
  }

  template <typename Read>
  void ExpectParts(const std::string& whole, const Read& read) {
    std::mt19937_64 random(2);
    std::vector<std::byte> out(1'500'000);
    const auto expect = [&](uint64_t position, size_t size) {
      const size_t n = read(position, std::span(out).first(size));
      EXPECT_TRUE(AsText(std::span(out).first(n)) ==
                  std::string_view(whole).substr(std::min(position, whole.size()), size))
          << position << "+" << size;
    };
    for (int i = 0; i < 30; ++i) expect(random() % whole.size(), random() % out.size());
    for (const uint64_t position : {262'143UL, 262'144UL, whole.size() - 1, whole.size()}) {
      for (const size_t size : {0U, 1U, 2U, 262'145U}) expect(position, size);
    }
    expect(~uint64_t{0}, 10);
  }

  void Flip(uint64_t offset) const {
    std::string bytes = ReadBytes(path_);
    bytes[offset] = static_cast<char>(~bytes[offset]);
    WriteBytes(path_, bytes);
  }

  TempDir dir_;
  std::string path_ = dir_ / "file";
  Dataset dataset_;
  std::optional<Reader> reader_;
};

TEST_F(ReadParts, OfAMedia) {
  ExpectParts(dataset_.objects[0].media,
              [&](uint64_t position, auto out) { return reader_->ReadMedia(0, position, out); });
}

TEST_F(ReadParts, OfTexts) {
  for (uint64_t text = 0; text < 2; ++text) {
    const std::string& whole = *dataset_.objects[0].pairs[text].texts[0];
    std::vector<std::byte> out(10);
    EXPECT_EQ(reader_->ReadText(text, 45, out), text == 0 ? 5 : 10);
    EXPECT_EQ(AsText(std::span(out).first(5)), whole.substr(45, 5));
  }
  ExpectParts(*dataset_.objects[0].pairs[1].texts[0],
              [&](uint64_t position, auto out) { return reader_->ReadText(1, position, out); });
}

TEST_F(ReadParts, DamageFailsTheChunkOrTextThatHasIt) {
  const ObjectLayout object = reader_->Object(0);
  std::vector<std::byte> out(10);
  AlignedBuffer buffer;
  Flip(object.offset + 3 * kChunkSize + 5);
  EXPECT_THROW(reader_->ReadMedia(0, 3 * kChunkSize - 5, out), FormatError);
  EXPECT_THROW(reader_->ReadObject(object, buffer), FormatError);
  EXPECT_EQ(reader_->ReadMedia(0, 3 * kChunkSize - 10, out), 10);
  EXPECT_EQ(reader_->ReadMedia(0, 4 * kChunkSize, out), 10);
  for (uint64_t text = 0; text < 2; ++text) {
    EXPECT_EQ(reader_->ReadText(text, 0, out), 10);
    Flip(object.offset + reader_->Text(object, text).position + 20);
    EXPECT_THROW(reader_->ReadText(text, 0, out), FormatError);
  }
}

}  // namespace
}  // namespace ulhff
