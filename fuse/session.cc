// Mounts, shakes hands with the kernel, and runs libfuse's loop.
#include "session.h"

#define FUSE_USE_VERSION 314
#include <fcntl.h>
#include <fmt/format.h>
#include <fuse_lowlevel.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "fuse/idle.h"
#include "fuse/ops.h"
#include "fuse/rings.h"
#include "fuse/stderr_capture.h"
#include "ulhff/file.h"

namespace ulhff {

namespace {

struct FreeArguments {
  void operator()(fuse_args* arguments) const { fuse_opt_free_args(arguments); }
};

bool TriesRings(const MountOptions& options) {
  if (options.transport == Transport::kAuto) return LibraryHasRings() && RingsTakeAnyThread();
  return LibraryHasRings() && options.transport == Transport::kIoUring;
}

// "a,b=c" as libfuse takes it; commas and backslashes of values are escaped.
std::string JoinOptions(const MountOptions& options, const std::string& fsname) {
  char* joined = nullptr;
  const auto add = [&joined](const std::string& option) {
    if (fuse_opt_add_opt_escaped(&joined, option.c_str()) != 0) throw std::bad_alloc();
  };
  // Permissions are checked in the kernel, from attributes that it has anyway.
  for (const char* option : {"ro", "nosuid", "nodev", "noatime", "default_permissions"})
    add(option);
  for (const std::string& option : options.kernel) add(option);
  add("subtype=ulhff-fuse");  // what mount(8) looks for at a remount
  add("fsname=" + fsname);
  if (TriesRings(options)) {
    // Two options in one, so not to be escaped.
    if (fuse_opt_add_opt(&joined, RingOptions().c_str()) != 0) throw std::bad_alloc();
  }
  std::string result = joined;
  std::free(joined);
  return result;
}

fuse_session* NewSession(Server& server, const MountOptions& options, const std::string& fsname) {
  fuse_args arguments = FUSE_ARGS_INIT(0, nullptr);
  const std::unique_ptr<fuse_args, FreeArguments> owner(&arguments);
  fuse_opt_add_arg(&arguments, "ulhff-fuse");
  fuse_opt_add_arg(&arguments, "-o");
  fuse_opt_add_arg(&arguments, JoinOptions(options, fsname).c_str());
  if (options.debug) fuse_opt_add_arg(&arguments, "-d");
  const fuse_lowlevel_ops operations = FuseOperations();
  fuse_session* const session =
      fuse_session_new(&arguments, &operations, sizeof(operations), &server);
  if (session == nullptr) throw std::runtime_error("libfuse does not take these options");
  if (fuse_set_signal_handlers(session) != 0) {
    fuse_session_destroy(session);
    throw std::runtime_error("cannot set signal handlers");
  }
  return session;
}

void Mount(fuse_session* session, const std::string& mountpoint) {
  StderrCapture said;
  if (fuse_session_mount(session, mountpoint.c_str()) == 0) return;
  throw std::runtime_error(fmt::format("cannot mount on {}: {}", mountpoint, said.TakeFirstLine()));
}

// The kernel's first request is always INIT; whether it was answered well shows here, not in a
// mount that fails later.
void Handshake(fuse_session* session) {
  fuse_buf buffer{};
  int size = 0;
  do {
    size = fuse_session_receive_buf(session, &buffer);
  } while (size == -EINTR && fuse_session_exited(session) == 0);
  if (size > 0) {
    const HeldSignals held;  // by threads that start here
    fuse_session_process_buf(session, &buffer);
  }
  std::free(buffer.mem);
  if (size <= 0 || fuse_session_exited(session) != 0) {
    throw std::runtime_error(
        "the mount ended before it began (a signal, or an unknown kernel protocol)");
  }
}

// One media READ where the kernel's 128 KiB would make two. Root's privilege; without it, or where
// /sys is read-only, the mount works as it is.
void RaiseReadAhead(const std::string& mountpoint) {
  struct statx st {};
  // Nothing is asked of us, who do not serve yet.
  if (::statx(AT_FDCWD, mountpoint.c_str(), AT_STATX_DONT_SYNC, 0, &st) != 0) return;
  const std::string path =
      fmt::format("/sys/class/bdi/{}:{}/read_ahead_kb", st.stx_dev_major, st.stx_dev_minor);
  const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  constexpr std::string_view kKib = "1024";
  if (fd.valid()) [[maybe_unused]]
    const auto n = ::write(fd.get(), kKib.data(), kKib.size());
}

}  // namespace

void Session::Close::operator()(fuse_session* session) const {
  fuse_session_unmount(session);
  fuse_remove_signal_handlers(session);
  fuse_session_destroy(session);
}

Session::Session(Server& server, const MountOptions& options, const std::string& mountpoint,
                 const std::string& fsname)
    : server_(server),
      options_(options),
      mountpoint_(mountpoint),
      session_(NewSession(server, options, fsname)) {
  if (TriesRings(options)) {
    server_.slow_lane = &slow_lane_.emplace(RingsTakeAnyThread() ? options.threads : 0);
  }
  Mount(session_.get(), mountpoint);
  Handshake(session_.get());
  if (!RingsRun()) {
    server_.slow_lane = nullptr;  // nobody serves yet
    slow_lane_.reset();
    if (options.transport == Transport::kIoUring) {
      throw std::runtime_error("no FUSE over io_uring: " + WhyNoRings());
    }
  }
  RaiseReadAhead(mountpoint);
}

Session::~Session() {
  if (!slow_lane_) return;
  slow_lane_->Close();  // its answers need the queues
  StopRings(session_.get());
}

std::string Session::TransportName() const {
  if (slow_lane_) return "io_uring";
  if (options_.transport == Transport::kDevice) return "/dev/fuse";
  return fmt::format("/dev/fuse (io_uring: {})", WhyNoRings());
}

int Session::ServeDevice() {
  const std::unique_ptr<fuse_loop_config, decltype(&fuse_loop_cfg_destroy)> config(
      fuse_loop_cfg_create(), &fuse_loop_cfg_destroy);
  if (!config) throw std::bad_alloc();
  fuse_loop_cfg_set_max_threads(config.get(), options_.threads);
  fuse_loop_cfg_set_clone_fd(config.get(), options_.clone_fd ? 1 : 0);
  return fuse_session_loop_mt(session_.get(), config.get());
}

int Session::ServeRings() {
  const HeldSignals held;
  return ServeBesideRings(session_.get());
}

void Session::Run() {
  const IdleUnmounter idle(server_, mountpoint_, std::chrono::seconds(options_.idle_timeout));
  const int result = slow_lane_ ? ServeRings() : ServeDevice();
  // Positive: the signal that ended it.
  if (result < 0) throw std::runtime_error(fmt::format("cannot serve: {}", std::strerror(-result)));
}

std::string CheckMountpoint(const std::string& path, bool nonempty) {
  // mount.fuse3 has mounted already and hands over the device.
  if (path.starts_with("/dev/fd/")) return path;
  const auto refuse = [&path](const std::string& why) -> std::string {
    throw std::runtime_error(fmt::format("mountpoint {}: {}", path, why));
  };
  struct stat st {};
  struct statvfs fs {};
  // Attributes of a dead mount may still be cached; statvfs always asks whoever serves.
  if (::statvfs(path.c_str(), &fs) != 0 || ::stat(path.c_str(), &st) != 0) {
    // The second is what the first request after the end gets over io_uring.
    if (errno != ENOTCONN && errno != ECONNABORTED) return refuse(std::strerror(errno));
    return refuse(fmt::format(
        "a dead mount is there, whose process is gone; fusermount3 -u {} removes it", path));
  }
  if (!S_ISDIR(st.st_mode)) return refuse(std::strerror(ENOTDIR));
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::canonical(path, error);
  if (error) return refuse(error.message());
  const bool empty = nonempty || std::filesystem::is_empty(absolute, error) || error;
  if (!empty) {
    struct stat parent {};
    const bool mounted =
        ::stat((absolute / "..").c_str(), &parent) == 0 && parent.st_dev != st.st_dev;
    return refuse(
        mounted ? "something is mounted there (fusermount3 -u ends it, -o nonempty mounts over it)"
                : "is not empty (-o nonempty mounts over it)");
  }
  return absolute;
}

}  // namespace ulhff
