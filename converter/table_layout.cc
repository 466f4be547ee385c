// Each media once, under the first name that the source had for it, and a table of the pairs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "converter/media_paths.h"
#include "converter/media_types.h"
#include "converter/output.h"
#include "converter/pair_layout.h"
#include "converter/table_writer.h"
#include "ulhff/reader_columns.h"
#include "ulhff/tree.h"

namespace ulhff {

namespace {

constexpr uint64_t kFanOut = 10000;
constexpr size_t kPieceSize = size_t{1} << 18;

TreeOptions SourceView() {
  TreeOptions options;
  options.view = ViewKind::kSource;
  return options;
}

class TableLayout final : public PairLayout {
 public:
  explicit TableLayout(const LayoutContext& context)
      : context_(context),
        tree_(context.reader, SourceView()),
        paths_(tree_, context.reader.info().objects, context.options.tmp_dir),
        directory_(context.root),
        generated_(FreeName(tree_)),
        name_(context.options.json_lines ? "captions.jsonl" : "captions.csv"),
        written_(context.reader.info().objects),
        table_(context.root) {
    CheckFree(context, context.root, name_);
    const char* const other = context.options.json_lines ? "captions.csv" : "captions.jsonl";
    if (context.root.Has(other)) RefuseMixing(context.root.PathOf(other));
    const std::vector<FieldInfo>& fields = context.reader.info().fields;
    const auto is_caption = [](const FieldInfo& field) {
      return field.name == "caption" || (field.name.empty() && field.extension == "caption");
    };
    // The name that `convert` looks for first, unless another text has it.
    const bool taken =
        fields.size() > 1 && std::any_of(fields.begin() + 1, fields.end(), is_caption);
    columns_.split = !context.reader.info().splits.empty();
    columns_.names = ColumnNames(context.reader.info(), "file_name", taken ? "text" : "caption",
                                 columns_.split ? "split" : "");
    const TextSink sink = [this](std::string_view text) { Append(text); };
    writer_ = context.options.json_lines ? MakeJsonLinesWriter(sink, columns_)
                                         : MakeCsvWriter(sink, columns_, ',');
  }

  void Add(PairWalk& pair) override {
    PairRow row;
    row.texts = pair.ReadTexts();
    const std::string path = PathOf(pair);
    if (!written_[pair.object()]) WriteMedia(pair, path);
    row.media = path;
    if (paths_.HasSeveral(pair.object())) ++first_names_;
    if (pair.split()) row.split = context_.reader.info().splits[*pair.split()];
    writer_->Row(row);
  }

  void Finish() override {
    writer_->Finish();
    Flush();
    table_.SetTime(context_.reader.info().default_mtime_ns);
    table_.Publish(name_, context_.options.force);
    ++context_.totals.files;
    if (first_names_ == 0) return;
    fmt::print(stderr, "ulhff export: {}\n", FirstNamesNote(first_names_, "--as files"));
  }

  // Media have names of the source, or are numbered with gaps: nobody can say whose they are.
  std::optional<uint64_t> NumberOf(std::string_view) const override { return std::nullopt; }

  std::string ConvertOptions() const override {
    std::string options;
    if (columns_.names.size() < 2) return "--from files";
    if (columns_.names.size() > 2) options = "--text-column " + columns_.names[1];
    for (size_t i = 2; i < columns_.names.size(); ++i)
      options += fmt::format(" --field {0}={0}", columns_.names[i]);
    return options;
  }

 private:
  // A directory for media without a name, which no other path begins with.
  static std::string FreeName(const Tree& source) {
    std::string name = "media";
    while (source.Lookup(kRootNode, name)) name += '_';
    return name;
  }

  std::string PathOf(const PairWalk& pair) const {
    if (auto path = paths_.Of(pair.pair(), pair.object())) return std::move(*path);
    const std::string_view extension = context_.reader.Extension(pair.object());
    return fmt::format("{}/{:05}/{:09}{}{}", generated_, pair.object() / kFanOut, pair.object(),
                       extension.empty() ? "" : ".", extension);
  }

  void WriteMedia(const PairWalk& pair, const std::string& path) {
    const TargetDirectory& directory = directory_.At(std::string(ParentPath(path)));
    CheckFree(context_, directory, BaseName(path));
    TargetFile file(directory);
    ReadWholeMedia(context_.reader, pair.object(), buffer_,
                   [&](ByteSpan bytes) { file.Write(bytes); });
    file.SetTime(context_.reader.ObjectTime(pair.object()));
    file.Publish(BaseName(path), context_.options.force);
    written_[pair.object()] = true;
    ++context_.totals.files;
    context_.totals.bytes += pair.layout().media_size;
  }

  void Append(std::string_view text) {
    pending_ += text;
    if (pending_.size() >= kPieceSize) Flush();
  }
  void Flush() {
    table_.Write(std::as_bytes(std::span(pending_)));
    context_.totals.bytes += pending_.size();
    pending_.clear();
  }

  const LayoutContext context_;
  const Tree tree_;
  const MediaPaths paths_;
  OpenDirectory directory_;
  const std::string generated_;
  const std::string name_;
  std::vector<bool> written_;  // by object
  TargetFile table_;
  TableColumns columns_;
  std::unique_ptr<TableWriter> writer_;
  uint64_t first_names_ = 0;  // pairs whose media has others
  std::string pending_;
  std::vector<std::byte> buffer_;
};

}  // namespace

std::unique_ptr<PairLayout> MakeTableLayout(const LayoutContext& context) {
  return std::make_unique<TableLayout>(context);
}

}  // namespace ulhff
