// Verify finds nothing in what the writer wrote, and each fault where it is.
#include "ulhff/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/dataset.h"
#include "tests/file_image.h"
#include "tests/temp_dir.h"
#include "ulhff/checksum.h"

namespace ulhff {

// For the messages of failed tests.
void PrintTo(const Finding& finding, std::ostream* out) {
  *out << "subject " << static_cast<int>(finding.subject) << " " << finding.number << " at "
       << finding.offset << ": " << finding.what;
}

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

using Subject = Finding::Subject;

auto Is(Subject subject, uint64_t number, const std::string& what) {
  return AllOf(Field(&Finding::subject, subject), Field(&Finding::number, number),
               Field(&Finding::what, HasSubstr(what)));
}

std::vector<Finding> VerifyFile(const std::string& path, unsigned threads = 2) {
  return Verify(Reader::Open(path), {threads, nullptr});
}

struct CleanCase {
  const char* name;
  DatasetShape shape;
};

class VerifyClean : public testing::TestWithParam<CleanCase> {};

TEST_P(VerifyClean, FindsNothing) {
  const TempDir dir;
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    const std::string path = dir / ("file" + std::to_string(seed));
    RandomDataset(seed, GetParam().shape).Write(path);
    EXPECT_THAT(VerifyFile(path, 1), IsEmpty());
    EXPECT_THAT(VerifyFile(path, 5), IsEmpty());
  }
}

