// Names that no directory can hold: shown under others, found under these, told by verify.
#include "tests/forged_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temp_dir.h"
#include "ulhff/reader_name_escape.h"
#include "ulhff/tree.h"
#include "ulhff/verify.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::Field;
using testing::HasSubstr;
using testing::SizeIs;

class ForgedNamesTest : public testing::Test {
 protected:
  TempDir dir_;
  const std::string path_ = dir_ / "file";
  const std::map<std::string, std::string> wanted_ = WriteForgedNames(path_);
  const Reader reader_ = Reader::Open(path_, {ReadMode::kBuffered});
};

TEST_F(ForgedNamesTest, AreShownEscapedAndFoundSo) {
  TreeOptions source;
  source.view = ViewKind::kSource;
  const Tree tree(reader_, source);
  std::map<std::string, std::string> shown;
  const auto add = [](void* context, std::string_view name, Node node, uint64_t) {
    const auto& [tree, reader, shown] =
        *static_cast<std::tuple<const Tree*, const Reader*, std::map<std::string, std::string>*>*>(
            context);
    EXPECT_EQ(tree->Lookup(kRootNode, name), node) << name;
    (*shown)[std::string(name)] = MediaOf(*reader, node.number());
    return true;
  };
  std::tuple<const Tree*, const Reader*, std::map<std::string, std::string>*> context(
      &tree, &reader_, &shown);
  tree.List(kRootNode, 0, add, &context);
  EXPECT_EQ(shown, wanted_);
}

TEST_F(ForgedNamesTest, AreNotFoundAsTheyAreStored) {
  for (const std::string name :
       {"", ".", "..", "e/f", "%1", "%2", "%7", "%99", "%", "%zz", "%2F"}) {
    EXPECT_FALSE(reader_.FindName(0, name)) << name;
  }
}

TEST_F(ForgedNamesTest, AreToldByVerify) {
  EXPECT_THAT(Verify(reader_, {}),
              AllOf(SizeIs(6), testing::Each(Field(&Finding::what,
                                                   HasSubstr("cannot stand in a directory")))));
  EXPECT_THAT(Verify(reader_, {}),
              testing::Contains(Field(&Finding::what, HasSubstr("directory: \"e/f\""))));
}

TEST(EscapedNameTest, LeadsBackToOneName) {
  for (const std::string name : {"a/b", "/", "a%/b", "a/%2Fb", "a//b", ".", "..", "./x"}) {
    const std::string shown = EscapedName(name);
    EXPECT_EQ(shown.find('/'), std::string::npos);
    EXPECT_EQ(UnescapedName(shown), name);
  }
  for (const std::string shown : {"a%2fb", "a%2Eb", "%25", "%", "a%2", "%2x", "ab"}) {
    EXPECT_FALSE(UnescapedName(shown)) << shown;
  }
}

}  // namespace
}  // namespace ulhff
