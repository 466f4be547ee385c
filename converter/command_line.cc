// Command lines through Boost.Program_options, with our help texts and error lines.
#include "command_line.h"

#include <fmt/format.h>

#include <sstream>
#include <string_view>
#include <utility>

#include "input_error.h"
#include "output.h"
#include "ulhff/tree_options.h"

namespace ulhff {

namespace po = boost::program_options;

namespace {

// Splits at ',', which '\' before it makes an ordinary character, as in mount options.
std::vector<std::string> SplitOptions(const std::string& text) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      parts.back() += text[++i];
    } else if (text[i] == ',') {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

std::string TreeOptionSummary() {
  std::string summary = "how keys and names are made:";
  for (const TreeOptionHelp& option : TreeOptionList()) {
    if (std::string_view(option.key) == "view") continue;
    summary += fmt::format(
        "\n{}: \t{}",
        option.argument ? fmt::format("{}={}", option.key, option.argument) : option.key,
        option.summary);
  }
  return summary;
}

// Of "[OPTIONS] SOURCE... OUT.ulhff" those that are not there.
std::string MissingOperands(const CommandHelp& help, size_t given) {
  std::istringstream words(help.operands);
  std::string missing;
  size_t count = 0;
  for (std::string word; words >> word;) {
    if (word.starts_with('[') || ++count <= given) continue;
    missing += fmt::format("{}{}", missing.empty() ? "" : " and ", word);
  }
  return fmt::format("too few operands: {} {} missing", missing, count - given == 1 ? "is" : "are");
}

void PrintHelp(const CommandHelp& help, const po::options_description& options) {
  Output out;
  std::ostringstream table;
  table << options;
  out.Write(fmt::format("Usage: ulhff {} {}\n{}\n\n{}\n{}\n", help.name, help.operands,
                        help.purpose, table.str(), help.examples));
  out.Flush();
}

}  // namespace

po::options_description CommandOptions() {
  constexpr unsigned kLineWidth = 100;
  constexpr unsigned kTextWidth = 74;
  return po::options_description("Options", kLineWidth, kTextWidth);
}

po::typed_value<bool>* Switch() { return po::bool_switch(); }

std::optional<Arguments> ParseCommandLine(int argc, char** argv, const CommandHelp& help,
                                          po::options_description options) {
  options.add_options()("help,h", "show this help");
  po::options_description all;
  all.add(options).add_options()("operand", po::value<std::vector<std::string>>());
  po::positional_options_description positions;
  positions.add("operand", -1);
  Arguments arguments;
  try {
    // No guessing: an abbreviation that works today may be ambiguous with the next option.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(
        po::command_line_parser(argc, argv).options(all).positional(positions).style(style).run(),
        arguments.values);
    po::notify(arguments.values);
  } catch (const po::error& e) {
    throw CommandLineError(e.what());
  }
  if (arguments.values.count("help") > 0) {
    PrintHelp(help, options);
    return std::nullopt;
  }
  if (arguments.values.count("operand") > 0)
    arguments.operands = arguments.values["operand"].as<std::vector<std::string>>();
  if (arguments.operands.size() < help.min_operands) {
    throw CommandLineError(MissingOperands(help, arguments.operands.size()));
  }
  if (arguments.operands.size() > help.max_operands)
    throw CommandLineError(
        fmt::format("too many operands: '{}'", arguments.operands[help.max_operands]));
  return arguments;
}

void AddTreeOptions(po::options_description& options) {
  options.add_options()("view", po::value<std::string>()->value_name("VIEW"),
                        "source, pairs, objects or all (default: what a mount would show)")(
      ",o", po::value<std::vector<std::string>>()->value_name("OPT[,OPT...]"),
      TreeOptionSummary().c_str());
}

TreeOptions TreeOptionsFrom(const Arguments& arguments) {
  std::vector<std::string> texts;
  if (arguments.Has("-o")) {
    for (const auto& value : arguments.values["-o"].as<std::vector<std::string>>()) {
      for (std::string& text : SplitOptions(value)) texts.push_back(std::move(text));
    }
  }
  if (arguments.Has("view")) texts.push_back("view=" + arguments.values["view"].as<std::string>());
  TreeOptions options;
  for (const std::string_view text : texts) {
    const size_t equals = text.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
    if (!ParseTreeOption(options, text.substr(0, equals), value))
      throw UsageError(fmt::format("unknown view option '{}'", text));
  }
  return options;
}

}  // namespace ulhff
