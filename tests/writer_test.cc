// The Writer's contract: the rules of its calls, its limits, its errors.
#include "ulhff/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/temp_dir.h"

namespace ulhff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

// --- rules of calls

// A writer of one field and no splits, and what is done with it.
struct Misuse {
  const char* name;
  std::function<void(Writer&)> calls;
  const char* error;
};

void AddObject(Writer& writer, uint64_t pairs = 1) {
  const std::optional<ByteSpan> text = AsBytes("t");
  writer.BeginObject("jpg");
  for (uint64_t i = 0; i < pairs; ++i) writer.AddPair(std::span(&text, 1));
  writer.EndObject();
}

void AddBlob(Writer& writer) {
  writer.BeginBlob();
  writer.EndBlob();
}

const std::vector<std::optional<ByteSpan>> kTwoTexts(2);
const std::vector<std::optional<int64_t>> kTwoTimes(2);
const Target kMedia{TargetKind::kMedia, 0};

const Misuse kMisuses[] = {
    {"ObjectInObject", [](Writer& w) { w.BeginObject("a"), w.BeginObject("a"); }, "BeginObject"},
    {"ObjectAfterBlobs", [](Writer& w) { AddBlob(w), w.BeginObject("a"); }, "BeginObject"},
    {"MediaOutside", [](Writer& w) { w.AppendMedia({}); }, "AppendMedia"},
    {"MediaAfterTexts",
     [](Writer& w) {
       w.BeginObject("a");
       w.AddPair(std::span(kTwoTexts).first(1));
       w.AppendMedia({});
     },
     "AppendMedia"},
    {"PairOutside", [](Writer& w) { w.AddPair(std::span(kTwoTexts).first(1)); }, "AddPair"},
    {"TooManyTexts", [](Writer& w) { w.BeginObject("a"), w.AddPair(kTwoTexts); }, "each field"},
    {"NoSuchSplit",
     [](Writer& w) { w.BeginObject("a"), w.AddPair(std::span(kTwoTexts).first(1), 1); }, "split"},
    {"TooManyTimes",
     [](Writer& w) { w.BeginObject("a"), w.AddPair(std::span(kTwoTexts).first(1), 0, kTwoTimes); },
     "a time for each"},
    {"ObjectWithoutPair", [](Writer& w) { w.BeginObject("a"), w.EndObject(); }, "no pair"},
    {"EndOfNoObject", [](Writer& w) { w.EndObject(); }, "EndObject"},
    {"BlobInObject", [](Writer& w) { w.BeginObject("a"), w.BeginBlob(); }, "BeginBlob"},
    {"BlobInBlob", [](Writer& w) { w.BeginBlob(), w.BeginBlob(); }, "BeginBlob"},
    {"BytesOfNoBlob", [](Writer& w) { w.AppendBlob({}); }, "AppendBlob"},
    {"EndOfNoBlob", [](Writer& w) { w.EndBlob(); }, "EndBlob"},
    {"FinishInObject", [](Writer& w) { w.BeginObject("a"), w.Finish(); }, "Finish"},
    {"FinishInBlob", [](Writer& w) { w.BeginBlob(), w.Finish(); }, "Finish"},
    {"FinishTwice", [](Writer& w) { w.Finish(), w.Finish(); }, "Finish"},
    {"NameAfterFinish", [](Writer& w) { w.Finish(), w.AddName("a", kMedia); }, "AddName"},
    {"DirectoryAfterFinish", [](Writer& w) { w.Finish(), w.AddDirectory("a"); }, "AddDirectory"},
    {"OrderAfterFinish", [](Writer& w) { w.Finish(), w.AppendOrder(0); }, "AppendOrder"},
    {"NameOfADirectory",
     [](Writer& w) {
       w.AddName("a", {TargetKind::kDirectory, 0});
     },
     "directory"},
    {"NameOfNothing", [](Writer& w) { w.AddName("x/a", kMedia), w.Finish(); }, "x/a: stands for"},
    {"TwoNamesOfAText",
     [](Writer& w) {
       AddObject(w);
       w.AddName("a", {TargetKind::kText, 0});
       w.AddName("b", {TargetKind::kText, 0});
       w.Finish();
     },
     "text 0 has 2 names"},
    {"OrderOfTooFew", [](Writer& w) { AddObject(w, 2), w.AppendOrder(0), w.Finish(); },
     "order of 1"},
    {"OrderWithAPairTwice",
     [](Writer& w) { AddObject(w, 2), w.AppendOrder(1), w.AppendOrder(1), w.Finish(); },
     "each pair once"},
    {"OrderWithAPairThatIsNot",
     [](Writer& w) { AddObject(w, 2), w.AppendOrder(0), w.AppendOrder(2), w.Finish(); },
     "each pair once"},
};

