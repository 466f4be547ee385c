// `ulhff table`: prints the pairs as a table whose media lie in a mount.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "command_line.h"
#include "commands.h"
#include "input_error.h"
#include "interrupt.h"
#include "media_paths.h"
#include "output.h"
#include "pair_walk.h"
#include "printable.h"
#include "table_writer.h"
#include "ulhff/error.h"
#include "ulhff/reader.h"
#include "ulhff/reader_columns.h"
#include "ulhff/tree.h"

namespace ulhff {

namespace po = boost::program_options;

namespace {

constexpr CommandHelp kHelp = {
    "table",
    "[OPTIONS] FILE",
    "Print the pairs of a ULHFF file as a table, in the order of the source.",
    "Media are named as a mount with the same view options shows them, below --prefix.\n"
    "Examples:  ulhff table --prefix /mnt/photos photos.ulhff > train.jsonl\n"
    "           ulhff table --format csv --media-column filepath --text-column title \\\n"
    "             --delimiter tab --prefix /mnt/photos photos.ulhff > openclip.csv\n"
    "Exit status: 0 done, 1 cannot read FILE, 2 usage, 3 FILE is damaged (rows are left out).",
    1,
    1};

class TablePrinter {
 public:
  TablePrinter(const Reader& reader, const Tree& tree, const Arguments& arguments)
      : reader_(reader),
        paths_(tree, reader.info().objects, ValueOf(arguments, "tmp-dir", DefaultTmpDir())),
        prefix_(ValueOf(arguments, "prefix", "")) {
    if (!prefix_.empty() && !prefix_.ends_with('/')) prefix_ += '/';
    if (arguments.Has("split"))
      split_ = SplitCalled(reader.info(), ValueOf(arguments, "split", ""));
    writer_ = MakeWriter(arguments);
  }

  int Print() {
    if (writer_->needs_images()) PrintImages();
    PairWalk walk(reader_, split_);
    while (walk.Next()) {
      CheckInterrupt();
      if (writer_->needs_text() && (reader_.info().fields.empty() || !walk.HasText(0))) continue;
      PrintRow(walk);
    }
    writer_->Finish();
    out_.Flush();
    if (first_names_ > 0) {
      fmt::print(stderr, "ulhff table: {}\n", FirstNamesNote(first_names_, "--view pairs"));
    }
    if (damaged_ == 0) return kExitDone;
    throw InputError(
        fmt::format("{} of the pairs could not be read and are left out", GroupedNumber(damaged_)));
  }

 private:
  static std::string ValueOf(const Arguments& arguments, const char* option,
                             const std::string& otherwise) {
    return arguments.Has(option) ? arguments.values[option].as<std::string>() : otherwise;
  }

  static char DelimiterOf(const Arguments& arguments) {
    const std::string text = ValueOf(arguments, "delimiter", ",");
    if (text == "tab" || text == "\\t") return '\t';
    if (text.size() != 1 || text == "\"" || text == "\n" || text == "\r")
      throw UsageError(fmt::format("--delimiter {}: must be one byte, or 'tab'", text));
    return text[0];
  }

  std::unique_ptr<TableWriter> MakeWriter(const Arguments& arguments) {
    const std::string format = ValueOf(arguments, "format", "jsonl");
    const auto refuse = [&](const char* option, const char* formats) {
      if (arguments.Has(option))
        throw UsageError(fmt::format("--{}: only with --format {}", option, formats));
    };
    if (format != "csv") refuse("delimiter", "csv");
    const TextSink sink = [this](std::string_view text) { out_.Write(text); };
    if (format == "coco" || format == "lavis") {
      refuse("media-column", "jsonl or csv");
      refuse("text-column", "jsonl or csv");
      return format == "coco" ? MakeCocoWriter(sink) : MakeLavisWriter(sink);
    }
    TableColumns columns;
    columns.split = !reader_.info().splits.empty();
    columns.names =
        ColumnNames(reader_.info(), ValueOf(arguments, "media-column", "file_name"),
                    ValueOf(arguments, "text-column", "text"), columns.split ? "split" : "");
    if (format == "jsonl") return MakeJsonLinesWriter(sink, columns);
    if (format == "csv") return MakeCsvWriter(sink, columns, DelimiterOf(arguments));
    throw UsageError(fmt::format("--format {}: not one of jsonl, csv, coco, lavis", format));
  }

  std::string PathOf(uint64_t pair, uint64_t object) const {
    const auto path = paths_.Of(pair, object);
    if (!path)
      throw InputError(fmt::format(
          "media {} has no name in the source: choose --view pairs or objects", object));
    return prefix_ + *path;
  }

  // Each media once, those of a split if one was asked for.
  void PrintImages() {
    std::vector<bool> wanted(reader_.info().objects, !split_);
    for (uint64_t i = 0; split_ && i < reader_.SplitPairs(*split_); ++i)
      wanted[reader_.Locate(reader_.PairInSplit(*split_, i)).object] = true;
    for (uint64_t object = 0; object < wanted.size(); ++object) {
      CheckInterrupt();
      if (wanted[object]) writer_->Image(object, PathOf(reader_.Object(object).first_pair, object));
    }
  }

  void PrintRow(PairWalk& walk) {
    PairRow row;
    const std::string path = PathOf(walk.pair(), walk.object());
    try {
      row.texts = walk.ReadTexts();
    } catch (const FormatError& e) {
      ++damaged_;
      fmt::print(stderr, "ulhff table: {}: {}\n", Printable(path, kWholePath), e.what());
      return;
    }
    row.media = path;
    if (paths_.HasSeveral(walk.object())) ++first_names_;
    if (walk.split()) row.split = reader_.info().splits[*walk.split()];
    row.object = walk.object();
    row.position = walk.position();
    writer_->Row(row);
  }

  const Reader& reader_;
  MediaPaths paths_;
  std::string prefix_;
  std::optional<uint64_t> split_;
  Output out_;
  std::unique_ptr<TableWriter> writer_;
  uint64_t first_names_ = 0;  // pairs whose media has others
  uint64_t damaged_ = 0;
};

}  // namespace

int TableMain(int argc, char** argv) {
  auto options = CommandOptions();
  const auto value = [](const char* name) { return po::value<std::string>()->value_name(name); };
  auto add = options.add_options();
  add("format", value("FORMAT"),
      "jsonl (default), csv, coco (images and annotations) or lavis (an array)");
  add("prefix", value("DIR"), "put this before each path: where the file is mounted");
  add("split", value("NAME"), "only the pairs of this split");
  add("media-column", value("NAME"), "what the column of the media is called (file_name)");
  add("text-column", value("NAME"), "what the column of the first text is called (text)");
  add("delimiter", value("CHAR"), "between the cells of csv (,); 'tab'");
  add("tmp-dir", value("DIR"), "for the names of the source view ($TMPDIR, or /tmp)");
  AddTreeOptions(options);
  const auto arguments = ParseCommandLine(argc, argv, kHelp, options);
  if (!arguments) return kExitDone;
  // Objects follow each other: the read-ahead of the page cache serves this best.
  const Reader reader = Reader::Open(arguments->operands[0], {.mode = ReadMode::kBuffered});
  const Tree tree(reader, TreeOptionsFrom(*arguments));
  const InterruptGuard guard;
  return TablePrinter(reader, tree, *arguments).Print();
}

}  // namespace ulhff
