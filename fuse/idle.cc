// The watching thread of the idle timeout.
#include "idle.h"

#include <signal.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace ulhff {

IdleUnmounter::IdleUnmounter(const Server& server, std::string mountpoint,
                             std::chrono::seconds timeout)
    : server_(server), mountpoint_(std::move(mountpoint)), timeout_(timeout) {
  if (timeout.count() == 0) return;
  // Signals must reach the main thread, whose wait they end.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::jthread([this](std::stop_token stop) { Watch(std::move(stop)); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

IdleUnmounter::~IdleUnmounter() = default;

void IdleUnmounter::Watch(std::stop_token stop) {
  using Clock = std::chrono::steady_clock;
  uint64_t seen = server_.requests();
  Clock::time_point since = Clock::now();
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stop, timeout_ / 4, [&stop] { return stop.stop_requested(); })) {
    const uint64_t now_seen = server_.requests();
    if (std::exchange(seen, now_seen) != now_seen) {
      since = Clock::now();
    } else if (Clock::now() - since >= timeout_) {
      Unmount();
    }
  }
}

void IdleUnmounter::Unmount() const {
  if (::umount2(mountpoint_.c_str(), UMOUNT_NOFOLLOW) == 0) return;
  std::array<std::string, 5> words{"fusermount3", "-u", "-q", "--", mountpoint_};
  std::array<char*, 6> arguments{};
  for (size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  pid_t child = 0;
  if (posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) == 0) {
    ::waitpid(child, nullptr, 0);
  }
}

}  // namespace ulhff
