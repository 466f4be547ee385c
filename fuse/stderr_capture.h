// Holds back what others write to standard error while a call is made that may fail in many voices.
#ifndef ULHFF_FUSE_STDERR_CAPTURE_H_
#define ULHFF_FUSE_STDERR_CAPTURE_H_

#include <string>

#include "ulhff/file.h"

namespace ulhff {

// libfuse logs, calls perror() and starts fusermount3, each of which may tell why a mount failed.
// Only while the process has one thread. The destructor passes on what was not taken.
class StderrCapture {
 public:
  StderrCapture();
  ~StderrCapture();
  StderrCapture(const StderrCapture&) = delete;
  StderrCapture& operator=(const StderrCapture&) = delete;

  // The first line written so far, without our own prefix; the rest is dropped.
  std::string TakeFirstLine();

 private:
  void Restore();
  std::string Contents() const;

  UniqueFd saved_;  // standard error as it was; invalid: nothing is held back
  UniqueFd file_;
};

}  // namespace ulhff

#endif  // ULHFF_FUSE_STDERR_CAPTURE_H_
