// Runs the parts of verify one after the other and collects what they find.
#include "verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <tuple>

#include "reader_sections.h"
#include "verify_report.h"

namespace ulhff {

void VerifyReport::Add(Subject subject, uint64_t number, uint64_t offset, const std::string& what) {
  const std::lock_guard lock(mutex_);
  findings_.push_back({subject, number, offset, what});
}

bool VerifyReport::NoteDamaged(uint64_t offset) {
  const std::lock_guard lock(mutex_);
  return damaged_offsets_.insert(offset).second;
}

void VerifyReport::AddError(Subject subject, uint64_t number, const FormatError& error) {
  {
    const std::lock_guard lock(mutex_);
    if (damaged_offsets_.count(error.offset()) != 0) return;
  }
  Add(subject, number, error.offset(), error.fault());
}

void VerifyReport::AddProgress(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  done_bytes_ += bytes;
  if (options_.progress) options_.progress(std::min(done_bytes_, total_bytes_), total_bytes_);
}

void VerifyReport::Sort(size_t begin) {
  const auto key = [](const Finding& f) { return std::tuple(f.subject, f.number, f.offset); };
  std::stable_sort(findings_.begin() + static_cast<ptrdiff_t>(begin), findings_.end(),
                   [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
}

void ForEachInParallel(uint64_t count, unsigned threads,
                       const std::function<void(uint64_t)>& work) {
  std::atomic<uint64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto run = [&] {
    try {
      for (uint64_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(run);
  run();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

std::vector<Finding> Verify(const Reader& reader, const VerifyOptions& options) {
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  VerifyReport report(options, reader.info().file_bytes - reader.superblock().body_offset);
  VerifyBlocks(reader, threads, report);
  report.Sort(0);
  VerifySections(reader, report);
  VerifyNames(reader, report);
  VerifyBody(reader, threads, report);
  return report.Take();
}

}  // namespace ulhff
