// Tests that the policies about cut sources, names that come twice and rows of several media mean
// the same in every kind of source.
#include "tests/policy_cases.h"
#include "tests/record_files.h"
#include "tests/tar_files.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

namespace fs = std::filesystem;

Items Plain() { return {{"1", Jpg("A"), "one"}, {"2", Jpg("B"), "two"}, {"3", Jpg("C"), "three"}}; }

// --- --lenient

class CutSourceTest : public SmallSourceTest {
 protected:
  // In the last item, where its text would begin.
  void WriteCut() {
    Write(Plain());
    const std::string part = tree(std::string("d/") + GetParam().part);
    const std::string bytes = ReadBytes(part);
    fs::resize_file(part, bytes.rfind("three") - 1);
  }
};

TEST_P(CutSourceTest, IsRefusedWithThePlace) {
  WriteCut();
  EXPECT_THAT([&] { ConvertSource(); }, ThrowsMessage<InputError>(HasSubstr(GetParam().part)));
  EXPECT_FALSE(fs::exists(options.output));
}

TEST_P(CutSourceTest, KeepsWhatIsWholeIfLenient) {
  WriteCut();
  options.lenient = true;
  EXPECT_EQ(ConvertSource(),
            GetParam().Is(kTextsApart) ? "A: one | B: two | C: -" : "A: one | B: two");
  EXPECT_GE(report->count(Odd::kTruncated) + report->count(Odd::kLostRest), 1U);
  options.strict = true;
  EXPECT_THROW(ConvertSource(), InputError);
}

ULHFF_FOR_SMALL_KINDS(CutSourceTest, kCanBeCut);

// --- --duplicates

// Two sources of one name, as a/d and b/d are.
class TwinSourcesTest : public SmallSourceTest {
 protected:
  TwinSourcesTest() {
    Write({{"1", Jpg("B"), "two"}});
    fs::create_directory(tree("b"));
    fs::rename(tree("d"), tree("b/d"));
    GetParam().write(tree, {{"1", Jpg("A"), "one"}});
    options.id_column = GetParam().Is(kHasKeys) ? "key" : "";
    options.extras = false;
  }
  std::string ConvertTwins(OnDuplicate policy) {
    options.duplicates = policy;
    const std::string operand = GetParam().Operand(tree);
    return ConvertSources({operand, tree("b") + operand.substr(tree.root().size())});
  }
};

TEST_P(TwinSourcesTest, FollowThePolicy) {
  const std::string name = GetParam().MediaName("1");
  EXPECT_THAT([&] { ConvertTwins(OnDuplicate::kError); },
              ThrowsMessage<InputError>(AllOf(HasSubstr(name), HasSubstr("(first: "))));
  EXPECT_EQ(ConvertTwins(OnDuplicate::kFirst), "A: one");
  EXPECT_GE(report->count(Odd::kDuplicateName), 1U);
  EXPECT_EQ(ConvertTwins(OnDuplicate::kLast), "B: two");
  EXPECT_GE(report->count(Odd::kDuplicateName), 1U);
  EXPECT_EQ(ConvertTwins(OnDuplicate::kRename), "A: one | B: two");
  EXPECT_GE(report->count(Odd::kDuplicateName), 1U);
}

ULHFF_FOR_SMALL_KINDS(TwinSourcesTest, kIsDirectory);

// One id of two images, whose entries are joined with their captions by it.
class TwinIdsTest : public SmallSourceTest {
 protected:
  // The third entry says the second's id, and another media.
  void WriteTwins() {
    Write(Plain());
    const std::string part = tree(std::string("d/") + GetParam().part);
    std::string bytes = ReadBytes(part);
    const std::string_view keys[] = {R"("id":"3")", R"("question_id":3)"};
    for (const std::string_view key : keys) {
      const size_t at = bytes.find(key);
      if (at != std::string::npos) bytes[at + key.rfind('3')] = '2';
    }
    tree.Write(std::string("d/") + GetParam().part, bytes);
  }
};

TEST_P(TwinIdsTest, FollowThePolicy) {
  struct Case {
    OnDuplicate policy;
    const char *coco, *vqa;
  };
  constexpr Case kCases[] = {
      {OnDuplicate::kError, nullptr, nullptr},
      {OnDuplicate::kFirst, "A: one | B: two", "A: one | B: two"},
      {OnDuplicate::kLast, "A: one | C: two", "A: one | C: three"},
      {OnDuplicate::kRename, "A: one | B: two | C: -", "A: one | B: two | C: three"}};
  for (const Case& one : kCases) {
    SCOPED_TRACE(static_cast<int>(one.policy));
    WriteTwins();
    options.missing_media = OnMissingMedia::kSkip;  // of the third's caption in COCO
    options.duplicates = one.policy;
    ExpectFollowed(GetParam().Is(kTextsApart) ? one.coco : one.vqa, Odd::kDuplicateName);
  }
}

ULHFF_FOR_SMALL_KINDS(TwinIdsTest, kJoinsIds);

// --- --multi-media

