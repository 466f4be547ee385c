// Temporary files, their locks, and the switch to the final name.
#include "writer_publish.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <random>
#include <string_view>

#include "error.h"
#include "format.h"

namespace ulhff {

namespace {

constexpr mode_t kMode = 0666;  // and the umask
constexpr std::string_view kTemporarySuffix = ".tmp";
constexpr size_t kRandomDigits = 6;

std::string NameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// What the temporary files of a target begin with; the name is cut so that all fits.
std::string TemporaryPrefix(const std::string& name) {
  constexpr std::string_view kMark = ".ulhff-";
  const size_t room = kMaxNameSize - 1 - kMark.size() - kRandomDigits - kTemporarySuffix.size();
  return fmt::format(".{}{}", name.substr(0, room), kMark);
}

bool IsTemporaryOf(std::string_view candidate, std::string_view prefix) {
  return candidate.size() == prefix.size() + kRandomDigits + kTemporarySuffix.size() &&
         candidate.starts_with(prefix) && candidate.ends_with(kTemporarySuffix);
}

std::string ProcName(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

bool HasName(int fd) {
  struct stat st {};
  return ::fstat(fd, &st) == 0 && st.st_nlink > 0;
}

}  // namespace

std::string DirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool TryLock(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) == 0; }

LockedFile CreateLocked(int directory, const std::function<std::string()>& next_name,
                        const std::string& path) {
  while (true) {
    std::string name = next_name();
    UniqueFd file(::openat(directory, name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kMode));
    if (!file.valid() && errno == EEXIST) continue;
    if (!file.valid()) ThrowErrno(path);
    // Another may have taken it for abandoned before it was locked.
    const bool locked = TryLock(file.get());
    if (!locked && errno == EWOULDBLOCK) continue;
    if (HasName(file.get())) return {std::move(name), std::move(file)};
  }
}

void RemoveAbandoned(int directory,
                     const std::function<bool(std::string_view name)>& is_temporary) {
  const int listed = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const list = listed < 0 ? nullptr : ::fdopendir(listed);
  if (list == nullptr) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> closer(list, ::closedir);
  while (const dirent* entry = ::readdir(list)) {
    if (!is_temporary(entry->d_name)) continue;
    constexpr int kFlags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    const UniqueFd file(::openat(directory, entry->d_name, kFlags));
    if (file.valid() && TryLock(file.get())) ::unlinkat(directory, entry->d_name, 0);
  }
}

PendingFile::PendingFile(std::string path, bool overwrite, Hidden hidden)
    : path_(std::move(path)), name_(NameOf(path_)), overwrite_(overwrite) {
  CheckTarget();
  const std::string directory = DirectoryOf(path_);
  directory_ = UniqueFd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory_.valid()) ThrowErrno(directory);
  RemoveAbandoned(directory_.get(), [prefix = TemporaryPrefix(name_)](std::string_view name) {
    return IsTemporaryOf(name, prefix);
  });
  if (hidden == Hidden::kNamelessIfPossible && OpenNameless()) return;
  LockedFile named = CreateLocked(
      directory_.get(), [this] { return TemporaryName(); }, path_);
  file_ = std::move(named.fd);
  temporary_ = std::move(named.name);
}

PendingFile::~PendingFile() {
  if (!temporary_.empty()) ::unlinkat(directory_.get(), temporary_.c_str(), 0);
}

void PendingFile::CheckTarget() const {
  if (path_.empty()) ThrowErrno(ENOENT, "output without a name");
  struct stat st {};
  if (::lstat(path_.c_str(), &st) != 0) {
    if (errno != ENOENT) ThrowErrno(path_);
    if (name_.empty()) ThrowErrno(EISDIR, path_);
    return;
  }
  if (S_ISDIR(st.st_mode)) ThrowErrno(EISDIR, path_);
  if (S_ISLNK(st.st_mode)) ThrowErrno(EINVAL, path_ + ": is a symbolic link; name its target");
  if (!S_ISREG(st.st_mode)) ThrowErrno(EINVAL, path_ + ": not a regular file");
  if (!overwrite_) ThrowErrno(EEXIST, path_);
}

bool PendingFile::OpenNameless() {
  file_ = UniqueFd(::openat(directory_.get(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, kMode));
  if (!file_.valid()) return false;
  // Only /proc can give it a name later.
  struct stat st {};
  if (::stat(ProcName(file_.get()).c_str(), &st) == 0) return true;
  file_.Reset();
  return false;
}

std::string PendingFile::TemporaryName() const {
  constexpr std::string_view kDigits = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::uniform_int_distribution<size_t> digit(0, kDigits.size() - 1);
  std::string name = TemporaryPrefix(name_);
  for (size_t i = 0; i < kRandomDigits; ++i) name += kDigits[digit(random)];
  return name.append(kTemporarySuffix);
}

// Names the file; false if the name is taken.
bool PendingFile::Link(const std::string& name) const {
  const bool named = !temporary_.empty();
  const int from = named ? directory_.get() : AT_FDCWD;
  const std::string old_name = named ? temporary_ : ProcName(file_.get());
  const int flags = named ? 0 : AT_SYMLINK_FOLLOW;
  if (::linkat(from, old_name.c_str(), directory_.get(), name.c_str(), flags) == 0) return true;
  if (errno != EEXIST) ThrowErrno(path_);
  return false;
}

void PendingFile::Publish() {
  if (::fsync(file_.get()) != 0) ThrowErrno(path_);
  if (temporary_.empty()) {
    if (!Link(name_)) {
      if (!overwrite_) ThrowErrno(EEXIST, path_);
      TryLock(file_.get());
      std::string name = TemporaryName();
      while (!Link(name)) name = TemporaryName();
      temporary_ = std::move(name);
      MoveInPlace();
    }
  } else {
    MoveInPlace();
  }
  // Some file systems cannot sync directories.
  if (::fsync(directory_.get()) != 0 && errno != EINVAL) ThrowErrno(path_);
}

void PendingFile::MoveInPlace() {
  const int dir = directory_.get();
  if (overwrite_) {
    if (::renameat(dir, temporary_.c_str(), dir, name_.c_str()) != 0) ThrowErrno(path_);
    temporary_.clear();
    return;
  }
  if (::renameat2(dir, temporary_.c_str(), dir, name_.c_str(), RENAME_NOREPLACE) == 0) {
    temporary_.clear();
    return;
  }
  if (errno != EINVAL && errno != ENOSYS) ThrowErrno(path_);
  // No RENAME_NOREPLACE here (NFS, for one): a hard link never replaces either.
  if (!Link(name_)) ThrowErrno(EEXIST, path_);
  ::unlinkat(dir, temporary_.c_str(), 0);
  temporary_.clear();
}

}  // namespace ulhff
