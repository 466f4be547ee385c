// Steps take no room while they are all 1, as they are in most shards.
#include "writer_shard.h"

#include <fmt/format.h>

#include <stdexcept>

#include "writer_packed.h"

namespace ulhff {

void ShardPositions::Append(uint64_t position) {
  if (position < next_) {
    throw std::invalid_argument(fmt::format("shard position {} after {}", position, next_ - 1));
  }
  steps_.Append(position - next_);
  next_ = position + 1;
}

void ShardPositions::Write(IndexWriter& index, const ShardInfo& shard, uint64_t pairs) const {
  if (shard.count < 2 || shard.count > kMaxShardCount || shard.number < 1 ||
      shard.number > shard.count) {
    throw std::invalid_argument(fmt::format("no shard {} of {}", shard.number, shard.count));
  }
  if (steps_.size() != pairs || next_ > shard.positions) {
    throw std::invalid_argument(fmt::format("{} shard positions below {} for {} pairs",
                                            steps_.size(), shard.positions, pairs));
  }
  Column elements(tmp_dir_);
  for (const uint64_t element :
       {shard.number, shard.count, shard.conversion[0], shard.conversion[1], shard.positions}) {
    elements.Append(element);
  }
  WritePacked(index, SectionType::kShard, ColumnSource(elements));
  const auto start = [this]() -> PackedStream {
    return [cursor = Column::Cursor(steps_), next = uint64_t{0}]() mutable {
      const uint64_t position = next + cursor.Next();
      next = position + 1;
      return PackedValue{position, 0};
    };
  };
  WritePacked(index, SectionType::kShardPositions, {steps_.size(), 0, start});
}

}  // namespace ulhff
