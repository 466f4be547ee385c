// The *at() system calls behind TargetDirectory and TargetFile.
#include "target_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>

#include "printable.h"
#include "ulhff/error.h"
#include "ulhff/writer_publish.h"

namespace ulhff {

namespace {

constexpr int kDirectoryFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr int64_t kNsPerSecond = 1'000'000'000;

// A malformed file must not lead out of the target by its names.
std::string Checked(std::string_view name) {
  const bool special = name.empty() || name == "." || name == "..";
  if (special || name.find('/') != std::string_view::npos ||
      name.find('\0') != std::string_view::npos)
    ThrowErrno(EINVAL, fmt::format("'{}' is no file name", Printable(name, kWholePath)));
  return std::string(name);
}

constexpr std::string_view kTemporaryPrefix = ".ulhff-export.";

// A name that nobody uses: taken ones are skipped by O_EXCL and EEXIST.
std::string TemporaryName() {
  static std::atomic<uint64_t> counter{0};
  return fmt::format("{}{}.{}", kTemporaryPrefix, ::getpid(), counter++);
}

bool IsTemporaryName(std::string_view name) {
  if (!name.starts_with(kTemporaryPrefix)) return false;
  name.remove_prefix(kTemporaryPrefix.size());
  const size_t dot = name.find('.');
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return dot != std::string_view::npos && is_number(name.substr(0, dot)) &&
         is_number(name.substr(dot + 1));
}

void SetTimes(int fd, int64_t mtime_ns, const std::string& path) {
  const int64_t below = mtime_ns % kNsPerSecond < 0 ? 1 : 0;
  timespec mtime{};
  mtime.tv_sec = static_cast<time_t>(mtime_ns / kNsPerSecond - below);
  mtime.tv_nsec = static_cast<long>(mtime_ns % kNsPerSecond + below * kNsPerSecond);
  const timespec times[2] = {{0, UTIME_OMIT}, mtime};
  if (::futimens(fd, times) != 0) ThrowErrno(path);
}

}  // namespace

TargetDirectory TargetDirectory::OpenRoot(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) {
    ThrowErrno(errno == ENOENT ? "the directory of " + path : path);
  }
  UniqueFd fd(::open(path.c_str(), kDirectoryFlags));
  if (!fd.valid()) ThrowErrno(path);
  return TargetDirectory(std::move(fd), path);
}

TargetDirectory TargetDirectory::Open(std::string_view name, bool make) const {
  const std::string checked = Checked(name);
  if (make && ::mkdirat(fd_.get(), checked.c_str(), 0777) != 0 && errno != EEXIST)
    ThrowErrno(PathOf(name));
  UniqueFd fd(::openat(fd_.get(), checked.c_str(), kDirectoryFlags | O_NOFOLLOW));
  // A link is ENOTDIR here, and as wrong as a file is.
  if (!fd.valid()) ThrowErrno(PathOf(name));
  return TargetDirectory(std::move(fd), PathOf(name));
}

bool TargetDirectory::Has(std::string_view name) const { return InodeOf(name).has_value(); }

std::optional<uint64_t> TargetDirectory::InodeOf(std::string_view name) const {
  struct stat st {};
  if (::fstatat(fd_.get(), Checked(name).c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0) return st.st_ino;
  if (errno != ENOENT) ThrowErrno(PathOf(name));
  return std::nullopt;
}

void TargetDirectory::Remove(std::string_view name) const {
  if (::unlinkat(fd_.get(), Checked(name).c_str(), 0) != 0) ThrowErrno(PathOf(name));
}

void TargetDirectory::RemoveIfEmpty(std::string_view directory) const {
  const bool gone = ::unlinkat(fd_.get(), Checked(directory).c_str(), AT_REMOVEDIR) == 0;
  if (!gone && errno != ENOTEMPTY && errno != EEXIST) ThrowErrno(PathOf(directory));
}

void TargetDirectory::RemoveAbandoned() const {
  ulhff::RemoveAbandoned(fd_.get(), IsTemporaryName);
}

void TargetDirectory::SetTime(int64_t mtime_ns) const { SetTimes(fd_.get(), mtime_ns, path_); }

std::string TargetDirectory::PathOf(std::string_view name) const {
  return fmt::format("{}/{}", path_, Printable(name, kWholePath));
}

TargetFile::TargetFile(const TargetDirectory& directory) : directory_(directory) {
  LockedFile file = CreateLocked(directory.fd_.get(), TemporaryName, directory.path_);
  temporary_ = std::move(file.name);
  fd_ = std::move(file.fd);
}

TargetFile::TargetFile(const TargetDirectory& directory, const TargetDirectory& from,
                       std::string_view name)
    : directory_(directory) {
  const std::string original = Checked(name);
  while (temporary_.empty()) {
    const std::string link = TemporaryName();
    if (::linkat(from.fd_.get(), original.c_str(), directory.fd_.get(), link.c_str(), 0) == 0) {
      temporary_ = link;
    } else if (errno != EEXIST) {
      ThrowErrno(from.PathOf(name));
    }
  }
  fd_ = UniqueFd(::openat(directory.fd_.get(), temporary_.c_str(),
                          O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (fd_.valid()) TryLock(fd_.get());
}

TargetFile::~TargetFile() {
  if (!temporary_.empty()) ::unlinkat(directory_.fd_.get(), temporary_.c_str(), 0);
}

void TargetFile::Write(ByteSpan bytes) {
  PwriteFull(fd_.get(), bytes, size_, directory_.path_);
  size_ += bytes.size();
}

void TargetFile::SetTime(int64_t mtime_ns) { SetTimes(fd_.get(), mtime_ns, directory_.path_); }

void TargetFile::Publish(std::string_view name, bool replace) {
  const std::string checked = Checked(name);
  const int fd = directory_.fd_.get();
  if (!replace && directory_.Has(name)) ThrowErrno(EEXIST, directory_.PathOf(name));
  int result = ::renameat2(fd, temporary_.c_str(), fd, checked.c_str(),
                           replace ? 0u : unsigned{RENAME_NOREPLACE});
  // Not every file system knows the flag; there the look before has to do.
  if (result != 0 && !replace && errno == EINVAL)
    result = ::renameat(fd, temporary_.c_str(), fd, checked.c_str());
  if (result != 0) ThrowErrno(directory_.PathOf(name));
  // rename() does nothing if both names are links to one file.
  ::unlinkat(fd, temporary_.c_str(), 0);
  temporary_.clear();
}

}  // namespace ulhff
