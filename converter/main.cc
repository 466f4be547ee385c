// ulhff: picks the command, turns its exceptions into exit codes and one line each.
#include <fmt/format.h>

#include <array>
#include <clocale>
#include <csignal>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "commands.h"
#include "input_error.h"
#include "interrupt.h"
#include "output.h"
#include "printable.h"
#include "ulhff/error.h"
#include "ulhff/format.h"

namespace {

using namespace ulhff;

struct Command {
  std::string_view name;
  const char* summary;
  int (*run)(int argc, char** argv);
};
constexpr std::array kCommands = {
    Command{"convert", "make a ULHFF file of a dataset", ConvertMain},
    Command{"merge", "join ULHFF files, or the shards of a conversion", MergeMain},
    Command{"info", "tell what a file holds", InfoMain},
    Command{"verify", "check the structure and every checksum of a file", VerifyMain},
    Command{"ls", "list a directory of a view, without a mount", LsMain},
    Command{"cat", "print files of a view, without a mount", CatMain},
    Command{"export", "write a file back as plain files, files with a table, or tar shards",
            ExportMain},
    Command{"table", "print a table of the pairs for loaders, their media in a mount", TableMain},
};

int PrintHelp() {
  Output out;
  out.Write(
      "Usage: ulhff COMMAND [OPTIONS] ...\n"
      "Make, check and read ULHFF files: multimodal datasets in one file.\n\n");
  for (const Command& command : kCommands)
    out.Write(fmt::format("  {:<9} {}\n", command.name, command.summary));
  out.Write(
      "\n  -h, --help     show this help; `ulhff COMMAND --help` tells more of a command\n"
      "  -V, --version  show the versions of the program and of the format\n\n"
      "Examples:  ulhff convert photos/ photos.ulhff\n"
      "           ulhff info photos.ulhff\n"
      "           ulhff-fuse photos.ulhff /mnt/photos\n\n"
      "Exit status: 0 done, 1 cannot read or write, 2 usage, 3 bad input or a damaged file.\n"
      "See ulhff(1) and ulhff-fuse(1).\n");
  out.Flush();
  return kExitDone;
}

int PrintVersion() {
  Output out;
  out.Write(
      fmt::format("ulhff {} (format ULHFF {}.{})\n", ULHFF_VERSION, kMajorVersion, kMinorVersion));
  out.Flush();
  return kExitDone;
}

// Names in messages come from datasets; none of them may steer the terminal. Only lists that we
// make have several lines.
enum class Lines { kOne, kMany };

int Fail(ExitCode code, std::string_view who, std::string_view what, Lines lines = Lines::kOne) {
  std::string text;
  while (lines == Lines::kMany && what.find('\n') != std::string_view::npos) {
    text += Printable(what.substr(0, what.find('\n')), kWholePath) + '\n';
    what.remove_prefix(what.find('\n') + 1);
  }
  fmt::print(stderr, "{}: {}{}\n", who, text, Printable(what, kWholePath));
  return code;
}

int FailUsage(const std::string& who, std::string_view what) {
  return Fail(kExitUsage, who, fmt::format("{} (try '{} --help')", what, who));
}

// Runs `fn`, which returns an exit code; the one place where exceptions end.
template <typename Fn>
int RunGuarded(const std::string& who, Fn&& fn) {
  try {
    return fn();
  } catch (const Interrupted& e) {
    std::signal(e.signal(), SIG_DFL);
    std::raise(e.signal());
    return kExitFailed;
  } catch (const OutputClosed&) {
    return kExitFailed;
  } catch (const CommandLineError& e) {
    return FailUsage(who, e.what());
  } catch (const UsageError& e) {
    return Fail(kExitUsage, who, e.what(), Lines::kMany);
  } catch (const std::invalid_argument& e) {
    return FailUsage(who, e.what());
  } catch (const InputError& e) {
    return Fail(kExitBadInput, who, e.what(), Lines::kMany);
  } catch (const FormatError& e) {
    return Fail(kExitBadInput, who, e.what());
  } catch (const std::bad_alloc&) {
    return Fail(kExitFailed, who, "out of memory");
  } catch (const std::exception& e) {
    return Fail(kExitFailed, who, e.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  // So a file that grows too large is an error of its write, with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  std::setlocale(LC_CTYPE, "");  // which characters `ls` may print
  const std::string_view name = argc > 1 ? argv[1] : "";
  for (const Command& command : kCommands) {
    if (command.name != name) continue;
    return RunGuarded(fmt::format("ulhff {}", name),
                      [&] { return command.run(argc - 1, argv + 1); });
  }
  return RunGuarded("ulhff", [&]() -> int {
    if (name == "--help" || name == "-h") return PrintHelp();
    if (name == "--version" || name == "-V") return PrintVersion();
    throw CommandLineError(name.empty() ? "no command given"
                                        : fmt::format("unknown command '{}'", name));
  });
}
