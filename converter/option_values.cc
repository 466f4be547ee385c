// Strings of the command line taken apart.
#include "converter/option_values.h"

#include <algorithm>

namespace ulhff {

namespace po = boost::program_options;

po::typed_value<std::string>* Value(const char* name) {
  return po::value<std::string>()->value_name(name);
}
po::typed_value<Strings>* Values(const char* name) {
  return po::value<Strings>()->composing()->value_name(name);
}

std::string ValueOf(const Arguments& arguments, const char* option) {
  return arguments.Has(option) ? arguments.values[option].as<std::string>() : std::string();
}

bool Flag(const Arguments& arguments, const char* option) {
  return arguments.values[option].as<bool>();
}

Strings SplitAtCommas(std::string_view text) {
  Strings parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    parts.emplace_back(part);
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return parts;
}

Strings List(const Arguments& arguments, const char* option) {
  return arguments.Has(option) ? arguments.values[option].as<Strings>() : Strings();
}

Strings CommaLists(const Arguments& arguments, const char* option) {
  Strings all;
  for (const std::string& list : List(arguments, option)) {
    for (std::string& part : SplitAtCommas(list)) all.push_back(std::move(part));
  }
  return all;
}

std::vector<std::pair<std::string, std::string>> Assignments(const Arguments& arguments,
                                                             const char* option, char separator) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : List(arguments, option)) {
    const size_t at = text.find(separator);
    if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
      throw UsageError(
          fmt::format("--{} {}: needs a '{}' between two names", option, text, separator));
    }
    pairs.emplace_back(text.substr(0, at), text.substr(at + 1));
  }
  return pairs;
}

std::optional<unsigned> ParseNumber(const std::string& text) {
  const bool digits = !text.empty() && text.size() <= 9 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) return std::nullopt;
  return static_cast<unsigned>(std::stoul(text));
}

unsigned Number(const Arguments& arguments, const char* option, unsigned otherwise, unsigned min,
                unsigned max) {
  if (!arguments.Has(option)) return otherwise;
  const std::string text = ValueOf(arguments, option);
  const std::optional<unsigned> number = ParseNumber(text);
  if (!number || *number < min || *number > max) {
    throw UsageError(fmt::format("--{} {}: not a number in {}..{}", option, text, min, max));
  }
  return *number;
}

}  // namespace ulhff
