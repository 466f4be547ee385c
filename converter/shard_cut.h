// Which part of a source a shard takes: files next to each other, about as many bytes as the
// others.
#ifndef ULHFF_CONVERTER_SHARD_CUT_H_
#define ULHFF_CONVERTER_SHARD_CUT_H_

#include <cstdint>

namespace ulhff {

// Depends on sizes and their order only, so that every node cuts alike. A file belongs to the shard
// in which its middle lies.
class ShardCut {
 public:
  ShardCut(uint64_t shard, uint64_t shards) : shard_(shard), shards_(shards) {}

  bool is_whole() const { return shards_ == 1; }
  // Of a file: its bytes, and what finding and opening it costs.
  static uint64_t Weight(uint64_t size) { return size + kCostOfFile; }

  // The weight of all files; before the first Takes.
  void SetTotal(uint64_t total) {
    begin_ = Share(total, shard_ - 1);
    end_ = Share(total, shard_);
  }
  // Of the next file of the source.
  bool Takes(uint64_t size) {
    const uint64_t middle = done_ + Weight(size) / 2;
    done_ += Weight(size);
    return begin_ <= middle && middle < end_;
  }

 private:
  static constexpr uint64_t kCostOfFile = 4096;

  // total * parts / shards, without overflow: shards are few.
  uint64_t Share(uint64_t total, uint64_t parts) const {
    return total / shards_ * parts + total % shards_ * parts / shards_;
  }

  uint64_t shard_;  // 1..shards
  uint64_t shards_;
  uint64_t begin_ = 0;
  uint64_t end_ = 0;
  uint64_t done_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_SHARD_CUT_H_
