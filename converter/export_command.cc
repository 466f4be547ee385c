// `ulhff export`: writes a view back as plain files, or the pairs in one of several layouts.
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
#include "media_paths.h"
#include "older_export.h"
#include "output.h"
#include "pair_layout.h"
#include "pair_walk.h"
#include "printable.h"
#include "target_directory.h"
#include "tree_files.h"
#include "ulhff/error.h"
#include "ulhff/reader.h"
#include "ulhff/tree.h"

namespace ulhff {

namespace {

namespace po = boost::program_options;

constexpr CommandHelp kHelp = {
    "export",
    "[OPTIONS] FILE DIR",
    "Write a ULHFF file into DIR: a view of it as plain files, or its pairs --as a layout.",
    "Each file appears whole or not at all. What is damaged is named and left out.\n"
    "Examples:  ulhff export photos.ulhff photos\n"
    "           ulhff export --view pairs --hard-links photos.ulhff pairs\n"
    "           ulhff export --as webdataset --shard-pairs 10000 photos.ulhff shards\n"
    "Exit status: 0 done, 1 cannot read or write, or a file exists, 2 usage, 3 FILE is damaged\n"
    "or names collide (--check-case).",
    2,
    2};

class Exporter {
 public:
  Exporter(const Reader& reader, const Tree& tree, const std::string& target,
           const Arguments& arguments)
      : file_(reader.info().path),
        tree_(tree),
        content_(reader, tree),
        root_(TargetDirectory::OpenRoot(target)),
        link_(arguments.values["hard-links"].as<bool>()),
        force_(arguments.values["force"].as<bool>()) {}

