// Lets a command clean up when it is interrupted.
#ifndef ULHFF_CONVERTER_STOP_SIGNALS_H_
#define ULHFF_CONVERTER_STOP_SIGNALS_H_

namespace ulhff {

// Thrown where a command was asked to stop; main() ends the program by the same signal, once
// destructors have removed what is unfinished.
class Stopped {
 public:
  explicit Stopped(int signal) : signal_(signal) {}
  int signal() const { return signal_; }

 private:
  int signal_;
};

// From the constructor on, SIGINT, SIGTERM and SIGHUP are only noted (unless they were ignored, as
// under nohup). For the rest of the program; one per program.
class StopSignals {
 public:
  StopSignals();
  void Check() const;  // throws Stopped
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_STOP_SIGNALS_H_
