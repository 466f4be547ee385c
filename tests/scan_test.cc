// Tests the policies: what is kept, left out, renamed or refused, and that it is counted.
#include "converter/scan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "converter/input_error.h"
#include "tests/conversion.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

class ScanTest : public ConversionTest {
 protected:
  ScanTest() {
    tree.Write("a.jpg", "AA");
    tree.Write("b.jpg", "BB");
  }
  uint64_t Count(Odd kind) const { return report->count(kind); }
  // A media called `name` whose bytes are those of the file `file`.
  static std::optional<MediaId> Media(SourceSink& sink, const std::string& name,
                                      const std::string& file, uint64_t line = 0) {
    return sink.Media(name, {file, 0, std::nullopt}, {"table.csv", line, std::nullopt});
  }
  void PairAs(SourceSink& sink, const std::string& name, const std::string& file,
              std::string_view text, uint64_t line = 0) const {
    const auto media = Media(sink, name, tree(file), line);
    const Text field = InlineText{text};
    if (media) sink.Pair(*media, {&field, 1}, 0, {"table.csv", line, std::nullopt});
  }
};

TEST_F(ScanTest, TellsAllMissingMediaBeforeAnyIsRead) {
  const auto convert = [&] {
    Convert([&](SourceSink& sink) {
      Pair(sink, "a.jpg", "x", 1);
      for (uint64_t i = 0; i < 30; ++i) Pair(sink, "none" + std::to_string(i), "x", 2 + i);
    });
  };
  EXPECT_THAT(convert, ThrowsMessage<InputError>(
                           AllOf(HasSubstr("30 rows name media that are not there"),
                                 HasSubstr("table.csv:2: none0"), HasSubstr("table.csv:21: none19"),
                                 HasSubstr("and 10 more"), HasSubstr("--missing-media skip"))));
  EXPECT_THAT(out.Names(), SizeIs(0));
}

TEST_F(ScanTest, LeavesRowsOfMissingMediaOutIfAsked) {
  options.missing_media = OnMissingMedia::kSkip;
  Convert([&](SourceSink& sink) {
    Pair(sink, "none.jpg", "x");
    Pair(sink, "a.jpg", "y");
    PairAs(sink, "dir", "", "a directory is no media");
    PairAs(sink, std::string("a.jpg\0", 6), std::string("a.jpg\0", 6), "nor is this a.jpg");
  });
  EXPECT_EQ(Outline(Open()), "AA: y");
  EXPECT_EQ(Count(Odd::kMissingMedia), 3u);
}

TEST_F(ScanTest, RefusesSourcesWithoutMedia) {
  EXPECT_THAT([&] { Convert([](SourceSink&) {}); },
              ThrowsMessage<InputError>(HasSubstr("no media found")));
}

struct EmptyCase {
  const char* name;
  OnEmpty policy;
  const char* outline;
  uint64_t media, texts;
};

class ScanOfEmptyThings : public ScanTest, public testing::WithParamInterface<EmptyCase> {};

