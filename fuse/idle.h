// Unmounts a mount that nobody has used for a while.
#ifndef ULHFF_FUSE_IDLE_H_
#define ULHFF_FUSE_IDLE_H_

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "fuse/server.h"

namespace ulhff {

// While it lives, a thread watches the server's requests. When none came for `timeout`, and nothing
// on the mount is open, it unmounts `mountpoint`; libfuse's loop then ends by itself. A timeout of
// 0: does nothing. The kernel must not keep names longer than timeout / 4, else use goes unseen.
class IdleUnmounter {
 public:
  IdleUnmounter(const Server& server, std::string mountpoint, std::chrono::seconds timeout);
  ~IdleUnmounter();

 private:
  void Watch(std::stop_token stop);
  void Unmount() const;  // not if it is in use

  const Server& server_;
  const std::string mountpoint_;
  const std::chrono::milliseconds timeout_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses all above
};

}  // namespace ulhff

#endif  // ULHFF_FUSE_IDLE_H_
