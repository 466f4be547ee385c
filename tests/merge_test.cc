// Tests merging of ULHFF files that have nothing to do with each other, and ULHFF files as sources.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "converter/input_error.h"
#include "converter/interrupt.h"
#include "tests/forged_names.h"
#include "tests/merging.h"
#include "tests/model_dataset.h"
#include "tests/sample_dataset.h"
#include "ulhff/file.h"
#include "ulhff/verify.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class MergeTest : public MergingTest {
 protected:
  MergeTest() { options.force = true; }

  // A file of a made-up source.
  std::string Make(const std::string& name, const FakeSource::Function& scan) {
    return ConvertTo(name, [&] {
      std::vector<NamedSource> operands;
      operands.push_back({std::make_unique<FakeSource>(scan), tree.root(), "", ViewKind::kSource});
      return operands;
    });
  }
  // One of media with inline texts: {"a.jpg", "bytes", "text"}.
  struct Row {
    const char *name, *bytes, *text;
  };
  std::string Make(const std::string& name, const std::vector<Row>& rows) {
    return Make(name, [&](SourceSink& sink) {
      for (const Row& row : rows) {
        const std::string file = fmt::format("{}-{}", name, row.name);
        tree.Write(file, row.bytes);
        const auto media = sink.Media(row.name, {tree(file), 0, std::nullopt}, {row.name});
        const Text text = InlineText{row.text};
        if (media) sink.Pair(*media, {&text, 1}, 0, {row.name});
      }
    });
  }
  Reader Merged(const std::vector<std::string>& paths) {
    return Reader::Open(Merge("merged.ulhff", paths));
  }
};

// --- ULHFF as a source

TEST_F(MergeTest, ConvertingAUlhffFileGivesItAgain) {
  const SampleDataset sample(5);
  sample.WriteFiles(tree("d"));
  const std::string first = ConvertTo("first.ulhff", {tree("d")});
  EXPECT_TRUE(ReadBytes(ConvertTo("second.ulhff", {first})) == ReadBytes(first));
}

TEST_F(MergeTest, ConvertingAUlhffFileRespellsItsNames) {
  tree.Write("d/A.JPG", "AA");
  tree.Write("d/A.TXT", "a");
  const std::string first = ConvertTo("first.ulhff", {tree("d")});
  options.lower_ext = true;
  const std::string lowered = ConvertTo("lowered.ulhff", {tree("d")});
  const std::string second = ConvertTo("second.ulhff", {first});
  EXPECT_TRUE(ReadBytes(second) == ReadBytes(lowered));
  EXPECT_EQ(Show(Reader::Open(second), "A.jpg"), "AA");
}

// Which verify calls damaged.
TEST_F(MergeTest, NamesThatNoDirectoryCanHaveAreKeptEscapedAndCounted) {
  const auto shown = WriteForgedNames(out / "forged.ulhff");
  const Reader reader = Reader::Open(Merge("x.ulhff", {out / "forged.ulhff"}));
  for (const auto& [name, media] : shown) EXPECT_EQ(Show(reader, name), media);
  EXPECT_THAT(
      report->examples(Odd::kShortenedName),
      testing::AllOf(testing::SizeIs(6), testing::Contains(testing::HasSubstr("e/f -> e%2Ff"))));
}

TEST_F(MergeTest, ConvertingAUlhffFileChangesItsAlignmentAndDropsExtras) {
  const SampleDataset sample(6);
  options.alignment = 4096;
  options.extras = false;
  const Reader reader = Reader::Open(ConvertTo("x.ulhff", {sample.container()}));
  EXPECT_EQ(reader.info().alignment, 4096u);
  EXPECT_EQ(reader.info().blobs, 0u);
  EXPECT_EQ(reader.info().pairs, sample.pairs());
  EXPECT_THAT(Verify(reader, {}), IsEmpty());
}

