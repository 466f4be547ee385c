// Rows of pairs as the tables that loaders read: CSV, JSON Lines, and the JSON of COCO and LAVIS.
#ifndef ULHFF_CONVERTER_TABLE_WRITER_H_
#define ULHFF_CONVERTER_TABLE_WRITER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ulhff {

// Everything is passed on at once: a writer holds one row.
using TextSink = std::function<void(std::string_view)>;

struct PairRow {
  std::string_view media;
  std::span<const std::optional<std::string_view>> texts;  // nullopt: absent
  std::optional<std::string_view> split;
  uint64_t object = 0;
  uint64_t position = 0;  // in the source
};

class TableWriter {
 public:
  virtual ~TableWriter() = default;

  // Whether a row without its first text has no place in this table.
  virtual bool needs_text() const { return false; }
  // Whether Image is wanted, for every media once, before the first row.
  virtual bool needs_images() const { return false; }
  virtual void Image(uint64_t /*object*/, std::string_view /*media*/) {}
  virtual void Row(const PairRow& row) = 0;
  virtual void Finish() {}  // after the last row
};

struct TableColumns {
  std::vector<std::string> names;  // the media, then one for each text
  bool split = false;              // one more, called "split"
};

// RFC 4180 with LF: absent is nothing, empty is "". A header first.
std::unique_ptr<TableWriter> MakeCsvWriter(TextSink sink, const TableColumns& columns,
                                           char delimiter);
// Absent is null; for bytes that are no UTF-8 see JsonString.
std::unique_ptr<TableWriter> MakeJsonLinesWriter(TextSink sink, const TableColumns& columns);
// {"images":[{"id","file_name"}],"annotations":[{"id","image_id","caption"}]}
std::unique_ptr<TableWriter> MakeCocoWriter(TextSink sink);
// [{"image","caption","image_id"}]
std::unique_ptr<TableWriter> MakeLavisWriter(TextSink sink);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TABLE_WRITER_H_
