// `ulhff cat`: prints files of a view without a mount.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "command_line.h"
#include "commands.h"
#include "output.h"
#include "printable.h"
#include "tree_files.h"
#include "ulhff/error.h"
#include "ulhff/reader.h"
#include "ulhff/tree.h"

namespace ulhff {

namespace {

constexpr CommandHelp kHelp = {
    "cat",
    "[OPTIONS] FILE PATH...",
    "Print files of a ULHFF file as a mount would show them.",
    "Bytes are checked before they are printed; a damaged file is printed up to the damage.\n"
    "Examples:  ulhff cat photos.ulhff train/0001.txt\n"
    "           ulhff cat --view objects photos.ulhff 00000/000000000.jpg > first.jpg\n"
    "Exit status: 0 done, 1 cannot read FILE or no such PATH, 2 usage, 3 FILE is damaged.",
    2,
    ~size_t{0}};

class Cat {
 public:
  Cat(const Reader& reader, const Tree& tree) : tree_(tree), content_(reader, tree) {}

  // Like cat, goes on with the next file after one that fails. Returns the exit code.
  int Print(std::string_view path) {
    const auto node = tree_.Resolve(TrimPath(path));
    if (!node) return Fail(kExitFailed, path, std::strerror(ENOENT));
    if (node->is_directory()) return Fail(kExitFailed, path, std::strerror(EISDIR));
    try {
      content_.Read(*node, [&](ByteSpan bytes) { out_.Write(AsText(bytes)); });
      out_.Flush();
    } catch (const FormatError& e) {
      return Fail(kExitBadInput, path, e.what());
    }
    return kExitDone;
  }

 private:
  static int Fail(ExitCode code, std::string_view path, std::string_view why) {
    fmt::print(stderr, "ulhff cat: {}: {}\n", Printable(path, kWholePath), why);
    return code;
  }

  const Tree& tree_;
  FileReader content_;
  Output out_;
};

}  // namespace

int CatMain(int argc, char** argv) {
  auto options = CommandOptions();
  AddTreeOptions(options);
  const auto arguments = ParseCommandLine(argc, argv, kHelp, options);
  if (!arguments) return kExitDone;
  const Reader reader = Reader::Open(arguments->operands[0]);
  const Tree tree(reader, TreeOptionsFrom(*arguments));
  Cat cat(reader, tree);
  int status = kExitDone;
  for (size_t i = 1; i < arguments->operands.size(); ++i)
    status = std::max(status, cat.Print(arguments->operands[i]));
  return status;
}

}  // namespace ulhff
