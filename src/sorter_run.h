// Sorted runs of a Sorter: records held in memory, runs in spill files, and the merge of runs.
#ifndef ULHFF_SRC_SORTER_RUN_H_
#define ULHFF_SRC_SORTER_RUN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "bytes.h"
#include "file.h"
#include "sorter.h"

namespace ulhff {

// Where the records of one run lie in a spill file.
struct RunRange {
  uint64_t offset = 0;
  uint64_t end = 0;
};

// Records as they lie in memory and in spill files: two u32 sizes, key, payload.
struct RecordHead {
  uint32_t key_size = 0;
  uint32_t payload_size = 0;
};
Sorter::Record RecordAt(const std::byte* head);

// Negative, 0 or positive, as memcmp; a prefix is less than what it begins.
int CompareKeys(ByteSpan a, ByteSpan b);

// Appends runs to one spill file, which is made when first needed.
class RunFile {
 public:
  explicit RunFile(std::string dir) : dir_(std::move(dir)) {}
  void Append(const Sorter::Record& record);
  void EndRun();  // the records since the last EndRun are a run
  const std::vector<RunRange>& runs() const { return runs_; }
  int fd() const { return file_.get(); }
  const std::string& dir() const { return dir_; }

 private:
  void Put(ByteSpan bytes);
  void Flush();
  std::string dir_;
  UniqueFd file_;
  std::vector<std::byte> buffer_;
  uint64_t flushed_ = 0;
  uint64_t run_start_ = 0;
  std::vector<RunRange> runs_;
};

// Reads one run. `file` must outlive it.
class RunReader {
 public:
  static constexpr size_t kBufferSize = size_t{64} << 10;
  RunReader(const RunFile& file, RunRange range) : file_(&file), range_(range) {}
  bool Advance();  // to the first or next record; false at the end
  const Sorter::Record& record() const { return record_; }  // valid until Advance

 private:
  void Need(size_t size);  // makes `size` bytes from used_ on available
  const RunFile* file_;
  RunRange range_;
  std::vector<std::byte> buffer_;
  size_t used_ = 0;
  Sorter::Record record_;
};

// Merges runs [first, first + count) of `file`, which must outlive it; earlier runs win ties.
class RunMerger {
 public:
  RunMerger(const RunFile& file, size_t first, size_t count);
  RunMerger(const RunMerger&) = delete;  // queue_ points at readers_
  RunMerger& operator=(const RunMerger&) = delete;
  std::optional<Sorter::Record> Next();  // valid until the next call

 private:
  struct Later {
    const std::vector<RunReader>* readers;
    bool operator()(size_t a, size_t b) const;
  };
  std::vector<RunReader> readers_;
  std::priority_queue<size_t, std::vector<size_t>, Later> queue_;
  std::optional<size_t> current_;  // the reader whose record was returned last
};

}  // namespace ulhff

#endif  // ULHFF_SRC_SORTER_RUN_H_
