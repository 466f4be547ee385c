// One mount: from mount(2) or fusermount3 until it is unmounted or a signal ends it.
#ifndef ULHFF_FUSE_SESSION_H_
#define ULHFF_FUSE_SESSION_H_

#include <memory>
#include <string>

#include "fuse/options.h"
#include "fuse/server.h"

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

  // Serves until the mount is gone or a signal comes. Throws std::runtime_error.
  void Run();

 private:
  struct Close {
    void operator()(fuse_session* session) const;
  };

  Server& server_;
  const MountOptions& options_;
  const std::string mountpoint_;
  std::unique_ptr<fuse_session, Close> session_;
};

// The absolute path of a directory that can be mounted over; throws std::runtime_error with one
// line if it is missing, no directory, or (unless `nonempty`) not empty.
std::string CheckMountpoint(const std::string& path, bool nonempty);

}  // namespace ulhff

#endif  // ULHFF_FUSE_SESSION_H_
