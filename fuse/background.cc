// fork, setsid, and the pipe on which the parent waits.
#include "background.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "ulhff/error.h"

namespace ulhff {

namespace {

// In the parent: the exit status to leave with.
int WaitFor(pid_t child, int pipe) {
  char ready = 0;
  ssize_t n = 0;
  do {
    n = ::read(pipe, &ready, 1);
  } while (n < 0 && errno == EINTR);
  if (n == 1) return EXIT_SUCCESS;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

}  // namespace

Background Background::Fork() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) ThrowErrno("pipe");
  UniqueFd reading(ends[0]);
  UniqueFd writing(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) ThrowErrno("fork");
  if (child > 0) {
    writing.Reset();
    ::_exit(WaitFor(child, reading.get()));
  }
  std::signal(SIGPIPE, SIG_IGN);
  return Background(std::move(writing));
}

void Background::Detach() {
  ::setsid();
  if (::chdir("/") != 0) ThrowErrno("/");
  const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null.valid()) ThrowErrno("/dev/null");
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null.get(), fd);
  if (::write(parent_.get(), "", 1) != 1) {
    throw std::runtime_error("whoever asked for the mount did not wait for it");
  }
  parent_.Reset();
}

}  // namespace ulhff
