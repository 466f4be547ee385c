// Children, their output, and whether something is mounted.
#include "mount_fixture.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "ulhff/file.h"

namespace ulhff {

namespace {

namespace fs = std::filesystem;
constexpr auto kPatience = std::chrono::seconds(20);  // sanitizers and busy machines are slow

template <typename Condition>
bool WaitFor(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

int ExitStatus(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void BecomeUser(uid_t user) {
  if (::setgroups(0, nullptr) != 0 || ::setgid(user) != 0 || ::setuid(user) != 0) ::_exit(126);
}

// In the child: never returns.
[[noreturn]] void Exec(const std::vector<std::string>& words, const CommandOptions& options,
                       int out, int err) {
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  if (options.user) BecomeUser(*options.user);
  if (::chdir(options.directory.c_str()) != 0) ::_exit(126);
  std::vector<std::string> copy = words;
  std::vector<char*> arguments(words.size() + 1);
  std::transform(copy.begin(), copy.end(), arguments.begin(),
                 [](std::string& word) { return word.data(); });
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

pid_t Spawn(const std::vector<std::string>& words, const CommandOptions& options,
            const fs::path& out, const fs::path& err) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  const UniqueFd out_fd(::open(out.c_str(), kFlags, 0644));
  const UniqueFd err_fd(::open(err.c_str(), kFlags, 0644));
  const pid_t pid = ::fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid == 0) Exec(words, options, out_fd.get(), err_fd.get());
  return pid;
}

}  // namespace

std::optional<std::string> WhyNoMount(bool user) {
  if (::access("/dev/fuse", R_OK | W_OK) != 0) return "/dev/fuse is missing or closed to us";
  if (user || ::geteuid() != 0) {
    if (RunCommand({"fusermount3", "--version"}).status != 0) return "fusermount3 is missing";
  }
  return std::nullopt;
}

CommandResult RunCommand(const std::vector<std::string>& words, const CommandOptions& options) {
  const PublicDir temp;
  const fs::path out = temp / "out";
  const fs::path err = temp / "err";
  const pid_t pid = Spawn(words, options, out, err);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return {.status = ExitStatus(status), .out = ReadFile(out), .err = ReadFile(err)};
}

std::string FuseProgram() {
  const char* const other = std::getenv("ULHFF_FUSE_PROGRAM");
  return other != nullptr ? other : ULHFF_BIN_DIR "/ulhff-fuse";
}

bool IsMounted(const fs::path& directory) {
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string id, parent, device, root, point;
    words >> id >> parent >> device >> root >> point;
    if (point == directory) return true;
  }
  return false;
}

bool WaitUntilMounted(const fs::path& directory, bool mounted) {
  return WaitFor([&] { return IsMounted(directory) == mounted; });
}

Mount::Mount(const fs::path& file, const std::vector<std::string>& arguments,
             std::optional<uid_t> user)
    : path_(temp_ / "mnt") {
  fs::create_directory(path_);
  if (user && ::chown(path_.c_str(), *user, *user) != 0) throw std::runtime_error("chown");
  std::vector<std::string> words{FuseProgram(), "-f", file, path_};
  words.insert(words.end(), arguments.begin(), arguments.end());
  pid_ = Spawn(words, {.user = user}, temp_ / "out", temp_ / "err");
  // The daemon says what it shows once it is mounted.
  const bool up = WaitFor([this] {
    return CountInLog(" on " + path_.string() + ": ") > 0 || ::waitpid(pid_, nullptr, WNOHANG) != 0;
  });
  if (!up || !IsMounted(path_)) throw std::runtime_error("not mounted: " + Log());
}

Mount::~Mount() {
  // A sanitizer's findings in the daemon show here.
  if (pid_ > 0) {
    EXPECT_EQ(Stop(SIGTERM), 0) << Log();
  }
}

std::string Mount::Log() const { return ReadFile(temp_.path() / "err"); }

size_t Mount::CountInLog(const std::string& text) const {
  const std::string log = Log();
  size_t count = 0;
  for (size_t at = log.find(text); at != std::string::npos; at = log.find(text, at + 1)) ++count;
  return count;
}

int Mount::Stop(int signal) {
  if (signal != 0) ::kill(pid_, signal);
  int status = 0;
  const bool ended = WaitFor([&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; });
  if (!ended) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status, 0);
  }
  pid_ = -1;
  return ExitStatus(status);
}

std::string ReadFile(const fs::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) throw std::system_error(errno, std::generic_category(), path);
  std::string bytes;
  std::string part(1 << 17, '\0');
  while (true) {
    const ssize_t n = ::read(fd.get(), part.data(), part.size());
    if (n < 0) throw std::system_error(errno, std::generic_category(), path);
    if (n == 0) return bytes;
    bytes.append(part, 0, static_cast<size_t>(n));
  }
}

int OpenErrno(const fs::path& path, int flags) {
  const UniqueFd fd(::open(path.c_str(), flags | O_CLOEXEC, 0644));
  return fd.valid() ? 0 : errno;
}

}  // namespace ulhff
