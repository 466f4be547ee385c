// Damaged files: refused by the name of the fault, or served but for exactly what is damaged.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "tests/dataset.h"
#include "tests/file_image.h"
#include "tests/temp_dir.h"
#include "ulhff/error.h"
#include "ulhff/reader.h"
#include "ulhff/reader_names.h"
#include "ulhff/reader_sections.h"
#include "ulhff/verify.h"

namespace ulhff {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr ReaderOptions kBuffered = {ReadMode::kBuffered, uint64_t{1} << 20};

class CorruptTest : public testing::Test {
 protected:
  CorruptTest() { SmallestDataset().Write(path_); }

  // The text of the error that opening gives, "" if it opens.
  std::string OpenError() const {
    try {
      Reader::Open(path_, kBuffered);
      return "";
    } catch (const FormatError& e) {
      return e.what();
    }
  }

  std::string ErrorAfter(const std::function<void(FileImage&)>& edit) const {
    FileImage image(path_);
    edit(image);
    image.Write(path_);
    return OpenError();
  }

  TempDir dir_;
  std::string path_ = dir_ / "file";
};

TEST_F(CorruptTest, EveryShorterLengthOfTheSmallestFileIsCalledCut) {
  const uint64_t full = ReadBytes(path_).size();
  for (uint64_t length = full; length-- > 0;) {
    ASSERT_EQ(::truncate(path_.c_str(), static_cast<off_t>(length)), 0);
    const std::string expected =
        length < kSuperblockSize
            ? "truncated: " + std::to_string(length) + " bytes, at least 8192 expected"
            : "truncated: " + std::to_string(length) + " bytes, " + std::to_string(full) +
                  " expected";
    ASSERT_THAT(OpenError(), HasSubstr(expected));
  }
}

TEST_F(CorruptTest, ACutFileNamesBothLengths) {
  EXPECT_THAT(ErrorAfter([](FileImage& image) { image.bytes().pop_back(); }),
              HasSubstr("truncated: 45055 bytes, 45056 expected"));
}

TEST_F(CorruptTest, ErrorsNameTheFileAndTheOffset) {
  const std::string error = ErrorAfter(
      [](FileImage& image) { image.EditSuperblock([](Superblock& sb) { sb.generation = 0; }); });
  EXPECT_EQ(error, path_ + ": offset 16: generation 0, at least 1 expected");
}

TEST_F(CorruptTest, OtherFilesAreNotUlhffFiles) {
  for (const std::string& bytes : {std::string("x"), std::string("\x89PNG\r\n\x1a\n"),
                                   std::string(20'000, '\0'), std::string(8192, 'a')}) {
    WriteBytes(path_, bytes);
    EXPECT_THAT(OpenError(), HasSubstr("not a ULHFF file"));
  }
}

TEST_F(CorruptTest, ATransferAsTextIsSeenByTheMagic) {
  std::string bytes = ReadBytes(path_);
  bytes.erase(bytes.find("\r\n"), 1);
  WriteBytes(path_, bytes);
  EXPECT_THAT(OpenError(), HasSubstr("not a ULHFF file"));
}

TEST_F(CorruptTest, BytesBehindTheFileAreIgnored) {
  EXPECT_EQ(ErrorAfter([](FileImage& image) { image.bytes() += "more"; }), "");
}

TEST_F(CorruptTest, TheIndexRootIsCheckedWhenOpening) {
  const std::string error = ErrorAfter([](FileImage& image) { image.bytes().back() ^= 1; });
  EXPECT_THAT(error, HasSubstr("root checksum"));
}

// --- the two slots ---

void CopySlot(FileImage& image, const std::function<void(Superblock&)>& edit) {
  const Superblock original = image.superblock();
  image.EditSuperblock(edit);
  const std::string edited = image.bytes().substr(0, kSlotSize);
  image.SetSuperblock(original);
  image.bytes().replace(kSlotSize, kSlotSize, edited);
}

TEST_F(CorruptTest, TheNewerValidSlotIsTaken) {
  const auto newer = [](Superblock& sb) {
    sb.generation = 2;
    sb.source_files = 77;
  };
  EXPECT_EQ(ErrorAfter([&](FileImage& image) { CopySlot(image, newer); }), "");
  EXPECT_EQ(Reader::Open(path_).info().source_files, 77);
  // A torn write of slot 1: slot 0 is what is left.
  EXPECT_EQ(ErrorAfter([](FileImage& image) { image.bytes()[kSlotSize + 3000] ^= 1; }), "");
  EXPECT_EQ(Reader::Open(path_).info().source_files, 2);
}

TEST_F(CorruptTest, OfEqualGenerationsSlot0IsTaken) {
  ErrorAfter(
      [&](FileImage& image) { CopySlot(image, [](Superblock& sb) { sb.source_files = 77; }); });
  EXPECT_EQ(Reader::Open(path_).info().source_files, 2);
}

TEST_F(CorruptTest, Slot1AloneIsEnough) {
  EXPECT_EQ(ErrorAfter([&](FileImage& image) {
              CopySlot(image, [](Superblock&) {});
              std::fill_n(image.bytes().begin(), kSlotSize, 'x');
            }),
            "");
}

TEST_F(CorruptTest, WithoutAValidSlotTheChecksumIsNamed) {
  EXPECT_THAT(ErrorAfter([](FileImage& image) { image.bytes()[100] ^= 1; }),
              HasSubstr("superblock checksum"));
}

TEST_F(CorruptTest, AnotherMajorVersionIsNamed) {
  const std::string error = ErrorAfter(
      [](FileImage& image) { image.EditSuperblock([](Superblock& sb) { sb.major = 2; }); });
  EXPECT_THAT(error, HasSubstr("major version 2"));
}

TEST_F(CorruptTest, AGreaterMinorVersionAndCompatibleFeaturesAreRead) {
  EXPECT_EQ(ErrorAfter([](FileImage& image) {
              image.EditSuperblock([](Superblock& sb) {
                sb.minor = 9;
                sb.compat = ~uint64_t{0};
                sb.reserved = 5;
              });
            }),
            "");
}

// --- constraints of the superblock and its section table ---

struct BrokenSuperblock {
  const char* name;
  void (*edit)(Superblock& sb);
  const char* error;
};

class OpenRefuses : public CorruptTest, public testing::WithParamInterface<BrokenSuperblock> {};

TEST_P(OpenRefuses, ByTheNameOfTheFault) {
  const std::string error =
      ErrorAfter([](FileImage& image) { image.EditSuperblock(GetParam().edit); });
  EXPECT_THAT(error, HasSubstr(GetParam().error));
  EXPECT_THAT(error, HasSubstr(path_));
}

SectionEntry& Entry(Superblock& sb, SectionType type) { return FileImage::Section(sb, type); }

SectionEntry& Append(Superblock& sb, uint16_t type) {
  const uint16_t used = sb.sections;
  sb.sections = static_cast<uint16_t>(used + 1);
  SectionEntry& entry = sb.table[used];
  entry.type = type;
  entry.blocks = 1;
  entry.count = 1;
  entry.per_block = 1;
  return entry;
}

constexpr uint64_t kTooMany = uint64_t{1} << 44;

const BrokenSuperblock kBrokenSuperblocks[] = {
    // §3, in the order of its table
    {"SlotSize", [](Superblock& sb) { sb.slot_size = 512; }, "slot_size 512, 4096 expected"},
    {"Generation", [](Superblock& sb) { sb.generation = 0; }, "generation 0, at least 1 expected"},
    {"Incompat", [](Superblock& sb) { sb.incompat = 4; }, "incompatible feature: bits 0x4"},
    {"Pairs", [](Superblock& sb) { sb.pairs = kTooMany; }, "pairs 17592186044416, at most"},
    {"PairsFewerThanObjects", [](Superblock& sb) { sb.objects = 2; }, "1 pairs, but 2 objects"},
    {"PairsWithoutObjects", [](Superblock& sb) { sb.objects = 0; }, "1 pairs, but no objects"},
    {"Objects", [](Superblock& sb) { sb.objects = kTooMany; }, "objects 17592186044416, at most"},
    {"Texts",
     [](Superblock& sb) {
       sb.pairs = kTooMany / 8;
       sb.fields = 16;
     },
     "texts 35184372088832, at most"},
    {"RatioOfIdentity", [](Superblock& sb) { sb.ratio = 2; }, "ratio 2, 1 expected"},
    {"IdentityOfUnequalCounts", [](Superblock& sb) { sb.pairs = 2; }, "2 pairs of 1 objects"},
    {"RatioOfFixed", [](Superblock& sb) { sb.index = 1; }, "ratio 1, at least 2 expected"},
    {"FixedRatio",
     [](Superblock& sb) {
       sb.index = 1;
       sb.ratio = 2;
     },
     "ratio 2, but 1 pairs of 1 objects"},
    {"FixedRatioThatOverflows",
     [](Superblock& sb) {
       sb.index = 1;
       sb.ratio = uint64_t{1} << 63;
       sb.objects = sb.pairs = 2;
     },
     "ratio 9223372036854775808, but 2 pairs of 2 objects"},
    {"RatioOfAvlPlus", [](Superblock& sb) { sb.index = 2; }, "ratio 1, 0 expected"},
    {"Blobs", [](Superblock& sb) { sb.blobs = kTooMany; }, "blobs 17592186044416, at most"},
    {"NoDirectory", [](Superblock& sb) { sb.directories = 0; }, "no root directory"},
    {"Directories", [](Superblock& sb) { sb.directories = kTooMany; }, "directories 1759218604441"},
    {"Entries", [](Superblock& sb) { sb.directories = 4; }, "2 entries, but 4 directories"},
    {"Type", [](Superblock& sb) { sb.type = 4; }, "type 4 is unknown"},
    {"Index", [](Superblock& sb) { sb.index = 3; }, "index 3 is unknown"},
    {"DefaultView", [](Superblock& sb) { sb.default_view = 4; }, "default_view 4 is unknown"},
    {"AlignmentTooSmall", [](Superblock& sb) { sb.alignment = 5; }, "alignment 2^5, 2^6..2^12"},
    {"AlignmentTooLarge", [](Superblock& sb) { sb.alignment = 13; }, "alignment 2^13, 2^6..2^12"},
    {"FieldsOfUniModal", [](Superblock& sb) { sb.type = 3; }, "fields 1 with pairing type 3"},
    {"NoFields", [](Superblock& sb) { sb.fields = 0; }, "fields 0 with pairing type 0"},
    {"Fields", [](Superblock& sb) { sb.fields = 17; }, "fields 17, at most 16"},
    {"Extensions", [](Superblock& sb) { sb.extensions = 257; }, "extensions 257, at most 256"},
    {"Splits", [](Superblock& sb) { sb.splits = 257; }, "splits 257, at most 256"},
    {"Sections", [](Superblock& sb) { sb.sections = 41; }, "sections 41, at most 40"},
    {"StringsSize", [](Superblock& sb) { sb.strings_size = 2233; }, "strings_size 2233, at most"},
    {"BodyOffset", [](Superblock& sb) { sb.body_offset = 4096; }, "body_offset 4096, 8192.."},
    {"BodyAlignment", [](Superblock& sb) { sb.body_offset = 8200; },
     "body_offset 8200 is no multiple of 64"},
    {"BlobsOffset", [](Superblock& sb) { sb.blobs_offset = 4096; }, "blobs_offset 4096, 8192.."},
    {"BlobsAlignment", [](Superblock& sb) { sb.blobs_offset = 8257; },
     "blobs_offset 8257 is no mu"},
    {"IndexOffset", [](Superblock& sb) { sb.index_offset = 0; }, "index_offset 0, 8256.."},
    {"IndexAlignment", [](Superblock& sb) { sb.index_offset = 12352; }, "12352 is no multiple of"},
    {"IndexOffsetTooLarge", [](Superblock& sb) { sb.index_offset = uint64_t{1} << 63; },
     "index_offset 9223372036854775808"},
    {"IndexBlocks", [](Superblock& sb) { sb.index_blocks = 0; }, "index_blocks 0, 1..8"},
    {"IndexBlocksTooMany", [](Superblock& sb) { sb.index_blocks = ~uint64_t{0}; },
     "index_blocks 18"},
    {"FileLength", [](Superblock& sb) { sb.file_length = sb.file_length - 1; },
     "file_length 45055 is not the end of the 8 blocks"},
    {"FileLengthTooSmall", [](Superblock& sb) { sb.file_length = 100; },
     "file_length 100, 12288.."},
    {"FileLengthOfFewerBlocks", [](Superblock& sb) { sb.file_length = sb.file_length + 4096; },
     "file_length 49152 is not the end of the 8 blocks"},
    // §3.1
    {"StringsTooShort", [](Superblock& sb) { sb.strings_size = 12; },
     "it ends within the extension"},
    {"SplitName",
     [](Superblock& sb) {
       sb.splits = 1;
       sb.strings_size = 15;
       sb.strings[13] = std::byte{1};
       sb.strings[14] = std::byte{'/'};
     },
     "a split's name is invalid"},
    {"StringsTooLong", [](Superblock& sb) { sb.strings_size = 14; }, "strings_size 14 is 1 more"},
    {"StringsWithoutSize", [](Superblock& sb) { sb.strings_size = 0; },
     "ends within the name of a f"},
    {"FieldWithSlash", [](Superblock& sb) { sb.strings[1] = std::byte{'/'}; },
     "the name of a field holds '/' or NUL"},
    {"ExtensionWithNul", [](Superblock& sb) { sb.strings[12] = std::byte{0}; },
     "the extension of a media holds '/' or NUL"},
    // §6
    {"SectionBehindTheIndex",
     [](Superblock& sb) { Entry(sb, SectionType::kObjects).first_block = 7; },
     "section of type 1: blocks 7+1, the index has 7"},
    {"SectionThatOverflows",
     [](Superblock& sb) { Entry(sb, SectionType::kObjects).blocks = ~uint64_t{0}; },
     "section of type 1: blocks 0+18446744073709551615"},
    {"UnknownSection", [](Superblock& sb) { Append(sb, 700).flags = kSectionMustKnow; },
     "unknown section: type 700"},
    {"SectionTwice", [](Superblock& sb) { Append(sb, 1); }, "section OBJECTS: it stands twice"},
    {"SectionMissing", [](Superblock& sb) { Entry(sb, SectionType::kTexts).type = 900; },
     "section TEXTS is missing"},
    {"SectionThatMustNotBe", [](Superblock& sb) { Append(sb, 2); },
     "section BLOBS: this file must not have it"},
    {"Count", [](Superblock& sb) { Entry(sb, SectionType::kObjects).count = 3; },
     "section OBJECTS: count 3, 2 expected"},
    {"BlocksOfPacked", [](Superblock& sb) { Entry(sb, SectionType::kTexts).per_block = 1; },
     "section TEXTS: 1 blocks, but 2 elements take 2"},
    {"PerBlock", [](Superblock& sb) { Entry(sb, SectionType::kTexts).per_block = 0; },
     "section TEXTS: per_block 0, 1..65536"},
    {"PerBlockTooLarge", [](Superblock& sb) { Entry(sb, SectionType::kTexts).per_block = 65537; },
     "section TEXTS: per_block 65537"},
    {"PerBlockWithExtraBits",
     [](Superblock& sb) { Entry(sb, SectionType::kTexts).per_block = 40'000; },
     "40000 times 1 extra bits"},
    {"ExtraBits", [](Superblock& sb) { Entry(sb, SectionType::kObjects).extra_bits = 5; },
     "section OBJECTS: extra_bits 5, 6 expected"},
    {"ExtraBitsOfTexts",
     [](Superblock& sb) {
       Entry(sb, SectionType::kTexts).extra_bits = 2;
       Entry(sb, SectionType::kTexts).per_block = 100;
     },
     "section TEXTS: extra_bits 2, 1 expected"},
    {"ShardHalf", [](Superblock& sb) { Append(sb, 25); },
     "SHARD_POSITIONS: its other half is missing"},
    {"OrderHalf", [](Superblock& sb) { Append(sb, 7); }, "ORDER_STARTS: its other half is missing"},
    {"OrderTwice",
     [](Superblock& sb) {
       Append(sb, 7);
       Append(sb, 8);
       Append(sb, 9);
     },
     "section ORDER: the order stands in two forms"},
    {"NamesTooFewBlocks", [](Superblock& sb) { sb.entries = 5000; },
     "section NAMES: 1 blocks cannot hold 5000 names"},
    {"NamesCount", [](Superblock& sb) { Entry(sb, SectionType::kNames).count = 2; },
     "section NAMES: count is not the number of blocks"},
    {"NameStarts", [](Superblock& sb) { Entry(sb, SectionType::kNameStarts).count = 3; },
     "section NAME_STARTS: one element more"},
    {"PairTree",
     [](Superblock& sb) {
       sb.index = 2;
       sb.ratio = 0;
       SectionEntry& starts = Append(sb, 3);
       starts.count = 2;
       starts.per_block = 100;
       Append(sb, 4).count = 2;
     },
     "section PAIR_TREE: 2 keys in 1 blocks, 1 in 1 expected"},
};
INSTANTIATE_TEST_SUITE_P(Corrupt, OpenRefuses, testing::ValuesIn(kBrokenSuperblocks),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_F(CorruptTest, SectionsThatAreUnknownButCompatibleAreSkipped) {
  EXPECT_EQ(ErrorAfter([](FileImage& image) {
              image.EditSuperblock([](Superblock& sb) {
                Append(sb, 500);
                Append(sb, 40'000).per_block = 0;
              });
            }),
            "");
  ExpectSame(SmallestDataset(), Reader::Open(path_));
}

// Every byte counts: inverting one is seen by opening or by verify, or the byte is padding.
TEST_F(CorruptTest, EveryInvertedByteOfTheSmallestFileIsFoundOrPadding) {
  const Reader original = Reader::Open(path_);
  const ObjectLayout object = original.Object(0);
  const uint64_t body_end = object.offset + object.size;
  const uint64_t index = original.superblock().index_offset;
  const std::string bytes = ReadBytes(path_);
  const int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  for (uint64_t offset = 0; offset < bytes.size(); ++offset) {
    const auto inverted = static_cast<char>(~bytes[offset]);
    ASSERT_EQ(::pwrite(fd, &inverted, 1, static_cast<off_t>(offset)), 1);
    const bool slot_1 = offset >= kSlotSize && offset < kSuperblockSize;
    const bool padding = slot_1 || (offset >= body_end && offset < index);
    bool found = false;
    try {
      found = !Verify(Reader::Open(path_, kBuffered), {1, nullptr}).empty();
    } catch (const FormatError&) {
      found = true;
    }
    ASSERT_EQ(found, !padding) << "byte " << offset;
    ASSERT_EQ(::pwrite(fd, &bytes[offset], 1, static_cast<off_t>(offset)), 1);
  }
  ::close(fd);
}

// --- names whose sums are right ---

struct BrokenNames {
  const char* name;
  size_t at;  // in the block of section 12 of docs/format.md
  std::string bytes;
  const char* error;
};

class NamesBlock : public CorruptTest, public testing::WithParamInterface<BrokenNames> {};

TEST_P(NamesBlock, IsRefusedWithItsFault) {
  FileImage image(path_);
  const auto block = image.Block(SectionType::kNames);
  std::memcpy(block.data() + GetParam().at, GetParam().bytes.data(), GetParam().bytes.size());
  image.Reseal();
  image.Write(path_);
  const Reader reader = Reader::Open(path_, kBuffered);
  const auto list = [&] {
    reader.ListNames(
        0, 0, [](void*, std::string_view, Reader::Name, uint64_t) { return true; }, nullptr);
  };
  const std::string error = std::string("names block 0: ") + GetParam().error;
  EXPECT_THAT(list, ThrowsMessage<FormatError>(HasSubstr(error)));
  EXPECT_THAT(Verify(reader, {1, nullptr}),
              testing::Contains(testing::Field(&Finding::what, HasSubstr(GetParam().error))));
}

const BrokenNames kBrokenNames[] = {
    {"Entries", 0, "\x03", "it has another number of names than NAME_STARTS says"},
    {"Restarts", 2, "\x02", "its number of restarts is wrong"},
    {"RestartOutside", 0xFFE, {"\xFE\x0F", 2}, "a restart lies outside of it"},
    {"RestartBefore", 0xFFE, {"\x03\x00", 2}, "a restart lies outside of it"},
    {"RestartElsewhere", 0xFFE, "\x05", "a restart is not at its entry"},
    {"SharedAtRestart", 4, "\x01", "an entry shares more bytes than the name before has"},
    {"SharedTooMuch", 0x0C, "\x06", "an entry shares more bytes than the name before has"},
    {"SuffixOutside", 0x0D, "\xFF\x7F", "an entry runs over its end"},
    {"SuffixTooLong", 0x0D, "\xFF\x01", "a name is longer than 255 bytes"},
    {"NumberTooLong", 4, std::string(10, '\xFF'), "a number takes more than 64 bits"},
    {"NoSuchMedia", 0x0B, "\x09", "a name of nothing that exists"},
    {"NoSuchText", 0x11, "\x06", "a name of nothing that exists"},
    {"NoSuchBlob", 0x0B, "\x03", "a name of nothing that exists"},
    {"TheRoot", 0x0B, {"\x00", 1}, "a name of a directory that stands elsewhere"},
};
INSTANTIATE_TEST_SUITE_P(Corrupt, NamesBlock, testing::ValuesIn(kBrokenNames),
                         [](const auto& info) { return std::string(info.param.name); });

// --- docs/format.md, section 13 ---

TEST(CorruptDocTest, EveryErrorTextOfTheFormatIsTested) {
  const std::string root = ULHFF_SOURCE_DIR;
  std::string tests;
  for (const char* file : {"corrupt", "index", "asr", "reader_objects", "verify", "pool"}) {
    tests += ReadBytes(root + "/tests/" + file + "_test.cc");
  }
  const std::string format = ReadBytes(root + "/docs/format.md");
  const size_t section = format.find("## 13. Malformed cases");
  ASSERT_NE(section, std::string::npos);
  int texts = 0;
  for (size_t at = format.find("| `", section); at != std::string::npos;
       at = format.find("| `", at + 1)) {
    const std::string cell = format.substr(at + 2, format.find('|', at + 2) - at - 2);
    for (size_t i = cell.find('`'); i != std::string::npos;) {
      const size_t end = cell.find('`', i + 1);
      ASSERT_NE(end, std::string::npos) << cell;
      EXPECT_THAT(tests, HasSubstr(cell.substr(i + 1, end - i - 1)));
      ++texts;
      i = cell.find('`', end + 1);
    }
  }
  EXPECT_GT(texts, 50);
}

// --- damage within the index ---

// One directory of many names, and a few beside it; two objects in three have two names. Sizes are
// uneven, so that the object table takes several blocks.
Dataset ManyNames() {
  Dataset dataset;
  dataset.options.fields = {{"", "txt"}};
  for (uint64_t o = 0; o < 2500; ++o) {
    const std::string text = std::to_string(o);
    dataset.objects.push_back({"jpg", std::string(o * o * 31 % 3000, 'm'), {{{text}}}, {}});
    const std::string name = std::to_string(o * 7919 % 2500);
    dataset.names["many/" + name + "-with-a-longer-name.jpg"] = {TargetKind::kMedia, o};
    if (o % 3 != 0)
      dataset.names["few/" + name.substr(0, 1) + "/" + name] = {TargetKind::kMedia, o};
  }
  return dataset;
}

class CorruptIndex : public testing::TestWithParam<uint64_t> {
 protected:
  CorruptIndex() { dataset_.Write(path_); }

  Reader Open() const { return Reader::Open(path_, {ReadMode::kBuffered, GetParam()}); }

  void FlipBlock(const Reader& reader, uint64_t block) const {
    const auto at = static_cast<off_t>(reader.sections().blocks().OffsetOf(block) + 1000);
    const int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    char byte = 0;
    ASSERT_EQ(::pread(fd, &byte, 1, at), 1);
    byte = static_cast<char>(~byte);
    ASSERT_EQ(::pwrite(fd, &byte, 1, at), 1);
    ::close(fd);
  }

  TempDir dir_;
  std::string path_ = dir_ / "file";
  Dataset dataset_ = ManyNames();
};

// nullopt if it cannot be told for damage.
template <typename Call>
auto Try(const Call& call) -> std::optional<decltype(call())> {
  try {
    return call();
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

// The directory and the entry number of each path of a directory.
std::map<std::string, uint64_t> EntryNumbers(const Reader& reader, uint64_t directory) {
  struct Context {
    std::map<std::string, uint64_t> numbers;
    uint64_t first;
  } context{{}, reader.Directory(directory).first_entry};
  reader.ListNames(
      directory, 0,
      [](void* to, std::string_view name, Reader::Name, uint64_t next) {
        auto& context = *static_cast<Context*>(to);
        context.numbers[std::string(name)] = context.first + next - 1;
        return true;
      },
      &context);
  return context.numbers;
}

TEST_P(CorruptIndex, ABlockOfNamesFailsForTheNamesItHoldsAndNoOther) {
  const Reader whole = Open();
  const uint64_t many = whole.FindName(0, "many")->number;
  const auto numbers = EntryNumbers(whole, many);
  const SectionEntry& names = whole.sections().entry(SectionType::kNames);
  ASSERT_GE(names.blocks, 5);
  for (uint64_t block = 0; block < names.blocks; ++block) {
    FlipBlock(whole, names.first_block + block);
    const Reader reader = Open();
    const NameTable::Range held = reader.names().EntriesOfBlock(block);
    for (const auto& [name, number] : numbers) {
      const auto found = Try([&, &wanted = name] { return reader.FindName(many, wanted); });
      ASSERT_EQ(!found, number >= held.begin && number < held.end) << name << " block " << block;
      if (found) {
        ASSERT_EQ((*found)->number, dataset_.names.at("many/" + name).number);
      }
    }
    FlipBlock(whole, names.first_block + block);
  }
}

TEST_P(CorruptIndex, TwoBlocksOfNamesFailForTheNamesTheyHold) {
  const Reader whole = Open();
  const uint64_t many = whole.FindName(0, "many")->number;
  const auto numbers = EntryNumbers(whole, many);
  const uint64_t first = whole.sections().entry(SectionType::kNames).first_block;
  const uint64_t blocks = whole.sections().entry(SectionType::kNames).blocks;
  for (uint64_t block = 0; block + 1 < blocks; ++block) {
    FlipBlock(whole, first + block);
    FlipBlock(whole, first + block + 1);
    const Reader reader = Open();
    const uint64_t begin = reader.names().EntriesOfBlock(block).begin;
    const uint64_t end = reader.names().EntriesOfBlock(block + 1).end;
    for (const auto& [name, number] : numbers) {
      const auto found = Try([&, &wanted = name] { return reader.FindName(many, wanted); });
      ASSERT_EQ(!found, number >= begin && number < end) << name << " block " << block;
    }
    FlipBlock(whole, first + block);
    FlipBlock(whole, first + block + 1);
  }
}

TEST_P(CorruptIndex, ABlockOfTheObjectTableFailsForItsObjectsAndNoOther) {
  const Reader whole = Open();
  const SectionEntry& objects = whole.sections().entry(SectionType::kObjects);
  const uint64_t per_block = objects.per_block;
  ASSERT_GE(objects.blocks, 2);
  for (uint64_t block = 0; block < objects.blocks; ++block) {
    FlipBlock(whole, objects.first_block + block);
    const Reader reader = Open();
    for (uint64_t o = 0; o < dataset_.objects.size(); ++o) {
      const auto layout = Try([&] { return reader.Object(o); });
      // An object's end stands with the next one.
      const bool held = o / per_block == block || (o + 1) / per_block == block;
      ASSERT_EQ(!layout, held) << o;
      if (layout) {
        ASSERT_EQ(layout->media_size, dataset_.objects[o].media.size());
      }
    }
    FlipBlock(whole, objects.first_block + block);
  }
}

TEST_P(CorruptIndex, AFailureIsNotKept) {
  const Reader reader = Open();
  const uint64_t block = reader.sections().entry(SectionType::kObjects).first_block;
  FlipBlock(reader, block);
  EXPECT_THAT([&] { reader.Object(5); },
              ThrowsMessage<FormatError>(HasSubstr("index block " + std::to_string(block))));
  EXPECT_THROW(reader.Object(5), FormatError);
  FlipBlock(reader, block);
  EXPECT_EQ(reader.Object(5).media_size, dataset_.objects[5].media.size());
}

INSTANTIATE_TEST_SUITE_P(Corrupt, CorruptIndex, testing::Values(uint64_t{8} << 20, 32'768),
                         [](const auto& info) {
                           return info.param > 100'000 ? "AllCached" : "EightBlocksCached";
                         });

}  // namespace
}  // namespace ulhff