struct Several {
  const char* name;
  // A row of the media A and B with the text "one", and an ordinary one of C with "three".
  void (*write)(TempTree& tree);
};

void WriteThree(TempTree& tree) {
  tree.Write("d/1.jpg", Jpg("A"));
  tree.Write("d/2.jpg", Jpg("B"));
  tree.Write("d/3.jpg", Jpg("C"));
}
constexpr const char* kRows =
    "{\"image\":[\"1.jpg\",\"2.jpg\"],\"caption\":\"one\"},\n"
    "{\"image\":\"3.jpg\",\"caption\":\"three\"}";

const Several kSeveral[] = {
    {"HuggingFaceCsv",
     [](TempTree& tree) {
       WriteThree(tree);
       tree.Write("d/metadata.csv",
                  "file_name,more_file_name,text\n1.jpg,2.jpg,one\n3.jpg,,three\n");
     }},
    {"Json",
     [](TempTree& tree) {
       WriteThree(tree);
       tree.Write("d/t.json", "[" + std::string(kRows) + "]");
     }},
    {"JsonLines",
     [](TempTree& tree) {
       WriteThree(tree);
       const std::string rows = kRows;
       tree.Write("d/t.jsonl", std::string(rows).erase(rows.find(",\n"), 1) + "\n");
     }},
    {"HuggingFace",
     [](TempTree& tree) {
       WriteThree(tree);
       tree.Write("d/metadata.jsonl",
                  "{\"file_names\":[\"1.jpg\",\"2.jpg\"],\"text\":\"one\"}\n"
                  "{\"file_names\":[\"3.jpg\"],\"text\":\"three\"}\n");
     }},
    {"Tar",
     [](TempTree& tree) {
       tree.Write("d/a.tar", TarOf({{"1.a.jpg", Jpg("A")},
                                    {"1.b.jpg", Jpg("B")},
                                    {"1.txt", "one"},
                                    {"3.jpg", Jpg("C")},
                                    {"3.txt", "three"}}));
     }},
    {"Ffrecord",
     [](TempTree& tree) {
       const auto record = [](const std::string& media, const char* text) {
         return PickledDict({{"image", media}, {"caption", PickledText(text)}});
       };
       const std::string both = PickledList({PickledBytes(Jpg("A")), PickledBytes(Jpg("B"))});
       tree.Write("d/a.ffr",
                  Ffrecord({record(both, "one"), record(PickledBytes(Jpg("C")), "three")}));
     }},
    {"Tfrecord",
     [](TempTree& tree) {
       const auto record = [](const std::vector<std::string>& media, const char* text) {
         return Framed(
             Example({{"image", BytesFeature(media)}, {"caption", BytesFeature({text})}}));
       };
       tree.Write("d/a.tfrecord",
                  record({Jpg("A"), Jpg("B")}, "one") + record({Jpg("C")}, "three"));
     }},
    {"Mds", [](TempTree& tree) {
       const std::vector<MdsFileColumn> columns = {{"caption", "str"}, {"image", "jpeg_array"}};
       const auto list = [](const std::string& sizes, const std::string& bytes) {
         return Little(sizes.size(), 4) +
                (sizes.size() == 2 ? Little(4, 4) + Little(4, 4) : Little(4, 4)) + bytes;
       };
       const std::string shard = MdsFile(
           columns, {{"one", list("AB", Jpg("A") + Jpg("B"))}, {"three", list("C", Jpg("C"))}});
       tree.Write("d/a.mds", shard);
       tree.Write("d/index.json", MdsIndex({MdsEntry(columns, "a.mds", shard.size(), 2)}));
     }}};

class SeveralMediaTest : public MergingTest, public testing::WithParamInterface<Several> {
 protected:
  SeveralMediaTest() {
    options.tmp_dir = out.path();
    options.force = true;
    GetParam().write(tree);
  }
  std::string ConvertWith(OnMultiMedia policy) {
    options.multi_media = policy;
    return PlainOutline(Outline(Reader::Open(ConvertTo("x.ulhff", {tree("d")}))));
  }
};

TEST_P(SeveralMediaTest, FollowThePolicy) {
  EXPECT_THAT([&] { ConvertWith(OnMultiMedia::kError); },
              ThrowsMessage<InputError>(HasSubstr("row with several media")));
  EXPECT_EQ(ConvertWith(OnMultiMedia::kEach), "A: one | B: one | C: three");
  EXPECT_EQ(report->count(Odd::kMultiMediaRow), 1U);
  EXPECT_EQ(ConvertWith(OnMultiMedia::kFirst), "A: one | C: three");
  EXPECT_EQ(report->count(Odd::kMultiMediaRow), 1U);
  EXPECT_EQ(ConvertWith(OnMultiMedia::kSkip), "C: three");
  EXPECT_EQ(report->count(Odd::kMultiMediaRow), 1U);
}

INSTANTIATE_TEST_SUITE_P(Sources, SeveralMediaTest, testing::ValuesIn(kSeveral),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace ulhff
