// Verifies the blocks of the index and the invariants of its packed sections.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "asr.h"
#include "reader_sections.h"
#include "verify_report.h"

namespace ulhff {

namespace {

using Subject = Finding::Subject;

constexpr uint64_t kBlocksOfAStep = 256;

// The invariants of docs/format.md §6, section by section.
class SectionVerifier {
 public:
  SectionVerifier(const Reader& reader, VerifyReport& report)
      : info_(reader.info()), sections_(reader.sections()), report_(report) {}

  void Run() {
    using enum SectionType;
    Grows(kObjects, false, std::nullopt, std::nullopt);
    Grows(kBlobs, false, std::nullopt, std::nullopt);
    Grows(kPairStarts, true, 0, info_.pairs);
    Grows(kTexts, false, 0, info_.text_bytes);
    Grows(kDirectoryStarts, false, 0, info_.entries);
    Grows(kNameStarts, true, 0, info_.entries);
    Grows(kOrderStarts, true, 0, std::nullopt);
    Grows(kSplitCounts, true, 0, info_.pairs);
    Grows(kShardPositions, true, std::nullopt, std::nullopt);
    IsBelow(kObjectExtensions, info_.extensions.size());
    for (const SectionType times : {kObjectTimes, kTextTimes, kBlobTimes, kDirectoryTimes}) {
      report_.Scan(At(times), [](uint64_t, const PackedValue&) {});  // any value is a time
    }
    VerifyPairTree();
    VerifyOrder();
    VerifySplits();
  }

 private:
  // Values never decrease, or grow strictly, from `first` to `last`.
  void Grows(SectionType type, bool strictly, std::optional<uint64_t> first,
             std::optional<uint64_t> last);
  void IsBelow(SectionType type, uint64_t limit);
  void VerifyPairTree();
  void VerifyOrder();
  void VerifySplits();
  // Notes the pairs [first, first + count); each must be new.
  void Cover(const PackedSequence& where, uint64_t i, uint64_t first, uint64_t count);

  const PackedSequence& At(SectionType type) const { return sections_[type]; }

