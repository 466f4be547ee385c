// O_TMPFILE, or a file that loses its name at once.
#include "spill_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "error.h"

namespace ulhff {

UniqueFd OpenSpillFile(const std::string& dir) {
  UniqueFd file(::open(dir.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600));
  // Kernels and file systems without O_TMPFILE answer in several ways; real trouble shows again.
  if (file.valid()) return file;
  std::string path = dir + "/.ulhff-spill-XXXXXX";
  file = UniqueFd(::mkostemp(path.data(), O_CLOEXEC));
  if (!file.valid()) ThrowErrno("temporary file in " + dir);
  ::unlink(path.c_str());
  return file;
}

}  // namespace ulhff
