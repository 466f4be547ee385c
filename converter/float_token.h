// Floating point numbers as JSON and Python write them.
#ifndef ULHFF_CONVERTER_FLOAT_TOKEN_H_
#define ULHFF_CONVERTER_FLOAT_TOKEN_H_

#include <fmt/format.h>

#include <concepts>
#include <string>

namespace ulhff {

// The shortest token that gives the same number again, and shows that it is no integer.
template <std::floating_point T>
std::string FloatToken(T value) {
  std::string token = fmt::format("{}", value);
  if (token.find_first_not_of("-0123456789") == std::string::npos) token += ".0";
  return token;
}

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_FLOAT_TOKEN_H_
