// Redirects file descriptor 2 into memory and back.
#include "stderr_capture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string_view>
#include <utility>

namespace ulhff {

StderrCapture::StderrCapture()
    : saved_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)),
      file_(::memfd_create("stderr", MFD_CLOEXEC)) {
  if (!saved_.valid() || !file_.valid() || ::dup2(file_.get(), STDERR_FILENO) < 0) saved_.Reset();
}

StderrCapture::~StderrCapture() {
  if (!saved_.valid()) return;
  Restore();
  const std::string contents = Contents();
  [[maybe_unused]] const auto n = ::write(STDERR_FILENO, contents.data(), contents.size());
}

void StderrCapture::Restore() {
  ::dup2(saved_.get(), STDERR_FILENO);
  saved_.Reset();
}

std::string StderrCapture::Contents() const {
  std::string contents(8192, '\0');
  const ssize_t size = ::pread(file_.get(), contents.data(), contents.size(), 0);
  contents.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return contents;
}

std::string StderrCapture::TakeFirstLine() {
  if (!saved_.valid()) return "see above";
  Restore();
  constexpr std::string_view kPrefix = "ulhff-fuse: ";
  std::string line = Contents();
  line.resize(std::min(line.size(), line.find('\n')));
  if (line.starts_with(kPrefix)) line.erase(0, kPrefix.size());
  return line.empty() ? "no reason given" : line;
}

}  // namespace ulhff
