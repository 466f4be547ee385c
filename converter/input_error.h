// The errors of the `ulhff` command: a source that cannot be read as asked, and a wrong command
// line.
#ifndef ULHFF_CONVERTER_INPUT_ERROR_H_
#define ULHFF_CONVERTER_INPUT_ERROR_H_

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ulhff {

// A source of a conversion is bad; the text says what, where (path, line, byte) and what to do.
// main() turns it into exit status 3.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& text) : std::runtime_error(text) {}
  // "PATH:LINE: byte OFFSET: fault", the form of every error in a text source.
  InputError(std::string_view path, uint64_t line, uint64_t offset, std::string_view fault)
      : std::runtime_error(fmt::format("{}:{}: byte {}: {}", path, line, offset, fault)),
        line_(line),
        fault_at_(fmt::formatted_size("{}:{}: byte {}: ", path, line, offset)) {}

  // For the report, which says where by itself: what is wrong, without PATH:LINE: byte OFFSET, and
  // that line. All of the text, and 0, if there is no such place.
  std::string fault() const {
    const std::string_view text = what();
    return std::string(text.substr(std::min(fault_at_, text.size())));  // what() ends at a NUL
  }
  uint64_t line() const { return line_; }

 private:
  uint64_t line_ = 0;
  size_t fault_at_ = 0;
};

// The source ends in the middle of a record. Every record before it was delivered, so a caller that
// was told --lenient may report the text and go on with what is whole.
class TruncatedError : public InputError {
 public:
  using InputError::InputError;
};

// The command line is wrong; exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What the options and operands are is wrong, whatever the source: the help tells more.
class CommandLineError : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_INPUT_ERROR_H_
