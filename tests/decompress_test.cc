// Tests decompression of whole files, their parts and their damage.
#include "converter/decompress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/record_files.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::HasSubstr;

std::string Zstd(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

class DecompressTest : public testing::Test {
 protected:
  DecompressTest() {
    ConvertOptions options;
    options.tmp_dir = testing::TempDir();
    spool = std::make_unique<SpooledFile>(options);
  }

  Decompressed Run(const std::string& compressed, uint64_t limit = ~uint64_t{0}) {
    const TempText file("c", compressed);
    FileWindow window(file.path());
    const Compression compression = CompressionOf(AsBytes(compressed));
    const Decompressed result = Decompress(window, compression, *spool, limit);
    bytes = FileWindow(spool->path()).ReadText(result.offset, result.size);
    return result;
  }

  std::unique_ptr<SpooledFile> spool;
  std::string bytes;  // that Run gave
};

TEST_F(DecompressTest, SeesCompressionInTheFirstBytes) {
  EXPECT_EQ(CompressionOf(AsBytes(Deflated("x", 31))), Compression::kGzip);
  EXPECT_EQ(CompressionOf(AsBytes(Deflated("x", 15))), Compression::kZlib);
  EXPECT_EQ(CompressionOf(AsBytes(Zstd("x"))), Compression::kZstd);
  EXPECT_EQ(CompressionOf(AsBytes("abcd")), Compression::kNone);
  EXPECT_EQ(CompressionOf(AsBytes("\x1f\x8b")), Compression::kNone);
}

TEST_F(DecompressTest, GivesAllBytesOfAllKinds) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += std::to_string(i);
  for (const std::string& compressed : {Deflated(text, 31), Deflated(text, 15), Zstd(text)}) {
    EXPECT_EQ(Run(compressed).damage, "");
    EXPECT_EQ(bytes, text);
  }
}

TEST_F(DecompressTest, MembersThatFollowEachOtherAreOneStream) {
  Run(Deflated("a", 31) + Deflated("", 31) + Deflated("b", 31));
  EXPECT_EQ(bytes, "ab");
  Run(Zstd("a") + Zstd("b"));
  EXPECT_EQ(bytes, "ab");
}

TEST_F(DecompressTest, DamageIsToldWithItsPlaceAndTheRestIsKept) {
  const std::string one = Deflated("first", 31);
  EXPECT_THAT(Run(one + "garbage").damage, HasSubstr("byte"));
  EXPECT_EQ(bytes, "first");
  for (const std::string& compressed : {one, Deflated("first", 15), Zstd("first")}) {
    for (size_t size = 4; size < compressed.size(); ++size) {
      EXPECT_THAT(Run(compressed.substr(0, size)).damage, HasSubstr("end early")) << size;
      EXPECT_TRUE(std::string("first").starts_with(bytes));
    }
  }
}

TEST_F(DecompressTest, StopsSoonAfterItsLimit) {
  const std::string compressed = Deflated(std::string(size_t{8} << 20, 'x'), 31);
  const Decompressed part = Run(compressed, 1000);
  EXPECT_GE(part.size, 1000U);
  EXPECT_LT(part.size, uint64_t{1} << 20);
  EXPECT_EQ(part.damage, "");
  const TempText file("c", compressed);
  FileWindow window(file.path());
  EXPECT_EQ(DecompressHead(window, Compression::kGzip, 3), "xxx");
}

TEST_F(DecompressTest, SpooledBytesHaveTheTimeThatIsSet) {
  Run(Zstd("a"));
  for (const int64_t time : {int64_t{1'600'000'000'123'456'789}, int64_t{-1}}) {
    spool->SetTime(time);
    struct stat st {};
    ASSERT_EQ(stat(spool->path().c_str(), &st), 0);
    EXPECT_EQ(st.st_mtim.tv_sec * int64_t{1'000'000'000} + st.st_mtim.tv_nsec, time);
  }
}

}  // namespace
}  // namespace ulhff
