// Tests what paths of sources become.
#include "converter/name_rules.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "converter/printable.h"

namespace ulhff {
namespace {

struct PathCase {
  std::string_view given, path;
  bool outside;
};

TEST(NameRulesTest, NormalisesPaths) {
  constexpr PathCase kCases[] = {
      {"a.jpg", "a.jpg", false},
      {"./a//b/./c", "a/b/c", false},
      {"a/", "a", false},
      {"", "", false},
      {".", "", false},
      {"...", "...", false},
      {"-x #\n", "-x #\n", false},
      {".hidden", ".hidden", false},
      {"a\\b", "a\\b", false},
      {"../a", "a", true},
      {"a/../b", "a/b", true},
      {"/a/b", "a/b", true},
      {"/", "", true},
      {"..", "", true},
      {"a/..b", "a/..b", false},
  };
  for (const PathCase& test : kCases) {
    const TreeName name = MakeTreeName(test.given);
    EXPECT_EQ(name.path, test.path) << test.given;
    EXPECT_EQ(name.outside, test.outside) << test.given;
    EXPECT_FALSE(name.shortened) << test.given;
  }
}

TEST(NameRulesTest, ShortensBetweenCharactersAndKeepsTheExtension) {
  // 2-byte characters: a cut at any byte would break one in one of the two cases.
  for (const size_t first : {size_t{0}, size_t{1}}) {
    std::string component(first, 'x');
    while (component.size() < 300) component += "é";
    const TreeName name = MakeTreeName("dir/" + component + ".jpeg");
    EXPECT_TRUE(name.shortened);
    ASSERT_TRUE(name.path.starts_with("dir/"));
    std::string_view last = name.path;
    last.remove_prefix(4);
    EXPECT_LE(last.size(), 255u);
    EXPECT_GE(last.size(), 248u);
    EXPECT_TRUE(last.ends_with(".jpeg"));
    for (std::string_view rest = last; !rest.empty(); rest.remove_prefix(Utf8Length(rest))) {
      ASSERT_NE(Utf8Length(rest), 0u);
    }
    EXPECT_NE(MakeTreeName(component + "y.jpeg").path, last) << "the hash tells them apart";
  }
}

TEST(NameRulesTest, NamesOfOneStemKeepOneStemWhenTheyAreShortened) {
  const std::string stem(300, 'k');
  std::set<std::string> stems;
  for (const char* extension : {".jpg", ".jpeg", ".txt", ""}) {
    const std::string path = MakeTreeName(stem + extension).path;
    EXPECT_LE(path.size(), 255u);
    EXPECT_TRUE(path.ends_with(extension));
    stems.insert(path.substr(0, path.size() - std::string_view(extension).size()));
  }
  EXPECT_EQ(stems.size(), 1u);
}

TEST(NameRulesTest, ReplacesNul) {
  const TreeName name = MakeTreeName(std::string_view("a\0b.jpg", 7));
  EXPECT_TRUE(name.shortened);
  EXPECT_TRUE(name.path.starts_with("a_b~"));
  EXPECT_TRUE(name.path.ends_with(".jpg"));
  EXPECT_NE(name.path, MakeTreeName(std::string_view("a\0\0b.jpg", 8)).path);
}

TEST(NameRulesTest, PutsANumberBeforeTheExtension) {
  EXPECT_EQ(Renamed("d.e/a.tar.gz", 2), "d.e/a.tar~2.gz");
  EXPECT_EQ(Renamed("d.e/README", 3), "d.e/README~3");
  EXPECT_EQ(Renamed(".hidden", 2), ".hidden~2");
  EXPECT_LE(Renamed(std::string(255, 'n'), 2).size(), 255u);
}

TEST(NameRulesTest, TakesForAnExtensionOnlyWhatLooksLikeOne) {
  EXPECT_EQ(ObjectExtension("a/b.jpg"), "jpg");
  EXPECT_EQ(ObjectExtension("a.d/B.JPeG"), "JPeG");
  for (const char* name : {"a.d/b", ".jpg", "b.", "Mr. Smith and his dog", "a.jpg?size=3", ""}) {
    EXPECT_EQ(ObjectExtension(name), "") << name;
  }
}

TEST(PrintableTest, MakesOddBytesVisible) {
  EXPECT_EQ(Printable("a b\\é語😀"), "a b\\é語😀");
  EXPECT_EQ(Printable("\x1b[2J\n\x7f"), "\\x1b[2J\\x0a\\x7f");
  EXPECT_EQ(Printable("L\xfcneburg"), "L\\xfcneburg");
  EXPECT_EQ(Printable("\xc2\x9b"), "\\xc2\\x9b") << "C1";
  // Built from numbers: the character would turn this line around in an editor.
  const std::string right_to_left = {'\xe2', '\x80', '\xae'};
  EXPECT_EQ(Printable(right_to_left + "gpj"), "\\xe2\\x80\\xaegpj");
  EXPECT_EQ(Printable("\xed\xa0\x80\xc0\x80"), "\\xed\\xa0\\x80\\xc0\\x80");
}

TEST(PrintableTest, CutsInTheMiddle) {
  EXPECT_EQ(Printable("abcdefghij", 6), "abc ... hij");
  EXPECT_EQ(Printable("ééééé", 5), "é ... é");
}

}  // namespace
}  // namespace ulhff
