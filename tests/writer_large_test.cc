// One media of 5 GiB among small ones: all arithmetic that 32 bits would break.
#include <gtest/gtest.h>

#include <string>

#include "tests/temp_dir.h"
#include "ulhff/reader.h"
#include "ulhff/writer.h"

namespace ulhff {
namespace {

constexpr uint64_t kLarge = (uint64_t{5} << 30) + 12345;

// Zeros, which take no room on the disk, and letters at the end.
void AppendLargeMedia(Writer& writer, std::string_view end) {
  const std::string zeros(1 << 20, '\0');
  uint64_t left = kLarge - end.size();
  for (; left >= zeros.size(); left -= zeros.size()) writer.AppendMedia(AsBytes(zeros));
  writer.AppendMedia(AsBytes(std::string_view(zeros).substr(0, left)));
  writer.AppendMedia(AsBytes(end));
}

std::string ReadAt(const Reader& reader, uint64_t object, uint64_t position, size_t size) {
  std::string bytes(size, '?');
  bytes.resize(reader.ReadMedia(object, position, std::as_writable_bytes(std::span(bytes))));
  return bytes;
}

TEST(LargeMedia, IsWrittenAndReadLikeASmallOne) {
  const TempDir dir;
  {
    Writer writer(dir / "large.ulhff", {.fields = {{"text", "txt"}}});
    const std::optional<ByteSpan> text = AsBytes("text");
    for (const char* media : {"before", "", "after"}) {
      writer.BeginObject("mp4");
      std::string_view(media).empty() ? AppendLargeMedia(writer, "the end")
                                      : writer.AppendMedia(AsBytes(media));
      writer.AddPair(std::span(&text, 1));
      writer.EndObject();
    }
    writer.Finish();
  }
  const Reader reader = Reader::Open(dir / "large.ulhff");
  EXPECT_EQ(reader.Object(1).media_size, kLarge);
  EXPECT_EQ(ReadAt(reader, 0, 0, 100), "before");
  EXPECT_EQ(ReadAt(reader, 1, 0, 3), std::string(3, '\0'));
  EXPECT_EQ(ReadAt(reader, 1, (uint64_t{1} << 32) - 1, 2), std::string(2, '\0'));
  EXPECT_EQ(ReadAt(reader, 1, kLarge - 7, 100), "the end");
  EXPECT_EQ(ReadAt(reader, 1, kLarge, 100), "");
  EXPECT_EQ(ReadAt(reader, 2, 0, 100), "after");
  std::string text(4, '?');
  EXPECT_EQ(reader.ReadText(1, 0, std::as_writable_bytes(std::span(text))), 4u);
  EXPECT_EQ(text, "text");
}

}  // namespace
}  // namespace ulhff
