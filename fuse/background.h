// Turns the process into a daemon, once the mount is known to work.
#ifndef ULHFF_FUSE_BACKGROUND_H_
#define ULHFF_FUSE_BACKGROUND_H_

#include "ulhff/file.h"

namespace ulhff {

// Fork() starts a child that goes on; the parent waits for Detach() and exits with 0, or with the
// child's own exit status if the child ends before. So errors still reach the terminal, and the
// command returns when the mount is usable.
class Background {
 public:
  // Before any thread is made. Returns in the child only. Throws std::system_error.
  static Background Fork();

  // Leaves session, terminal and working directory, and lets the parent go. Throws
  // std::runtime_error if the parent is gone: whoever waited for the mount gave up.
  void Detach();

 private:
  explicit Background(UniqueFd parent) : parent_(std::move(parent)) {}

  UniqueFd parent_;
};

}  // namespace ulhff

#endif  // ULHFF_FUSE_BACKGROUND_H_
