// A file that appears under its name complete or not at all.
#ifndef ULHFF_SRC_WRITER_PUBLISH_H_
#define ULHFF_SRC_WRITER_PUBLISH_H_

#include <functional>
#include <string>
#include <string_view>

#include "file.h"

namespace ulhff {

// What `path` lies in: "." if it has no slash.
std::string DirectoryOf(const std::string& path);

// Temporary files that have a name are locked (flock) as long as their makers live, whereby others
// know which of them a killed maker left. False if another has the lock, or there are no locks.
bool TryLock(int fd);
struct LockedFile {
  std::string name;
  UniqueFd fd;
};
// A new file under the first free one of the names that `next_name` gives. Throws std::system_error
// naming `path`.
LockedFile CreateLocked(int directory, const std::function<std::string()>& next_name,
                        const std::string& path);
// Removes files of dead makers. Best effort: what cannot be opened or locked stays.
void RemoveAbandoned(int directory, const std::function<bool(std::string_view name)>& is_temporary);

// Without a name where the file system can do that (O_TMPFILE), else ".<name>.ulhff-XXXXXX.tmp" in
// the target's directory, locked (flock) as long as its maker lives: what a killed maker left of
// the same target is removed by the next. Throws std::system_error naming `path`.
class PendingFile {
 public:
  enum class Hidden { kNamelessIfPossible, kNamed };

  // Fails early if `path` cannot become a file: it exists and `overwrite` is false, or is something
  // other than a regular file. kNamed is how file systems without O_TMPFILE are tested.
  PendingFile(std::string path, bool overwrite, Hidden hidden = Hidden::kNamelessIfPossible);
  ~PendingFile();  // removes what was not published
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  int fd() const { return file_.get(); }
  const std::string& path() const { return path_; }

  // Syncs the file, gives it its name (EEXIST if one came into being meanwhile and `overwrite` is
  // false) and syncs the directory.
  void Publish();

 private:
  void CheckTarget() const;
  bool OpenNameless();
  std::string TemporaryName() const;
  bool Link(const std::string& name) const;
  void MoveInPlace();

  std::string path_;
  std::string name_;  // last component of path_
  bool overwrite_;
  UniqueFd directory_;
  UniqueFd file_;
  std::string temporary_;  // name in directory_, empty if there is none
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_PUBLISH_H_