TEST_F(MergeTest, KeepsEveryNameTextAndTimeOfFilesThatOthersWrote) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const std::string file = out / fmt::format("{}.ulhff", seed);
    const ModelDataset model(file,
                             {.seed = seed,
                              .fixed = seed % 3 == 0,
                              .fields = {{"", "txt"}, {"caption", "json"}},
                              .splits = seed % 2 == 0 ? std::vector<std::string>{"train", "val"}
                                                      : std::vector<std::string>{},
                              .extensions = {"jpg", "PNG", ""}});
    const Reader reader = Merged({file});
    EXPECT_THAT(Verify(reader, {}), IsEmpty());
    TreeOptions source;
    source.view = ViewKind::kSource;
    const Tree shown(reader, source);
    const Model wanted = model.Source();
    for (const auto& [path, file] : wanted.files) {
      const auto node = shown.Resolve(path);
      ASSERT_TRUE(node) << path;
      EXPECT_EQ(Show(reader, path), file.content) << path;
      EXPECT_EQ(shown.GetAttributes(*node)->mtime_ns, file.mtime_ns) << path;
    }
    for (const auto& [path, mtime_ns] : wanted.directories) {
      const auto node = shown.Resolve(path);
      ASSERT_TRUE(node) << path;
      EXPECT_EQ(shown.GetAttributes(*node)->mtime_ns, mtime_ns) << path;
    }
    EXPECT_EQ(shown.file_count(), wanted.files.size());
    EXPECT_EQ(reader.info().pairs, model.pairs().size());
  }
}

// --- files of different sources

