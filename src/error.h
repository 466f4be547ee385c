// The library's own exception: bytes that break docs/format.md.
#ifndef ULHFF_SRC_ERROR_H_
#define ULHFF_SRC_ERROR_H_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ulhff {

// Malformed or damaged bytes in a ULHFF file. I/O failures are std::system_error; a name that does
// not exist is std::nullopt.
class FormatError : public std::runtime_error {
 public:
  // "PATH: offset OFFSET: fault", with the file offset of the bytes complained about; `fault` says
  // what was found against what was expected.
  FormatError(const std::string& path, uint64_t offset, std::string_view fault);
  uint64_t offset() const { return offset_; }
  // For those who say where by themselves.
  std::string fault() const;

 private:
  uint64_t offset_;
  size_t fault_at_;  // in the text
};

// Throws std::system_error for errno, or for `error`.
[[noreturn]] void ThrowErrno(const std::string& what);
[[noreturn]] void ThrowErrno(int error, const std::string& what);

}  // namespace ulhff

#endif  // ULHFF_SRC_ERROR_H_
