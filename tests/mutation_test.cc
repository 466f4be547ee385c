// Files whose sums are right and whose contents are not: whatever the index says, every call
// answers or throws FormatError, and nothing is read outside of anything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <string>
#include <system_error>
#include <vector>

#include "tests/dataset.h"
#include "tests/file_image.h"
#include "tests/temp_dir.h"
#include "ulhff/error.h"
#include "ulhff/pool.h"
#include "ulhff/reader.h"
#include "ulhff/verify.h"

namespace ulhff {
namespace {

class Mutation {
 public:
  explicit Mutation(uint64_t seed) : random_(seed) {}

  void Apply(FileImage& image) {
    const Superblock before = image.superblock();
    for (uint64_t i = 0; i <= Below(6); ++i) {
      if (Below(8) == 0) {
        image.EditSuperblock([&](Superblock& sb) { MutateSuperblock(sb); });
      } else {
        MutateBlock(image.Block(Below(before.index_blocks)));
      }
      // Where the index is elsewhere, there is nothing to seal.
      if (image.superblock().index_blocks != before.index_blocks) return;
      if (image.superblock().index_offset != before.index_offset) return;
    }
    image.Reseal();
  }

  uint64_t Below(uint64_t bound) { return bound == 0 ? 0 : random_() % bound; }

 private:
  // Mostly small changes near the start, where the heads and the values in use stand.
  void MutateBlock(std::span<std::byte> block) {
    const uint64_t at = Below(Below(2) == 0 ? 40 : block.size());
    block[at] =
        static_cast<std::byte>(Below(2) == 0 ? random_() : static_cast<uint64_t>(block[at]) + 1);
  }

  // A byte of the numbers or of the section table.
  void MutateSuperblock(Superblock& sb) {
    const auto bytes = std::as_writable_bytes(std::span(&sb, 1));
    const uint64_t at = 40 + Below(256 + 40 * sb.sections - 40);
    bytes[at] = static_cast<std::byte>(static_cast<uint64_t>(bytes[at]) + 1 + Below(4));
  }

  std::mt19937_64 random_;
};

// Calls everything a Reader offers, with numbers it may have.
class Exerciser {
 public:
  Exerciser(const Reader& reader, Mutation& random)
      : reader_(reader), random_(random), pool_(reader), out_(300'000) {}

  void Run() {
    const Info& info = reader_.info();
    const uint64_t texts = info.pairs * info.fields.size();
    for (int i = 0; i < 60; ++i) {
      if (info.objects > 0) UseObject(random_.Below(std::min<uint64_t>(info.objects, 100)));
      if (info.pairs > 0) UsePair(random_.Below(std::min<uint64_t>(info.pairs, 300)));
      if (texts > 0) UseText(random_.Below(std::min<uint64_t>(texts, 300)));
      if (info.blobs > 0) UseBlob(random_.Below(std::min<uint64_t>(info.blobs, 10)));
      UseDirectory(random_.Below(std::min<uint64_t>(info.directories, 20)));
    }
    UseSplits();
  }

 private:
  template <typename Call>
  void Try(const Call& call) {
    try {
      call();
    } catch (const FormatError&) {
    } catch (const std::system_error&) {  // a length that reaches behind the end
    }
  }

  void UseObject(uint64_t object) {
    const uint64_t position = random_.Below(3) * 1000;
    Try([&] { reader_.Extension(object); });
    Try([&] { reader_.ObjectLinks(object); });
    Try([&] { reader_.ObjectTime(object); });
    Try([&] { reader_.ReadMedia(object, position, out_); });
    Try([&] { pool_.ReadMedia(object, position, out_); });
    Try([&] {
      const ObjectLayout layout = reader_.Object(object);
      AlignedBuffer buffer;
      if (layout.size < 10'000'000) reader_.ReadObject(layout, buffer);
    });
  }

  void UsePair(uint64_t pair) {
    Try([&] { reader_.Locate(pair); });
    Try([&] { reader_.PairAtSourcePosition(pair); });
    if (!reader_.info().splits.empty()) Try([&] { reader_.SplitOf(pair); });
  }

  void UseText(uint64_t text) {
    Try([&] { reader_.ReadText(text, 1, out_); });
    Try([&] { pool_.ReadText(text, 1, out_); });
    Try([&] { reader_.TextLinks(text); });
    Try([&] { reader_.TextTime(text); });
  }

  void UseBlob(uint64_t blob) {
    Try([&] { reader_.ReadBlob(blob, 0, out_); });
    Try([&] { pool_.ReadBlob(blob, 0, out_); });
    Try([&] { reader_.BlobLinks(blob); });
    Try([&] { reader_.BlobTime(blob); });
  }

  void UseDirectory(uint64_t directory) {
    Try([&] { reader_.Directory(directory); });
    std::vector<std::string> names = {"a", "images", "zz", "\xFF"};
    Try([&] {
      reader_.ListNames(
          directory, random_.Below(20),
          [](void* to, std::string_view name, Reader::Name, uint64_t) {
            static_cast<std::vector<std::string>*>(to)->emplace_back(name);
            return true;
          },
          &names);
    });
    for (const std::string& name : names) Try([&] { reader_.FindName(directory, name); });
  }

  void UseSplits() {
    for (uint64_t split = 0; split < reader_.info().splits.size(); ++split) {
      Try([&] {
        const uint64_t pairs = reader_.SplitPairs(split);
        if (pairs > 0) reader_.PairInSplit(split, random_.Below(pairs));
        if (pairs > 0) reader_.PairInSplit(split, pairs - 1);
      });
    }
  }

  const Reader& reader_;
  Mutation& random_;
  ObjectPool pool_;
  std::vector<std::byte> out_;
};

// ULHFF_MUTATIONS=N tries N files instead of the few of the everyday tests.
uint64_t Mutations() {
  const char* wanted = std::getenv("ULHFF_MUTATIONS");
  return wanted == nullptr ? 150 : std::strtoull(wanted, nullptr, 10);
}

TEST(MutationTest, EveryCallAnswersOrThrowsFormatError) {
  const TempDir dir;
  const std::array<DatasetShape, 3> shapes = {
      DatasetShape{.objects = 60, .fields = 2, .splits = 3, .shuffled_order = true},
      DatasetShape{.objects = 40, .pairs_per_object = 3, .fixed = true, .rotated_order = true},
      DatasetShape{.objects = 900, .media_size = 200},
  };
  uint64_t opened = 0;
  for (size_t s = 0; s < shapes.size(); ++s) {
    RandomDataset(s + 1, shapes[s]).Write(dir / std::to_string(s));
  }
  for (uint64_t seed = 0; seed < Mutations(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Mutation mutation(seed);
    FileImage image(dir / std::to_string(seed % shapes.size()));
    mutation.Apply(image);
    image.Write(dir / "mutated");
    try {
      const Reader reader = Reader::Open(dir / "mutated", {ReadMode::kBuffered, 40'000});
      ++opened;
      Exerciser(reader, mutation).Run();
      if (reader.info().pairs < 100'000) Verify(reader, {1, nullptr});
    } catch (const FormatError&) {
      continue;
    }
  }
  EXPECT_GT(opened, Mutations() / 4) << "the mutations are too coarse to test anything";
}

}  // namespace
}  // namespace ulhff
