// What the commands of `ulhff` share in reading their command lines: help texts, operands, views.
#ifndef ULHFF_CONVERTER_COMMAND_LINE_H_
#define ULHFF_CONVERTER_COMMAND_LINE_H_

#include <boost/program_options.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ulhff/tree.h"

namespace ulhff {

struct CommandHelp {
  const char* name;      // "ls"
  const char* operands;  // "[OPTIONS] FILE [PATH]"
  const char* purpose;   // "List a directory of a ULHFF file, without a mount."
  const char* examples;  // whole lines, the first begins with "Examples:"
  size_t min_operands;
  size_t max_operands;
};

struct Arguments {
  boost::program_options::variables_map values;
  std::vector<std::string> operands;

  bool Has(const char* option) const { return values.count(option) > 0; }
};

// The options of `options` ("help" is added here) in any place, "--" ends them; the rest are
// operands. nullopt: --help was asked for and printed. Throws UsageError.
std::optional<Arguments> ParseCommandLine(int argc, char** argv, const CommandHelp& help,
                                          boost::program_options::options_description options);

// --view VIEW and -o KEY[=VALUE][,...], with the view options of ulhff-fuse.
void AddTreeOptions(boost::program_options::options_description& options);
// Throws UsageError.
TreeOptions TreeOptionsFrom(const Arguments& arguments);

// An empty list of options, laid out as all help texts are.
boost::program_options::options_description CommandOptions();
// A switch, as Boost wants it: --name without a value, absent unless given.
boost::program_options::typed_value<bool>* Switch();

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_COMMAND_LINE_H_
