// Lets a long command end cleanly on SIGINT, SIGTERM or SIGHUP.
#ifndef ULHFF_CONVERTER_INTERRUPT_H_
#define ULHFF_CONVERTER_INTERRUPT_H_

#include <signal.h>

#include <array>
#include <stdexcept>

namespace ulhff {

class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(int signal);
  int signal() const { return signal_; }

 private:
  int signal_;
};

// While it lives, the first of these signals makes CheckInterrupt throw; a second one ends the
// process at once. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  std::array<struct sigaction, 3> old_{};
};

// Throws Interrupted if a signal has come. Costs one relaxed load.
void CheckInterrupt();

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_INTERRUPT_H_
