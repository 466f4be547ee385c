// Running sums of what the body writer learnt, and the AVLplus tree over them.
#include "writer_pairs.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "writer_packed.h"

namespace ulhff {

namespace {

constexpr uint64_t kKeysPerBlock = kBlockSize / sizeof(uint64_t);

// The sums of all values before each, and at the end the sum of all.
PackedSource RunningSum(const Column& column) {
  const auto start = [&column]() -> PackedStream {
    return [cursor = Column::Cursor(column), left = column.size(), sum = uint64_t{0}]() mutable {
      const uint64_t before = sum;
      if (left > 0) {
        sum += cursor.Next();
        --left;
      }
      return PackedValue{before, 0};
    };
  };
  return {column.size() + 1, 0, start};
}

// Each `step`-th of `count` numbers, the first included.
template <typename Next>
Column EachNth(Next next, uint64_t count, uint64_t step, const std::string& tmp_dir) {
  Column picked(tmp_dir);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t value = next();
    if (i % step == 0) picked.Append(value);
  }
  return picked;
}

void AddKeyBlocks(IndexWriter& index, const Column& keys) {
  Column::Cursor cursor(keys);
  for (uint64_t done = 0; done < keys.size(); done += kKeysPerBlock) {
    std::array<Le<uint64_t>, kKeysPerBlock> block;
    block.fill(~uint64_t{0});
    const uint64_t n = std::min(kKeysPerBlock, keys.size() - done);
    for (uint64_t i = 0; i < n; ++i) block.at(i) = cursor.Next();
    index.AddBlock(std::bit_cast<Block>(block));
  }
}

void WritePairTree(IndexWriter& index, const PackedSource& starts, uint64_t per_block,
                   const std::string& tmp_dir) {
  std::vector<Column> levels;
  levels.push_back(
      EachNth([next = starts.start()] { return next().value; }, starts.count, per_block, tmp_dir));
  while (levels.back().size() > kKeysPerBlock) {
    Column::Cursor cursor(levels.back());
    levels.push_back(
        EachNth([&] { return cursor.Next(); }, levels.back().size(), kKeysPerBlock, tmp_dir));
  }
  uint64_t keys = 0;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    AddKeyBlocks(index, *level);
    keys += level->size();
  }
  index.EndSection(SectionType::kPairTree, keys);
}

}  // namespace

void WriteObjects(IndexWriter& index, SectionType type, const Column& sizes,
                  unsigned alignment_log2) {
  const auto start = [&sizes, alignment_log2]() -> PackedStream {
    return [cursor = Column::Cursor(sizes), left = sizes.size(), end = uint64_t{0},
            alignment_log2]() mutable {
      PackedValue value{end, 0};
      if (left == 0) return value;
      const uint64_t size = cursor.Next();
      const uint64_t units = (size + (uint64_t{1} << alignment_log2) - 1) >> alignment_log2;
      value.extra = (units << alignment_log2) - size;
      end += units;
      --left;
      return value;
    };
  };
  WritePacked(index, type, {sizes.size() + 1, alignment_log2, start});
}

void WriteTexts(IndexWriter& index, const Column& text_codes) {
  const auto start = [&text_codes]() -> PackedStream {
    return [cursor = Column::Cursor(text_codes), left = text_codes.size(),
            sum = uint64_t{0}]() mutable {
      PackedValue value{sum, 0};
      if (left == 0) return value;
      const uint64_t code = cursor.Next();
      value.extra = code & 1;
      sum += code >> 1;
      --left;
      return value;
    };
  };
  WritePacked(index, SectionType::kTexts, {text_codes.size() + 1, 1, start});
}

void WritePairIndex(IndexWriter& index, const Column& pair_counts, const std::string& tmp_dir,
                    Superblock& superblock) {
  const bool even = pair_counts.uniform();
  const uint64_t ratio = pair_counts.size() == 0 ? 1 : pair_counts.first();
  auto kind = IndexKind::kAvlPlus;
  auto type = PairingType::kHybridOneToMany;
  if (even && ratio == 1) {
    kind = IndexKind::kIdentity;
    type = PairingType::kOneToOne;
  } else if (even) {
    kind = IndexKind::kFixedRatio;
    type = PairingType::kFixedOneToMany;
  }
  if (superblock.fields == 0) type = PairingType::kUniModal;
  superblock.index = static_cast<uint8_t>(kind);
  superblock.type = static_cast<uint8_t>(type);
  superblock.ratio = even ? ratio : 0;
  if (even) return;
  const PackedSource starts = RunningSum(pair_counts);
  const PackedPlan plan = PlanPacked(starts);
  WritePacked(index, SectionType::kPairStarts, starts, plan);
  WritePairTree(index, starts, plan.per_block, tmp_dir);
}

}  // namespace ulhff
