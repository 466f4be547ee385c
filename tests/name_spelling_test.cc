// Tests the encodings and extensions of names.
#include "converter/name_spelling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/input_error.h"

namespace ulhff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::ThrowsMessage;

NameSpelling With(const std::string& encoding, bool lower_ext = false) {
  ConvertOptions options;
  options.name_encoding = encoding;
  options.lower_ext = lower_ext;
  return NameSpelling(options);
}

TEST(NameSpellingTest, LeavesBytesAloneUnlessToldOtherwise) {
  EXPECT_EQ(With("").File("L\xfcneburg/A.JPG"), "L\xfcneburg/A.JPG");
  EXPECT_EQ(With("").Directory("L\xfcneburg"), "L\xfcneburg");
}

struct Spelling {
  const char *encoding, *given, *spelled;
};

TEST(NameSpellingTest, ConvertsComponentsThatAreNoUtf8) {
  constexpr Spelling kCases[] = {
      {"latin1", "L\xfcneburg.jpg", "Lüneburg.jpg"},
      {"ISO-8859-1", "/\xe9t\xe9//\xc3\xa9t\xc3\xa9/", "/été//été/"},
      {"CP1252", "\x80.jpg", "€.jpg"},
      {"CP932", "\x83\x5c.txt", "ソ.txt"},  // the second byte is a backslash's
      {"EUC-JP", "\xa4\xa2", "あ"},
      {"KOI8-R", "", ""},
  };
  for (const Spelling& test : kCases) {
    EXPECT_EQ(With(test.encoding).File(test.given), test.spelled) << test.encoding;
    EXPECT_EQ(With(test.encoding).Directory(test.given), test.spelled) << test.encoding;
  }
}

TEST(NameSpellingTest, HasRoomForEncodingsOfManyBytesACharacter) {
  std::string given, spelled;
  for (int i = 0; i < 40; ++i) {
    given += '\x88';
    spelled += "\u0b9c\u0bcd";
  }
  EXPECT_EQ(With("TSCII").File(given), spelled);
}

TEST(NameSpellingTest, NamesWhatIsNeither) {
  EXPECT_THAT([] { With("CP932").File("d/\xff\xff.jpg"); },
              ThrowsMessage<InputError>(HasSubstr("neither UTF-8 nor CP932")));
}

TEST(NameSpellingTest, RefusesEncodingsThatNoPathCanBeIn) {
  for (const char* encoding : {"klingon", "UTF-16", "UTF-32LE", "IBM037", "UTF-7", "ISO-2022-JP"}) {
    EXPECT_THROW(With(encoding), UsageError) << encoding;
  }
}

TEST(NameSpellingTest, LowersExtensionsOfFilesOnly) {
  const NameSpelling lower = With("", true);
  EXPECT_EQ(lower.File("D.DIR/A.B.JPG"), "D.DIR/A.B.jpg");
  EXPECT_EQ(lower.File("README"), "README");
  EXPECT_EQ(lower.File(".HIDDEN"), ".HIDDEN");
  EXPECT_EQ(lower.Directory("D.DIR"), "D.DIR");
}

TEST(NameSpellingTest, KnowsWhatAFileMayBeCalledInstead) {
  EXPECT_THAT(With("").OtherForms("a.jpg"), IsEmpty());
  EXPECT_THAT(With("latin1").OtherForms("a.jpg"), IsEmpty());
  EXPECT_THAT(With("").OtherForms("\xc3\xa9"), ElementsAre("e\xcc\x81"));
  EXPECT_THAT(With("latin1").OtherForms("\xc3\xa9"), ElementsAre("e\xcc\x81", "\xe9"));
  EXPECT_THAT(With("latin1").OtherForms("e\xcc\x81"), ElementsAre("\xc3\xa9", "\xe9"));
  EXPECT_THAT(With("latin1").OtherForms("\xe9"), ElementsAre("\xc3\xa9"));
  EXPECT_THAT(With("latin1").OtherForms("\xc3\xbc/\xc3\xa9"),
              IsSupersetOf({"\xfc/\xe9", "\xfc/\xc3\xa9", "\xc3\xbc/\xe9"}));
}

}  // namespace
}  // namespace ulhff