TEST_F(MergeTest, StoresMediaThatAreInSeveralFilesOnceInTheOrderOfTheFiles) {
  const auto a = Make("a.ulhff", {{"1.jpg", "one", "a1"}, {"2.jpg", "two", "a2"}});
  const auto b = Make("b.ulhff", {{"x/2.jpg", "two", "b2"}, {"3.jpg", "three", "b3"}});
  const Reader reader = Merged({a, b});
  EXPECT_EQ(Outline(reader), "one: a1 | two: a2, b2 | three: b3");
  EXPECT_THAT(Order(reader), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(Show(reader, "2.jpg"), "two");
  EXPECT_EQ(Show(reader, "x/2.jpg"), "two");
  EXPECT_EQ(reader.info().duplicates_merged, 1u);
  EXPECT_EQ(reader.info().source_files, 4u);
  EXPECT_EQ(reader.info().source_bytes, 3u + 3 + 3 + 5);
  EXPECT_EQ(Outline(Merged({b, a})), "two: b2, a2 | three: b3 | one: a1");
}

TEST_F(MergeTest, GivesTheNamesOfEqualBytesOnce) {
  const auto scan = [&](const char* text) {
    return [&, text](SourceSink& sink) {
      tree.Write("a.jpg", "media");
      tree.Write("a.txt", text);
      tree.Write("README", "read me");
      FilePair(sink, "a.jpg", "a.txt");
      Extra(sink, "README");
    };
  };
  const auto a = Make("a.ulhff", scan("text"));
  const auto b = Make("b.ulhff", scan("text"));
  const Reader reader = Merged({a, b});
  EXPECT_EQ(Outline(reader), "media: text, text") << "equal texts stay separate pairs";
  EXPECT_EQ(Show(reader, "a.txt"), "text");
  EXPECT_EQ(Show(reader, "README"), "read me");
  EXPECT_EQ(reader.info().blobs, 1u);
  EXPECT_EQ(reader.info().source_files, 3u);
  EXPECT_EQ(reader.info().duplicates_merged, 0u);
  EXPECT_EQ(report->count(Odd::kDuplicateName), 0u);
  const auto c = Make("c.ulhff", scan("another"));
  EXPECT_THAT(
      [&] {
        Merged({a, c});
      },
      ThrowsMessage<InputError>(
          AllOf(HasSubstr("a.txt"), HasSubstr("a.ulhff: byte "), HasSubstr("c.ulhff: byte "))));
}

TEST_F(MergeTest, FollowsThePolicyWhereAMediasNameStandsForOtherBytes) {
  const auto a = Make("a.ulhff", {{"x.jpg", "old", "a"}, {"y.jpg", "same", "y"}});
  const auto b = Make("b.ulhff", {{"x.jpg", "new", "b"}, {"y.jpg", "same", "z"}});
  const auto c = Make("c.ulhff", {{"x.jpg", "third", "c"}});
  EXPECT_THAT(
      [&] {
        Merged({a, b});
      },
      ThrowsMessage<InputError>(
          AllOf(HasSubstr("x.jpg (first: "), HasSubstr("a.ulhff"), HasSubstr("b.ulhff: byte "))));
  EXPECT_FALSE(std::filesystem::exists(out / "merged.ulhff"));
  options.duplicates = OnDuplicate::kFirst;
  EXPECT_EQ(Outline(Merged({a, b, c})), "old: a | same: y, z");
  options.duplicates = OnDuplicate::kLast;
  EXPECT_EQ(Outline(Merged({a, b, c})), "same: y, z | third: c");
  options.duplicates = OnDuplicate::kRename;
  const Reader reader = Merged({a, b, c});
  EXPECT_EQ(Outline(reader), "old: a | same: y, z | new: b | third: c");
  EXPECT_EQ(Show(reader, "x.jpg"), "old");
  EXPECT_EQ(Show(reader, "x~2.jpg"), "new");
  EXPECT_EQ(Show(reader, "x~3.jpg"), "third");
}

TEST_F(MergeTest, KeepsThePairsOfAMediaThatLosesOneOfItsNames) {
  const auto a = Make("a.ulhff", {{"x.jpg", "m", "1"}, {"y.jpg", "m", "2"}});
  const auto b = Make("b.ulhff", {{"x.jpg", "other", "3"}});
  options.duplicates = OnDuplicate::kLast;
  const Reader last = Merged({a, b});
  EXPECT_EQ(Outline(last), "m: 1, 2 | other: 3");
  EXPECT_EQ(Show(last, "x.jpg"), "other");
  EXPECT_EQ(Show(last, "y.jpg"), "m");
  options.duplicates = OnDuplicate::kFirst;
  const Reader first = Merged({b, a});
  EXPECT_EQ(Outline(first), "other: 3 | m: 1, 2");
  EXPECT_EQ(Show(first, "x.jpg"), "other");
  EXPECT_EQ(Show(first, "y.jpg"), "m");
}

TEST_F(MergeTest, TheLastOfManyWinsOverEqualOnesBefore) {
  const auto a = Make("a.ulhff", {{"x.jpg", "m", "1"}});
  const auto b = Make("b.ulhff", {{"x.jpg", "m", "2"}});
  const auto c = Make("c.ulhff", {{"x.jpg", "new", "3"}});
  options.duplicates = OnDuplicate::kLast;
  const Reader reader = Merged({a, b, c});
  EXPECT_EQ(Outline(reader), "new: 3");
  EXPECT_EQ(Show(reader, "x.jpg"), "new");
}

TEST_F(MergeTest, AFileThatIsADirectoryElsewhereIsAnErrorThatNamesBoth) {
  const auto a = Make("a.ulhff", {{"x", "m", "1"}});
  const auto b = Make("b.ulhff", {{"x/y.jpg", "n", "2"}});
  EXPECT_THAT(
      [&] {
        Merged({a, b});
      },
      ThrowsMessage<InputError>(
          AllOf(HasSubstr("x (also: a directory by "), HasSubstr("a.ulhff"))));
}

TEST_F(MergeTest, UnitesFieldsByName) {
  const auto make = [&](const char* name, std::vector<std::pair<std::string, std::string>> fields) {
    return Make(name, [&, fields](SourceSink& sink) {
      if (!fields.empty()) sink.DeclareFields(fields);
      tree.Write(name, name);
      const auto media = sink.Media(name, {tree(name), 0, std::nullopt}, {name});
      std::vector<Text> texts;
      for (const auto& field : fields) texts.emplace_back(InlineText{field.first});
      if (texts.empty()) texts.emplace_back(Absent{});
      sink.Pair(*media, texts, 0, {name});
    });
  };
  const auto none = make("none", {});
  const auto one = make("one", {{"caption", "txt"}, {"tags", "json"}});
  const auto two = make("two", {{"tags", "json"}, {"alt", "txt"}});
  const Reader reader = Merged({none, one, two});
  ASSERT_EQ(reader.info().fields.size(), 3u);
  EXPECT_EQ(reader.info().fields[2].name, "alt");
  EXPECT_EQ(Outline(reader), "none: -, -, - | one: caption, tags, - | two: -, tags, alt");
  EXPECT_EQ(Reader::Open(none).info().fields.size(), 0u);
  EXPECT_EQ(Merged({none, none}).info().type, PairingType::kUniModal);
}

TEST_F(MergeTest, UnitesSplitsByName) {
  const auto make = [&](const char* name, const char* first, const char* second) {
    return Make(name, [&, first, second](SourceSink& sink) {
      for (const char* split : {first, second}) {
        if (*split == '\0') continue;
        const std::string file = std::string(name) + split;
        tree.Write(file, file);
        const auto media = sink.Media(file, {tree(file), 0, std::nullopt}, {file});
        const Text text = InlineText{"t"};
        const bool none = std::string_view(split) == "none";
        sink.Pair(*media, {&text, 1}, none ? 0 : sink.Split(split), {file});
      }
    });
  };
  const Reader reader = Merged({make("a", "train", "val"), make("b", "val", "test")});
  EXPECT_THAT(reader.info().splits, ElementsAre("train", "val", "test"));
  EXPECT_EQ(reader.SplitPairs(1), 2u);
  EXPECT_THAT(
      [&] {
        Merged({out / "a", make("c", "none", "")});
      },
      ThrowsMessage<InputError>(HasSubstr("some sources have splits")));
}

TEST_F(MergeTest, UnitesDirectoriesAndTheFirstFileSaysTheirTimes) {
  const auto make = [&](const char* name, const char* only, int64_t time) {
    return Make(name, [&, only, time](SourceSink& sink) {
      Pair(sink, name, "t");
      sink.Directory("both", time);
      sink.Directory(only, time);
    });
  };
  tree.Write("a", "a");
  tree.Write("b", "b");
  const Reader reader = Merged({make("a", "of-a", 1'000), make("b", "of-b/below", 2'000)});
  EXPECT_EQ(reader.Directory(Find(reader, "both")->number).mtime_ns, 1'000);
  EXPECT_EQ(reader.Directory(Find(reader, "of-a")->number).mtime_ns, 1'000);
  EXPECT_EQ(reader.Directory(Find(reader, "of-b/below")->number).mtime_ns, 2'000);
}

TEST_F(MergeTest, CountsRecordsWithoutNamesThatWereMergedBefore) {
  tree.Write("container", "aabbaa");
  const auto make = [&](const char* name) {
    return Make(name, [&](SourceSink& sink) {
      for (const uint64_t offset : {0U, 2U, 4U}) {
        const auto media = sink.Media("", {tree("container"), offset, 2}, {"container"});
        const Text text = InlineText{"t"};
        sink.Pair(*media, {&text, 1}, 0, {"container"});
      }
    });
  };
  const Reader reader = Merged({make("a"), make("b")});
  EXPECT_EQ(reader.info().objects, 2u);
  EXPECT_EQ(reader.info().duplicates_merged, 4u);
  EXPECT_EQ(reader.info().source_files, 6u);
  EXPECT_EQ(reader.info().source_bytes, 12u);
}

TEST_F(MergeTest, AnInputGivenTwiceDoublesItsPairsOnly) {
  const SampleDataset sample(7);
  const Reader reader = Merged({sample.container(), sample.container()});
  EXPECT_EQ(reader.info().pairs, 2 * sample.pairs());
  EXPECT_EQ(reader.info().objects, sample.media().size());
  for (const auto& [path, bytes] : sample.files()) EXPECT_EQ(Show(reader, path), bytes) << path;
  EXPECT_THAT(Verify(reader, {}), IsEmpty());
}

TEST_F(MergeTest, ConvertsUlhffFilesBesideOtherSources) {
  const auto a = Make("a.ulhff", {{"1.jpg", "one", "a1"}, {"2.jpg", "two", "a2"}});
  tree.Write("d/two.jpg", "two");
  tree.Write("d/two.txt", "d2");
  const Reader reader = Reader::Open(ConvertTo("x.ulhff", {a, tree("d")}));
  EXPECT_EQ(Outline(reader), "one: a1 | two: a2, d2");
  EXPECT_EQ(Show(reader, "d/two.jpg"), "two");
}

TEST_F(MergeTest, KeepsTheAlignmentThatAllInputsHave) {
  options.alignment = 1024;
  const auto a = Make("a.ulhff", {{"1.jpg", "one", "a1"}});
  EXPECT_EQ(Merged({a, a}).info().alignment, 1024u);
  options.alignment = 128;
  EXPECT_EQ(Merged({a, Make("b.ulhff", {{"2.jpg", "two", "b"}})}).info().alignment, 64u);
}

// --- damage

// Inverts a byte of a file.
void Damage(const std::string& path, uint64_t offset) {
  const UniqueFd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  std::byte byte{};
  PreadFull(fd.get(), {&byte, 1}, offset, path);
  byte = ~byte;
  PwriteFull(fd.get(), {&byte, 1}, offset, path);
}

TEST_F(MergeTest, DamageOfAnInputIsAnErrorThatNamesFilePathAndOffset) {
  const std::string large(size_t{3} << 20, 'L');
  const std::vector<Row> rows = {
      {"img/1.jpg", "one", "a1"}, {"img/2.jpg", "two", "a2"}, {"img/L.jpg", large.c_str(), "a3"}};
  const auto other = Make("other.ulhff", {{"img/x.jpg", "two", "x"}});
  struct Place {
    uint64_t object, position;
    const char* what;
  };
  for (const Place& place :
       {Place{1, 0, "media chunk 0: checksum"}, Place{1, 3, "text 1: checksum"},
        Place{2, 1'500'000, "media chunk 5: checksum"}}) {
    const auto path = Make("a.ulhff", rows);
    const uint64_t offset = Reader::Open(path).Object(place.object).offset;
    Damage(path, offset + place.position);
    const uint64_t told = offset + (place.position > 3 ? 5 * 262'144 : place.position);
    EXPECT_THAT(
        [&] {
          Merged({other, path});
        },
        ThrowsMessage<InputError>(AllOf(HasSubstr("a.ulhff: "),
                                        HasSubstr(fmt::format("byte {}: ", told)),
                                        HasSubstr(place.what))));
    EXPECT_FALSE(std::filesystem::exists(out / "merged.ulhff"));
  }
}

TEST_F(MergeTest, EveryDamagedIndexBlockIsFoundOrDoesNotMatter) {
  const SampleDataset sample(8);
  const std::string sound = Merge("sound.ulhff", {sample.container()});
  const Info info = Reader::Open(sample.container()).info();
  const std::string bytes = ReadBytes(sample.container());
  for (uint64_t at = bytes.size() - info.table_bytes; at < bytes.size(); at += 4096) {
    std::string damaged = bytes;
    damaged[at + 30] = static_cast<char>(~damaged[at + 30]);
    tree.Write("damaged.ulhff", damaged);
    try {
      EXPECT_TRUE(ReadBytes(Merge("merged.ulhff", {tree("damaged.ulhff")})) == ReadBytes(sound));
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), AllOf(HasSubstr("damaged.ulhff: "), HasSubstr("byte ")));
    }
  }
}

TEST_F(MergeTest, ACutInputIsAnError) {
  const auto a = Make("a.ulhff", {{"1.jpg", "one", "a1"}});
  std::filesystem::resize_file(a, std::filesystem::file_size(a) - 1);
  EXPECT_THAT([&] { Merged({a}); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("a.ulhff: "), HasSubstr("truncated: "))));
}

TEST_F(MergeTest, InterruptedItLeavesNothing) {
  const auto a = Make("a.ulhff", {{"1.jpg", "one", "a1"}, {"2.jpg", "two", "a2"}});
  const auto before = out.Names();
  const InterruptGuard guard;
  on_progress = [] { ::raise(SIGTERM); };
  EXPECT_THROW(Merged({a, a}), Interrupted);
  EXPECT_EQ(out.Names(), before);
}

}  // namespace
}  // namespace ulhff
