// Where the parts of verify put what they find, from any thread.
#ifndef ULHFF_SRC_VERIFY_REPORT_H_
#define ULHFF_SRC_VERIFY_REPORT_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "error.h"
#include "index_sequence.h"
#include "reader.h"
#include "verify.h"

namespace ulhff {

class VerifyReport {
 public:
  using Subject = Finding::Subject;

  VerifyReport(const VerifyOptions& options, uint64_t total_bytes)
      : options_(options), total_bytes_(total_bytes) {}

  void Add(Subject subject, uint64_t number, uint64_t offset, const std::string& what);

  // Runs `check`; what it throws is a finding about the subject. False if it threw.
  template <typename Check>
  bool Try(Subject subject, uint64_t number, uint64_t offset, const Check& check) {
    try {
      check();
      return true;
    } catch (const FormatError& e) {
      AddError(subject, number, e);
    } catch (const std::system_error& e) {
      Add(subject, number, offset, e.what());
    }
    return false;
  }

  // Tries visit(i, PackedValue) on all elements; skips the rest of a block that is damaged or about
  // which `visit` throws. `gap` is called behind a block that was left out. True if none was.
  template <typename Visit, typename Gap>
  bool Scan(const PackedSequence& sequence, const Visit& visit, const Gap& gap);
  template <typename Visit>
  bool Scan(const PackedSequence& sequence, const Visit& visit) {
    return Scan(sequence, visit, [] {});
  }

  // Try for a block of the index: what it throws later again, about the same offset, is no finding.
  template <typename Check>
  void TryBlock(uint64_t offset, const Check& check) {
    try {
      check();
    } catch (const FormatError& e) {
      if (NoteDamaged(e.offset())) Add(Subject::kFile, 0, e.offset(), e.fault());
    } catch (const std::system_error& e) {
      Add(Subject::kFile, 0, offset, e.what());
    }
  }
  void AddProgress(uint64_t bytes);

  // Sorted by subject and number from `begin` on, as threads add in any order.
  size_t size() const { return findings_.size(); }
  void Sort(size_t begin);
  std::vector<Finding> Take() { return std::move(findings_); }

 private:
  void AddError(Subject subject, uint64_t number, const FormatError& error);
  bool NoteDamaged(uint64_t offset);  // false if it was known

  const VerifyOptions& options_;
  uint64_t total_bytes_;
  std::mutex mutex_;
  std::vector<Finding> findings_;
  std::set<uint64_t> damaged_offsets_;  // of index blocks
  uint64_t done_bytes_ = 0;
};

template <typename Visit, typename Gap>
bool VerifyReport::Scan(const PackedSequence& sequence, const Visit& visit, const Gap& gap) {
  bool whole = true;
  for (uint64_t begin = 0; begin < sequence.size(); begin += sequence.per_block()) {
    const uint64_t end = std::min(sequence.size(), begin + sequence.per_block());
    const bool ok = Try(Subject::kFile, 0, sequence.OffsetOf(begin),
                        [&] { sequence.ForEach(begin, end, visit); });
    if (!ok) gap();
    whole = whole && ok;
  }
  return whole;
}

// Calls work(i) for all i below `count` from `threads` threads, in ascending order of starting.
void ForEachInParallel(uint64_t count, unsigned threads, const std::function<void(uint64_t)>& work);

// The parts of Verify.
void VerifyBlocks(const Reader& reader, unsigned threads, VerifyReport& report);
void VerifySections(const Reader& reader, VerifyReport& report);
void VerifyNames(const Reader& reader, VerifyReport& report);
void VerifyBody(const Reader& reader, unsigned threads, VerifyReport& report);

}  // namespace ulhff

#endif  // ULHFF_SRC_VERIFY_REPORT_H_
