// XXH3 as docs/format.md names it: known values, pieces against the whole, the uuid's form.
#include "ulhff/checksum.h"

#include <gtest/gtest.h>

#include <string>

namespace ulhff {
namespace {

// By the reference tool: xxhsum -H3, -H2.
struct Known {
  std::string bytes;
  uint64_t sum64;
  const char* sum128;
};
const Known kKnown[] = {
    {"", 0x2d06800538d394c2, "99aa06d3-0147-98d8-6001-c324468d497f"},
    {"m", 0xf0904807418c57fc, "d6e5345b-e2ea-f78d-f090-4807418c57fc"},
    {std::string(262144, 'x'), 0xda485e04c765f2b4, "14a76e62-e175-dbde-da48-5e04c765f2b4"},
};

TEST(ChecksumTest, AgreesWithTheReferenceTool) {
  for (const Known& known : kKnown) {
    EXPECT_EQ(Checksum64(AsBytes(known.bytes)), known.sum64) << known.bytes.size();
    EXPECT_EQ(UuidText(Checksum128(AsBytes(known.bytes))), known.sum128) << known.bytes.size();
  }
}

TEST(StreamChecksumTest, OfPiecesIsThatOfTheWhole) {
  std::string bytes;
  for (int i = 0; i < 3000; ++i) bytes += static_cast<char>(i * 7);
  StreamChecksum stream;
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{256}, size_t{1024}, bytes.size()}) {
    stream.Reset();
    for (size_t at = 0; at < bytes.size(); at += piece) {
      stream.Update(AsBytes(bytes).subspan(at, std::min(piece, bytes.size() - at)));
    }
    EXPECT_EQ(stream.Digest64(), Checksum64(AsBytes(bytes))) << piece;
    EXPECT_EQ(stream.Digest(), Checksum128(AsBytes(bytes))) << piece;
  }
}

TEST(StreamChecksumTest, OfNothingIsThatOfNothing) {
  EXPECT_EQ(StreamChecksum().Digest64(), Checksum64({}));
  EXPECT_EQ(StreamChecksum().Digest(), Checksum128({}));
}

}  // namespace
}  // namespace ulhff
