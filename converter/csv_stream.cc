// Parses rows of delimited text, with libcsv where quotes are involved.
//
// libcsv cannot switch quoting off, tells no positions, and ends rows at any CR or, told otherwise,
// takes the CR of `"x"\r\n` for text after the closing quote. So the file is cut into physical
// lines first; lines without a quote are split at the delimiter, others go to libcsv without their
// row end.
#include "converter/csv_stream.h"

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "converter/input_error.h"
#include "converter/text_file.h"

namespace ulhff {
namespace {

constexpr char kQuote = '"';
constexpr std::string_view kQuoteHint = "if '\"' is plain text in this file, use --quote none";

// Neither trims spaces nor ends rows.
int Never(unsigned char) { return 0; }

bool HasOddQuotes(std::string_view text) {
  return std::count(text.begin(), text.end(), kQuote) % 2 == 1;
}

}  // namespace

class CsvStream::Impl {
 public:
  Impl(const std::string& path, CsvOptions options);
  ~Impl() { csv_free(&parser_); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  const CsvRow* Next();
  uint64_t line() const { return row_.line; }
  uint64_t last_line() const { return last_line_; }

 private:
  // Called by C code, which no exception may cross: out of memory ends the program here.
  static void AppendField(void* bytes, size_t size, void* self) noexcept;
  void Split(std::string_view line);
  void ParseQuoted(const TextLine* line);
  void Feed(const TextLine& line, std::string_view bytes);
  void InitParser();

  const CsvOptions options_;
  LineReader lines_;
  csv_parser parser_;
  bool in_row_ = false;
  CsvRow row_;
  uint64_t last_line_ = 0;
  // Of a row that libcsv parsed: all fields one after the other, and where each ends.
  std::string text_;
  std::vector<size_t> ends_;
};

CsvStream::Impl::Impl(const std::string& path, CsvOptions options)
    : options_(options), lines_(path, options.max_row_bytes, options.chunk_bytes) {
  InitParser();
}

void CsvStream::Impl::InitParser() {
  csv_init(&parser_, CSV_STRICT);
  csv_set_delim(&parser_, static_cast<unsigned char>(options_.delimiter));
  csv_set_space_func(&parser_, Never);
  csv_set_term_func(&parser_, Never);
  csv_set_blk_size(&parser_, size_t{64} << 10);  // its default is to grow by 128 bytes
}

const CsvRow* CsvStream::Impl::Next() {
  const TextLine* line = lines_.Next();
  while (line != nullptr && line->bytes.empty()) line = lines_.Next();
  if (line == nullptr) return nullptr;
  row_.line = last_line_ = line->number;
  row_.offset = line->offset;
  row_.fields.clear();
  if (options_.quoting && line->bytes.find(kQuote) != std::string_view::npos) {
    ParseQuoted(line);
  } else {
    Split(line->bytes);
  }
  return &row_;
}

void CsvStream::Impl::Split(std::string_view line) {
  for (;;) {
    const size_t end = line.find(options_.delimiter);
    row_.fields.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

// libcsv's strict mode accepts quotes in pairs only, so a field is open at the end of a line
// exactly if the row's quotes so far are odd in number.
void CsvStream::Impl::ParseQuoted(const TextLine* line) {
  text_.clear();
  ends_.clear();
  if (std::exchange(in_row_, true)) {  // an error ended the row before
    csv_free(&parser_);
    InitParser();
  }
  bool open = false;
  for (;;) {
    if (HasOddQuotes(line->bytes)) open = !open;
    Feed(*line, line->bytes);
    if (!open) break;
    Feed(*line, line->end);
    if (line->offset - row_.offset > options_.max_row_bytes) {
      throw InputError(lines_.file().path(), row_.line, row_.offset,
                       fmt::format("a quoted field of more than {} bytes; {}",
                                   options_.max_row_bytes, kQuoteHint));
    }
    line = lines_.Next();
    if (line == nullptr) {
      throw TruncatedError(
          lines_.file().path(), row_.line, row_.offset,
          fmt::format("a quote of this row is still open at the end of the file; {}", kQuoteHint));
    }
    last_line_ = line->number;
  }
  csv_fini(&parser_, AppendField, nullptr, this);
  in_row_ = false;
  const std::string_view text = text_;
  size_t begin = 0;
  for (const size_t end : ends_) {
    row_.fields.push_back(text.substr(begin, end - begin));
    begin = end;
  }
}

void CsvStream::Impl::Feed(const TextLine& line, std::string_view bytes) {
  // CR must not end a row. Where there is none, libcsv's own rule does, and is 1.4 times as fast.
  csv_set_term_func(&parser_, bytes.find('\r') == std::string_view::npos ? nullptr : Never);
  const size_t parsed = csv_parse(&parser_, bytes.data(), bytes.size(), AppendField, nullptr, this);
  if (parsed == bytes.size()) return;
  if (csv_error(&parser_) != CSV_EPARSE) throw std::bad_alloc();
  const std::string_view what = bytes[parsed] == kQuote ? "a quote inside an unquoted field"
                                                        : "text after the closing quote of a field";
  throw InputError(lines_.file().path(), line.number, line.offset + parsed,
                   fmt::format("{}; {}", what, kQuoteHint));
}

void CsvStream::Impl::AppendField(void* bytes, size_t size, void* self) noexcept {
  auto* impl = static_cast<Impl*>(self);
  impl->text_.append(static_cast<const char*>(bytes), size);
  impl->ends_.push_back(impl->text_.size());
}

CsvStream::CsvStream(const std::string& path, CsvOptions options)
    : impl_(std::make_unique<Impl>(path, options)) {}
CsvStream::~CsvStream() = default;

const CsvRow* CsvStream::Next() { return impl_->Next(); }
uint64_t CsvStream::line() const { return impl_->line(); }
uint64_t CsvStream::last_line() const { return impl_->last_line(); }

std::vector<std::vector<std::string>> PeekCsvRows(const std::string& path,
                                                  const CsvOptions& options, size_t count) {
  std::vector<std::vector<std::string>> rows;
  CsvStream csv(path, options);
  while (rows.size() < count) {
    const CsvRow* row = csv.Next();
    if (row == nullptr) break;
    rows.emplace_back(row->fields.begin(), row->fields.end());
  }
  return rows;
}

}  // namespace ulhff
