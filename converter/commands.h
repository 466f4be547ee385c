// The commands of `ulhff`, one entry point each; main.cc dispatches and turns exceptions into exit
// codes.
#ifndef ULHFF_CONVERTER_COMMANDS_H_
#define ULHFF_CONVERTER_COMMANDS_H_

namespace ulhff {

// Exit codes of every command (docs/man/ulhff.1.md).
enum ExitCode : int {
  kExitDone = 0,
  kExitFailed = 1,    // I/O
  kExitUsage = 2,     // UsageError, or std::invalid_argument from an option's value
  kExitBadInput = 3,  // InputError, FormatError; `verify` found damage
};

// Each runs one command. argv[0] is the command's name ("convert"), argv[1..] its own arguments,
// "--help" among them. Returns the exit code or throws: UsageError (2), InputError and FormatError
// (3), std::system_error and everything else (1). main() prints the text as one line.
int ConvertMain(int argc, char** argv);
int MergeMain(int argc, char** argv);
int InfoMain(int argc, char** argv);
int VerifyMain(int argc, char** argv);
int LsMain(int argc, char** argv);
int CatMain(int argc, char** argv);
int ExportMain(int argc, char** argv);
int TableMain(int argc, char** argv);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_COMMANDS_H_
