// Construction of the exceptions declared in error.h.
#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace ulhff {

FormatError::FormatError(const std::string& path, uint64_t offset, std::string_view fault)
    : std::runtime_error(fmt::format("{}: offset {}: {}", path, offset, fault)),
      offset_(offset),
      fault_at_(fmt::formatted_size("{}: offset {}: ", path, offset)) {}

std::string FormatError::fault() const {
  const std::string_view text = what();
  return std::string(text.substr(std::min(fault_at_, text.size())));  // what() ends at a NUL
}

void ThrowErrno(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

void ThrowErrno(const std::string& what) { ThrowErrno(errno, what); }

}  // namespace ulhff