  const Info& info_;
  const Sections& sections_;
  VerifyReport& report_;
  std::vector<bool> covered_;  // by pair
};

void SectionVerifier::Grows(SectionType type, bool strictly, std::optional<uint64_t> first,
                            std::optional<uint64_t> last) {
  const PackedSequence& sequence = At(type);
  std::optional<uint64_t> previous;
  report_.Scan(
      sequence,
      [&](uint64_t i, const PackedValue& element) {
        const uint64_t value = element.value;
        if (previous && (value < *previous || (strictly && value == *previous))) {
          sequence.ThrowMalformed(i, fmt::format("{} after {}", value, *previous));
        }
        if (i == 0 && first && value != *first) {
          sequence.ThrowMalformed(i, fmt::format("{}, {} expected", value, *first));
        }
        if (i + 1 == sequence.size() && last && value != *last) {
          sequence.ThrowMalformed(i, fmt::format("the last is {}, {} expected", value, *last));
        }
        previous = value;
      },
      [&] { previous.reset(); });
}

void SectionVerifier::IsBelow(SectionType type, uint64_t limit) {
  const PackedSequence& sequence = At(type);
  report_.Scan(sequence, [&](uint64_t i, const PackedValue& element) {
    if (element.value >= limit) {
      sequence.ThrowMalformed(i, fmt::format("{}, less than {} expected", element.value, limit));
    }
  });
}

// Every leaf must be found by its first and by its last pair; that holds if and only if all keys on
// the way are right.
void SectionVerifier::VerifyPairTree() {
  const PackedSequence& starts = At(SectionType::kPairStarts);
  if (!starts.present()) return;
  const AvlPlusIndex tree(sections_.blocks(), starts,
                          sections_.entry(SectionType::kPairTree).first_block);
  const uint64_t objects = starts.size() - 1;
  for (uint64_t begin = 0; begin < objects; begin += starts.per_block()) {
    const uint64_t last = std::min(objects, begin + starts.per_block()) - 1;
    report_.Try(Subject::kFile, 0, starts.OffsetOf(begin), [&] {
      for (const uint64_t object : {begin, last}) {
        const PairRange pairs = tree.Pairs(object);
        if (tree.Locate(pairs.first).object != object ||
            tree.Locate(pairs.first + pairs.count - 1).object != object) {
          starts.ThrowMalformed(object, "the pair tree leads elsewhere");
        }
      }
    });
  }
}

void SectionVerifier::Cover(const PackedSequence& where, uint64_t i, uint64_t first,
                            uint64_t count) {
  if (first > info_.pairs || count > info_.pairs - first) {
    where.ThrowMalformed(i, fmt::format("pairs {}+{} of {}", first, count, info_.pairs));
  }
  for (uint64_t pair = first; pair < first + count; ++pair) {
    if (covered_[pair]) where.ThrowMalformed(i, fmt::format("pair {} stands twice", pair));
    covered_[pair] = true;
  }
}

// N values, each below N and none twice, are a permutation.
void SectionVerifier::VerifyOrder() {
  const PackedSequence& order = At(SectionType::kOrder);
  const PackedSequence& starts = At(SectionType::kOrderStarts);
  const PackedSequence& pairs = At(SectionType::kOrderPairs);
  if (order.present() || starts.present()) covered_.assign(info_.pairs, false);
  report_.Scan(order,
               [&](uint64_t i, const PackedValue& element) { Cover(order, i, element.value, 1); });
  for (uint64_t run = 0; run < starts.size(); ++run) {
    report_.Try(Subject::kFile, 0, pairs.OffsetOf(run), [&] {
      const uint64_t begin = starts.at(run).value;
      const uint64_t end = run + 1 < starts.size() ? starts.at(run + 1).value : info_.pairs;
      if (end <= begin) starts.ThrowMalformed(run, "an empty run");
      Cover(pairs, run, pairs.at(run).value, end - begin);
    });
  }
}

// Runs of together N pairs, none in two of them, hold every pair.
void SectionVerifier::VerifySplits() {
  const PackedSequence& pairs = At(SectionType::kSplitPairs);
  const PackedSequence& counts = At(SectionType::kSplitCounts);
  if (!pairs.present()) return;
  covered_.assign(info_.pairs, false);
  std::optional<PackedValue> previous;
  for (uint64_t run = 0; run < pairs.size(); ++run) {
    report_.Try(Subject::kFile, 0, pairs.OffsetOf(run), [&] {
      const PackedValue element = pairs.at(run);
      if (element.extra >= info_.splits.size()) {
        pairs.ThrowMalformed(run,
                             fmt::format("split {} of {}", element.extra, info_.splits.size()));
      }
      if (previous && (element.extra < previous->extra ||
                       (element.extra == previous->extra && element.value <= previous->value))) {
        pairs.ThrowMalformed(run, "runs out of order");
      }
      previous = element;
      Cover(pairs, run, element.value, counts.StepAt(run).length());
    });
  }
}

}  // namespace

void VerifyBlocks(const Reader& reader, unsigned threads, VerifyReport& report) {
  const IndexBlocks& blocks = reader.sections().blocks();
  const uint64_t steps = (blocks.all_blocks() + kBlocksOfAStep - 1) / kBlocksOfAStep;
  ForEachInParallel(steps, threads, [&](uint64_t step) {
    const uint64_t begin = step * kBlocksOfAStep;
    const uint64_t end = std::min(blocks.all_blocks(), begin + kBlocksOfAStep);
    for (uint64_t block = begin; block < end; ++block) {
      report.TryBlock(blocks.OffsetOf(block), [&] { blocks.Get(block); });
    }
    report.AddProgress((end - begin) * kBlockSize);
  });
}

void VerifySections(const Reader& reader, VerifyReport& report) {
  SectionVerifier(reader, report).Run();
}

}  // namespace ulhff
