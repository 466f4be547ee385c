// The handlers of StopSignals.
#include "stop_signals.h"

#include <csignal>
#include <initializer_list>

namespace ulhff {

namespace {

volatile std::sig_atomic_t noted_signal = 0;

extern "C" void NoteSignal(int signal) { noted_signal = signal; }

}  // namespace

StopSignals::StopSignals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = NoteSignal;
    // A second signal ends the program at once: whoever sends it does not want to wait.
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &action, nullptr);
  }
}

void StopSignals::Check() const {
  if (noted_signal != 0) throw Stopped(noted_signal);
}

}  // namespace ulhff
