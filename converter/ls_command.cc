// `ulhff ls`: lists a view without a mount.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <string>
#include <system_error>

#include "command_line.h"
#include "commands.h"
#include "output.h"
#include "printable.h"
#include "tree_files.h"
#include "ulhff/reader.h"
#include "ulhff/tree.h"

namespace ulhff {

namespace {

constexpr CommandHelp kHelp = {
    "ls",
    "[OPTIONS] FILE [PATH]",
    "List a directory of a ULHFF file as a mount would show it.",
    "On a terminal odd bytes in names are escaped as by `ls -b`; elsewhere names are as they are.\n"
    "Examples:  ulhff ls -l photos.ulhff train\n"
    "           ulhff ls -R0 --view pairs photos.ulhff | xargs -0 -n 1 echo\n"
    "Exit status: 0 done, 1 cannot read FILE or no such PATH, 2 usage, 3 FILE is damaged.",
    1,
    2};

constexpr int64_t kNsPerSecond = 1'000'000'000;

std::string LocalTime(int64_t ns) {
  // Rounds down, so that times before 1970 keep their second.
  const int64_t seconds = ns / kNsPerSecond - (ns % kNsPerSecond < 0 ? 1 : 0);
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

class Listing {
 public:
  Listing(const Tree& tree, const Arguments& arguments)
      : tree_(tree),
        long_(arguments.values["long"].as<bool>()),
        recursive_(arguments.values["recursive"].as<bool>()),
        zero_(arguments.values["zero"].as<bool>()),
        escape_(!zero_ && IsTerminal(STDOUT_FILENO)) {}

  void Print(std::string_view path) {
    const auto node = tree_.Resolve(path);
    if (!node)
      throw std::system_error(ENOENT, std::generic_category(), Printable(path, kWholePath));
    if (node->is_directory()) {
      PrintDirectory(*node, path);
    } else {
      PrintEntry(*node, path);
    }
    out_.Flush();
  }

 private:
  void PrintDirectory(Node directory, std::string_view path) {
    ForEachEntry(tree_, directory, [&](std::string_view name, Node node) {
      if (!recursive_) return PrintEntry(node, name);
      const std::string inside =
          path.empty() ? std::string(name) : fmt::format("{}/{}", path, name);
      PrintEntry(node, inside);
      if (node.is_directory()) PrintDirectory(node, inside);
    });
  }

  void PrintEntry(Node node, std::string_view name) {
    if (long_) PrintAttributes(node);
    out_.Write(escape_ ? EscapeName(name) : name);
    out_.Write(std::string_view(zero_ ? "\0" : "\n", 1));
  }

  void PrintAttributes(Node node) {
    const auto attributes = tree_.GetAttributes(node);
    if (!attributes) return;
    out_.Write(fmt::format("{} {:>5} {:>12} {} ",
                           attributes->directory ? "dr-xr-xr-x" : "-r--r--r--", attributes->links,
                           attributes->size, LocalTime(attributes->mtime_ns)));
  }

  const Tree& tree_;
  bool long_;
  bool recursive_;
  bool zero_;
  bool escape_;
  Output out_;
};

}  // namespace

int LsMain(int argc, char** argv) {
  auto options = CommandOptions();
  auto add = options.add_options();
  add("long,l", Switch(), "mode, number of names, size and time before each name");
  add("recursive,R", Switch(), "what is below too, as paths that `ulhff cat` takes");
  add("zero,0", Switch(), "end names by NUL, not by newline");
  AddTreeOptions(options);
  const auto arguments = ParseCommandLine(argc, argv, kHelp, options);
  if (!arguments) return kExitDone;
  const Reader reader = Reader::Open(arguments->operands[0]);
  const Tree tree(reader, TreeOptionsFrom(*arguments));
  const bool has_path = arguments->operands.size() > 1;
  Listing(tree, *arguments).Print(has_path ? TrimPath(arguments->operands[1]) : "");
  return kExitDone;
}

}  // namespace ulhff
