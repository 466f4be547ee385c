// The handler only takes a note.
#include "converter/interrupt.h"

#include <fmt/format.h>

#include <atomic>

namespace ulhff {

namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
std::atomic<int> caught = 0;
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

}  // namespace

extern "C" {
static void TakeNote(int signal) { caught.store(signal, std::memory_order_relaxed); }
}

Interrupted::Interrupted(int signal)
    : std::runtime_error(fmt::format("interrupted (signal {})", signal)), signal_(signal) {}

InterruptGuard::InterruptGuard() {
  caught.store(0, std::memory_order_relaxed);
  struct sigaction action {};
  action.sa_handler = &TakeNote;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &old_[i]);
    // What the caller ignores (nohup) stays ignored.
    if (old_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &old_[i], nullptr);
  caught.store(0, std::memory_order_relaxed);
}

void CheckInterrupt() {
  if (const int signal = caught.load(std::memory_order_relaxed); signal != 0) {
    throw Interrupted(signal);
  }
}

}  // namespace ulhff