const CleanCase kCleanCases[] = {
    {"OneToOne", {.pairs_per_object = 1}},
    {"FixedRatio", {.pairs_per_object = 5, .fixed = true}},
    {"Hybrid", {.fields = 2, .splits = 3, .shuffled_order = true}},
    {"Rotated", {.rotated_order = true}},
    {"UniModal", {.pairs_per_object = 1, .fields = 0}},
    {"WithoutNames", {.named = false}},
    {"ManyTinyObjects", {.objects = 3000, .media_size = 3, .text_size = 2}},
    {"SeveralChunks",
     {.objects = 3, .pairs_per_object = 1, .media_size = 6'000'000, .text_size = 5'000'000}},
    {"Nothing", {.objects = 0, .blobs = 0}},
};
INSTANTIATE_TEST_SUITE_P(Verify, VerifyClean, testing::ValuesIn(kCleanCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(VerifyTest, TellsItsProgressUpToTheTotal) {
  const TempDir dir;
  RandomDataset(1, {.objects = 300}).Write(dir / "file");
  uint64_t last = 0;
  uint64_t last_total = 0;
  Verify(Reader::Open(dir / "file"), {2, [&](uint64_t done, uint64_t total) {
                                        EXPECT_GE(done, last);
                                        EXPECT_LE(done, total);
                                        last = done;
                                        last_total = total;
                                      }});
  EXPECT_GT(last, last_total * 9 / 10);
}

// Damage of the body: one byte is inverted.
class VerifyDamage : public testing::Test {
 protected:
  VerifyDamage() {
    Dataset dataset;
    dataset.options.fields = {{"", "txt"}};
    dataset.objects = {{"jpg", std::string(300'000, 'a'), {{{"one"}}, {{"two"}}}, {}},
                       {"jpg", "b", {{{"three"}}}, {}}};
    dataset.blobs = {{std::string(600'000, 'c'), {}}};
    dataset.names = {{"a.jpg", {TargetKind::kMedia, 0}},
                     {"d/b.jpg", {TargetKind::kMedia, 1}},
                     {"d/two.txt", {TargetKind::kText, 1}},
                     {"LICENSE", {TargetKind::kBlob, 0}}};
    dataset.Write(path_);
    reader_.emplace(Reader::Open(path_));
  }

  std::vector<Finding> FlipAndVerify(uint64_t offset) {
    FileImage image(path_);
    char& byte = image.bytes().at(offset);
    byte = static_cast<char>(~byte);
    image.Write(damaged_);
    return VerifyFile(damaged_);
  }

  // Edits the file, puts its sums right and verifies it.
  std::vector<Finding> EditAndVerify(const std::function<void(FileImage&)>& edit) {
    FileImage image(path_);
    edit(image);
    image.Reseal();
    image.Write(damaged_);
    return VerifyFile(damaged_);
  }

  TempDir dir_;
  std::string path_ = dir_ / "file";
  std::string damaged_ = dir_ / "damaged";
  std::optional<Reader> reader_;
};

TEST_F(VerifyDamage, NamesTheChunkOfAMedia) {
  const uint64_t offset = reader_->Object(0).offset + kChunkSize;
  const auto findings = FlipAndVerify(offset + 5);
  EXPECT_THAT(findings, ElementsAre(Is(Subject::kMedia, 0, "media chunk 1: checksum")));
  EXPECT_EQ(findings.at(0).offset, offset);
}

TEST_F(VerifyDamage, NamesTheText) {
  const ObjectLayout object = reader_->Object(0);
  EXPECT_THAT(FlipAndVerify(object.offset + reader_->Text(object, 1).position),
              ElementsAre(Is(Subject::kText, 1, "text 1: checksum")));
}

TEST_F(VerifyDamage, NamesTheBlob) {
  EXPECT_THAT(FlipAndVerify(reader_->Blob(0).offset + 2 * kChunkSize),
              ElementsAre(Is(Subject::kBlob, 0, "media chunk 2: checksum")));
}

TEST_F(VerifyDamage, FindsADamagedSumByWhatItCoversAndByTheDigest) {
  const ObjectLayout object = reader_->Object(1);
  EXPECT_THAT(FlipAndVerify(object.offset + object.media_sum_position(0)),
              ElementsAre(Is(Subject::kMedia, 1, "media chunk 0: checksum"),
                          Is(Subject::kFile, 0, "body_digest")));
}

TEST_F(VerifyDamage, FindsSumsThatAgreeWithWrongBytesByTheDigest) {
  const ObjectLayout object = reader_->Object(1);
  EXPECT_THAT(EditAndVerify([&](FileImage& image) {
                image.bytes()[object.offset] = 'x';
                const Le<uint64_t> sum = Checksum64(AsBytes("x"));
                std::memcpy(&image.bytes()[object.offset + object.media_sum_position(0)], &sum, 8);
              }),
              ElementsAre(Is(Subject::kFile, 0, "body_digest")));
}

TEST_F(VerifyDamage, IgnoresPadding) {
  const ObjectLayout object = reader_->Object(1);
  EXPECT_THAT(FlipAndVerify(object.offset + object.size), IsEmpty());
}

TEST_F(VerifyDamage, ReportsADamagedIndexBlockOnceAndNothingThatFollowsFromIt) {
  const uint64_t blocks = reader_->superblock().index_blocks;
  for (uint64_t block = 0; block < blocks; ++block) {
    const uint64_t offset = reader_->superblock().index_offset + block * kBlockSize;
    const std::string what = "index block " + std::to_string(block) + ": checksum";
    const auto findings = FlipAndVerify(offset + 100);
    EXPECT_THAT(findings, ElementsAre(Is(Subject::kFile, 0, what)));
    EXPECT_EQ(findings.at(0).offset, offset);
  }
}

// A section whose values break a rule, while all its sums are right.
struct BrokenSection {
  const char* name;
  SectionType type;
  std::vector<uint64_t> values;
  std::string what;
};

class VerifySection : public VerifyDamage, public testing::WithParamInterface<BrokenSection> {};

TEST_P(VerifySection, ReportsTheRuleThatIsBroken) {
  const auto findings =
      EditAndVerify([](FileImage& image) { image.SetValues(GetParam().type, GetParam().values); });
  EXPECT_THAT(findings, testing::Contains(Field(&Finding::what, HasSubstr(GetParam().what))));
}

const BrokenSection kBrokenSections[] = {
    {"ObjectsDecrease", SectionType::kObjects, {9, 5, 6}, "5 after 9"},
    {"ObjectsBehindTheBody", SectionType::kObjects, {0, 100'000, 200'000}, "ends behind the body"},
    {"PairStartsEqual", SectionType::kPairStarts, {0, 0, 3}, "0 after 0"},
    {"PairStartsNotFromZero", SectionType::kPairStarts, {1, 2, 3}, "1, 0 expected"},
    {"PairStartsNotToTheEnd", SectionType::kPairStarts, {0, 1, 2}, "the last is 2, 3 expected"},
    {"TextsDecrease", SectionType::kTexts, {0, 6, 3, 11}, "3 after 6"},
    {"TextsTotal", SectionType::kTexts, {0, 3, 6, 12}, "the last is 12, 11 expected"},
    {"DirectoryStarts", SectionType::kDirectoryStarts, {0, 1, 5}, "names out of order"},
    {"DirectoryStartsTotal", SectionType::kDirectoryStarts, {0, 3, 4}, "the last is 4, 5 expected"},
    {"DirectoriesEndBeforeTheNames",
     SectionType::kDirectoryStarts,
     {0, 0, 0},
     "the last directory ends before name 0"},
    {"DirectoryParentsLoop", SectionType::kDirectoryParents, {0, 1}, "stands elsewhere"},
    {"RootWithAParent", SectionType::kDirectoryParents, {1, 0}, "parent 1"},
    {"DirectoryChildren", SectionType::kDirectoryChildren, {1, 1}, "0 subdirectories, 1 stored"},
    {"NameStarts", SectionType::kNameStarts, {0, 4}, "the last is 4, 5 expected"},
    {"TextLinks", SectionType::kTextLinks, {1, 1, 0}, "0 names, 1 stored"},
};
INSTANTIATE_TEST_SUITE_P(Verify, VerifySection, testing::ValuesIn(kBrokenSections),
                         [](const auto& info) { return std::string(info.param.name); });

// Its values may be any, but must be there.
TEST(VerifyTest, FindsTimesThatCannotBeRead) {
  const TempDir dir;
  RandomDataset(1, {}).Write(dir / "file");
  const Superblock superblock = FileImage(dir / "file").superblock();
  size_t found = 0;
  for (const SectionEntry& section : superblock.table) {
    const auto type = static_cast<SectionType>(static_cast<uint16_t>(section.type));
    if (type < SectionType::kObjectTimes || type > SectionType::kDirectoryTimes) continue;
    ++found;
    FileImage image(dir / "file");
    image.Block(type)[16] = std::byte{200};  // bits of an element
    image.Reseal();
    image.Write(dir / "broken");
    EXPECT_THAT(VerifyFile(dir / "broken"),
                testing::Contains(Field(&Finding::what, HasSubstr("do not fit"))))
        << static_cast<int>(type);
  }
  EXPECT_GT(found, 2U);
}

TEST_F(VerifyDamage, FindsTotalsThatAreWrong) {
  EXPECT_THAT(EditAndVerify([](FileImage& image) {
                image.EditSuperblock([](Superblock& sb) { sb.media_bytes = 1; });
              }),
              ElementsAre(Is(Subject::kFile, 0, "media_bytes 1, but the media have 300001")));
  EXPECT_THAT(EditAndVerify([](FileImage& image) {
                image.EditSuperblock([](Superblock& sb) { sb.object_links = 3; });
              }),
              ElementsAre(Is(Subject::kMedia, 0, "1 names, 3 stored"),
                          Is(Subject::kMedia, 1, "1 names, 3 stored")));
}

}  // namespace
}  // namespace ulhff
