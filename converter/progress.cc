// Draws the bar with a carriage return, at most ten times a second.
#include "converter/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "converter/output.h"

namespace ulhff {

namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr auto kRedraw = milliseconds(100);
constexpr auto kLine = seconds(5);
constexpr unsigned kMaxWidth = 100;
constexpr unsigned kMinBar = 10;
constexpr std::string_view kClearLine = "\r\x1b[K";
// A rate of the first moments says nothing.
constexpr double kMinSeconds = 0.5;

void WriteToStderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

unsigned TerminalWidth() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string Bar(double part, unsigned width) {
  const auto full = static_cast<unsigned>(part * width);
  std::string bar;
  for (unsigned i = 0; i < width; ++i) bar += i < full ? "█" : "░";
  return bar;
}

}  // namespace

Progress::Progress(bool quiet)
    : Progress(quiet                       ? Mode::kQuiet
               : IsTerminal(STDERR_FILENO) ? Mode::kBar
                                           : Mode::kLines,
               {&WriteToStderr, &TerminalWidth, &Clock::now}) {}

Progress::Progress(Mode mode, Environment environment)
    : mode_(mode), environment_(std::move(environment)) {}

void Progress::Stage(std::string_view name, uint64_t total, Unit unit) {
  if (mode_ == Mode::kQuiet) return;
  Clear();
  stage_ = name;
  total_ = total;
  unit_ = unit;
  done_ = 0;
  start_ = environment_.now();
  next_ = start_ + (mode_ == Mode::kBar ? kRedraw : Clock::duration(kLine));
}

void Progress::Advance(uint64_t amount) {
  done_ += amount;
  if (mode_ == Mode::kQuiet) return;
  if (const auto now = environment_.now(); now >= next_) Show(now);
}

void Progress::Clear() {
  if (visible_) environment_.write(kClearLine);
  visible_ = false;
}

void Progress::Show(Clock::time_point now) {
  if (mode_ == Mode::kLines) {
    environment_.write(Text(now) + "\n");
    next_ = now + kLine;
    return;
  }
  const std::string text = Text(now);
  const unsigned width = std::min(environment_.width(), kMaxWidth) - 1;
  std::string line(kClearLine);
  if (total_ > 0 && text.size() + 1 + kMinBar <= width) {
    const double part = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
    line += Bar(part, width - static_cast<unsigned>(text.size()) - 1) + " ";
  }
  environment_.write(line + text.substr(0, width));
  visible_ = true;
  next_ = now + kRedraw;
}

// ASCII only: its length is its width.
std::string Progress::Text(Clock::time_point now) const {
  const auto format = [this](uint64_t n) {
    return unit_ == Unit::kBytes ? ReadableSize(n) : GroupedNumber(n);
  };
  std::string text = fmt::format("{} {}", stage_, format(done_));
  if (total_ > 0) text += fmt::format(" of {}", format(total_));
  const double elapsed = duration<double>(now - start_).count();
  if (elapsed < kMinSeconds) return text;
  const double rate = static_cast<double>(done_) / elapsed;
  text += fmt::format(", {}/s", format(static_cast<uint64_t>(rate)));
  if (total_ > done_ && rate > 0) {
    text += fmt::format(", {} left", FormatTime(static_cast<double>(total_ - done_) / rate));
  }
  return text;
}

std::string FormatTime(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace ulhff
