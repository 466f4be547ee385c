// `ulhff verify`: checks a whole file and tells what is damaged, by path.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "command_line.h"
#include "commands.h"
#include "input_error.h"
#include "json_output.h"
#include "node_namer.h"
#include "output.h"
#include "printable.h"
#include "progress.h"
#include "ulhff/reader.h"
#include "ulhff/tree.h"
#include "ulhff/verify.h"

namespace ulhff {

namespace po = boost::program_options;

namespace {

constexpr CommandHelp kHelp = {
    "verify",
    "[OPTIONS] FILE",
    "Check the structure and every checksum of a ULHFF file.",
    "Each finding is a line: path in the view that a mount shows, offset in FILE, fault.\n"
    "Examples:  ulhff verify photos.ulhff\n"
    "           ulhff verify -q photos.ulhff || echo damaged\n"
    "Exit status: 0 sound, 1 cannot read FILE, 2 usage, 3 FILE is damaged or no ULHFF file.",
    1,
    1};

constexpr unsigned kMaxThreads = 1024;

// Paths for findings.
class Namer {
 public:
  explicit Namer(const Reader& reader) : path_(reader.info().path), nodes_(reader) {}

  NodeNamer::Name NameOf(const Finding& finding) const {
    if (finding.subject == Finding::Subject::kFile) return {path_};
    return nodes_.NameOf(NodeOf(finding));
  }

 private:
  static Node NodeOf(const Finding& finding) {
    switch (finding.subject) {
      case Finding::Subject::kMedia:
        return Node(NodeKind::kMedia, finding.number);
      case Finding::Subject::kText:
        return Node(NodeKind::kText, finding.number);
      case Finding::Subject::kBlob:
        return Node(NodeKind::kBlob, finding.number);
      case Finding::Subject::kDirectory:
        return Node(NodeKind::kSourceDir, finding.number);
      case Finding::Subject::kFile:
        break;
    }
    return kRootNode;
  }

  std::string path_;
  NodeNamer nodes_;
};

void PrintForPerson(const Reader& reader, const std::vector<Finding>& findings) {
  const Info& info = reader.info();
  Output out;
  const Namer namer(reader);
  for (const Finding& finding : findings) {
    const NodeNamer::Name name = namer.NameOf(finding);
    const std::string more =
        name.count > 1 ? fmt::format(" (one of {} names)", GroupedNumber(name.count)) : "";
    out.Write(fmt::format("{}{}: offset {}: {}\n", Printable(name.path, kWholePath), more,
                          finding.offset, finding.what));
  }
  if (findings.empty()) {
    out.Write(fmt::format("{}: sound ({}, {} of {} media)\n", Printable(info.path, kWholePath),
                          ReadableSize(info.file_bytes), Counted(info.pairs, "pair", "pairs"),
                          GroupedNumber(info.objects)));
  } else {
    out.Write(fmt::format("{}: damaged ({})\n", Printable(info.path, kWholePath),
                          Counted(findings.size(), "finding", "findings")));
  }
  out.Flush();
}

void PrintJson(const Reader& reader, const std::vector<Finding>& findings) {
  const Namer namer(reader);
  JsonOutput json;
  json.StartObject();
  json.Key("path");
  json.Bytes(reader.info().path);
  json.Key("uuid");
  json.Bytes(reader.info().uuid);
  json.Key("sound");
  json.Bool(findings.empty());
  json.Key("file_bytes");
  json.Uint64(reader.info().file_bytes);
  json.Key("findings");
  json.StartArray();
  for (const Finding& finding : findings) {
    const NodeNamer::Name name = namer.NameOf(finding);
    json.StartObject();
    json.Key("path");
    json.Bytes(name.path);
    json.Key("names");
    json.Uint64(name.count);
    json.Key("offset");
    json.Uint64(finding.offset);
    json.Key("what");
    json.Bytes(finding.what);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  json.Print();
}

std::vector<Finding> VerifyWithProgress(const Reader& reader, unsigned threads, bool quiet) {
  Progress progress(quiet);
  progress.Stage("verifying", reader.info().file_bytes, Progress::Unit::kBytes);
  VerifyOptions options;
  options.threads = threads;
  uint64_t shown = 0;
  options.progress = [&](uint64_t done, uint64_t) {
    progress.Advance(done - shown);
    shown = done;
  };
  return Verify(reader, options);
}

}  // namespace

int VerifyMain(int argc, char** argv) {
  auto options = CommandOptions();
  auto add = options.add_options();
  add("threads", po::value<unsigned>()->value_name("N")->default_value(0, "processors"),
      "threads that read and check");
  add("json", Switch(), "for a program: one JSON object");
  add("quiet,q", Switch(), "print nothing; the exit status tells");
  const auto arguments = ParseCommandLine(argc, argv, kHelp, options);
  if (!arguments) return kExitDone;
  const auto threads = arguments->values["threads"].as<unsigned>();
  if (threads > kMaxThreads)
    throw UsageError(fmt::format("--threads needs a number from 0 to {}", kMaxThreads));
  const bool quiet = arguments->values["quiet"].as<bool>();
  if (quiet && arguments->values["json"].as<bool>())
    throw UsageError("--quiet prints nothing, so --json has no use beside it");
  const Reader reader = Reader::Open(arguments->operands[0], {.mode = ReadMode::kDirect});
  const std::vector<Finding> findings = VerifyWithProgress(reader, threads, quiet);
  if (arguments->values["json"].as<bool>()) {
    PrintJson(reader, findings);
  } else if (!quiet) {
    PrintForPerson(reader, findings);
  }
  return findings.empty() ? kExitDone : kExitBadInput;
}

}  // namespace ulhff
