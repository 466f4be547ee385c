// Tests that every policy about names, links and what stands beside the pairs means the same in
// every kind of source.
#include <sys/stat.h>

#include "tests/policy_cases.h"

namespace ulhff {
namespace {

namespace fs = std::filesystem;

const std::string kComposed = "\xc3\xa9", kDecomposed = "e\xcc\x81";  // é

Items Plain() { return {{"1", Jpg("A"), "one"}, {"2", Jpg("B"), "two"}, {"3", Jpg("C"), "three"}}; }
Items Named(const std::string& second) {
  return {{"1", Jpg("A"), "one"}, {second, Jpg("B"), "two"}, {"3", Jpg("C"), "three"}};
}
Items LeadsOut() {
  return {{"../1", Jpg("A"), "one"}, {"2", Jpg("B"), "two"}, {"3", Jpg("C"), "three"}};
}
Items Composed() { return Named(kComposed); }
Items TooLong() { return Named(std::string(300, '2')); }
Items TextAlone() {
  return {{"1", Jpg("A"), "one"}, {"2", std::nullopt, "shown"}, {"3", Jpg("C"), "three"}};
}
Items TextOfEmptyMedia() {
  return {{"1", Jpg("A"), "one"}, {"2", "", "shown"}, {"3", Jpg("C"), "three"}};
}

// --- what is put beside

using Put = void (*)(TempTree& tree, const SmallKind& kind);

void Nothing(TempTree&, const SmallKind&) {}
void Readme(TempTree& tree, const SmallKind&) { tree.Write("d/README", "shown"); }
// As if it were a part of the source.
void Hidden(TempTree& tree, const SmallKind& kind) {
  tree.Write("d/.x.jpg", "shown");
  tree.MakeDir("d/__MACOSX");
  const std::string part = *kind.part != '\0' ? kind.part : "1.txt";
  fs::copy(tree("d/" + part), tree("d/__MACOSX/" + part));
}
void Fifo(TempTree& tree, const SmallKind&) { mkfifo(tree("d/4.jpg").c_str(), 0600); }
void Dangling(TempTree& tree, const SmallKind&) { tree.Link("d/4.jpg", "nowhere.jpg"); }
void Looping(TempTree& tree, const SmallKind&) { tree.Link("d/sub/up", ".."); }
void OtherForm(TempTree& tree, const SmallKind& kind) {
  fs::rename(tree("d/" + kind.MediaName(kComposed)), tree("d/" + kind.MediaName(kDecomposed)));
}
// The second media.
void LinkTo(TempTree& tree, const SmallKind& kind, const std::string& directory) {
  const std::string name = kind.MediaName("2");
  tree.MakeDir(directory);
  fs::rename(tree("d/" + name), tree(directory + "/" + name));
  tree.Link("d/" + name, tree(directory + "/" + name));
}
void LinkOut(TempTree& tree, const SmallKind& kind) { LinkTo(tree, kind, "outside"); }
void LinkedShard(TempTree& tree, const SmallKind& kind) {
  tree.MakeDir("outside");
  fs::rename(tree(std::string("d/") + kind.part), tree("outside/part"));
  tree.Link(std::string("d/") + kind.part, tree("outside/part"));
}
void LinkIn(TempTree& tree, const SmallKind& kind) { LinkTo(tree, kind, "d/.cache"); }

// With an outline: what is kept. Without: the conversion stops.
struct Policy {
  const char* name;
  unsigned needs, not_for;
  Items (*items)();
  Put put;
  void (*set)(ConvertOptions& options);
  const char* outline;
  Odd odd;
  uint64_t count = 1;
  const char* path = nullptr;  // that shows "shown", or is not there
  bool is_there = false;
};

using Set = ConvertOptions&;
void Default(Set) {}
void DropHidden(Set o) { o.drop_hidden = true; }
void WithKeys(Set o) { o.id_column = "key"; }
void AllowOutside(Set o) {
  WithKeys(o);
  o.allow_outside = true;
}
void InsideOnly(Set o) { o.symlinks = OnSymlink::kInside; }
void NoLinks(Set o) { o.symlinks = OnSymlink::kSkip; }
void SkipMissing(Set o) { o.missing_media = OnMissingMedia::kSkip; }

constexpr const char* kAll = "A: one | B: two | C: three";
constexpr const char* kWithoutB = "A: one | C: three";

const Policy kPolicies[] = {
    {"ExtrasAll", kIsDirectory, 0, Plain, Readme, Default, kAll, Odd::kDroppedExtra, 0, "README",
     true},
    {"HiddenKept", kIsDirectory, 0, Plain, Hidden, Default, kAll, Odd::kHiddenFile, 2, ".x.jpg",
     true},
    {"DropHidden", kIsDirectory, 0, Plain, Hidden, DropHidden, kAll, Odd::kHiddenFile, 2, ".x.jpg"},
    {"SpecialFile", kIsDirectory, 0, Plain, Fifo, Default, kAll, Odd::kSpecialFile, 1, "4.jpg"},
    {"DanglingLink", kIsDirectory, 0, Plain, Dangling, Default, kAll, Odd::kDanglingLink, 1,
     "4.jpg"},
    {"LoopingLink", kIsDirectory, 0, Plain, Looping, Default, kAll, Odd::kLoopingLink},
    {"LinksFollow", kHasMediaNames | kIsDirectory, kHasSamples, Plain, LinkOut, Default, kAll,
     Odd::kOutsideLink, 0},
    {"FilesInside", kHasTextNames | kIsDirectory, kHasSamples, Plain, LinkOut, InsideOnly,
     kWithoutB, Odd::kOutsideLink, 1, "2.jpg"},
    {"FilesSkip", kHasTextNames | kIsDirectory, kHasSamples, Plain, LinkIn, NoLinks, kWithoutB,
     Odd::kSkippedLink, 1, "2.jpg"},
    {"ListedInside", kNamesFiles, 0, Plain, LinkIn, InsideOnly, kAll, Odd::kOutsideLink, 0},
    {"ListedOutside", kNamesFiles, 0, Plain, LinkOut, InsideOnly, nullptr, Odd::kMissingMedia},
    {"ListedOutsideSkip", kNamesFiles, 0, Plain, LinkOut,
     [](Set o) { InsideOnly(o), SkipMissing(o); }, kWithoutB, Odd::kOutsideLink},
    {"ListedLink", kNamesFiles, 0, Plain, LinkIn, NoLinks, nullptr, Odd::kMissingMedia},
    {"ListedLinkSkip", kNamesFiles, 0, Plain, LinkIn, [](Set o) { NoLinks(o), SkipMissing(o); },
     kWithoutB, Odd::kSkippedLink},
    {"ShardFollow", kHasSamples, 0, Plain, LinkedShard, Default, kAll, Odd::kOutsideLink, 0},

    {"OutsideRefused", kMayLeadOut, kHasTextNames, LeadsOut, Nothing, WithKeys, nullptr,
     Odd::kOutsidePath},
    {"OutsideAllowed", kNamesFiles | kMayLeadOut, 0, LeadsOut, Nothing, AllowOutside, kAll,
     Odd::kOutsidePath},
    {"KeyOutsideAllowed", kHasKeys, 0, LeadsOut, Nothing, AllowOutside, kAll, Odd::kOutsidePath, 2},
    {"MemberOutside", kMayLeadOut | kHasTextNames, 0, LeadsOut, Nothing, Default, nullptr,
     Odd::kOutsidePath, 2},
    {"MemberOutsideAllowed", kMayLeadOut | kHasTextNames, 0, LeadsOut, Nothing, AllowOutside, kAll,
     Odd::kOutsidePath, 2},
    {"UnicodeForm", kNamesFiles | kHasAnyName, 0, Composed, OtherForm, Default, kAll,
     Odd::kUnicodeForm},
    {"TooLongKey", kHasKeys, 0, TooLong, Nothing, WithKeys, kAll, Odd::kShortenedName, 2},
    {"TooLongMember", kHasTextNames | kMayLeadOut, 0, TooLong, Nothing, Default, kAll,
     Odd::kShortenedName, 2},

    {"TextExtra", kHasTextNames, 0, TextAlone, Nothing, Default, kWithoutB, Odd::kUnpairedText, 1,
     "2.txt", true},
    {"TextSkip", kHasTextNames, 0, TextAlone, Nothing,
     [](Set o) { o.unpaired_text = OnUnpairedText::kSkip; }, kWithoutB, Odd::kUnpairedText, 1,
     "2.txt"},
    {"TextError", kHasTextNames, 0, TextAlone, Nothing,
     [](Set o) { o.unpaired_text = OnUnpairedText::kError; }, nullptr, Odd::kUnpairedText},
    {"TextOfSkippedMedia", kHasTextNames, 0, TextOfEmptyMedia, Nothing,
     [](Set o) { o.empty = OnEmpty::kSkip; }, kWithoutB, Odd::kUnpairedText, 1, "2.txt", true},
};

using PoliciesTreeTest = SmallSourceTest;

TEST_P(PoliciesTreeTest, AreFollowedAndCounted) {
  for (const Policy& policy : kPolicies) {
    if (!GetParam().Is(policy.needs) || (GetParam().can & policy.not_for) != 0) continue;
    SCOPED_TRACE(policy.name);
    Write(policy.items());
    policy.put(tree, GetParam());
    policy.set(options);
    if (!GetParam().Is(kHasKeys)) options.id_column.clear();
    ExpectFollowed(policy.outline, policy.odd, policy.count);
    if (policy.path == nullptr) continue;
    EXPECT_EQ(Show(Reader::Open(options.output), policy.path),
              policy.is_there ? "shown" : "(none)");
  }
}

ULHFF_FOR_SMALL_KINDS(PoliciesTreeTest, 0);

using ExtrasTest = SmallSourceTest;

TEST_P(ExtrasTest, AreLeftOutAndCountedIfAsked) {
  Write(Plain());
  Readme(tree, GetParam());
  options.extras = false;
  EXPECT_EQ(ConvertSource(), kAll);
  EXPECT_EQ(Show(Reader::Open(options.output), "README"), "(none)");
  EXPECT_THAT(report->examples(Odd::kDroppedExtra), testing::Contains("README"));
}

ULHFF_FOR_SMALL_KINDS(ExtrasTest, kIsDirectory);

using LinkedShardTest = SmallSourceTest;

TEST_P(LinkedShardTest, IsNotThereIfItsLinkIsNotFollowed) {
  for (const OnSymlink policy : {OnSymlink::kInside, OnSymlink::kSkip}) {
    Write(Plain());
    LinkedShard(tree, GetParam());
    options.symlinks = policy;
    EXPECT_ANY_THROW(ConvertSource());
    EXPECT_FALSE(fs::exists(options.output));
  }
}

ULHFF_FOR_SMALL_KINDS(LinkedShardTest, kHasSamples);

// Of what stands in a container.
using HiddenMemberTest = SmallSourceTest;

TEST_P(HiddenMemberTest, IsKeptButNeverPaired) {
  const Items items = {{"1", Jpg("A"), "one"}, {"__MACOSX/2", Jpg("B"), "two"}};
  for (const bool drop : {false, true}) {
    Write(items);
    options.drop_hidden = drop;
    ExpectFollowed("A: one", Odd::kHiddenFile, 2);
    EXPECT_EQ(Show(Reader::Open(options.output), "__MACOSX/2.txt"), drop ? "(none)" : "two");
  }
}

ULHFF_FOR_SMALL_KINDS(HiddenMemberTest, kHasTextNames);

}  // namespace
}  // namespace ulhff
