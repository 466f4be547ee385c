// The text of ulhff-fuse --help.
#include <fmt/format.h>

#include <iterator>

#include "options.h"
#include "ulhff/tree_options.h"

namespace ulhff {

namespace {

constexpr const char* kHead = R"(Usage: ulhff-fuse [OPTIONS] FILE MOUNTPOINT
Mount a ULHFF dataset as a read-only tree of plain files.

  -f, --foreground       stay in the foreground and log to standard error
  -d, --debug            as -f, and log every request
  -s, --single           serve with one thread, as threads=1
  -o NAME[=VALUE][,...]  any of the options below, as in fstab
  -h, --help             show this help
  -V, --version          show the versions of program, format and libfuse

Options, each also as --NAME[=VALUE]:
)";

constexpr const char* kTail =
    R"(  uid=N gid=N            owner of everything (the mounting user)
  umask=M fmask=M dmask=M  octal, taken from 0444 of files and 0555 of directories (0)
  xattr                  show numbers of objects, texts and blobs as user.ulhff.*
  io=HOW                 auto, direct, uncached or buffered reads of FILE (auto)
  pool=MIB               memory for objects that were read (16), beside 8 for texts
  whole_object=MIB       objects up to this size are read whole (4; 0: none)
  threads=N clone_fd     threads at most (128); a device descriptor for each
  transport=HOW          auto, device (/dev/fuse) or io_uring (auto)
  idle_timeout=SECONDS   unmount when unused for so long (0: never)
  nonempty               mount over a directory that is not empty
  fsname=TEXT            what df shows (the absolute path of FILE)
  allow_other allow_root auto_unmount noexec
  context=C fscontext=C defcontext=C rootcontext=C    as in mount.fuse3(8)

Examples:  ulhff-fuse photos.ulhff /mnt/photos      fusermount3 -u /mnt/photos
Exit status: 0 mounted, 1 cannot read or mount, 2 usage, 3 FILE is malformed. See ulhff-fuse(1).
)";

}  // namespace

std::string MountHelp() {
  std::string help = kHead;
  for (const TreeOptionHelp& option : TreeOptionList()) {
    const std::string name =
        option.argument == nullptr ? option.key : fmt::format("{}={}", option.key, option.argument);
    fmt::format_to(std::back_inserter(help), "  {:<22} {}\n", name, option.summary);
  }
  return help + kTail;
}

}  // namespace ulhff
