// Packed blocks (docs/format.md §6.2): exact bytes, round trips, values beyond 2^32.
#include "ulhff/packed.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ulhff {
namespace {

std::vector<PackedValue> Values(std::initializer_list<uint64_t> numbers) {
  std::vector<PackedValue> values;
  for (const uint64_t number : numbers) values.push_back({number, 0});
  return values;
}

std::vector<PackedValue> Decode(ByteSpan block, unsigned extra_bits, size_t count) {
  const PackedBlock packed(block, extra_bits);
  std::vector<PackedValue> values;
  for (size_t j = 0; j < count; ++j) values.push_back(packed.at(j));
  return values;
}

TEST(PackedBlockTest, OfEvenStepsHasABaseAndASlopeAndNoBits) {
  const auto block = EncodePackedBlock(Values({0x10, 0x13, 0x16}), 0);
  EXPECT_EQ(LoadAt<Le<uint64_t>>(block, 0), 0x10u);
  EXPECT_EQ(LoadAt<Le<uint64_t>>(block, 8), 3u << 16);
  for (size_t i = 16; i < block.size(); ++i) ASSERT_EQ(block.at(i), std::byte{0}) << i;
}

// The line of slope 5 leaves 0, -2, 0: base 10 - 2, residuals 2, 0, 2 in two bits each, and above
// each its extra bit.
TEST(PackedBlockTest, PutsExtraBitsAboveEachResidual) {
  const std::vector<PackedValue> values = {{10, 1}, {13, 0}, {20, 1}};
  const auto block = EncodePackedBlock(values, 1);
  EXPECT_EQ(LoadAt<Le<uint64_t>>(block, 0), 8u);
  EXPECT_EQ(LoadAt<Le<uint64_t>>(block, 8), 5u << 16);
  EXPECT_EQ(block.at(16), std::byte{2});
  EXPECT_EQ(block.at(24), std::byte{0b10'000'110});
  EXPECT_EQ(block.at(25), std::byte{0b1});
}

TEST(PackedBlockTest, RoundsTheSlopeToTheNearest) {
  EXPECT_EQ(LoadAt<Le<uint64_t>>(EncodePackedBlock(Values({0, 0, 0, 1}), 0), 8), 21845u);
  EXPECT_EQ(LoadAt<Le<uint64_t>>(EncodePackedBlock(Values({0, 0, 0, 2}), 0), 8), 43691u);
}

TEST(PackedBlockTest, HasNoSlopeWhereValuesFallOrRiseTooFar) {
  const uint64_t far = uint64_t{1} << 46;
  EXPECT_EQ(LoadAt<Le<uint64_t>>(EncodePackedBlock(Values({9, 1}), 0), 8), 0u);
  EXPECT_EQ(LoadAt<Le<uint64_t>>(EncodePackedBlock(Values({0, far}), 0), 8), 0u);
  EXPECT_EQ(LoadAt<Le<uint64_t>>(EncodePackedBlock(Values({0, far - 1}), 0), 8), (far - 1) << 16);
}

struct Shape {
  const char* name;
  uint64_t start;
  uint64_t step;   // the mean of the steps
  uint64_t noise;  // added to each value, below this
  size_t count;
  unsigned extra_bits;
};
constexpr Shape kShapes[] = {
    {"One", 5, 0, 1, 1, 0},
    {"Constant", 7, 0, 1, 65536, 0},
    {"ConstantWithExtra", 7, 0, 1, 4000, 8},
    {"Offsets", 8192, 3000, 2000, 1500, 6},
    {"BeyondTwoTo32", uint64_t{1} << 32, 100000, 90000, 1500, 1},
    {"NearTwoTo44", (uint64_t{1} << 44) - 3000, 2, 2, 1000, 8},
    {"NearTwoTo62", (uint64_t{1} << 62) - 12345, 4096, 4000, 1000, 12},
    {"AcrossTwoTo63", (uint64_t{1} << 63) - 500, 1, 3, 1000, 0},
    {"RoundTheEnd", ~uint64_t{0} - 500, 1, 3, 1000, 0},
    {"SteepAcrossTwoTo32", 0, uint64_t{1} << 36, uint64_t{1} << 30, 900, 1},
    {"TooSteepForASlope", 0, uint64_t{1} << 50, uint64_t{1} << 50, 500, 1},
    {"Random", 0, 0, 0, 509, 0},
};

class PackedShape : public testing::TestWithParam<Shape> {};

TEST_P(PackedShape, ComesBackAsItWas) {
  const Shape& shape = GetParam();
  std::mt19937_64 random(7);
  std::vector<PackedValue> values;
  for (uint64_t j = 0; j < shape.count; ++j) {
    const uint64_t noise = shape.noise == 0 ? random() : random() % shape.noise;
    const uint64_t extra = shape.extra_bits == 0 ? 0 : random() >> (64 - shape.extra_bits);
    values.push_back({shape.start + j * shape.step + noise, extra});
  }
  const unsigned bits = PackedBits(values, shape.extra_bits);
  ASSERT_LE(bits, 64u);
  ASSERT_LE(values.size(), PackedPerBlock(bits));
  const auto block = EncodePackedBlock(values, shape.extra_bits);
  EXPECT_TRUE(CheckPackedBlock(block, shape.extra_bits, values.size()));
  EXPECT_EQ(Decode(block, shape.extra_bits, values.size()), values);
}

INSTANTIATE_TEST_SUITE_P(All, PackedShape, testing::ValuesIn(kShapes),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(PackedPerBlockTest, FillsABlock) {
  EXPECT_EQ(PackedPerBlock(0), 65536u);
  EXPECT_EQ(PackedPerBlock(1), 32576u);
  EXPECT_EQ(PackedPerBlock(7), 4653u);
  EXPECT_EQ(PackedPerBlock(64), 509u);
}

TEST(CheckPackedBlockTest, RefusesWhatDoesNotFit) {
  auto block = EncodePackedBlock(Values({0, 200, 0}), 0);  // 8 bits
  EXPECT_TRUE(CheckPackedBlock(block, 0, 4072));
  EXPECT_FALSE(CheckPackedBlock(block, 0, 4073));
  EXPECT_FALSE(CheckPackedBlock(block, 0, 0));
  EXPECT_TRUE(CheckPackedBlock(block, 56, 509));
  EXPECT_FALSE(CheckPackedBlock(block, 57, 509));
  block.at(16) = std::byte{0};
  EXPECT_TRUE(CheckPackedBlock(block, 0, 65536));
  EXPECT_FALSE(CheckPackedBlock(block, 0, 65537));
}

}  // namespace
}  // namespace ulhff