class WriterRefuses : public testing::TestWithParam<Misuse> {};

TEST_P(WriterRefuses, Misuse) {
  const TempDir dir;
  Writer writer(dir / "out.ulhff", {.fields = {{"text", "txt"}}});
  EXPECT_THAT([&] { GetParam().calls(writer); },
              ThrowsMessage<std::invalid_argument>(HasSubstr(GetParam().error)));
}

INSTANTIATE_TEST_SUITE_P(Calls, WriterRefuses, testing::ValuesIn(kMisuses),
                         [](const auto& info) { return std::string(info.param.name); });

// --- limits

std::vector<std::string> Numbered(size_t count) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) texts.push_back(std::to_string(i));
  return texts;
}

struct BadOptions {
  const char* name;
  WriterOptions options;
  const char* error;
};
const BadOptions kBadOptions[] = {
    {"AlignmentOf32", {.alignment = 32}, "alignment"},
    {"AlignmentOf8192", {.alignment = 8192}, "alignment"},
    {"AlignmentOf100", {.alignment = 100}, "alignment"},
    {"SeventeenFields", {.fields = std::vector<FieldSpec>(17)}, "17 fields"},
    {"FieldWithSlash", {.fields = {{"a/b", ""}}}, "a/b"},
    {"FieldExtensionWithSlash", {.fields = {{"a", "t/t"}}}, "t/t"},
    {"FieldTooLong", {.fields = {{std::string(256, 'x'), ""}}}, "255 bytes"},
    {"StringsTooLong", {.fields = std::vector<FieldSpec>(9, {std::string(250, 'x'), ""})}, "2232"},
    {"TooManySplits", {.splits = Numbered(257)}, "257 splits"},
    {"EmptySplit", {.splits = {""}}, "empty name"},
    {"SplitTwice", {.splits = {"val", "val"}}, "twice"},
};

class WriterRefusesOptions : public testing::TestWithParam<BadOptions> {};

