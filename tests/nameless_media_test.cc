// Tests media without names: what they are is seen in their content, and what they stand in is
// kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/magic.h"
#include "converter/pipeline.h"
#include "tests/conversion.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::ElementsAre;

struct Sniffed {
  const char* name;
  std::string head;
  const char* extension;
};

class SniffExtensionTest : public testing::TestWithParam<Sniffed> {};

TEST_P(SniffExtensionTest, GivesTheCommonExtension) {
  EXPECT_EQ(SniffExtension(AsBytes(GetParam().head)), GetParam().extension);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, SniffExtensionTest,
    testing::Values(Sniffed{"Jpeg", "\xff\xd8\xff\xe0", "jpg"},
                    Sniffed{"Png", "\x89PNG\r\n\x1a\n", "png"},
                    Sniffed{"WebP", Bytes("RIFF\0\0\0\0WEBPVP8 "), "webp"},
                    Sniffed{"Wav", Bytes("RIFF\0\0\0\0WAVEfmt "), "wav"},
                    Sniffed{"Ogg", Bytes("OggS\0\2\1vorbis"), "ogg"},
                    Sniffed{"Opus", Bytes("OggS\0\2OpusHead"), "opus"},
                    Sniffed{"Mp3", "ID3\x04", "mp3"},
                    Sniffed{"Mp3WithoutTag", "\xff\xfb\x90", "mp3"},
                    Sniffed{"Mp4",
                            Bytes("\0\0\0\x20"
                                  "ftypisom"),
                            "mp4"},
                    Sniffed{"Heic",
                            Bytes("\0\0\0\x18"
                                  "ftypheic"),
                            "heic"},
                    Sniffed{"Webm", Bytes("\x1a\x45\xdf\xa3\x42\x82\x84webm"), "webm"},
                    Sniffed{"Matroska", Bytes("\x1a\x45\xdf\xa3\x42\x82\x88matroska"), "mkv"},
                    Sniffed{"Html", "<html><body>", ""}, Sniffed{"Nothing", "", ""},
                    Sniffed{"Unknown", "abcdefgh", ""}),
    [](const auto& info) { return std::string(info.param.name); });

class NamelessMediaTest : public ConversionTest {};

TEST_F(NamelessMediaTest, HaveTheExtensionOfTheirContent) {
  const std::string large = "\x89PNG\r\n\x1a\n" + std::string(size_t{3} << 20, 'x');
  tree.Write("container", "\xff\xd8\xff_small" + large + "????");
  Convert([&](SourceSink& sink) {
    for (const auto& [offset, size] :
         {std::pair<uint64_t, uint64_t>{0, 9}, {9, large.size()}, {9 + large.size(), 4}}) {
      const auto media = sink.Media("", {tree("container"), offset, size}, {"container"});
      ASSERT_TRUE(media);
      const Text text = InlineText{"text"};
      sink.Pair(*media, {&text, 1}, 0, {"container"});
    }
  });
  const Reader reader = Open();
  std::vector<std::string> extensions;
  for (uint64_t object = 0; object < 3; ++object) {
    extensions.emplace_back(reader.Extension(object));
  }
  EXPECT_THAT(extensions, ElementsAre("jpg", "png", ""));
}

TEST_F(NamelessMediaTest, WhatTheyStandInIsHeldUntilTheConversionHasEnded) {
  const TempText container("spool", "media");
  bool gone = false;
  Convert([&](SourceSink& sink) {
    const std::shared_ptr<const void> needed(&container, [&gone](const void* file) {
      std::filesystem::remove(static_cast<const TempText*>(file)->path());
      gone = true;
    });
    sink.Hold(needed);
    const auto media = sink.Media("", {container.path(), 0, 5}, {"spool"});
    ASSERT_TRUE(media);
    const Text text = Absent{};
    sink.Pair(*media, {&text, 1}, 0, {"spool"});
  });
  EXPECT_TRUE(gone);
  EXPECT_EQ(Outline(Open()), "media:");
}

}  // namespace
}  // namespace ulhff
