// Rows in the order of the view, written in large pieces.
#include "view_metadata.h"

#include <filesystem>
#include <span>

#include "reader_columns.h"
#include "spill_file.h"

namespace ulhff {

namespace {

constexpr uint64_t kPoolBytes = uint64_t{1} << 20;
constexpr size_t kPieceSize = size_t{1} << 18;

}  // namespace

MetadataWriter::MetadataWriter(const Reader& reader, const View& view, size_t prefix)
    : reader_(reader),
      view_(view),
      prefix_(prefix),
      columns_(ColumnNames(reader.info())),
      pool_(reader, {.bytes = kPoolBytes}) {}

void MetadataWriter::AddPairs(std::optional<uint64_t> split) {
  const uint64_t fields = reader_.info().fields.size();
  const uint64_t count = split ? reader_.SplitPairs(*split) : reader_.info().pairs;
  for (uint64_t number = 0; number < count; ++number) {
    const uint64_t pair = split ? reader_.PairInSplit(*split, number) : number;
    const uint64_t object = reader_.Locate(pair).object;
    const ObjectLayout layout = reader_.Object(object);
    BeginRow(pair, object);
    for (uint64_t field = 0; field < fields; ++field)
      row_.Add(columns_[1 + field], Read(layout, pair * fields + field));
    EndRow();
  }
}

void MetadataWriter::AddObjects() {
  const uint64_t fields = reader_.info().fields.size();
  for (uint64_t object = 0; object < reader_.info().objects; ++object) {
    const ObjectLayout layout = reader_.Object(object);
    BeginRow(layout.first_pair, object);
    for (uint64_t field = 0; field < fields; ++field) {
      row_.BeginArray(columns_[1 + field]);
      for (uint64_t slot = 0; slot < layout.pairs; ++slot)
        row_.AddElement(Read(layout, (layout.first_pair + slot) * fields + field));
      row_.EndArray();
    }
    EndRow();
  }
}

MetadataWriter::Contents MetadataWriter::Finish() {
  Flush();
  return std::move(contents_);
}

void MetadataWriter::BeginRow(uint64_t pair, uint64_t object) {
  row_.Clear();
  const auto path = view_.PathOfPair(pair, object);
  if (!path) return;
  const std::string_view whole = *path;
  row_.Add(columns_[0], whole.substr(prefix_));
}

void MetadataWriter::EndRow() {
  buffer_ += row_.Finish();
  buffer_ += '\n';
  if (buffer_.size() >= kPieceSize) Flush();
}

std::optional<std::string_view> MetadataWriter::Read(const ObjectLayout& object, uint64_t text) {
  const TextLayout layout = reader_.Text(object, text);
  if (layout.absent) return std::nullopt;
  text_.resize(layout.size);
  pool_.ReadText(text, 0, std::as_writable_bytes(std::span(text_)));
  return text_;
}

void MetadataWriter::Flush() {
  if (!contents_.file.valid()) {
    const std::string directory = std::filesystem::temp_directory_path();
    contents_.file = OpenSpillFile(directory);
    where_ = "temporary file in " + directory;
  }
  PwriteFull(contents_.file.get(), std::as_bytes(std::span(buffer_)), contents_.size, where_);
  contents_.size += buffer_.size();
  buffer_.clear();
}

}  // namespace ulhff
