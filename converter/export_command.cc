// `ulhff export`: writes a view back as plain files.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "case_check.h"
#include "command_line.h"
#include "commands.h"
#include "input_error.h"
#include "interrupt.h"
#include "output.h"
#include "printable.h"
#include "target_directory.h"
#include "tree_files.h"
#include "ulhff/error.h"
#include "ulhff/reader.h"
#include "ulhff/tree.h"

namespace ulhff {

namespace {

constexpr CommandHelp kHelp = {
    "export",
    "[OPTIONS] FILE DIR",
    "Write a view of a ULHFF file into DIR as plain files.",
    "Each file appears whole or not at all. Damaged files are named and left out.\n"
    "Examples:  ulhff export photos.ulhff photos\n"
    "           ulhff export --view pairs --hard-links photos.ulhff pairs\n"
    "Exit status: 0 done, 1 cannot read or write, or a file exists, 2 usage, 3 FILE is damaged\n"
    "or names collide (--check-case).",
    2,
    2};

struct Totals {
  uint64_t files = 0;
  uint64_t bytes = 0;
  uint64_t links = 0;
  uint64_t damaged = 0;
};

class Exporter {
 public:
  Exporter(const Reader& reader, const Tree& tree, const std::string& target,
           const Arguments& arguments)
      : tree_(tree),
        content_(reader, tree),
        root_(TargetDirectory::OpenRoot(target)),
        link_(arguments.values["hard-links"].as<bool>()),
        force_(arguments.values["force"].as<bool>()) {}

  const Totals& Run() {
    ExportDirectory(root_, kRootNode, "");
    return totals_;
  }

 private:
  // Where the first of several names of a node was written.
  struct FirstName {
    std::string path;
    uint64_t names_left = 0;
  };

  // `prefix` is the path of `target` below the root, with a '/' at its end.
  void ExportDirectory(const TargetDirectory& target, Node directory, const std::string& prefix) {
    Attempt(prefix, [&] {
      ForEachEntry(tree_, directory, [&](std::string_view name, Node node) {
        CheckInterrupt();
        const std::string path = fmt::format("{}{}", prefix, name);
        if (node.is_directory()) {
          ExportDirectory(target.Open(name, true), node, path + "/");
        } else {
          Attempt(path, [&] { ExportFile(target, name, node, path); });
        }
      });
      // Last, for every entry that is made changes it.
      if (const auto attributes = tree_.GetAttributes(directory))
        target.SetTime(attributes->mtime_ns);
    });
  }

  // Damage is told and skipped; what cannot be written ends the command.
  template <typename Fn>
  void Attempt(const std::string& path, Fn&& fn) {
    try {
      fn();
    } catch (const FormatError& e) {
      ++totals_.damaged;
      fmt::print(stderr, "ulhff export: {}: {}\n", Printable(path.empty() ? "/" : path, kWholePath),
                 e.what());
    }
  }

  void ExportFile(const TargetDirectory& target, std::string_view name, Node node,
                  const std::string& path) {
    const auto attributes = tree_.GetAttributes(node);
    if (!attributes) throw FormatError(0, "the index counts no name for it");
    if (!force_ && target.Has(name))
      throw std::runtime_error(target.PathOf(name) + ": exists; --force replaces files");
    if (!link_ || attributes->links < 2) return Copy(target, name, *attributes);
    const auto first = first_names_.find(node.inode());
    if (first != first_names_.end() && Link(target, name, first->second.path)) {
      if (--first->second.names_left == 0) first_names_.erase(first);
      return;
    }
    Copy(target, name, *attributes);
    const uint64_t left =
        first == first_names_.end() ? attributes->links - 1 : first->second.names_left - 1;
    first_names_.insert_or_assign(node.inode(), FirstName{path, left});
  }

  void Copy(const TargetDirectory& target, std::string_view name, const Attributes& attributes) {
    TargetFile file(target);
    content_.Read(attributes.node, [&](ByteSpan bytes) {
      CheckInterrupt();
      file.Write(bytes);
      totals_.bytes += bytes.size();
    });
    file.SetTime(attributes.mtime_ns);
    file.Publish(name, force_);
    ++totals_.files;
  }

  // False if the file system allows no further link to this file.
  bool Link(const TargetDirectory& target, std::string_view name, std::string_view original) {
    try {
      LinkFrom(root_, target, name, original);
      ++totals_.links;
      return true;
    } catch (const std::system_error& e) {
      if (e.code().value() != EMLINK) throw;
      return false;
    }
  }

  // `original` is a path below `from`.
  void LinkFrom(const TargetDirectory& from, const TargetDirectory& target, std::string_view name,
                std::string_view original) {
    const size_t slash = original.find('/');
    if (slash != std::string_view::npos)
      return LinkFrom(from.Open(original.substr(0, slash), false), target, name,
                      original.substr(slash + 1));
    TargetFile(target, from, original).Publish(name, force_);
  }

  const Tree& tree_;
  FileReader content_;
  TargetDirectory root_;
  bool link_;
  bool force_;
  std::unordered_map<uint64_t, FirstName> first_names_;  // of nodes with names still to come
  Totals totals_;
};

// Throws InputError if names collide.
void RefuseCaseTwins(const Tree& tree) {
  uint64_t groups = 0;
  CheckCase(tree, [&](const std::vector<std::string>& paths) {
    ++groups;
    std::string line;
    for (const std::string& path : paths)
      line += (line.empty() ? "" : "  ") + Printable(path, kWholePath);
    fmt::print(stderr, "{}\n", line);
  });
  if (groups > 0)
    throw InputError(
        fmt::format("{} group{} of names differ in case only (listed above); nothing was written",
                    groups, groups == 1 ? "" : "s"));
}

int Report(const Totals& totals, const std::string& target, bool quiet) {
  if (!quiet) {
    Output out;
    std::string links;
    if (totals.links > 0) links = fmt::format(" and {} hard links", GroupedNumber(totals.links));
    out.Write(fmt::format("{} file{}{}, {}, in {}\n", GroupedNumber(totals.files),
                          totals.files == 1 ? "" : "s", links, ReadableSize(totals.bytes), target));
    out.Flush();
  }
  if (totals.damaged == 0) return kExitDone;
  throw InputError(fmt::format("{} of the names above could not be read and are left out",
                               GroupedNumber(totals.damaged)));
}

}  // namespace

int ExportMain(int argc, char** argv) {
  auto options = CommandOptions();
  auto add = options.add_options();
  add("hard-links", Switch(), "make names of one media hard links to one file, not copies");
  add("force,f", Switch(), "replace files that exist (default: stop at the first)");
  add("check-case", Switch(), "first list names that differ in case only; write nothing if any do");
  add("quiet,q", Switch(), "no line about what was written");
  AddTreeOptions(options);
  const auto arguments = ParseCommandLine(argc, argv, kHelp, options);
  if (!arguments) return kExitDone;
  const Reader reader = Reader::Open(arguments->operands[0]);
  const Tree tree(reader, TreeOptionsFrom(*arguments));
  if (arguments->values["check-case"].as<bool>()) RefuseCaseTwins(tree);
  const std::string& target = arguments->operands[1];
  const InterruptGuard guard;
  const Totals totals = Exporter(reader, tree, target, *arguments).Run();
  return Report(totals, target, arguments->values["quiet"].as<bool>());
}

}  // namespace ulhff
