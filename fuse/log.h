// Where the daemon's messages go: standard error, or syslog once it runs in the background.
#ifndef ULHFF_FUSE_LOG_H_
#define ULHFF_FUSE_LOG_H_

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_set>

namespace ulhff {

enum class LogLevel : uint8_t { kError, kInfo, kDebug };

// One line, whatever bytes `message` holds. Thread-safe.
void Log(LogLevel level, std::string_view message);

void LogToSyslog();    // from now on
void LogForLibfuse();  // libfuse's own messages come here too

// Keeps a damaged file from filling the log: one line for each place, and no more than
// kLinesPerMinute in all. Thread-safe; locks only when there is something to report.
class FaultLog {
 public:
  static constexpr unsigned kLinesPerMinute = 60;

  // Whether a fault at `place` (any number that tells places apart) is to be logged now.
  bool Admit(uint64_t place);

 private:
  static constexpr size_t kMaxPlaces = 4096;  // then they are forgotten: the memory is bounded

  std::mutex mutex_;
  std::unordered_set<uint64_t> places_;
  std::chrono::steady_clock::time_point minute_{};
  unsigned lines_ = 0;  // in this minute
};

}  // namespace ulhff

#endif  // ULHFF_FUSE_LOG_H_