  const ExportTotals& Run() {
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
      target.RemoveAbandoned();
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
    if (!attributes) throw FormatError(file_, 0, "the index counts no name for it");
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

  const std::string file_;
  const Tree& tree_;
  FileReader content_;
  TargetDirectory root_;
  bool link_;
  bool force_;
  std::unordered_map<uint64_t, FirstName> first_names_;  // of nodes with names still to come
  ExportTotals totals_;
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
        fmt::format("{} of names differ in case only (listed above); nothing was written",
                    Counted(groups, "group", "groups")));
}

// `parts`: what is left out where it is damaged.
int Report(const ExportTotals& totals, const char* parts, const std::string& target, bool quiet) {
  if (!quiet) {
    Output out;
    std::string links;
    if (totals.links > 0) links = " and " + Counted(totals.links, "hard link", "hard links");
    out.Write(fmt::format("{}{}, {}, in {}\n", Counted(totals.files, "file", "files"), links,
                          ReadableSize(totals.bytes), target));
    if (totals.removed > 0) {
      out.Write(
          fmt::format("{} of an older export removed\n", Counted(totals.removed, "file", "files")));
    }
    out.Flush();
  }
  if (totals.damaged == 0) return kExitDone;
  throw InputError(fmt::format("{} of the {} above could not be read and are left out",
                               GroupedNumber(totals.damaged), parts));
}

int ExportView(const Reader& reader, const Arguments& arguments, const TreeOptions& view) {
  const std::string& target = arguments.operands[1];
  const Tree tree(reader, view);
  if (arguments.values["check-case"].as<bool>()) RefuseCaseTwins(tree);
  if (arguments.Has("as") && !arguments.values["force"].as<bool>()) RefuseFilesIn(target);
  const ExportTotals totals = Exporter(reader, tree, target, arguments).Run();
  return Report(totals, "names", target, arguments.values["quiet"].as<bool>());
}

// Options that mean nothing for this layout are refused, not passed over.
void CheckOptions(const std::string& layout, const Arguments& arguments) {
  const auto refuse = [&](const char* option, bool given) {
    if (given) throw UsageError(fmt::format("{}: not with --as {}", option, layout));
  };
  const auto flag = [&](const char* name) { return arguments.values[name].as<bool>(); };
  refuse("--check-case", flag("check-case"));
  refuse("--view", arguments.Has("view"));
  refuse("-o", arguments.Has("-o"));
  if (layout != "files") refuse("--hard-links", flag("hard-links"));
  if (layout != "tdp") refuse("--table", arguments.Has("table"));
  if (layout == "webdataset") return;
  refuse("--shard-size", arguments.Has("shard-size"));
  refuse("--shard-pairs", arguments.Has("shard-pairs"));
}

void CheckOptionsOfViews(const Arguments& arguments) {
  for (const auto& [option, layout] : {std::pair{"shard-size", "webdataset"},
                                       {"shard-pairs", "webdataset"},
                                       {"table", "tdp"},
                                       {"tmp-dir", "tdp"}}) {
    if (arguments.Has(option))
      throw UsageError(fmt::format("--{}: only with --as {}", option, layout));
  }
}

uint64_t NumberOf(const Arguments& arguments, const char* option, uint64_t otherwise) {
  if (!arguments.Has(option)) return otherwise;
  const auto number = arguments.values[option].as<uint64_t>();
  constexpr uint64_t kMax = uint64_t{1} << 40;
  if (number < 1 || number > kMax)
    throw UsageError(fmt::format("--{}: not a number in 1..{}", option, kMax));
  return number;
}

LayoutOptions LayoutOptionsFrom(const Arguments& arguments) {
  LayoutOptions options;
  options.force = arguments.values["force"].as<bool>();
  options.hard_links = arguments.values["hard-links"].as<bool>();
  options.tmp_dir =
      arguments.Has("tmp-dir") ? arguments.values["tmp-dir"].as<std::string>() : DefaultTmpDir();
  options.shard_bytes = NumberOf(arguments, "shard-size", options.shard_bytes >> 20) << 20;
  options.shard_pairs = NumberOf(arguments, "shard-pairs", options.shard_pairs);
  if (arguments.Has("table")) {
    const auto& table = arguments.values["table"].as<std::string>();
    if (table != "csv" && table != "jsonl")
      throw UsageError(fmt::format("--table {}: not one of csv, jsonl", table));
    options.json_lines = table == "jsonl";
  }
  return options;
}

using LayoutMaker = std::unique_ptr<PairLayout> (*)(const LayoutContext& context);

LayoutMaker MakerOf(const std::string& layout) {
  if (layout == "files") return MakeFilesLayout;
  if (layout == "tdp") return MakeTableLayout;
  if (layout == "webdataset") return MakeTarLayout;
  throw UsageError(fmt::format("--as {}: not one of files, tdp, webdataset", layout));
}

int ExportPairs(const Reader& reader, const std::string& layout, const Arguments& arguments) {
  const auto make = MakerOf(layout);
  CheckOptions(layout, arguments);
  TreeOptions names;
  names.view = ViewKind::kPairs;
  const Tree pairs(reader, names);  // refuses names that would collide; names what is damaged
  const LayoutOptions options = LayoutOptionsFrom(arguments);
  const std::string& target = arguments.operands[1];
  if (!options.force) RefuseFilesIn(target);
  const TargetDirectory root = TargetDirectory::OpenRoot(target);
  ExportTotals totals;
  const auto writer = make({reader, root, options, totals});
  const OlderExport older(root, target, *writer, reader.info().splits);
  PairWalk walk(reader);
  while (walk.Next()) {
    CheckInterrupt();
    try {
      writer->Add(walk);
    } catch (const FormatError& e) {
      ++totals.damaged;
      fmt::print(stderr, "ulhff export: pair {} ({}): {}\n", walk.position(),
                 Printable(pairs.PathOfPair(walk.pair()).value_or("?"), kWholePath), e.what());
    }
  }
  writer->Finish();
  // What is damaged now may be whole there.
  if (totals.damaged == 0) {
    totals.removed = older.Remove();
  } else if (!older.empty()) {
    fmt::print(stderr, "ulhff export: files of an older export were left beside the new ones\n");
  }
  const bool quiet = arguments.values["quiet"].as<bool>();
  const int status = Report(totals, "pairs", target, quiet);
  const std::string back = writer->ConvertOptions();
  if (!quiet && !back.empty())
    fmt::print(stderr, "ulhff export: to convert it again: ulhff convert {} ...\n", back);
  return status;
}

}  // namespace

int ExportMain(int argc, char** argv) {
  auto options = CommandOptions();
  auto add = options.add_options();
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto number = [](const char* name) { return po::value<uint64_t>()->value_name(name); };
  add("as", text("LAYOUT"),
      "the pairs, in the order of the source: files (KEY.jpg, KEY.txt), tdp (each media once and a "
      "table) or webdataset (tar shards)");
  add("hard-links", Switch(), "make names of one media hard links to one file, not copies");
  add("force,f", Switch(),
      "replace files that exist (default: stop at the first; --as: any file in DIR stops it); --as "
      "also removes what is left of an older export of that layout");
  add("check-case", Switch(), "first list names that differ in case only; write nothing if any do");
  add("shard-size", number("MIB"), "of webdataset: size of a shard at most (1024)");
  add("shard-pairs", number("N"), "of webdataset: pairs in a shard at most");
  add("table", text("csv|jsonl"), "of tdp: form of the table (csv)");
  add("tmp-dir", text("DIR"), "of tdp: for the names of media ($TMPDIR, or /tmp)");
  add("quiet,q", Switch(), "no line about what was written");
  AddTreeOptions(options);
  const auto arguments = ParseCommandLine(argc, argv, kHelp, options);
  if (!arguments) return kExitDone;
  // Objects follow each other: the read-ahead of the page cache serves this best.
  const Reader reader = Reader::Open(arguments->operands[0], {.mode = ReadMode::kBuffered});
  TreeOptions view = TreeOptionsFrom(*arguments);
  const InterruptGuard guard;
  const std::string layout = arguments->Has("as") ? arguments->values["as"].as<std::string>() : "";
  const bool shows_view = arguments->Has("view") || arguments->Has("-o");
  if (layout.empty() || (layout == "files" && shows_view)) {
    CheckOptionsOfViews(*arguments);
    if (!layout.empty() && !view.view) view.view = ViewKind::kPairs;
    return ExportView(reader, *arguments, view);
  }
  return ExportPairs(reader, layout, *arguments);
}

}  // namespace ulhff
