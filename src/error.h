// The library's own exception: bytes that break docs/format.md.
#ifndef ULHFF_SRC_ERROR_H_
#define ULHFF_SRC_ERROR_H_

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ulhff {

// Malformed or damaged bytes in a ULHFF file. I/O failures are std::system_error; a name that does
// not exist is std::nullopt.
class FormatError : public std::runtime_error {
 public:
  // `offset` is the file offset of the bytes complained about; `what` says what was found against
  // what was expected.
  FormatError(uint64_t offset, const std::string& what);
  uint64_t offset() const { return offset_; }

 private:
  uint64_t offset_;
};

// Throws std::system_error for errno, or for `error`.
[[noreturn]] void ThrowErrno(const std::string& what);
[[noreturn]] void ThrowErrno(int error, const std::string& what);

}  // namespace ulhff

#endif  // ULHFF_SRC_ERROR_H_
