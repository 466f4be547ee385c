// Delimited and JSON tables behind one interface.
#include "converter/table_reader.h"

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <optional>

#include "converter/input_error.h"
#include "converter/json_stream.h"
#include "converter/media_types.h"
#include "converter/output.h"
#include "converter/printable.h"
#include "converter/text_file.h"

namespace ulhff {
namespace {

constexpr uint64_t kMaxHeaderBytes = uint64_t{64} << 20;
constexpr size_t kPeekBytes = size_t{64} << 10;

bool LooksLikeJson(const std::string& path) {
  TextFile file(path);  // also refuses what is no text: UTF-16, a Git LFS pointer
  const std::string extension = LowerAscii(SplitName(BaseName(path)).extension);
  if (extension == "json" || extension == "jsonl" || extension == "ndjson") return true;
  if (extension == "csv" || extension == "tsv") return false;
  std::string head(kPeekBytes, '\0');
  head.resize(file.Read(head.data(), head.size()));
  const size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string::npos && (head[first] == '{' || head[first] == '[');
}

std::string FirstLine(const std::string& path) {
  LineReader lines(path, kMaxHeaderBytes, kPeekBytes);
  const TextLine* line = lines.Next();
  return line == nullptr ? std::string() : std::string(line->bytes);
}

// LJSpeech, and the many sets in its form: metadata.csv of lines ID|TEXT or ID|RAW|TEXT.
bool IsLjSpeech(const std::string& path, std::string_view first_line) {
  if (BaseName(path) != "metadata.csv") return false;
  const size_t bars = static_cast<size_t>(std::count(first_line.begin(), first_line.end(), '|'));
  const std::string_view text = first_line.substr(first_line.rfind('|') + 1);
  return (bars == 1 || bars == 2) && text.find(' ') != std::string_view::npos;
}

// The first of the usual ones that cuts the first line at all.
char GuessDelimiter(const std::string& path, std::string_view first_line) {
  if (LowerAscii(SplitName(BaseName(path)).extension) == "tsv") return '\t';
  if (IsLjSpeech(path, first_line)) return '|';
  for (const char c : {',', '\t', '|', ';'}) {
    if (first_line.find(c) != std::string_view::npos) return c;
  }
  return ',';
}

std::string Excerpt(std::string_view text) {
  constexpr size_t kMax = 60;
  return Printable(text.substr(0, kMax)) + (text.size() <= kMax ? "" : "...");
}

class CsvTable : public TableReader {
 public:
  CsvTable(const std::string& path, const TableDialect& dialect, Report report)
      : path_(path),
        dialect_(dialect),
        report_(std::move(report)),
        csv_(path, dialect.csv),
        columns_(dialect.columns) {
    if (!dialect.header) return;
    const CsvRow* header = csv_.Next();
    if (header == nullptr) throw InputError(fmt::format("{}: empty, not even a header", path));
    if (columns_.empty()) columns_.assign(header->fields.begin(), header->fields.end());
  }

  const std::vector<std::string>& columns() const override { return columns_; }
  const TableRow* Next() override {
    while (const CsvRow* row = NextOfFile()) {
      if (columns_.empty()) NumberColumns(row->fields.size());
      if (Fill(*row)) return &row_;
    }
    return nullptr;
  }

 private:
  const CsvRow* NextOfFile() {
    for (;;) {
      try {
        return csv_.Next();
      } catch (const TruncatedError& error) {
        if (!dialect_.lenient) throw;
        LeaveOut(Odd::kLostRest, error.fault(), error.line());
        return nullptr;
      } catch (const InputError& error) {
        if (!dialect_.lenient) throw;
        LeaveOut(Odd::kTruncated, error.fault(), error.line());
      }
    }
  }

  // A quote may have taken further lines into the row.
  void LeaveOut(Odd kind, const std::string& fault, uint64_t line) const {
    const uint64_t first = csv_.line(), last = csv_.last_line();
    const std::string lines =
        last > first ? fmt::format("; left out are lines {} to {}", first, last) : "";
    report_(kind, fault + lines, line);
  }

  void NumberColumns(size_t count) {
    for (size_t i = 1; i <= count; ++i) columns_.push_back(std::to_string(i));
  }

