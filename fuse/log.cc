// Log lines to standard error or syslog(3), and the limit on lines about faults.
#define FUSE_USE_VERSION 314
#include "log.h"

#include <fmt/format.h>
#include <fuse_lowlevel.h>
#include <syslog.h>

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <iterator>
#include <string>

namespace ulhff {

namespace {

std::atomic<bool> to_syslog{false};

// Names are any bytes: a newline in one must not make two lines of a message.
std::string OneLine(std::string_view message) {
  std::string line;
  line.reserve(message.size());
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      fmt::format_to(std::back_inserter(line), "\\x{:02x}", byte);
    } else {
      line += c;
    }
  }
  return line;
}

int Priority(LogLevel level) {
  switch (level) {
    case LogLevel::kError:
      return LOG_ERR;
    case LogLevel::kInfo:
      return LOG_INFO;
    default:
      return LOG_DEBUG;
  }
}

__attribute__((format(printf, 2, 0))) void FromLibfuse(fuse_log_level level, const char* format,
                                                       va_list arguments) {
  std::array<char, 1024> text{};
  const int length = std::vsnprintf(text.data(), text.size(), format, arguments);
  if (length <= 0) return;
  std::string_view message(text.data());
  while (!message.empty() && message.back() == '\n') message.remove_suffix(1);
  Log(level == FUSE_LOG_DEBUG ? LogLevel::kDebug : LogLevel::kError, message);
}

}  // namespace

void Log(LogLevel level, std::string_view message) {
  const std::string line = OneLine(message);
  if (to_syslog) {
    syslog(Priority(level), "%s", line.c_str());
  } else {
    fmt::print(stderr, "ulhff-fuse: {}\n", line);
  }
}

void LogToSyslog() {
  openlog("ulhff-fuse", LOG_PID, LOG_DAEMON);
  to_syslog = true;
}

void LogForLibfuse() { fuse_set_log_func(FromLibfuse); }

bool FaultLog::Admit(uint64_t place) {
  const std::lock_guard lock(mutex_);
  if (places_.contains(place)) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - minute_ >= std::chrono::minutes(1)) {
    minute_ = now;
    lines_ = 0;
  }
  if (lines_ == kLinesPerMinute) {
    Log(LogLevel::kError, "more faults within this minute are not shown");
  }
  if (++lines_ > kLinesPerMinute) return false;
  if (places_.size() == kMaxPlaces) places_.clear();
  places_.insert(place);
  return true;
}

}  // namespace ulhff
