// Construction of the exceptions declared in error.h.
#include "error.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace ulhff {

FormatError::FormatError(uint64_t offset, const std::string& what)
    : std::runtime_error(fmt::format("offset {}: {}", offset, what)), offset_(offset) {}

void ThrowErrno(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

void ThrowErrno(const std::string& what) { ThrowErrno(errno, what); }

}  // namespace ulhff
