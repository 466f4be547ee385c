// Runs of consecutive pairs, of the order and of splits.
#include "writer_order.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "writer_packed.h"

namespace ulhff {

namespace {

constexpr uint64_t kSplitMemory = 1 << 20;
constexpr unsigned kSplitBits = 8;

// The finaliser of SplitMix64: every input bit changes every output bit.
uint64_t Mix(uint64_t value) {
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
  value = (value ^ value >> 27) * 0x94D049BB133111EB;
  return value ^ value >> 31;
}

struct OrderRun {
  uint64_t start = 0;  // position
  uint64_t pair = 0;
};

class OrderRuns {
 public:
  explicit OrderRuns(const Column& shifts) : shifts_(shifts) {}

  // Precondition: there is another run.
  OrderRun Next() {
    uint64_t shift = shifts_.Next();
    for (; position_ > 0 && shift == last_; ++position_) shift = shifts_.Next();
    last_ = shift;
    const OrderRun run{position_, position_ + shift};
    ++position_;
    return run;
  }

 private:
  Column::Cursor shifts_;
  uint64_t position_ = 0;
  uint64_t last_ = 0;
};

PackedSource RunSource(const Column& shifts, uint64_t runs, uint64_t OrderRun::*member) {
  const auto start = [&shifts, member]() -> PackedStream {
    return [member, cursor = OrderRuns(shifts)]() mutable {
      return PackedValue{cursor.Next().*member, 0};
    };
  };
  return {runs, 0, start};
}

PackedSource PairSource(const Column& shifts) {
  const auto start = [&shifts]() -> PackedStream {
    return [cursor = Column::Cursor(shifts), position = uint64_t{0}]() mutable {
      return PackedValue{cursor.Next() + position++, 0};
    };
  };
  return {shifts.size(), 0, start};
}

}  // namespace

void SourceOrder::Append(uint64_t pair) {
  const uint64_t position = shifts_.size();
  const uint64_t shift = pair - position;
  if (position == 0 || shift != last_shift_) ++runs_;
  last_shift_ = shift;
  shifts_.Append(shift);
  balance_ += Mix(pair) - Mix(position);
}

void SourceOrder::Write(IndexWriter& index, uint64_t pairs) const {
  if (shifts_.size() == 0) return;
  if (shifts_.size() != pairs) {
    throw std::invalid_argument(
        fmt::format("order of {} pairs, there are {}", shifts_.size(), pairs));
  }
  if (balance_ != 0) throw std::invalid_argument("order does not hold each pair once");
  if (shifts_.uniform()) return;
  const PackedSource starts = RunSource(shifts_, runs_, &OrderRun::start);
  const PackedSource firsts = RunSource(shifts_, runs_, &OrderRun::pair);
  const PackedSource all = PairSource(shifts_);
  const PackedPlan starts_plan = PlanPacked(starts);
  const PackedPlan firsts_plan = PlanPacked(firsts);
  const PackedPlan all_plan = PlanPacked(all);
  if (starts_plan.blocks + firsts_plan.blocks <= all_plan.blocks) {
    WritePacked(index, SectionType::kOrderStarts, starts, starts_plan);
    WritePacked(index, SectionType::kOrderPairs, firsts, firsts_plan);
  } else {
    WritePacked(index, SectionType::kOrder, all, all_plan);
  }
}

namespace {

struct SplitRun {
  uint64_t first = 0;  // pair
  uint64_t pairs = 0;
};

}  // namespace

SplitRuns::SplitRuns(const std::string& tmp_dir)
    : tmp_dir_(tmp_dir), runs_(tmp_dir, kSplitMemory) {}

void SplitRuns::Append(uint64_t split) {
  if (split != split_) EndRun();
  split_ = split;
  ++pairs_;
}

// The sorter keeps runs of equal splits in the order of their pairs.
void SplitRuns::EndRun() {
  if (pairs_ == start_) return;
  const auto key = static_cast<uint8_t>(split_);
  const SplitRun run{start_, pairs_ - start_};
  runs_.Add(std::as_bytes(std::span(&key, 1)), std::as_bytes(std::span(&run, 1)));
  start_ = pairs_;
}

void SplitRuns::Write(IndexWriter& index) {
  EndRun();
  Column firsts(tmp_dir_);  // pair << kSplitBits | split
  Column counts(tmp_dir_);
  counts.Append(0);
  uint64_t count = 0;
  while (const auto record = runs_.Next()) {
    const auto run = LoadAt<SplitRun>(record->payload, 0);
    firsts.Append(run.first << kSplitBits | std::to_integer<uint64_t>(record->key[0]));
    count += run.pairs;
    counts.Append(count);
  }
  const auto start = [&firsts]() -> PackedStream {
    return [cursor = Column::Cursor(firsts)]() mutable {
      const uint64_t value = cursor.Next();
      return PackedValue{value >> kSplitBits, value & 0xFF};
    };
  };
  WritePacked(index, SectionType::kSplitPairs, {firsts.size(), kSplitBits, start});
  WritePacked(index, SectionType::kSplitCounts, ColumnSource(counts));
}

}  // namespace ulhff