TEST_P(ScanOfEmptyThings, FollowsThePolicy) {
  options.empty = GetParam().policy;
  tree.Write("empty.jpg", "");
  tree.Write("b.txt", "");
  Convert([&](SourceSink& sink) {
    Pair(sink, "a.jpg", "");
    Pair(sink, "a.jpg", "full");
    Pair(sink, "empty.jpg", "of empty");
    FilePair(sink, "b.jpg", "b.txt");
  });
  const Reader reader = Open();
  EXPECT_EQ(Outline(reader), GetParam().outline);
  EXPECT_EQ(Count(Odd::kEmptyMedia), GetParam().media);
  EXPECT_EQ(Count(Odd::kEmptyText), GetParam().texts);
  EXPECT_EQ(Show(reader, "b.jpg"), "BB") << "a media that loses its pairs becomes an extra";
}
INSTANTIATE_TEST_SUITE_P(Policies, ScanOfEmptyThings,
                         testing::Values(EmptyCase{"Keep", OnEmpty::kKeep,
                                                   "AA: , full | : of empty | BB: ", 1, 2},
                                         EmptyCase{"Skip", OnEmpty::kSkip, "AA: full", 1, 2}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_F(ScanTest, RefusesEmptyThingsIfAsked) {
  options.empty = OnEmpty::kError;
  tree.Write("b.txt", "");
  EXPECT_THAT([&] { Convert([&](SourceSink& sink) { FilePair(sink, "b.jpg", "b.txt"); }); },
              ThrowsMessage<InputError>(HasSubstr("1 empty text")));
}

struct DuplicateCase {
  const char* name;
  OnDuplicate policy;
  const char* outline;
  const char* shown;    // at a.jpg
  const char* renamed;  // at a~2.jpg
};

class ScanOfDuplicateMedia : public ScanTest, public testing::WithParamInterface<DuplicateCase> {};

TEST_P(ScanOfDuplicateMedia, FollowsThePolicy) {
  options.duplicates = GetParam().policy;
  Convert([&](SourceSink& sink) {
    PairAs(sink, "a.jpg", "a.jpg", "1");
    PairAs(sink, "a.jpg", "b.jpg", "2");
    PairAs(sink, "a.jpg", "b.jpg", "3");
  });
  const Reader reader = Open();
  EXPECT_EQ(Outline(reader), GetParam().outline);
  EXPECT_EQ(Show(reader, "a.jpg"), GetParam().shown);
  EXPECT_EQ(Show(reader, "a~2.jpg"), GetParam().renamed);
  EXPECT_GE(Count(Odd::kDuplicateName), 1u);
}
INSTANTIATE_TEST_SUITE_P(
    Policies, ScanOfDuplicateMedia,
    testing::Values(DuplicateCase{"First", OnDuplicate::kFirst, "AA: 1", "AA", "(none)"},
                    DuplicateCase{"Last", OnDuplicate::kLast, "BB: 2, 3", "BB", "(none)"},
                    DuplicateCase{"Rename", OnDuplicate::kRename, "AA: 1 | BB: 2, 3", "AA", "BB"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(ScanTest, RenamesToNamesThatNobodyHas) {
  tree.Write("c.jpg", "CC");
  tree.Write("d.txt", "D");
  tree.Write("e.txt", "E");
  options.duplicates = OnDuplicate::kRename;
  Convert([&](SourceSink& sink) {
    PairAs(sink, "a.jpg", "a.jpg", "1");
    PairAs(sink, "a.jpg", "b.jpg", "2");
    PairAs(sink, "a~2.jpg", "c.jpg", "3");
    PairAs(sink, "a.jpg", "b.jpg", "4");
    sink.Extra("a~3.jpg", {tree("d.txt"), 0, std::nullopt}, {"x"});
    for (const char* extra : {"d.txt", "e.txt", "c.jpg"}) {
      sink.Extra("t.txt", {tree(extra), 0, std::nullopt}, {extra});
    }
    sink.Extra("t~2.txt", {tree("a.jpg"), 0, std::nullopt}, {"y"});
  });
  const Reader reader = Open();
  EXPECT_EQ(Outline(reader), "AA: 1 | BB: 2, 4 | CC: 3");
  EXPECT_EQ(Show(reader, "a.jpg"), "AA");
  EXPECT_EQ(Show(reader, "a~2.jpg"), "CC") << "its own name";
  EXPECT_EQ(Show(reader, "a~3.jpg"), "D") << "its own name";
  EXPECT_EQ(Show(reader, "a~4.jpg"), "BB");
  EXPECT_EQ(Show(reader, "t.txt"), "D");
  EXPECT_EQ(Show(reader, "t~2.txt"), "AA") << "its own name";
  EXPECT_EQ(Show(reader, "t~3.txt"), "E");
  EXPECT_EQ(Show(reader, "t~4.txt"), "CC");
}

TEST_F(ScanTest, RenamesManyOfOneName) {
  constexpr int kFiles = 20'000;
  options.duplicates = OnDuplicate::kRename;
  tree.Write("all", std::string(kFiles, 'x'));
  Convert([&](SourceSink& sink) {
    Pair(sink, "a.jpg", "1");
    for (int i = 0; i < kFiles; ++i) {
      const Locator byte{tree("all"), static_cast<uint64_t>(i), 1};
      sink.Extra(i % 2 == 0 ? "t.txt" : fmt::format("t~{}.txt", i), byte, {"x"});
    }
  });
  EXPECT_EQ(Count(Odd::kDuplicateName), kFiles / 2 - 1u);
}

TEST_F(ScanTest, NamesBothOriginsOfADuplicate) {
  EXPECT_THAT(
      [&] {
        Convert([&](SourceSink& sink) {
          PairAs(sink, "a.jpg", "a.jpg", "1", 12);
          PairAs(sink, "a.jpg", "b.jpg", "2", 34);
        });
      },
      ThrowsMessage<InputError>(AllOf(HasSubstr("table.csv:34: a.jpg (first: table.csv:12)"),
                                      HasSubstr("--duplicates first|last|rename"))));
}

TEST_F(ScanTest, TakesEqualPlacesUnderOneNameForTheSameMedia) {
  std::filesystem::create_symlink(tree("a.jpg"), tree("link.jpg"));
  Convert([&](SourceSink& sink) {
    PairAs(sink, "a.jpg", "a.jpg", "1");
    PairAs(sink, "./a.jpg", "./a.jpg", "2");
    PairAs(sink, "a.jpg", "link.jpg", "3");
  });
  EXPECT_EQ(Outline(Open()), "AA: 1, 2, 3");
}

TEST_F(ScanTest, SettlesNamesUsedByTextsExtrasAndMedia) {
  tree.Write("one/t.txt", "1");
  tree.Write("two/t.txt", "2");
  tree.Write("three/t.txt", "3");
  const auto scan = [&](SourceSink& sink) {
    for (const char* text : {"one/t.txt", "two/t.txt"}) {
      const auto media =
          Media(sink, text[0] == 'o' ? "a.jpg" : "b.jpg", tree(text[0] == 'o' ? "a.jpg" : "b.jpg"));
      const Text field = FileText{"t.txt", {tree(text), 0, std::nullopt}};
      sink.Pair(*media, {&field, 1}, 0, {text});
    }
    sink.Extra("t.txt", {tree("three/t.txt"), 0, std::nullopt}, {"three/t.txt"});
    sink.Extra("a.jpg", {tree("three/t.txt"), 0, std::nullopt}, {"three/t.txt"});
  };
  EXPECT_THAT([&] { Convert(scan); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("3 paths"), HasSubstr("two/t.txt"),
                                              HasSubstr("three/t.txt"), HasSubstr("one/t.txt"))));
  struct Expected {
    OnDuplicate policy;
    const char *t, *t2, *t3, *a2;
  };
  for (const Expected& expected : {Expected{OnDuplicate::kFirst, "1", "(none)", "(none)", "(none)"},
                                   Expected{OnDuplicate::kLast, "3", "(none)", "(none)", "(none)"},
                                   Expected{OnDuplicate::kRename, "1", "2", "3", "3"}}) {
    SCOPED_TRACE(static_cast<int>(expected.policy));
    options.force = true;
    options.duplicates = expected.policy;
    Convert(scan);
    const Reader reader = Open();
    EXPECT_EQ(Outline(reader), "AA: 1 | BB: 2") << "texts stay in their pairs";
    EXPECT_EQ(Show(reader, "t.txt"), expected.t);
    EXPECT_EQ(Show(reader, "t~2.txt"), expected.t2);
    EXPECT_EQ(Show(reader, "t~3.txt"), expected.t3);
    EXPECT_EQ(Show(reader, "a.jpg"), "AA");
    EXPECT_EQ(Show(reader, "a~2.jpg"), expected.a2);
    EXPECT_EQ(Count(Odd::kDuplicateName), 3u);
  }
}

TEST_F(ScanTest, LetsPairsShareATextFileUnderOneName) {
  tree.Write("a.txt", "both");
  Convert([&](SourceSink& sink) {
    FilePair(sink, "a.jpg", "a.txt");
    FilePair(sink, "b.jpg", "a.txt");
  });
  const Reader reader = Open();
  EXPECT_EQ(Outline(reader), "AA: both | BB: both");
  EXPECT_EQ(Show(reader, "a.txt"), "both");
  EXPECT_EQ(Count(Odd::kDuplicateName), 0u);
}

TEST_F(ScanTest, TellsAFileThatHasTheNameOfADirectory) {
  EXPECT_THAT(
      [&] {
        Convert([&](SourceSink& sink) {
          PairAs(sink, "pet", "a.jpg", "1", 5);
          PairAs(sink, "pet/cat", "b.jpg", "2", 6);
        });
      },
      ThrowsMessage<InputError>(AllOf(HasSubstr("pet"), HasSubstr("table.csv:5"))));
  EXPECT_THAT(out.Names(), SizeIs(0));
}

TEST_F(ScanTest, RefusesPathsThatLeadOutside) {
  const auto scan = [&](SourceSink& sink) {
    PairAs(sink, "../up/a.jpg", "a.jpg", "1", 7);
    PairAs(sink, "/abs/b.jpg", "b.jpg", "2", 8);
  };
  EXPECT_THAT([&] { Convert(scan); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("table.csv:7: ../up/a.jpg"),
                                              HasSubstr("table.csv:8: /abs/b.jpg"),
                                              HasSubstr("--allow-outside"))));
  options.allow_outside = true;
  Convert(scan);
  const Reader reader = Open();
  EXPECT_EQ(Show(reader, "up/a.jpg"), "AA");
  EXPECT_EQ(Show(reader, "abs/b.jpg"), "BB");
  EXPECT_EQ(Count(Odd::kOutsidePath), 2u);
}

TEST_F(ScanTest, ShortensNamesThatNoFileSystemTakes) {
  const std::string longest = std::string(251, 'n') + ".jpg";
  const std::string too_long = std::string(252, 'n') + ".jpg";
  Convert([&](SourceSink& sink) {
    PairAs(sink, longest, "a.jpg", "1");
    PairAs(sink, too_long, "b.jpg", "2");
    PairAs(sink, too_long, "b.jpg", "3");
  });
  const Reader reader = Open();
  EXPECT_EQ(Outline(reader), "AA: 1 | BB: 2, 3");
  EXPECT_EQ(Show(reader, longest), "AA");
  EXPECT_EQ(Count(Odd::kShortenedName), 1u);
}

TEST_F(ScanTest, TextsOfMediaThatLostTheirNameHoldNone) {
  tree.Write("t.txt", "t");
  const auto pair = [&](SourceSink& sink, const std::string& file) {
    const Text text = FileText{"x.txt", {tree("t.txt"), 0, std::nullopt}};
    if (const auto media = Media(sink, "x.jpg", tree(file))) sink.Pair(*media, {&text, 1}, 0, {});
  };
  options.duplicates = OnDuplicate::kLast;
  Convert([&](SourceSink& sink) {
    pair(sink, "a.jpg");
    pair(sink, "b.jpg");
  });
  const Reader reader = Open();
  EXPECT_EQ(Show(reader, "x.jpg"), "BB");
  EXPECT_EQ(Show(reader, "x.txt"), "t");
}

TEST_F(ScanTest, RespellsNamesIfAsked) {
  const auto scan = [&](SourceSink& sink) {
    sink.Directory(
        "Stra\xdf"
        "e.OLD",
        1'000'000'000);
    sink.Split("\xe9t\xe9");
    PairAs(sink,
           "Stra\xdf"
           "e.OLD/A.JPG",
           "a.jpg", "1");
    PairAs(sink, "K\xc3\xb6ln.Jpeg", "b.jpg", "2");
    EXPECT_TRUE(
        sink.KnowsMedia("Stra\xdf"
                        "e.OLD/A.JPG"));
  };
  Convert(scan);
  EXPECT_EQ(Show(Open(),
                 "Stra\xdf"
                 "e.OLD/A.JPG"),
            "AA");
  EXPECT_EQ(Count(Odd::kRespelledName), 0u);
  options.name_encoding = "latin1";
  options.lower_ext = options.force = true;
  Convert(scan);
  const Reader reader = Open();
  EXPECT_EQ(Show(reader, "Straße.OLD/A.jpg"), "AA");
  EXPECT_EQ(Show(reader, "Köln.jpeg"), "BB");
  EXPECT_THAT(reader.info().splits, ElementsAre("été"));
  EXPECT_EQ(Count(Odd::kRespelledName), 3u);
}

TEST_F(ScanTest, RefusesPathsDeeperThanTheFormat) {
  std::string deep;
  for (int i = 0; i < 254; ++i) deep += "d/";
  Convert([&](SourceSink& sink) { PairAs(sink, deep + "a.jpg", "a.jpg", "1"); });
  options.force = true;
  EXPECT_THAT(
      [&] {
        Convert([&](SourceSink& sink) { PairAs(sink, "d/" + deep + "a.jpg", "a.jpg", "1", 9); });
      },
      ThrowsMessage<InputError>(AllOf(HasSubstr("table.csv:9"), HasSubstr("deep"))));
}

TEST_F(ScanTest, TakesParts) {
  tree.Write("shard", "xxAABBtext");
  const auto part = [&](uint64_t offset, uint64_t size) {
    return Locator{tree("shard"), offset, size};
  };
  Convert([&](SourceSink& sink) {
    const Text text = FileText{"", part(6, 4)};
    for (const auto& [name, offset] : {std::pair("1.jpg", 2), {"2.jpg", 4}, {"", 2}}) {
      const auto media = sink.Media(name, part(static_cast<uint64_t>(offset), 2), {"shard"});
      sink.Pair(*media, {&text, 1}, 0, {"shard"});
    }
  });
  const Reader reader = Open();
  EXPECT_EQ(Outline(reader), "AA: text, text | BB: text");
  EXPECT_EQ(Show(reader, "2.jpg"), "BB");
  EXPECT_THAT([&] { Convert([&](SourceSink& sink) { sink.Media("x", part(9, 2), {"shard"}); }); },
              ThrowsMessage<InputError>(HasSubstr("2 bytes at 9 are wanted by shard")));
}

TEST_F(ScanTest, PutsDirectoriesBesideEachOtherUnderTheirNames) {
  std::vector<NamedSource> sources;
  for (const char* name : {"train", "val"}) {
    sources.push_back({std::make_unique<FakeSource>([&](SourceSink& sink) {
                         sink.Directory("", 3'000'000'000);
                         Pair(sink, "a.jpg", "x");
                         EXPECT_TRUE(sink.KnowsMedia("./a.jpg"));
                         EXPECT_FALSE(sink.KnowsMedia("b.jpg"));
                         Pair(sink, "b.jpg", "y");
                       }),
                       name, name, ViewKind::kSource});
  }
  Convert(std::move(sources));
  const Reader reader = Open();
  EXPECT_EQ(Show(reader, "train/a.jpg"), "AA");
  EXPECT_EQ(Show(reader, "val/b.jpg"), "BB");
  EXPECT_EQ(reader.Directory(Find(reader, "val")->number).mtime_ns, 3'000'000'000);
  EXPECT_EQ(Outline(reader), "AA: x, x | BB: y, y");
}

TEST_F(ScanTest, KeepsFieldsAndSplits) {
  Convert([&](SourceSink& sink) {
    sink.DeclareFields({{"", "txt"}, {"meta", "json"}});
    const uint64_t val = sink.Split("val");
    const uint64_t train = sink.Split("train");
    EXPECT_EQ(sink.Split("val"), val);
    const auto emit = [&](const char* name, std::string_view text, const Text& meta,
                          uint64_t split) {
      const Text texts[] = {InlineText{text}, meta};
      sink.Pair(*Media(sink, name, tree(name)), texts, split, {"table.csv"});
    };
    emit("a.jpg", "1", InlineText{"{}"}, train);
    emit("b.jpg", "2", Absent{}, val);
    emit("a.jpg", "3", InlineText{""}, val);
  });
  const Reader reader = Open();
  EXPECT_EQ(Outline(reader), "AA: 1, {}, 3,  | BB: 2, -");
  EXPECT_THAT(reader.info().splits, ElementsAre("val", "train"));
  EXPECT_EQ(reader.SplitPairs(0), 2u);
  EXPECT_EQ(reader.PairInSplit(0, 1), 2u);
}

TEST_F(ScanTest, RefusesSplitsThatAreNoDirectoryNames) {
  for (const char* name : {"", "..", "a/b"}) {
    EXPECT_THAT([&] { Convert([&](SourceSink& sink) { sink.Split(name); }); },
                ThrowsMessage<InputError>(HasSubstr("split")));
  }
}

TEST_F(ScanTest, CallsASourceWithoutTextsUniModal) {
  const ConversionResult result = Convert([&](SourceSink& sink) {
    Pair(sink, "a.jpg", std::nullopt);
    Pair(sink, "b.jpg", std::nullopt);
  });
  const Reader reader = Open();
  EXPECT_EQ(reader.info().type, PairingType::kUniModal);
  EXPECT_EQ(result.type, PairingType::kUniModal);
  EXPECT_EQ(Count(Odd::kNoText), 1u);
}

TEST_F(ScanTest, IgnoresItsOwnOutputInTheSource) {
  options.output = tree("x.ulhff");
  options.force = true;
  for (int run = 0; run < 2; ++run) {
    Convert([&](SourceSink& sink) {
      Pair(sink, "a.jpg", "1");
      if (run == 1) Extra(sink, "x.ulhff");
    });
    EXPECT_EQ(Open().info().blobs, 0u);
  }
}

TEST_F(ScanTest, MakesWarningsErrorsIfAsked) {
  options.strict = true;
  const auto note = [&](Odd kind) {
    return [this, kind] {
      Convert([&](SourceSink& sink) {
        Pair(sink, "a.jpg", "1");
        sink.Note(kind, "what", {"where"});
      });
    };
  };
  EXPECT_THAT(note(Odd::kDanglingLink), ThrowsMessage<InputError>(HasSubstr("where: what")));
  options.strict = false;
  options.force = true;
  EXPECT_NO_THROW(note(Odd::kDanglingLink)());
}

TEST_F(ScanTest, ChecksContentAgainstExtensions) {
  tree.Write("page.jpg", "<!DOCTYPE html><html>");
  tree.Write("png.jpg", "\x89PNG\r\n\x1a\n");
  const auto scan = [&](SourceSink& sink) {
    Pair(sink, "page.jpg", "1");
    Pair(sink, "png.jpg", "2");
  };
  Convert(scan);
  EXPECT_EQ(Count(Odd::kNotMedia), 1u);
  EXPECT_THAT(report->examples(Odd::kMagicMismatch),
              ElementsAre(HasSubstr("content is PNG, extension is jpg")));
  options.strict = options.force = true;
  const std::string before = ReadBytes(options.output);
  EXPECT_THAT([&] { Convert(scan); }, ThrowsMessage<InputError>(HasSubstr("HTML")));
  EXPECT_TRUE(ReadBytes(options.output) == before);
}

}  // namespace
}  // namespace ulhff
