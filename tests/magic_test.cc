// Tests what is told of a media by its first bytes.
#include "converter/magic.h"

#include <gtest/gtest.h>

namespace ulhff {
namespace {

using namespace std::string_view_literals;

struct Case {
  std::string_view head, extension, finding;  // empty: none
};

TEST(MagicTest, ComparesContentWithExtension) {
  constexpr Case kCases[] = {
      {"\xff\xd8\xff\xe0"sv, "jpg", ""},
      {"\xff\xd8\xff\xe1"sv, "JPEG", ""},
      {"\x89PNG\r\n\x1a\n"sv, "png", ""},
      {"\x89PNG\r\n\x1a\n"sv, "jpg", "content is PNG, extension is jpg"},
      {"GIF89a"sv, "gif", ""},
      {"RIFF\x10\0\0\0WEBPVP8 "sv, "webp", ""},
      {"RIFF\x10\0\0\0WAVEfmt "sv, "wav", ""},
      {"RIFF\x10\0\0\0WAVEfmt "sv, "webp", "content is WAV, extension is webp"},
      {"RIFF\x10\0\0\0AVI LIST"sv, "avi", ""},
      {"II*\0\x08\0\0\0"sv, "tif", ""},
      {"MM\0*\0\0\0\x08"sv, "tiff", ""},
      {"BM\x36\x10\0\0\0\0\0\0"sv, "bmp", ""},
      {"BMW for sale"sv, "bmp", "content is no BMP"},
      {"fLaC\0\0\0\x22"sv, "flac", ""},
      {"OggS\0\x02"sv, "ogg", ""},
      {"ID3\x04"sv, "mp3", ""},
      {"\xff\xfb\x90\x64"sv, "mp3", ""},
      {"\xff\xd8\xff\xe0"sv, "mp3", "content is JPEG, extension is mp3"},
      {"\0\0\0\x20"
       "ftypisom"sv,
       "mp4", ""},
      {"\0\0\x07\xd0moov"sv, "MOV", ""},
      {"\x1a\x45\xdf\xa3"sv, "webm", ""},
      {"ustar"sv, "jpg", "content is no JPEG"},
      {"whatever"sv, "dib", ""},
      {"whatever"sv, "", ""},
      {""sv, "jpg", ""},
      {"\xff"sv, "jpg", "content is no JPEG"},
      {"<!DOCTYPE HTML PUBLIC"sv, "jpg", "content is an HTML page"},
      {"\xef\xbb\xbf\r\n <html>"sv, "xyz", "content is an HTML page"},
      {"version https://git-lfs.github.com/spec/v1\noid"sv, "mp4",
       "content is a Git LFS pointer (`git lfs pull` replaces it)"},
  };
  for (const Case& test : kCases) {
    const auto finding = CheckMagic(AsBytes(test.head), test.extension);
    EXPECT_EQ(finding ? finding->what : "", test.finding) << test.head << " as " << test.extension;
    if (finding) {
      EXPECT_EQ(finding->not_media, finding->what.starts_with("content is a")) << finding->what;
    }
  }
}

TEST(MagicTest, MpegAudioIsKnownByItsFrameAndUtf16IsNone) {
  EXPECT_EQ(SniffExtension(AsBytes("\xff\xfb\x90\x64"sv)), "mp3");
  EXPECT_EQ(SniffExtension(AsBytes("\xff\xfei\0m\0"sv)), "");
}

}  // namespace
}  // namespace ulhff
