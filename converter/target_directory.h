// A directory that files are written into, safe against whatever already lies in it.
#ifndef ULHFF_CONVERTER_TARGET_DIRECTORY_H_
#define ULHFF_CONVERTER_TARGET_DIRECTORY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ulhff/bytes.h"
#include "ulhff/file.h"

namespace ulhff {

// Every call works relative to open directories and follows no symbolic link below the root, so
// nothing outside of it is ever touched. Names are single components; "", ".", ".." and names with
// '/' or NUL are refused. Errors are std::system_error, with the path. Move-only.
class TargetDirectory {
 public:
  // Opens `path`, which may be a link, and makes it if it does not exist (its parent must).
  static TargetDirectory OpenRoot(const std::string& path);

  // Opens the subdirectory; with `make` it is made if it does not exist.
  TargetDirectory Open(std::string_view name, bool make) const;
  bool Has(std::string_view name) const;  // a file, directory, link or anything else
  std::optional<uint64_t> InodeOf(std::string_view name) const;  // of whatever Has finds
  void Remove(std::string_view name) const;                      // no directory
  void RemoveIfEmpty(std::string_view directory) const;
  void RemoveAbandoned() const;  // temporary files that killed exports left directly in it
  void SetTime(int64_t mtime_ns) const;
  std::string PathOf(std::string_view name) const;  // for messages

 private:
  friend class TargetFile;
  TargetDirectory(UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  UniqueFd fd_;
  std::string path_;
};

// A file that appears under its name whole or not at all: written under a temporary name, which a
// destructor that runs before Publish removes, else TargetDirectory::RemoveAbandoned.
class TargetFile {
 public:
  // An empty file, to be written.
  explicit TargetFile(const TargetDirectory& directory);
  // A hard link to `name` in `from`, which this program wrote. Throws EMLINK if it has too many.
  TargetFile(const TargetDirectory& directory, const TargetDirectory& from, std::string_view name);
  ~TargetFile();
  TargetFile(const TargetFile&) = delete;
  TargetFile& operator=(const TargetFile&) = delete;

  void Write(ByteSpan bytes);
  void SetTime(int64_t mtime_ns);
  // Throws EEXIST if the name is taken, unless `replace`; a directory is never replaced.
  void Publish(std::string_view name, bool replace);

 private:
  const TargetDirectory& directory_;
  std::string temporary_;  // empty once published
  UniqueFd fd_;
  uint64_t size_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TARGET_DIRECTORY_H_
