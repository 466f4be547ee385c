// The source's order of the pairs, and their splits (docs/format.md §6.5, §6.6).
#ifndef ULHFF_SRC_WRITER_ORDER_H_
#define ULHFF_SRC_WRITER_ORDER_H_

#include <cstdint>
#include <string>

#include "sorter.h"
#include "writer_index.h"
#include "writer_spool.h"

namespace ulhff {

class SourceOrder {
 public:
  explicit SourceOrder(const std::string& tmp_dir) : shifts_(tmp_dir) {}

  void Append(uint64_t pair);
  // Writes nothing if the order is that of the pairs, else its shorter form. Throws
  // std::invalid_argument unless nothing was appended or each of `pairs` pairs once.
  void Write(IndexWriter& index, uint64_t pairs) const;

 private:
  // Of each position: pair - position modulo 2^64. All 0 if the order is that of the pairs, and
  // equal along a run.
  Column shifts_;
  uint64_t runs_ = 0;
  uint64_t last_shift_ = 0;
  // Sum of a hash of each pair minus that of each position: 0 for a permutation, and for nothing
  // else but by chance (2^-64).
  uint64_t balance_ = 0;
};

class SplitRuns {
 public:
  explicit SplitRuns(const std::string& tmp_dir);

  void Append(uint64_t split);  // of the next pair
  void Write(IndexWriter& index);

 private:
  void EndRun();
  std::string tmp_dir_;
  Sorter runs_;
  uint64_t pairs_ = 0;
  uint64_t start_ = 0;  // of the open run
  uint64_t split_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_ORDER_H_