  std::string WrongLength(const CsvRow& row) const {
    const size_t count = columns_.size();
    std::string fault =
        fmt::format("{} {} where {} {} expected, in the row that begins '{}'", row.fields.size(),
                    NounFor(row.fields.size(), "column", "columns"), count,
                    NounFor(count, "is", "are"), Excerpt(row.fields.front()));
    if (row.fields.size() > count) {
      fault += "; if the last column holds unquoted delimiters, use --last-column-rest";
    }
    return fault;
  }

  // False: the row is of the wrong length, and --lenient leaves it out.
  bool Fill(const CsvRow& row) {
    const size_t count = columns_.size();
    const bool rest = dialect_.last_column_rest && row.fields.size() > count;
    if (row.fields.size() != count && !rest) {
      const std::string fault = WrongLength(row);
      if (!dialect_.lenient) {
        throw InputError(path_, row.line, row.offset, fault + "; --lenient leaves such rows out");
      }
      LeaveOut(Odd::kTruncated, fault, row.line);
      return false;
    }
    row_.cells.clear();
    row_.line = row.line;
    row_.offset = row.offset;
    for (size_t i = 0; i < count; ++i) row_.cells.emplace_back(columns_[i], row.fields[i]);
    if (rest) {
      rest_ = row.fields[count - 1];
      for (size_t i = count; i < row.fields.size(); ++i) {
        (rest_ += dialect_.csv.delimiter) += row.fields[i];
      }
      row_.cells.back().second = TableCell(rest_);
    }
    return true;
  }

  const std::string path_;
  const TableDialect dialect_;
  const Report report_;
  CsvStream csv_;
  std::vector<std::string> columns_;
  std::string rest_;
  TableRow row_;
};

// An array of objects, a line of JSON each, the section "data" of one object, or an object of rows
// by their ids (LAVIS) or by their media (kohya), which are one more column if no other names them.
class JsonTable : public TableReader {
 public:
  JsonTable(const std::string& path, const TableDialect& dialect, Report report)
      : path_(path),
        lenient_(dialect.lenient),
        report_(std::move(report)),
        json_(path, OptionsOf()) {}

  const std::vector<std::string>& columns() const override { return none_; }
  const TableRow* Next() override {
    for (;;) {
      const JsonRecord* record = json_.Next();
      if (json_.shape() == JsonShape::kObject) record = SkipToData(record);
      if (record == nullptr) return nullptr;
      const std::string problem = Fill(*record);
      if (problem.empty()) return &row_;
      if (!lenient_) throw InputError(path_, record->line, record->offset, problem);
      report_(Odd::kTruncated, problem, record->line);
    }
  }

 private:
  // Empty, or why it is no row.
  std::string Fill(const JsonRecord& record) {
    if (!record.value.is_object()) {
      return "a row of a JSON table is an object, this is " + Excerpt(record.value.raw());
    }
    row_.cells.clear();
    row_.line = record.line;
    row_.offset = record.offset;
    row_.json = record.value.raw();
    if (NeedsKey(record)) row_.cells.emplace_back(kKeyColumn, TableCell(record.key));
    names_.clear();
    for (const auto& [name, value] : record.value.members()) {
      row_.cells.emplace_back(name, TableCell(value));
      names_.push_back(name);
    }
    std::sort(names_.begin(), names_.end());
    const auto twice = std::adjacent_find(names_.begin(), names_.end());
    return twice == names_.end() ? "" : fmt::format("a row with '{}' twice", Excerpt(*twice));
  }

  JsonOptions OptionsOf() {
    JsonOptions options{.lenient = lenient_};
    options.replaced = [this](const std::string& what, uint64_t line, uint64_t) {
      report_(Odd::kReplaced, what, line);
    };
    if (!lenient_) return options;
    options.left_out = [this](const JsonLeftOut& part) {
      report_(part.kind, part.what, part.fault.line());
    };
    return options;
  }

