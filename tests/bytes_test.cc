// Little-endian integers and bit fields, byte for byte.
#include "ulhff/bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>
#include <vector>

namespace ulhff {
namespace {

TEST(LeTest, StoresTheLowByteFirst) {
  const Le<uint32_t> value = 0x04030201;
  EXPECT_EQ(LoadAt<uint8_t>(std::as_bytes(std::span(&value, 1)), 0), 1);
  EXPECT_EQ(LoadAt<uint8_t>(std::as_bytes(std::span(&value, 1)), 3), 4);
}

template <typename T>
class LeOfType : public testing::Test {};
using Integers = testing::Types<uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(LeOfType, Integers);

TYPED_TEST(LeOfType, GivesBackPowersOfTwoAndTheirNeighbours) {
  static_assert(sizeof(Le<TypeParam>) == sizeof(TypeParam) && alignof(Le<TypeParam>) == 1);
  for (int bit = 0; bit < std::numeric_limits<TypeParam>::digits; ++bit) {
    const auto power = static_cast<TypeParam>(TypeParam{1} << bit);
    for (unsigned below = 0; below < 3; ++below) {
      const auto value = static_cast<TypeParam>(power + 1 - below);
      EXPECT_EQ(static_cast<TypeParam>(Le<TypeParam>(value)), value);
    }
  }
}

TEST(LoadAtTest, ReadsAtUnalignedPositions) {
  constexpr std::array<uint8_t, 9> kBytes = {0xFF, 8, 7, 6, 5, 4, 3, 2, 1};
  EXPECT_EQ(LoadAt<Le<uint64_t>>(std::as_bytes(std::span(kBytes)), 1), 0x0102030405060708u);
}

struct BitField {
  uint64_t pos;
  unsigned width;
  uint64_t value;
  std::array<uint8_t, 10> bytes;
};
constexpr BitField kBitFields[] = {
    {0, 0, 0, {}},
    {0, 1, 1, {0x01}},
    {7, 1, 1, {0x80}},
    {3, 7, 0x7F, {0xF8, 0x03}},
    {6, 12, 0xABC, {0x00, 0xAF, 0x02}},
    {8, 64, 0x0102030405060708, {0, 8, 7, 6, 5, 4, 3, 2, 1}},
    {15, 64, ~uint64_t{0}, {0, 0x80, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}},
};

TEST(BitsTest, StoresBitNInBitNModulo8OfByteNOver8) {
  for (const BitField& field : kBitFields) {
    std::array<uint8_t, 10> bytes{};
    StoreBits(std::as_writable_bytes(std::span(bytes)), field.pos, field.width, field.value);
    EXPECT_EQ(bytes, field.bytes) << field.pos << " " << field.width;
  }
}

TEST(BitsTest, LoadsWhatTheBytesHold) {
  for (const BitField& field : kBitFields) {
    const ByteSpan bytes = std::as_bytes(std::span(field.bytes));
    EXPECT_EQ(LoadBits(bytes, field.pos, field.width), field.value)
        << field.pos << " " << field.width;
  }
}

TEST(BitsTest, GivesBackEveryWidthAtEveryShift) {
  std::mt19937_64 random(1);
  for (unsigned width = 0; width <= 64; ++width) {
    for (uint64_t pos = 0; pos < 16; ++pos) {
      const uint64_t value = width == 0 ? 0 : random() >> (64 - width);
      const uint64_t after = random() & 0xFF;
      // No longer than needed: reading must not touch what is behind.
      std::vector<std::byte> bytes((pos + width + 8 + 7) / 8);
      StoreBits(bytes, pos, width, value);
      StoreBits(bytes, pos + width, 8, after);
      EXPECT_EQ(LoadBits(bytes, pos, width), value) << pos << " " << width;
      EXPECT_EQ(LoadBits(bytes, pos + width, 8), after) << pos << " " << width;
    }
  }
}

}  // namespace
}  // namespace ulhff
