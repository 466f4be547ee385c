// One class for each form; none of them keeps more than a row.
#include "converter/table_writer.h"

#include <csv.h>

#include <utility>

#include "ulhff/json_text.h"

namespace ulhff {

namespace {

constexpr const char* kSplitColumn = "split";

class CsvWriter final : public TableWriter {
 public:
  CsvWriter(TextSink sink, const TableColumns& columns, char delimiter)
      : sink_(std::move(sink)), has_split_(columns.split), delimiter_(delimiter) {
    for (const std::string& name : columns.names) AddCell(name);
    if (has_split_) AddCell(kSplitColumn);
    EndRow();
  }

  void Row(const PairRow& row) override {
    AddCell(row.media);
    for (const auto& text : row.texts) AddCell(text);
    if (has_split_) AddCell(row.split);
    EndRow();
  }

 private:
  bool NeedsQuotes(std::string_view cell) const {
    const char special[] = {delimiter_, '"', '\r', '\n'};
    return cell.find_first_of(std::string_view(special, sizeof(special))) != std::string_view::npos;
  }

  void AddCell(const std::optional<std::string_view>& cell) {
    if (!first_cell_) row_ += delimiter_;
    first_cell_ = false;
    if (!cell) return;
    if (cell->empty()) {
      row_ += "\"\"";
      return;
    }
    if (!NeedsQuotes(*cell)) {
      row_ += *cell;
      return;
    }
    const size_t before = row_.size();
    row_.resize(before + csv_write2(nullptr, 0, cell->data(), cell->size(), '"'));
    csv_write2(row_.data() + before, row_.size() - before, cell->data(), cell->size(), '"');
  }

  void EndRow() {
    row_ += '\n';
    sink_(row_);
    row_.clear();
    first_cell_ = true;
  }

  TextSink sink_;
  bool has_split_;
  char delimiter_;
  bool first_cell_ = true;
  std::string row_;
};

class JsonLinesWriter final : public TableWriter {
 public:
  JsonLinesWriter(TextSink sink, const TableColumns& columns)
      : sink_(std::move(sink)), columns_(columns) {}

  void Row(const PairRow& row) override {
    row_.Clear();
    row_.Add(columns_.names[0], row.media);
    for (size_t i = 0; i < row.texts.size(); ++i) row_.Add(columns_.names[1 + i], row.texts[i]);
    if (columns_.split) row_.Add(kSplitColumn, row.split);
    sink_(row_.Finish());
    sink_("\n");
  }

 private:
  TextSink sink_;
  TableColumns columns_;
  JsonObject row_;
};

// The commas between the elements of an array.
class Elements {
 public:
  void Add(const TextSink& sink, std::string_view element) {
    sink(first_ ? "\n" : ",\n");
    first_ = false;
    sink(element);
  }

 private:
  bool first_ = true;
};

class CocoWriter final : public TableWriter {
 public:
  explicit CocoWriter(TextSink sink) : sink_(std::move(sink)) { sink_("{\"images\": ["); }

  bool needs_text() const override { return true; }
  bool needs_images() const override { return true; }
  void Image(uint64_t object, std::string_view media) override {
    row_.Clear();
    row_.Add("id", object);
    row_.Add("file_name", media);
    images_.Add(sink_, row_.Finish());
  }

  void Row(const PairRow& row) override {
    BeginAnnotations();
    row_.Clear();
    row_.Add("id", row.position);
    row_.Add("image_id", row.object);
    row_.Add("caption", row.texts[0]);
    annotations_.Add(sink_, row_.Finish());
  }

  void Finish() override {
    BeginAnnotations();
    sink_("\n]}\n");
  }

 private:
  void BeginAnnotations() {
    if (!std::exchange(has_annotations_, true)) sink_("\n],\n\"annotations\": [");
  }

  TextSink sink_;
  JsonObject row_;
  Elements images_;
  Elements annotations_;
  bool has_annotations_ = false;
};

class LavisWriter final : public TableWriter {
 public:
  explicit LavisWriter(TextSink sink) : sink_(std::move(sink)) { sink_("["); }

  bool needs_text() const override { return true; }

  void Row(const PairRow& row) override {
    row_.Clear();
    row_.Add("image", row.media);
    row_.Add("caption", row.texts[0]);
    row_.Add("image_id", row.object);
    rows_.Add(sink_, row_.Finish());
  }

  void Finish() override { sink_("\n]\n"); }

 private:
  TextSink sink_;
  JsonObject row_;
  Elements rows_;
};

}  // namespace

std::unique_ptr<TableWriter> MakeCsvWriter(TextSink sink, const TableColumns& columns,
                                           char delimiter) {
  return std::make_unique<CsvWriter>(std::move(sink), columns, delimiter);
}

std::unique_ptr<TableWriter> MakeJsonLinesWriter(TextSink sink, const TableColumns& columns) {
  return std::make_unique<JsonLinesWriter>(std::move(sink), columns);
}

std::unique_ptr<TableWriter> MakeCocoWriter(TextSink sink) {
  return std::make_unique<CocoWriter>(std::move(sink));
}

std::unique_ptr<TableWriter> MakeLavisWriter(TextSink sink) {
  return std::make_unique<LavisWriter>(std::move(sink));
}

}  // namespace ulhff
