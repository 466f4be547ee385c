// Tests conversions from end to end, over made-up sources and real files.
#include "converter/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"
#include "tests/conversion.h"

namespace ulhff {
namespace {

using testing::ElementsAre;

class PipelineTest : public ConversionTest {};

TEST_F(PipelineTest, KeepsPairsInSourceOrderAndTextsAsBytes) {
  tree.Write("a.jpg", "AAA");
  tree.Write("b.jpg", "BB");
  const std::string odd("NA\0\r\n \xff", 7);
  const ConversionResult result = Convert([&](SourceSink& sink) {
    Pair(sink, "a.jpg", "first");
    Pair(sink, "b.jpg", odd);
    Pair(sink, "b.jpg", "");
    Pair(sink, "b.jpg", std::nullopt);
  });
  const Reader reader = Open();
  EXPECT_EQ(Outline(reader), "AAA: first | BB: " + odd + ", , -");
  EXPECT_EQ(reader.info().order_bytes, 0u);
  EXPECT_EQ(result.pairs, 4u);
  EXPECT_EQ(result.objects, 2u);
  EXPECT_EQ(result.type, PairingType::kHybridOneToMany);
  EXPECT_EQ(result.file.uuid, reader.info().uuid);
  EXPECT_EQ(Show(reader, "b.jpg"), "BB");
}

TEST_F(PipelineTest, MergesMediaOfEqualBytesAndKeepsTheSourceOrder) {
  for (const char* name : {"x.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg"}) {
    const bool twin = name[0] == 'x' || name[0] == '2';
    tree.Write(name, twin ? "twin" : std::string("name") + name);
  }
  const std::vector<std::string> names = {"x.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg"};
  const ConversionResult result = Convert([&](SourceSink& sink) {
    for (size_t i = 0; i < 25; ++i) Pair(sink, names[i % 5], std::to_string(i));
  });
  const Reader reader = Open();
  EXPECT_EQ(result.pairs, 25u);
  EXPECT_EQ(result.objects, 4u);
  EXPECT_EQ(result.source.duplicates_merged, 1u);
  EXPECT_EQ(reader.info().duplicates_merged, 1u);
  EXPECT_EQ(Outline(reader),
            "twin: 0, 1, 5, 6, 10, 11, 15, 16, 20, 21 | name3.jpg: 2, 7, 12, 17, 22 | "
            "name4.jpg: 3, 8, 13, 18, 23 | name5.jpg: 4, 9, 14, 19, 24");
  EXPECT_THAT(Order(reader), ElementsAre(0, 1, 10, 15, 20, 2, 3, 11, 16, 21, 4, 5, 12, 17, 22, 6, 7,
                                         13, 18, 23, 8, 9, 14, 19, 24));
  for (const std::string& name : names) EXPECT_EQ(Show(reader, name), ReadBytes(tree(name)));
}

TEST_F(PipelineTest, KeepsNamesOfTextFilesExtrasAndDirectories) {
  tree.Write("d/a.jpg", "media");
  tree.Write("d/a.txt", "text\n");
  tree.Write("LICENSE", "license");
  tree.Write("d/COPYING", "license");
  tree.MakeDir("empty");
  const ConversionResult result = Convert([&](SourceSink& sink) {
    sink.Directory("d", 1'000'000'007);
    sink.Directory("empty", 2'000'000'007);
    FilePair(sink, "./d//a.jpg", "d/a.txt");
    Extra(sink, "LICENSE");
    Extra(sink, "d/COPYING");
  });
  const Reader reader = Open();
  EXPECT_EQ(Show(reader, "d/a.jpg"), "media");
  EXPECT_EQ(Show(reader, "d/a.txt"), "text\n");
  EXPECT_EQ(Show(reader, "LICENSE"), "license");
  EXPECT_EQ(Show(reader, "d/COPYING"), "license");
  EXPECT_EQ(reader.info().blobs, 1u) << "equal extras are stored once";
  EXPECT_EQ(result.extras, 2u);
  EXPECT_EQ(reader.info().source_files, 4u);
  EXPECT_EQ(reader.info().source_bytes, 5u + 5 + 7 + 7);
  EXPECT_EQ(reader.Directory(Find(reader, "empty")->number).mtime_ns, 2'000'000'007);
  EXPECT_EQ(reader.info().type, PairingType::kOneToOne);
}

}  // namespace
}  // namespace ulhff
