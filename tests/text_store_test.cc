// Tests that texts and bytes come back from temporary files as they went in.
#include "converter/text_store.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/temp_dir.h"

namespace ulhff {
namespace {

TEST(TempStoreTest, ReadsAndOverwritesAcrossFileAndMemory) {
  TempDir dir;
  TempStore store(dir.path());
  std::string expected;
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) {
    const std::string piece(i == 200 ? TempStore::kBufferSize + 17 : random() % 5000,
                            static_cast<char>('a' + i % 26));
    EXPECT_EQ(store.Append(AsBytes(piece)), expected.size());
    expected += piece;
    const uint64_t at = random() % (expected.size() + 1);
    const std::string patch =
        expected.empty() ? "" : std::string("XYZ").substr(0, expected.size() - at);
    store.Overwrite(at, AsBytes(patch));
    expected.replace(at, patch.size(), patch);
  }
  ASSERT_EQ(store.size(), expected.size());
  for (int i = 0; i < 200; ++i) {
    const uint64_t at = random() % expected.size();
    std::string out(random() % (expected.size() - at + 1), '\0');
    store.Read(at, std::as_writable_bytes(std::span(out)));
    ASSERT_TRUE(out == expected.substr(at, out.size()));
  }
  TempStoreCursor cursor(store);
  std::string all;
  while (!cursor.at_end()) {
    std::string out(std::min<uint64_t>(777, store.size() - cursor.position()), '\0');
    cursor.Read(std::as_writable_bytes(std::span(out)));
    all += out;
  }
  EXPECT_TRUE(all == expected);
  EXPECT_TRUE(dir.Names().empty()) << "its file has no name";
}

TEST(TextStoreTest, GivesEveryKindOfTextBack) {
  TempDir dir;
  TextStore store(dir.path());
  const std::string odd("a\0\xff\r\n", 5);
  const std::string longer(5000, 'x');
  const std::vector<Text> texts = {InlineText{odd},
                                   Absent{},
                                   InlineText{""},
                                   InlineText{longer},
                                   FileText{"d/name.txt", {"/path", 3, 4}},
                                   FileText{"", {"/other", 0, std::nullopt}}};
  std::vector<uint64_t> positions;
  for (uint64_t i = 0; i < 100; ++i) positions.push_back(store.Add(7 * i, texts, i, {1, i, 3}));
  store.Rename(positions[50], 4, "d/name~2.txt");
  store.Rename(positions[50], 5, "now it has one");
  store.Rename(positions[51], 4, "");
  for (uint64_t i = 0; i < 100; ++i) {
    const StoredPair pair = store.Read(positions[i]);
    ASSERT_EQ(pair.media, 7 * i);
    ASSERT_EQ(pair.split, i);
    ASSERT_EQ(pair.texts.size(), texts.size());
    EXPECT_EQ(pair.texts[0].bytes, odd);
    EXPECT_EQ(pair.texts[1].kind, StoredText::Kind::kAbsent);
    EXPECT_EQ(pair.texts[2].kind, StoredText::Kind::kInline);
    EXPECT_EQ(pair.texts[3].bytes, longer);
    EXPECT_EQ(pair.texts[4].name, i == 50 ? "d/name~2.txt" : i == 51 ? "" : "d/name.txt");
    EXPECT_EQ(pair.texts[4].file.path, "/path");
    EXPECT_EQ(pair.texts[4].file.offset, 3u);
    EXPECT_EQ(pair.texts[4].file.size, 4u);
    EXPECT_EQ(pair.texts[4].origin.line, i);
    EXPECT_EQ(pair.texts[5].name, i == 50 ? "now it has one" : "");
    EXPECT_FALSE(pair.texts[5].file.size);
  }
}

}  // namespace
}  // namespace ulhff
