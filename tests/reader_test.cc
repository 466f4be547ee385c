// The reader against what the writer wrote: seeded round trips of every kind of dataset.
#include "ulhff/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

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

}  // namespace
}  // namespace ulhff
