// What a file that holds one part of a conversion says of the whole (docs/format.md §6.7).
#ifndef ULHFF_SRC_SHARD_INFO_H_
#define ULHFF_SRC_SHARD_INFO_H_

#include <array>
#include <cstdint>

namespace ulhff {

inline constexpr uint64_t kMaxShardCount = 65536;
inline constexpr uint64_t kShardElements = 5;  // of section SHARD

struct ShardInfo {
  uint64_t number = 1;                   // 1..count
  uint64_t count = 1;                    // at least 2 in a file
  std::array<uint64_t, 2> conversion{};  // the same in all shards of one conversion
  uint64_t positions = 0;                // every position in the whole source is below this

  friend bool operator==(const ShardInfo&, const ShardInfo&) = default;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_SHARD_INFO_H_
