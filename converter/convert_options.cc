// Options in groups, as --help shows them, and what their values may be.
#include "converter/convert_options.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converter/command_line.h"
#include "converter/input_error.h"
#include "converter/option_values.h"
#include "converter/source.h"
#include "ulhff/shard_info.h"

namespace ulhff {

namespace po = boost::program_options;

namespace {

constexpr CommandHelp kHelp = {
    "convert",
    "[OPTIONS] SOURCE... OUT.ulhff",
    "Make one ULHFF file of a dataset: each media once, with all its texts.\n"
    "SOURCE is a directory, a table, an archive of samples, or - for a tar on standard input; "
    "what\n"
    "it is gets recognised. Of several directories each appears under its own name.",
    "Examples:  ulhff convert photos/ photos.ulhff\n"
    "           ulhff convert --media-root images captions.csv photos.ulhff\n"
    "           ulhff convert --dry-run --report odd.jsonl photos/ photos.ulhff\n"
    "Exit status: 0 done, 1 cannot read or write, 2 usage (OUT exists without --force),\n"
    "3 the source is bad. Interrupted, it dies of the signal (a shell says 130 or 143).\n"
    "Whatever happens, OUT is either complete or untouched. See docs/sources.md.",
    2,
    std::numeric_limits<size_t>::max()};

constexpr CommandHelp kMergeHelp = {
    "merge",
    "[OPTIONS] A.ulhff... OUT.ulhff",
    "Join ULHFF files: media that are in several are stored once, and every name, pair, split,\n"
    "extra and time is kept. All shards of one conversion, named in any order, give the file that\n"
    "the conversion would have made at once.",
    "Examples:  ulhff merge train.ulhff val.ulhff all.ulhff\n"
    "           for i in 1 2 3; do ulhff convert --shard $i/3 photos part$i.ulhff; done\n"
    "           ulhff merge part*.ulhff photos.ulhff\n"
    "Exit status: as ulhff convert; 3 if an input is damaged, a shard is missing or a name stands\n"
    "for different files. Whatever happens, OUT is either complete or untouched.",
    2,
    std::numeric_limits<size_t>::max()};

constexpr unsigned kMaxThreads = 256;

std::string KindList() {
  std::string list = "read SOURCE as this kind:";
  for (const SourceKind& kind : SourceKinds()) {
    list += fmt::format("\n{}: \t{}", kind.from, kind.summary);
  }
  return list;
}

po::options_description Recognition() {
  po::options_description group("What the source is (default: recognised)");
  group.add_options()("from", Value("KIND[:FILE,...]"), KindList().c_str());
  return group;
}

po::options_description Tables() {
  po::options_description group("Tables (CSV, TSV, JSON, JSON Lines) and columns of records");
  group.add_options()                                                //
      ("media-column", Value("NAME"), "column of the media's path")  //
      ("text-column", Values("NAME"),
       "column of a text; repeatable, or a glob such as 'caption_*': each is a pair")            //
      ("field", Values("NAME=COLUMN"), "one more part of the same pair; repeatable")             //
      ("keep-columns", Switch(), "the whole row as a .json part of the pair")                    //
      ("id-column", Value("NAME"), "column of the id that media files are named by")             //
      ("split-column", Value("NAME"), "column of the split")                                     //
      ("media-root", Value("DIR"), "where the media paths begin (default: where the table is)")  //
      ("media-template", Values("PATTERN"),
       "path of a media, e.g. 'audio/{youtube_id}.flac'; of several the first that is there")   //
      ("strip-prefix", Value("PREFIX"), "take this off the front of media paths")               //
      ("no-header", Switch(), "the first row is data")                                          //
      ("columns", Value("NAME,..."), "names of the columns, with --no-header")                  //
      ("delimiter", Value("CHAR"), "between cells (default: by extension and content); 'tab'")  //
      ("quote", Value("none|'\"'"), "quoting (default: '\"' in CSV, none in TSV)")              //
      ("last-column-rest", Switch(), "the last column takes the rest of the line");
  return group;
}

po::options_description Tars() {
  po::options_description group("Tar archives, WebDataset");
  group.add_options()("key-rule", Value("first-dot|last-dot"),
                      "where the key of a member's name ends (default: first-dot)");
  return group;
}

po::options_description Files() {
  po::options_description group("Plain files");
  group.add_options()                                                                    //
      ("media-ext", Values("EXT,..."), "extensions of media (default: the usual ones)")  //
      ("text-ext", Values("EXT,..."),
       "extensions of texts (default: txt, text, caption, captions, json, lab)")                  //
      ("pair-dirs", Values("A:B"), "directories A and B hold the media and their texts")          //
      ("split-dirs", Switch(), "each topmost directory is a split (shards of records, too)")      //
      ("texts", Value("whole|lines"), "a text file is one text, or one a line (default: whole)")  //
      ("extras", Value("keep|none"), "files that no pair uses (default: keep)")                   //
      ("drop-hidden", Switch(), "leave hidden and OS files out");
  return group;
}

po::options_description Names() {
  po::options_description group("Names in the tree");
  group.add_options()  //
      ("name-encoding", Value("NAME"),
       "names that are no UTF-8 are in this, e.g. latin1: convert them (default: bytes stay)")  //
      ("lower-ext", Switch(), "lower the extensions of files: A.JPG becomes A.jpg");
  return group;
}

po::typed_value<std::string>* Duplicates() { return Value("error|first|last|rename"); }
constexpr const char* kDuplicatesHelp = "one path for different files (default: error)";

po::options_description Policies() {
  po::options_description group("Odd input (each is counted and told)");
  group.add_options()                                                                        //
      ("missing-media", Value("error|skip"), "a row's media is not there (default: error)")  //
      ("unpaired-media", Value("keep|skip|error"), "media without text (default: keep)")     //
      ("unpaired-text", Value("extra|skip|error"), "text without media (default: extra)")    //
      ("empty", Value("keep|skip|error"), "empty media, empty text (default: keep)")         //
      ("duplicates", Duplicates(), kDuplicatesHelp)                                          //
      ("symlinks", Value("follow|inside|skip"), "symbolic links (default: follow)")          //
      ("multi-media", Value("error|each|first|skip"),
       "a row with several media (default: error)")                          //
      ("allow-outside", Switch(), "take paths with '..' and absolute ones")  //
      ("lenient", Switch(), "of a truncated source keep what is whole")      //
      ("strict", Switch(), "every warning is an error");
  return group;
}

po::options_description Large() {
  po::options_description group("Large sets");
  group.add_options()(
      "shard", Value("I/N"),
      "convert part I of N only, on a node of its own; ulhff merge joins the parts");
  return group;
}

po::options_description Inputs() {
  po::options_description group("The inputs");
  group.add_options()                                                            //
      ("duplicates", Duplicates(), kDuplicatesHelp)                              //
      ("extras", Value("keep|none"), "files that no pair uses (default: keep)")  //
      ("strict", Switch(), "every warning is an error");
  return group;
}

po::options_description Run() {
  po::options_description group("The run");
  group.add_options()                                                                            //
      ("threads", Value("N"), "threads that read (default: two for each processor)")             //
      ("align", Value("BYTES"), "objects start at multiples of this, 64 to 4096 (default: 64)")  //
      ("force,f", Switch(), "replace OUT")                                                       //
      ("dry-run,n", Switch(), "read and count everything, write nothing")                        //
      ("json", Switch(), "the result as JSON on standard output")                                //
      ("report", Value("FILE"), "everything odd, one JSON object a line")                        //
      ("tmp-dir", Value("DIR"), "for temporary files (default: where OUT goes)")                 //
      ("quiet,q", Switch(), "print errors only");
  return group;
}

void TakeTables(const Arguments& arguments, ConvertOptions& options) {
  options.media_column = ValueOf(arguments, "media-column");
  options.text_columns = List(arguments, "text-column");
  options.fields = Assignments(arguments, "field", '=');
  for (const auto& [name, column] : options.fields) {
    if (name.find('/') == std::string::npos) continue;
    throw UsageError(fmt::format("--field {}={}: a name of a field has no '/'", name, column));
  }
  options.keep_columns = Flag(arguments, "keep-columns");
  options.id_column = ValueOf(arguments, "id-column");
  options.split_column = ValueOf(arguments, "split-column");
  options.media_root = ValueOf(arguments, "media-root");
  options.media_templates = List(arguments, "media-template");
  options.strip_prefix = ValueOf(arguments, "strip-prefix");
  options.split_dirs = Flag(arguments, "split-dirs");
  options.no_header = Flag(arguments, "no-header");
  options.columns = SplitAtCommas(ValueOf(arguments, "columns"));
  options.last_column_rest = Flag(arguments, "last-column-rest");
  if (arguments.Has("delimiter")) {
    const std::string text = ValueOf(arguments, "delimiter");
    const bool tab = text == "tab" || text == "\\t";
    if (!tab && text.size() != 1) {
      throw UsageError(fmt::format("--delimiter {}: must be one byte, or 'tab'", text));
    }
    options.delimiter = tab ? '\t' : text[0];
  }
  if (arguments.Has("quote")) {
    bool quoting = true;
    Choose<bool>(arguments, "quote", {{"none", false}, {"\"", true}}, quoting);
    options.quoting = quoting;
  }
}

void TakeTars(const Arguments& arguments, ConvertOptions& options) {
  Choose<KeyRule>(arguments, "key-rule",
                  {{"first-dot", KeyRule::kFirstDot}, {"last-dot", KeyRule::kLastDot}},
                  options.key_rule);
}

void TakeDuplicates(const Arguments& arguments, ConvertOptions& options) {
  Choose<OnDuplicate>(arguments, "duplicates",
                      {{"error", OnDuplicate::kError},
                       {"first", OnDuplicate::kFirst},
                       {"last", OnDuplicate::kLast},
                       {"rename", OnDuplicate::kRename}},
                      options.duplicates);
}

void TakeExtras(const Arguments& arguments, ConvertOptions& options) {
  Choose<bool>(arguments, "extras", {{"keep", true}, {"none", false}}, options.extras);
}

void TakeShard(const Arguments& arguments, ConvertOptions& options) {
  if (!arguments.Has("shard")) return;
  const std::string text = ValueOf(arguments, "shard");
  const size_t slash = text.find('/');
  // 0, which is no shard, where there is no number.
  const unsigned shard = ParseNumber(text.substr(0, slash)).value_or(0);
  const unsigned shards =
      slash == std::string::npos ? 0 : ParseNumber(text.substr(slash + 1)).value_or(0);
  if (shard < 1 || shard > shards || shards > kMaxShardCount) {
    throw UsageError(
        fmt::format("--shard {}: needs I/N with 1 <= I <= N <= {}", text, kMaxShardCount));
  }
  options.shard = shard;
  options.shards = shards;
}

void TakeFiles(const Arguments& arguments, ConvertOptions& options) {
  options.media_extensions = CommaLists(arguments, "media-ext");
  options.text_extensions = CommaLists(arguments, "text-ext");
  options.pair_dirs = Assignments(arguments, "pair-dirs", ':');
  Choose<TextsMode>(arguments, "texts",
                    {{"whole", TextsMode::kWhole}, {"lines", TextsMode::kLines}}, options.texts);
  TakeExtras(arguments, options);
  options.drop_hidden = Flag(arguments, "drop-hidden");
  options.name_encoding = ValueOf(arguments, "name-encoding");
  options.lower_ext = Flag(arguments, "lower-ext");
}

// Values that would be taken for "not given", and options of which one makes the other void.
void CheckValues(const Arguments& arguments, const ConvertOptions& options) {
  constexpr const char* kOneName[] = {"from",         "media-column", "id-column",
                                      "split-column", "media-root",   "name-encoding"};
  for (const char* option : kOneName) {
    if (arguments.Has(option) && ValueOf(arguments, option).empty()) {
      throw UsageError(fmt::format("--{}: is empty", option));
    }
  }
  constexpr const char* kNames[] = {"media-ext", "text-ext", "text-column", "media-template"};
  for (const char* option : kNames) {
    for (const std::string& list : List(arguments, option)) {
      if (list.empty()) throw UsageError(fmt::format("--{}: is empty", option));
    }
  }
  if (arguments.Has("columns") && !options.no_header) {
    throw UsageError("--columns: only with --no-header; else the first row has the names");
  }
}

void TakePolicies(const Arguments& arguments, ConvertOptions& options) {
  Choose<OnMissingMedia>(arguments, "missing-media",
                         {{"error", OnMissingMedia::kError}, {"skip", OnMissingMedia::kSkip}},
                         options.missing_media);
  Choose<OnUnpairedMedia>(arguments, "unpaired-media",
                          {{"keep", OnUnpairedMedia::kKeep},
                           {"skip", OnUnpairedMedia::kSkip},
                           {"error", OnUnpairedMedia::kError}},
                          options.unpaired_media);
  Choose<OnUnpairedText>(arguments, "unpaired-text",
                         {{"extra", OnUnpairedText::kExtra},
                          {"skip", OnUnpairedText::kSkip},
                          {"error", OnUnpairedText::kError}},
                         options.unpaired_text);
  Choose<OnEmpty>(arguments, "empty",
                  {{"keep", OnEmpty::kKeep}, {"skip", OnEmpty::kSkip}, {"error", OnEmpty::kError}},
                  options.empty);
  TakeDuplicates(arguments, options);
  Choose<OnSymlink>(
      arguments, "symlinks",
      {{"follow", OnSymlink::kFollow}, {"inside", OnSymlink::kInside}, {"skip", OnSymlink::kSkip}},
      options.symlinks);
  Choose<OnMultiMedia>(arguments, "multi-media",
                       {{"error", OnMultiMedia::kError},
                        {"each", OnMultiMedia::kEach},
                        {"first", OnMultiMedia::kFirst},
                        {"skip", OnMultiMedia::kSkip}},
                       options.multi_media);
  options.allow_outside = Flag(arguments, "allow-outside");
  options.lenient = Flag(arguments, "lenient");
  options.strict = Flag(arguments, "strict");
}

void TakeRun(const Arguments& arguments, ConvertOptions& options) {
  options.threads = Number(arguments, "threads", 0, 1, kMaxThreads);
  options.alignment = Number(arguments, "align", options.alignment, 64, 4096);
  if (arguments.Has("align") && !std::has_single_bit(options.alignment)) {
    throw UsageError(fmt::format("--align {}: not a power of two", options.alignment));
  }
  options.force = Flag(arguments, "force");
  options.dry_run = Flag(arguments, "dry-run");
  options.json = Flag(arguments, "json");
  options.quiet = Flag(arguments, "quiet");
  options.report = ValueOf(arguments, "report");
  options.tmp_dir = ValueOf(arguments, "tmp-dir");
}

ConvertOptions WithOperands(const Arguments& arguments) {
  ConvertOptions options;
  options.sources.assign(arguments.operands.begin(), arguments.operands.end() - 1);
  options.output = arguments.operands.back();
  return options;
}

}  // namespace

std::optional<ConvertOptions> ParseConvertOptions(int argc, char** argv) {
  po::options_description all;
  for (const auto& group :
       {Recognition(), Tables(), Tars(), Files(), Names(), Policies(), Large(), Run()})
    all.add(group);
  const std::optional<Arguments> arguments = ParseCommandLine(argc, argv, kHelp, all);
  if (!arguments) return std::nullopt;
  ConvertOptions options = WithOperands(*arguments);
  options.from = ValueOf(*arguments, "from");
  TakeTables(*arguments, options);
  TakeTars(*arguments, options);
  TakeFiles(*arguments, options);
  TakePolicies(*arguments, options);
  TakeShard(*arguments, options);
  TakeRun(*arguments, options);
  CheckValues(*arguments, options);
  return options;
}

std::optional<ConvertOptions> ParseMergeOptions(int argc, char** argv) {
  po::options_description all;
  for (const auto& group : {Inputs(), Run()}) all.add(group);
  const std::optional<Arguments> arguments = ParseCommandLine(argc, argv, kMergeHelp, all);
  if (!arguments) return std::nullopt;
  ConvertOptions options = WithOperands(*arguments);
  options.from = "ulhff";
  options.alignment = 0;
  TakeDuplicates(*arguments, options);
  TakeExtras(*arguments, options);
  options.strict = Flag(*arguments, "strict");
  TakeRun(*arguments, options);
  return options;
}

}  // namespace ulhff
