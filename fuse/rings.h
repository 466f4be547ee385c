// FUSE over io_uring: whether it is there, how large its buffers are, and how it is served.
// Kernel: Documentation/filesystems/fuse-io-uring.rst (since 6.14); libfuse: since 3.18.
#ifndef ULHFF_FUSE_RINGS_H_
#define ULHFF_FUSE_RINGS_H_

#include <cstdint>
#include <string>

struct fuse_session;

namespace ulhff {

// Whether libfuse can; the kernel says in its first request whether it does.
bool LibraryHasRings();
// Whether libfuse's queues may be answered by other threads than their own. libfuse 3.18.3 stops
// serving when that is done under load, unless it is mended (cmake/patch_libfuse.cmake).
bool RingsTakeAnyThread();
// Options for libfuse that ask for it; one queue a CPU, so many requests each.
std::string RingOptions();
// Bytes of the largest reply. Each place in a queue has a buffer of this size, so large nodes get
// smaller ones; memory is used when a reply first fills it.
uint32_t RingPayload();
// After the kernel's first request was answered: whether libfuse's queues are running.
bool RingsRun();
// Why they are not, for the user.
std::string WhyNoRings();

// The kernel's requests that do not go over io_uring, until the mount is gone or a signal ends it.
// Signals must be blocked. Returns what fuse_session_loop would; the queues still run then.
int ServeBesideRings(fuse_session* session);
void StopRings(fuse_session* session);

// SIGINT, SIGTERM and SIGHUP wait while this lives; threads started meanwhile never get them.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
};

}  // namespace ulhff

#endif  // ULHFF_FUSE_RINGS_H_
