// Tables of pairs, byte for byte.
#include "converter/table_writer.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace ulhff {
namespace {

using namespace std::literals;

using Texts = std::array<std::optional<std::string_view>, 2>;

// Two rows of two texts as `make` writes them.
std::string Written(const std::function<std::unique_ptr<TableWriter>(TextSink)>& make) {
  std::string out;
  const auto writer = make([&](std::string_view text) { out += text; });
  if (writer->needs_images()) {
    writer->Image(0, "a.jpg");
    writer->Image(7, "b,\"c\".jpg");
  }
  const Texts first{"plain", std::nullopt};
  const Texts second{"say \"a\",\n\0\xff"sv, ""};
  writer->Row({.media = "a.jpg", .texts = first, .split = "train", .object = 0, .position = 0});
  writer->Row(
      {.media = "b,\"c\".jpg", .texts = second, .split = "val", .object = 7, .position = 4});
  writer->Finish();
  return out;
}

const TableColumns kColumns{{"file_name", "text", "tags"}, true};

TEST(TableWriterTest, WritesCsvThatTellsAbsentFromEmpty) {
  EXPECT_EQ(Written([](TextSink sink) { return MakeCsvWriter(std::move(sink), kColumns, ','); }),
            "file_name,text,tags,split\n"
            "a.jpg,plain,,train\n"
            "\"b,\"\"c\"\".jpg\",\"say \"\"a\"\",\n\0\xff\",\"\",val\n"sv);
}

TEST(TableWriterTest, QuotesTheDelimiterThatIsUsed) {
  std::string out;
  const auto writer = MakeCsvWriter([&](std::string_view text) { out += text; },
                                    {{"filepath", "title"}, false}, '\t');
  const std::array<std::optional<std::string_view>, 1> texts{"a\tb, c\r"};
  writer->Row({.media = "x y.jpg", .texts = texts, .split = {}});
  EXPECT_EQ(out, "filepath\ttitle\nx y.jpg\t\"a\tb, c\r\"\n");
}

TEST(TableWriterTest, WritesJsonLines) {
  EXPECT_EQ(Written([](TextSink sink) { return MakeJsonLinesWriter(std::move(sink), kColumns); }),
            R"({"file_name": "a.jpg", "text": "plain", "tags": null, "split": "train"})"
            "\n"
            R"({"file_name": "b,\"c\".jpg", "text": "say \"a\",\n\u0000\udcff", "tags": "", )"
            R"("split": "val"})"
            "\n");
}

TEST(TableWriterTest, WritesCoco) {
  EXPECT_EQ(Written([](TextSink sink) { return MakeCocoWriter(std::move(sink)); }),
            R"({"images": [
{"id": 0, "file_name": "a.jpg"},
{"id": 7, "file_name": "b,\"c\".jpg"}
],
"annotations": [
{"id": 0, "image_id": 0, "caption": "plain"},
{"id": 4, "image_id": 7, "caption": "say \"a\",\n\u0000\udcff"}
]}
)");
}

TEST(TableWriterTest, WritesLavis) {
  EXPECT_EQ(Written([](TextSink sink) { return MakeLavisWriter(std::move(sink)); }),
            R"([
{"image": "a.jpg", "caption": "plain", "image_id": 0},
{"image": "b,\"c\".jpg", "caption": "say \"a\",\n\u0000\udcff", "image_id": 7}
]
)");
}

TEST(TableWriterTest, WritesEmptyTables) {
  std::string out;
  const TextSink sink = [&](std::string_view text) { out += text; };
  MakeCocoWriter(sink)->Finish();
  EXPECT_EQ(out, "{\"images\": [\n],\n\"annotations\": [\n]}\n");
  out.clear();
  MakeLavisWriter(sink)->Finish();
  EXPECT_EQ(out, "[\n]\n");
}

}  // namespace
}  // namespace ulhff
