// libfuse has no call that tells whether its queues run, nor a loop that lets answers of other
// threads end before the queues do; both are made here of public calls.
#define FUSE_USE_VERSION 314
#include "rings.h"

#include <fmt/format.h>
#include <fuse_lowlevel.h>
#include <poll.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ulhff {

namespace {

// As many as a device's threads by default, over all queues together.
constexpr int kPlaces = 128;
constexpr int kMaxDepth = 32;
constexpr int kMinDepth = 4;
constexpr uint32_t kLargePayload = uint32_t{1} << 20;  // as the device's
constexpr uint32_t kSmallPayload = uint32_t{1} << 18;  // still a read-ahead of an ordinary mount
constexpr int kManyCpus = 16;

constexpr const char* kSwitch = "/sys/module/fuse/parameters/enable_uring";

std::string FirstLine(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

sigset_t EndingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

bool LibraryHasRings() { return FUSE_VERSION >= FUSE_MAKE_VERSION(3, 18); }

bool RingsTakeAnyThread() {
#ifdef ULHFF_RINGS_TAKE_ANY_THREAD
  return true;
#else
  return false;
#endif
}

std::string RingOptions() {
  const int depth = std::clamp(kPlaces / std::max(get_nprocs_conf(), 1), kMinDepth, kMaxDepth);
  return fmt::format("io_uring,io_uring_q_depth={}", depth);
}

uint32_t RingPayload() { return get_nprocs_conf() <= kManyCpus ? kLargePayload : kSmallPayload; }

bool RingsRun() {
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
    if (FirstLine(thread.path() / "comm").starts_with("fuse-ring-")) return true;
  }
  return false;
}

std::string WhyNoRings() {
  if (!LibraryHasRings()) {
    return fmt::format("built with libfuse {}, which has no io_uring (3.18 has)",
                       fuse_pkgversion());
  }
  if (!RingsTakeAnyThread()) {
    return "this libfuse would serve slow storage badly over it; transport=io_uring takes it "
           "anyway";
  }
  const std::string enabled = FirstLine(kSwitch);
  if (enabled.empty()) return "this kernel has no FUSE over io_uring (6.14 has)";
  if (enabled == "N") return fmt::format("it is off: as root, echo Y > {}", kSwitch);
  return "the kernel refused it";
}

int ServeBesideRings(fuse_session* session) {
  sigset_t open;
  sigemptyset(&open);
  fuse_buf buffer{};
  int size = 0;
  while (fuse_session_exited(session) == 0) {
    // Signals come in here and nowhere else, so none is lost between a look and a wait.
    pollfd device{.fd = fuse_session_fd(session), .events = POLLIN, .revents = 0};
    if (::ppoll(&device, 1, nullptr, &open) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    size = fuse_session_receive_buf(session, &buffer);
    if (size == -EINTR || size == -EAGAIN) continue;
    if (size <= 0) break;
    fuse_session_process_buf(session, &buffer);
  }
  std::free(buffer.mem);
  return std::min(size, 0);
}

void StopRings(fuse_session* session) {
  fuse_session_exit(session);
  fuse_session_loop(session);  // ends at once, and stops the queues
}

HeldSignals::HeldSignals() {
  const sigset_t signals = EndingSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

HeldSignals::~HeldSignals() {
  const sigset_t signals = EndingSignals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace ulhff
