// Where the pairs of a shard stand in the whole source (docs/format.md §6.7).
#ifndef ULHFF_SRC_WRITER_SHARD_H_
#define ULHFF_SRC_WRITER_SHARD_H_

#include <cstdint>
#include <string>

#include "shard_info.h"
#include "writer_index.h"
#include "writer_spool.h"

namespace ulhff {

class ShardPositions {
 public:
  explicit ShardPositions(const std::string& tmp_dir) : tmp_dir_(tmp_dir), steps_(tmp_dir) {}

  // Throws std::invalid_argument unless positions grow.
  void Append(uint64_t position);
  // Writes SHARD and SHARD_POSITIONS. Throws std::invalid_argument if `shard` makes no sense or not
  // each of `pairs` pairs has a position below shard.positions.
  void Write(IndexWriter& index, const ShardInfo& shard, uint64_t pairs) const;

 private:
  std::string tmp_dir_;
  Column steps_;       // from each position to the next; the first from 0
  uint64_t next_ = 0;  // the least that may come
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_SHARD_H_
