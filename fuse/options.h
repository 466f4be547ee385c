// The command line of ulhff-fuse: every mount option as --name=value and as -o name=value.
#ifndef ULHFF_FUSE_OPTIONS_H_
#define ULHFF_FUSE_OPTIONS_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ulhff/pool.h"
#include "ulhff/reader.h"
#include "ulhff/tree.h"

namespace ulhff {

enum class Transport : uint8_t {
  kAuto,     // io_uring where kernel and libfuse offer it, else the device
  kDevice,   // /dev/fuse
  kIoUring,  // or no mount
};

struct MountOptions {
  std::string file;
  std::string mountpoint;
  bool help = false;
  bool version = false;
  bool foreground = false;
  bool debug = false;

  // what is shown
  TreeOptions tree;
  uid_t uid;  // the mounting user
  gid_t gid;
  mode_t umask = 0;  // taken from 0444 and 0555
  std::optional<mode_t> fmask;
  std::optional<mode_t> dmask;
  bool xattr = false;

  // how it is read
  ReaderOptions reader{.mode = ReadMode::kDirect};  // the kernel caches what the mount shows
  PoolOptions pool;
  unsigned threads = 128;  // at most
  bool clone_fd = false;
  Transport transport = Transport::kAuto;

  // the mount
  unsigned idle_timeout = 0;  // seconds; 0: stay mounted
  bool nonempty = false;
  std::string fsname;               // empty: the absolute path of `file`
  std::vector<std::string> kernel;  // options for libfuse as they are: "allow_other"

  MountOptions();
  mode_t file_mode() const { return 0444 & ~fmask.value_or(umask); }
  mode_t directory_mode() const { return 0555 & ~dmask.value_or(umask); }
};

// `arguments` without the program's name. Throws std::invalid_argument with one line for the user.
MountOptions ParseMountOptions(const std::vector<std::string>& arguments);

// The names that ParseMountOptions takes as --name and -o name, without those that fstab brings and
// that mean nothing here.
std::vector<std::string> MountOptionNames();

std::string MountHelp();

}  // namespace ulhff

#endif  // ULHFF_FUSE_OPTIONS_H_
