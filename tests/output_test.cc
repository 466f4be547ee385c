// Names and numbers as the commands show them.
#include "converter/output.h"

#include <gtest/gtest.h>

#include <clocale>

namespace ulhff {
namespace {

TEST(OutputTest, EscapesNamesAsLsDoes) {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  EXPECT_EQ(EscapeName("plain-name.jpg"), "plain-name.jpg");
  EXPECT_EQ(EscapeName("a b\\c"), "a\\ b\\\\c");
  EXPECT_EQ(EscapeName("\n\t\x1b[0m\x7f"), "\\n\\t\\033[0m\\177");
  EXPECT_EQ(EscapeName("\xc3\xa9 \xe2\x82\xac"), "\xc3\xa9\\ \xe2\x82\xac");
  EXPECT_EQ(EscapeName("\xff\xc3"), "\\377\\303");
  EXPECT_EQ(EscapeName(std::string_view("a\0b", 3)), "a\\000b");
  std::setlocale(LC_CTYPE, "C");
  EXPECT_EQ(EscapeName("\xc3\xa9"), "\\303\\251");
}

TEST(OutputTest, WritesJsonStringsThatKeepEveryByte) {
  EXPECT_EQ(JsonString("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(JsonString(std::string_view("\0\a\b\t\n\v\f\r\x1f\x7f", 10)),
            "\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001f\x7f\"");
  EXPECT_EQ(JsonString("\xc3\xa9\xf0\x9f\x91\x8d"), "\"\xc3\xa9\xf0\x9f\x91\x8d\"");
  EXPECT_EQ(JsonString("\xff\xc3(\xed\xa0\x80"), R"("\udcff\udcc3(\udced\udca0\udc80")");
}

TEST(OutputTest, GroupsThousands) {
  EXPECT_EQ(GroupedNumber(0), "0");
  EXPECT_EQ(GroupedNumber(999), "999");
  EXPECT_EQ(GroupedNumber(1000), "1,000");
  EXPECT_EQ(GroupedNumber(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(OutputTest, ChoosesTheUnitOfSizes) {
  EXPECT_EQ(ReadableSize(0), "0 bytes");
  EXPECT_EQ(ReadableSize(1), "1 byte");
  EXPECT_EQ(ReadableSize(1023), "1023 bytes");
  EXPECT_EQ(ReadableSize(1024), "1.0 KiB");
  EXPECT_EQ(ReadableSize(1024 * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(ReadableSize(4509715660), "4.2 GiB");
  EXPECT_EQ(ReadableSize(18446744073709551615u), "16.0 EiB");
}

}  // namespace
}  // namespace ulhff
