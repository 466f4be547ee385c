// The errors of the `ulhff` command: a source that cannot be read as asked, and a wrong command
// line.
#ifndef ULHFF_CONVERTER_INPUT_ERROR_H_
#define ULHFF_CONVERTER_INPUT_ERROR_H_

#include <stdexcept>

namespace ulhff {

// A source of a conversion is bad; the text says what, where (path, line, byte) and what to do.
// main() turns it into exit status 3.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
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
