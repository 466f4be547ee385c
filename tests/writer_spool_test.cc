// Spools and columns, in memory and beyond their buffers.
#include "ulhff/writer_spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <system_error>

#include "tests/temp_dir.h"

namespace ulhff {
namespace {

std::string Take(Spool::Cursor& cursor, size_t size) {
  std::string text(size, '\0');
  cursor.Read(std::as_writable_bytes(std::span(text)));
  return text;
}

class SpoolOf : public testing::TestWithParam<size_t> {};

TEST_P(SpoolOf, GivesBackItsBytesTwice) {
  const TempDir dir;
  std::string bytes;
  for (size_t i = 0; bytes.size() < GetParam(); ++i) bytes += std::to_string(i);
  bytes.resize(GetParam());
  Spool spool(dir.path());
  spool.Append(AsBytes(bytes).first(bytes.size() / 3));
  spool.Append(AsBytes(bytes).subspan(bytes.size() / 3));
  ASSERT_EQ(spool.size(), bytes.size());
  for (int round = 0; round < 2; ++round) {
    Spool::Cursor cursor(spool);
    EXPECT_EQ(Take(cursor, bytes.size() / 2), bytes.substr(0, bytes.size() / 2));
    EXPECT_EQ(cursor.left(), bytes.size() - bytes.size() / 2);
    EXPECT_EQ(Take(cursor, cursor.left()), bytes.substr(bytes.size() / 2));
    EXPECT_EQ(cursor.left(), 0u);
  }
  EXPECT_THAT(dir.Names(), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Sizes, SpoolOf,
                         testing::Values(0, 1, Spool::kBufferSize - 1, Spool::kBufferSize,
                                         Spool::kBufferSize + 1, 5 * Spool::kBufferSize + 12345));

TEST(SpoolTest, MayGrowWhileItIsRead) {
  const TempDir dir;
  Spool spool(dir.path());
  Spool::Cursor cursor(spool);
  const std::string line(1000, 'x');
  for (int i = 0; i < 500; ++i) {
    const std::string number = std::to_string(1000 + i);
    spool.Append(AsBytes(number));
    spool.Append(AsBytes(line));
    // Half as fast as it is written.
    if (i % 2 == 0) {
      EXPECT_EQ(Take(cursor, 1004), std::to_string(1000 + i / 2) + line);
    }
  }
  EXPECT_EQ(cursor.left(), 250u * 1004);
}

TEST(ColumnTest, IsUniformUntilAValueDiffers) {
  Column column("/nowhere");
  EXPECT_TRUE(column.uniform());
  EXPECT_EQ(column.first(), 0u);
  column.Append(7);
  column.Append(7, uint64_t{1} << 40);  // kept as a count: needs no file
  EXPECT_TRUE(column.uniform());
  EXPECT_EQ(column.size(), (uint64_t{1} << 40) + 1);
  EXPECT_EQ(column.first(), 7u);
}

TEST(ColumnTest, GivesBackItsValues) {
  const TempDir dir;
  Column column(dir.path());
  column.Append(3, 10000);
  column.Append(9, 0);
  EXPECT_TRUE(column.uniform());
  column.Append(uint64_t{1} << 63);
  for (uint64_t i = 0; i < 10000; ++i) column.Append(i);
  EXPECT_FALSE(column.uniform());
  ASSERT_EQ(column.size(), 20001u);
  Column::Cursor cursor(column);
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(cursor.Next(), 3u);
  EXPECT_EQ(cursor.Next(), uint64_t{1} << 63);
  for (uint64_t i = 0; i < 10000; ++i) ASSERT_EQ(cursor.Next(), i);
}

TEST(SpoolTest, NamesTheDirectoryItCannotSpillTo) {
  Spool spool("/nowhere");
  const std::string bytes(Spool::kBufferSize + 1, 'x');
  EXPECT_THAT([&] { spool.Append(AsBytes(bytes)); },
              testing::ThrowsMessage<std::system_error>(testing::HasSubstr("/nowhere")));
}

}  // namespace
}  // namespace ulhff
