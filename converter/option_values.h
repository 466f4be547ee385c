// Values of command line options: how they are declared and what they may be.
#ifndef ULHFF_CONVERTER_OPTION_VALUES_H_
#define ULHFF_CONVERTER_OPTION_VALUES_H_

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converter/command_line.h"
#include "converter/input_error.h"

namespace ulhff {

using Strings = std::vector<std::string>;

// An option that takes a value, shown as `name`; once, or repeatable.
boost::program_options::typed_value<std::string>* Value(const char* name);
boost::program_options::typed_value<Strings>* Values(const char* name);

// What was given; empty or false if nothing was.
std::string ValueOf(const Arguments& arguments, const char* option);
bool Flag(const Arguments& arguments, const char* option);
Strings List(const Arguments& arguments, const char* option);
Strings SplitAtCommas(std::string_view text);
Strings CommaLists(const Arguments& arguments, const char* option);

// The following throw UsageError, naming the option.

// A<separator>B
std::vector<std::pair<std::string, std::string>> Assignments(const Arguments& arguments,
                                                             const char* option, char separator);
// nullopt: not a number of at most nine digits.
std::optional<unsigned> ParseNumber(const std::string& text);
unsigned Number(const Arguments& arguments, const char* option, unsigned otherwise, unsigned min,
                unsigned max);

// Values of an option that names one of a few things.
template <typename Enum>
struct Name {
  const char* name;
  Enum value;
};

template <typename Enum>
void Choose(const Arguments& arguments, const char* option, std::initializer_list<Name<Enum>> names,
            Enum& chosen) {
  if (!arguments.Has(option)) return;
  const auto& given = arguments.values[option].as<std::string>();
  std::string known;
  for (const Name<Enum>& name : names) {
    if (given == name.name) {
      chosen = name.value;
      return;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name.name);
  }
  throw UsageError(fmt::format("--{} {}: not one of {}", option, given, known));
}

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_OPTION_VALUES_H_
