// ulhff-fuse: mounts a ULHFF file. Exit status: 0 mounted, 1 cannot read or mount, 2 usage, 3 the
// file is malformed.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#define FUSE_USE_VERSION 314
#include <fuse_lowlevel.h>

#include "fuse/background.h"
#include "fuse/log.h"
#include "fuse/options.h"
#include "fuse/server.h"
#include "fuse/session.h"
#include "ulhff/error.h"
#include "ulhff/pool.h"
#include "ulhff/reader.h"
#include "ulhff/tree.h"

namespace {

using ulhff::MountOptions;

enum ExitStatus : int { kMounted = 0, kFailed = 1, kUsage = 2, kMalformed = 3 };

void PrintVersions() {
  fmt::print("ulhff-fuse {}\nULHFF format {}.{}\nlibfuse {}\n", ULHFF_VERSION, ulhff::kMajorVersion,
             ulhff::kMinorVersion, fuse_pkgversion());
}

ulhff::Presentation PresentationOf(const MountOptions& options) {
  ulhff::Presentation presentation;
  presentation.uid = options.uid;
  presentation.gid = options.gid;
  presentation.file_mode = options.file_mode();
  presentation.directory_mode = options.directory_mode();
  presentation.xattr = options.xattr;
  if (options.idle_timeout > 0) presentation.timeout = options.idle_timeout / 4.0;
  return presentation;
}

// Returns when the mount is gone. Paths are made absolute before the working directory changes.
void Serve(const MountOptions& options) {
  ulhff::LogForLibfuse();
  const std::string file = std::filesystem::absolute(options.file);
  std::optional<ulhff::Background> background;
  if (!options.foreground) background = ulhff::Background::Fork();

  const auto reader = ulhff::Reader::Open(file, options.reader);
  const ulhff::Tree tree(reader, options.tree);
  ulhff::ObjectPool pool(reader, options.pool);
  ulhff::Server server(reader, tree, pool, PresentationOf(options));
  const std::string mountpoint = ulhff::CheckMountpoint(options.mountpoint, options.nonempty);
  const std::string fsname =
      options.fsname.empty() ? std::filesystem::canonical(file).string() : options.fsname;
  ulhff::Session session(server, options, mountpoint, fsname);

  const std::string shown = fmt::format("{} on {}: {}", fsname, mountpoint, tree.Description());
  if (background) {
    Log(ulhff::LogLevel::kInfo, fmt::format("{}; fusermount3 -u {} ends it", shown, mountpoint));
    background->Detach();
    ulhff::LogToSyslog();
  }
  Log(ulhff::LogLevel::kInfo, shown);
  Log(ulhff::LogLevel::kInfo, "requests come over " + session.TransportName());
  session.Run();
}

int Fail(ExitStatus status, std::string_view message) {
  Log(ulhff::LogLevel::kError, message);
  return status;
}

int ServeOrFail(const MountOptions& options) {
  try {
    Serve(options);
    return kMounted;
  } catch (const ulhff::FormatError& error) {
    return Fail(kMalformed, error.what());
  }
}

int Run(const std::vector<std::string>& arguments) {
  const MountOptions options = ulhff::ParseMountOptions(arguments);
  if (options.help) {
    fmt::print("{}", ulhff::MountHelp());
  } else if (options.version) {
    PrintVersions();
  } else {
    return ServeOrFail(options);
  }
  return kMounted;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run({argv + 1, argv + argc});
  } catch (const std::invalid_argument& error) {
    return Fail(kUsage, fmt::format("{} (try --help)", error.what()));
  } catch (const std::exception& error) {
    return Fail(kFailed, error.what());
  }
}