TEST_P(WriterRefusesOptions, OutOfLimits) {
  const TempDir dir;
  EXPECT_THAT([&] { Writer(dir / "out.ulhff", GetParam().options); },
              ThrowsMessage<std::invalid_argument>(HasSubstr(GetParam().error)));
  EXPECT_THAT(dir.Names(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, WriterRefusesOptions, testing::ValuesIn(kBadOptions),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(WriterTest, TakesAsManyExtensionsAsTheSuperblockHolds) {
  const TempDir dir;
  Writer writer(dir / "out.ulhff", {});
  for (const std::string& extension : Numbered(256)) {
    writer.BeginObject(extension);
    writer.AddPair({});
    writer.EndObject();
  }
  EXPECT_THAT([&] { writer.BeginObject("one more"); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("257 different media extensions")));
  writer.BeginObject("255");  // known ones still do
}

TEST(WriterTest, RefusesExtensionsThatAreNoNames) {
  const TempDir dir;
  Writer writer(dir / "out.ulhff", {});
  for (const std::string& extension : {std::string("a/b"), std::string("a\0", 2)}) {
    EXPECT_THROW(writer.BeginObject(extension), std::invalid_argument);
  }
  EXPECT_EQ(writer.BeginObject(""), 0u);
}

// --- names

std::string Deep(size_t names) {
  std::string path = "d";
  for (size_t i = 1; i < names; ++i) path += "/d";
  return path;
}

TEST(WriterTest, RefusesPathsThatAreNone) {
  const TempDir dir;
  Writer writer(dir / "out.ulhff", {});
  const std::string too_long(256, 'x');
  for (const std::string& path :
       {std::string(), std::string("/a"), std::string("a/"), std::string("a//b"), std::string("."),
        std::string("a/.."), std::string("./a"), too_long, "d/" + too_long, Deep(256)}) {
    EXPECT_THAT([&] { writer.AddName(path, kMedia); },
                ThrowsMessage<std::invalid_argument>(HasSubstr(path)));
    if (path.empty()) continue;  // the root
    EXPECT_THROW(writer.AddDirectory(path), std::invalid_argument);
  }
}

TEST(WriterTest, ShowsANulInAPathAsAQuestionMark) {
  const TempDir dir;
  Writer writer(dir / "out.ulhff", {});
  EXPECT_THAT([&] { writer.AddName(std::string_view("a\0b", 3), kMedia); },
              ThrowsMessage<std::invalid_argument>("a?b: name with NUL"));
}

TEST(WriterTest, TakesTheLongestNamesAndDeepestPaths) {
  const TempDir dir;
  Writer writer(dir / "out.ulhff", {});
  writer.BeginObject("jpg");
  writer.AddPair({});
  writer.EndObject();
  writer.AddName(Deep(255), kMedia);
  writer.AddName(std::string(255, 'x'), kMedia);
  writer.AddName("...", kMedia);
  writer.AddName("-\n\xff", kMedia);
  writer.Finish();
}

// What is added, by kind ('f' file, 'd' directory) and path; files have their place as origin.
struct Clash {
  const char* name;
  std::vector<std::pair<char, const char*>> added;
  const char* path;
  uint64_t first, second;
};
const Clash kClashes[] = {
    {"SameFile", {{'f', "a"}, {'f', "b"}, {'f', "a"}}, "a", 0, 2},
    {"SameFileDeep", {{'f', "x/y/a"}, {'f', "x/y/a"}}, "x/y/a", 0, 1},
    {"FileThenDirectory", {{'f', "a"}, {'d', "a"}}, "a", 0, kNoOrigin},
    {"DirectoryThenFile", {{'d', "a"}, {'f', "a"}}, "a", kNoOrigin, 1},
    {"FileThenImpliedDirectory", {{'f', "a/b"}, {'f', "a/b/c/d"}}, "a/b", 0, kNoOrigin},
    {"ImpliedDirectoryThenFile", {{'f', "a/b/c"}, {'f', "a/b"}}, "a/b", kNoOrigin, 1},
};

class WriterFinds : public testing::TestWithParam<Clash> {};

TEST_P(WriterFinds, TwoThingsOfOneName) {
  const TempDir dir;
  for (const uint64_t sort_memory : {0U, 16U << 20U}) {
    Writer writer(dir / "out.ulhff", {.sort_memory = sort_memory});
    for (size_t i = 0; i < GetParam().added.size(); ++i) {
      writer.BeginObject("jpg");
      writer.AddPair({});
      writer.EndObject();
    }
    uint64_t place = 0;
    for (const auto& [kind, path] : GetParam().added) {
      if (kind == 'f') writer.AddName(path, {TargetKind::kMedia, place}, place);
      if (kind == 'd') writer.AddDirectory(path, 1);
      ++place;
    }
    try {
      writer.Finish();
      FAIL() << "finished";
    } catch (const DuplicateName& error) {
      EXPECT_EQ(error.path(), GetParam().path);
      EXPECT_EQ(error.first_origin(), GetParam().first);
      EXPECT_EQ(error.second_origin(), GetParam().second);
      EXPECT_THAT(error.what(), HasSubstr(GetParam().path));
    }
  }
  EXPECT_THAT(dir.Names(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Clashes, WriterFinds, testing::ValuesIn(kClashes),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(WriterTest, LeavesNothingIfItIsNotFinished) {
  const TempDir dir;
  {
    Writer writer(dir / "out.ulhff", {});
    writer.BeginObject("jpg");
    writer.AppendMedia(AsBytes(std::string(3 << 20, 'x')));
    EXPECT_GT(writer.bytes_written(), 3u << 20);
  }
  EXPECT_THAT(dir.Names(), IsEmpty());
}

TEST(WriterTest, CanBeMoved) {
  const TempDir dir;
  Writer first(dir / "out.ulhff", {.fields = {{"text", "txt"}}});
  AddObject(first, 2);
  Writer second = std::move(first);
  EXPECT_EQ(second.pairs(), 2u);
  EXPECT_EQ(second.objects(), 1u);
  second.Finish();
  EXPECT_THAT(dir.Names(), ElementsAre("out.ulhff"));
}

}  // namespace
}  // namespace ulhff
