// One mount: from mount(2) or fusermount3 until it is unmounted or a signal ends it.
#ifndef ULHFF_FUSE_SESSION_H_
#define ULHFF_FUSE_SESSION_H_

#include <memory>
#include <optional>
#include <string>

#include "fuse/options.h"
#include "fuse/server.h"
#include "fuse/slow_lane.h"

struct fuse_session;

namespace ulhff {

class Session {
 public:
  // Mounts, and returns when requests can be served. `mountpoint` is absolute, `fsname` what df
  // shows; `server` must outlive the session. Throws std::runtime_error with one line; nothing is
  // mounted then. From here on SIGINT, SIGTERM and SIGHUP end Run(). The destructor unmounts,
  // lazily if the mount is in use.
  Session(Server& server, const MountOptions& options, const std::string& mountpoint,
          const std::string& fsname);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // How requests come, in words.
  std::string TransportName() const;

  // Serves until the mount is gone or a signal comes. Throws std::runtime_error.
  void Run();

 private:
  int ServeDevice();
  int ServeRings();
  struct Close {
    void operator()(fuse_session* session) const;
  };

  Server& server_;
  const MountOptions& options_;
  const std::string mountpoint_;
  std::unique_ptr<fuse_session, Close> session_;
  std::optional<SlowLane> slow_lane_;  // present: requests come over io_uring
};

// The absolute path of a directory that can be mounted over; throws std::runtime_error with one
// line if it is missing, no directory, or (unless `nonempty`) not empty.
std::string CheckMountpoint(const std::string& path, bool nonempty);

}  // namespace ulhff

#endif  // ULHFF_FUSE_SESSION_H_
