// Streams the rows of a delimited text file (CSV, TSV, |-separated).
#ifndef ULHFF_CONVERTER_CSV_STREAM_H_
#define ULHFF_CONVERTER_CSV_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ulhff {

struct CsvOptions {
  char delimiter = ',';
  // RFC 4180 quoting with '"'. Off: '"' is data and one physical line is one row, always.
  bool quoting = true;
  // A longer row is an error: most likely an unmatched quote has swallowed the file.
  uint64_t max_row_bytes = uint64_t{1} << 30;
  // Bytes per read; small values make tests cross every boundary.
  size_t chunk_bytes = size_t{128} << 10;
};

struct CsvRow {
  // Bytes as they are: spaces, NUL, invalid UTF-8, CR that ends no row. Valid until the next
  // Next().
  std::vector<std::string_view> fields;
  uint64_t line = 0;    // of the row's first byte, from 1; a row may span lines
  uint64_t offset = 0;  // of the row's first byte, from the start of the file
};

// Pull parser: holds one row and one chunk of the file.
//
//   CsvStream csv(path, {.delimiter = '\t', .quoting = false});
//   while (const CsvRow* row = csv.Next()) ...
//
// A row ends at LF or CRLF, the last one at the end of the file as well. Empty lines are no rows,
// also in a table of one column (where an empty cell can be written as "" only). Rows may differ in
// their number of fields: only the caller knows what it wants.
//
// Every failure is an InputError "PATH:LINE: byte OFFSET: what, and what to do"; a quote that is
// still open at the end of the file is a TruncatedError that names the row's first line. After an
// InputError in a row, Next() goes on at the next line.
class CsvStream {
 public:
  explicit CsvStream(const std::string& path, CsvOptions options = {});
  ~CsvStream();
  CsvStream(const CsvStream&) = delete;
  CsvStream& operator=(const CsvStream&) = delete;

  // The next row, or nullptr at the end.
  const CsvRow* Next();
  // Of the last row, or of the one that had the error.
  uint64_t line() const;
  // The last line of it that was read.
  uint64_t last_line() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The first `count` rows (fewer if there are no more), for recognition.
std::vector<std::vector<std::string>> PeekCsvRows(const std::string& path,
                                                  const CsvOptions& options, size_t count);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_CSV_STREAM_H_
