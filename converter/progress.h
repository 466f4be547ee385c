// Shows how far a long command is: a bar on a terminal, a line now and then elsewhere.
#ifndef ULHFF_CONVERTER_PROGRESS_H_
#define ULHFF_CONVERTER_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace ulhff {

// Debian 12 has no progress bar library for C++. One thread only.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Mode : uint8_t { kQuiet, kBar, kLines };
  enum class Unit : uint8_t { kCount, kBytes };

  // To standard error. A bar if that is a terminal; `quiet` shows nothing.
  explicit Progress(bool quiet);
  // For tests: where the text goes, how wide the terminal is, what time it is.
  struct Environment {
    std::function<void(std::string_view)> write;
    std::function<unsigned()> width;
    std::function<Clock::time_point()> now;
  };
  Progress(Mode mode, Environment environment);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Begins a stage, "scanning" or "copying". `total` 0: not known.
  void Stage(std::string_view name, uint64_t total, Unit unit);
  void Advance(uint64_t amount);
  // Removes the bar, so that other text can be written.
  void Clear();

 private:
  void Show(Clock::time_point now);
  std::string Text(Clock::time_point now) const;

  Mode mode_;
  Environment environment_;
  std::string stage_;
  Unit unit_ = Unit::kCount;
  uint64_t total_ = 0;
  uint64_t done_ = 0;
  bool visible_ = false;
  Clock::time_point start_;
  Clock::time_point next_;  // do not show anything before
};

// "0.4 s", "12 s", "3:07", "1:02:03"
std::string FormatTime(double seconds);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PROGRESS_H_
