// Runs ulhff-fuse for mount tests: as a child in the foreground, or as a command of its own.
#ifndef ULHFF_TESTS_MOUNT_FIXTURE_H_
#define ULHFF_TESTS_MOUNT_FIXTURE_H_

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/sample_dataset.h"

namespace ulhff {

// Why nothing can be mounted here; nullopt: it can. `user`: through fusermount3.
std::optional<std::string> WhyNoMount(bool user = false);

#define ULHFF_SKIP_WITHOUT_FUSE() \
  if (const auto why = ::ulhff::WhyNoMount()) GTEST_SKIP() << *why

struct CommandResult {
  int status = -1;  // exit status, or 128 + signal
  std::string out;
  std::string err;
};

struct CommandOptions {
  std::optional<uid_t> user;              // and group of the same number
  std::filesystem::path directory = "/";  // to run in
};

// Runs `words` to its end, without a shell.
CommandResult RunCommand(const std::vector<std::string>& words, const CommandOptions& options = {});

std::string FuseProgram();  // path of ulhff-fuse: this build's, or $ULHFF_FUSE_PROGRAM
bool IsMounted(const std::filesystem::path& directory);  // by /proc/self/mountinfo
// Waits up to some seconds until it is as wanted.
bool WaitUntilMounted(const std::filesystem::path& directory, bool mounted);

// `ulhff-fuse -f FILE MOUNTPOINT ARGUMENTS...`, mounted until the object goes.
class Mount {
 public:
  explicit Mount(const std::filesystem::path& file, const std::vector<std::string>& arguments = {},
                 std::optional<uid_t> user = std::nullopt);
  ~Mount();
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  pid_t pid() const { return pid_; }
  std::string Log() const;  // its standard error so far
  size_t CountInLog(const std::string& text) const;

  // Sends `signal` (0: none) and waits for the end. The exit status, or 128 + signal.
  int Stop(int signal);

 private:
  PublicDir temp_;
  std::filesystem::path path_;
  pid_t pid_ = -1;
};

std::string ReadFile(const std::filesystem::path& path);      // throws std::system_error
int OpenErrno(const std::filesystem::path& path, int flags);  // 0: it could be opened

}  // namespace ulhff

#endif  // ULHFF_TESTS_MOUNT_FIXTURE_H_