  // A few members may stand before the rows; a file that has others is no table.
  const JsonRecord* SkipToData(const JsonRecord* record) {
    constexpr int kMaxMembers = 16;
    int skipped = 0;
    if (record != nullptr && record->section.empty() && !in_data_) {
      keyed_ = keyed_ || IsRow(record->value) || IsByMedia(*record);
    }
    if (keyed_) return record;
    while (record != nullptr && record->section != "data") {
      if (in_data_) return nullptr;
      if (!record->section.empty() || ++skipped > kMaxMembers) {
        throw InputError(fmt::format(
            "{}:{}: no table: neither an array of objects, nor a line each, nor an object whose "
            "\"data\" is such an array",
            path_, record->line));
      }
      record = json_.Next();
    }
    in_data_ = record != nullptr;
    return record;
  }

  // What stands before the rows names no media.
  static bool IsRow(const JsonValue& value) {
    return value.Find("image") || value.Find("video") || value.Find("audio");
  }

  static bool IsByMedia(const JsonRecord& record) {
    static const MediaTypes types{ConvertOptions()};
    return record.value.is_object() && types.IsMedia(record.key);
  }

  // The key names the media of a row that does not name it itself.
  static bool NeedsKey(const JsonRecord& record) {
    if (!IsByMedia(record) || IsRow(record.value)) return false;
    for (const auto& [name, value] : record.value.members()) {
      if (name == kKeyColumn || value.text() == record.key) return false;
    }
    return true;
  }

  static constexpr std::string_view kKeyColumn = "file_name";

  const std::string path_;
  const bool lenient_;
  const Report report_;
  JsonStream json_;
  bool in_data_ = false;
  bool keyed_ = false;
  const std::vector<std::string> none_;
  std::vector<std::string_view> names_;  // of the row
  TableRow row_;
};

}  // namespace

bool TableCell::absent() const {
  return json() != nullptr && (json()->is_null() || (json()->is_array() && json()->size() == 0));
}

bool TableCell::is_list() const { return json() != nullptr && json()->is_array(); }

std::string_view TableCell::text() const {
  return json() != nullptr ? json()->text() : std::get<std::string_view>(value_);
}

const TableCell* TableRow::Find(std::string_view column) const {
  const auto at = std::find_if(cells.rbegin(), cells.rend(),
                               [&](const auto& cell) { return cell.first == column; });
  return at == cells.rend() ? nullptr : &at->second;
}

std::string TableRow::ToJson() const {
  if (!json.empty()) return std::string(json);
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  writer.StartObject();
  for (const auto& [name, cell] : cells) {
    writer.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
    writer.String(cell.text().data(), static_cast<rapidjson::SizeType>(cell.text().size()));
  }
  writer.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

TableDialect DialectOf(const std::string& path, const ConvertOptions& options) {
  TableDialect dialect;
  dialect.lenient = options.lenient;
  dialect.json = LooksLikeJson(path) && !options.delimiter;
  if (dialect.json) return dialect;
  const std::string first_line = FirstLine(path);
  dialect.header = !options.no_header;
  dialect.columns = options.columns;
  dialect.last_column_rest = options.last_column_rest;
  dialect.csv.delimiter = options.delimiter.value_or(GuessDelimiter(path, first_line));
  if (dialect.csv.delimiter == '|' && dialect.columns.empty() && IsLjSpeech(path, first_line)) {
    dialect.header = false;
    const bool has_raw = first_line.find('|') != first_line.rfind('|');
    dialect.columns = has_raw ? std::vector<std::string>{"id", "raw", "text"}
                              : std::vector<std::string>{"id", "text"};
  }
  // Tables cut by TAB or | are written without quoting: a '"' there is text. But a .csv cut by TAB
  // is what pandas writes for OpenCLIP, which quotes.
  const bool is_csv = LowerAscii(SplitName(BaseName(path)).extension) == "csv";
  const bool bare = dialect.csv.delimiter == '|' || (dialect.csv.delimiter == '\t' && !is_csv);
  dialect.csv.quoting = options.quoting.value_or(!bare && !dialect.last_column_rest);
  return dialect;
}

std::unique_ptr<TableReader> OpenTable(const std::string& path, const TableDialect& dialect,
                                       TableReader::Report report) {
  if (dialect.json) return std::make_unique<JsonTable>(path, dialect, std::move(report));
  return std::make_unique<CsvTable>(path, dialect, std::move(report));
}

}  // namespace ulhff
