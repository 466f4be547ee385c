// A source made of tables: rows that name media and hold their texts.
#ifndef ULHFF_CONVERTER_TABLE_SOURCE_H_
#define ULHFF_CONVERTER_TABLE_SOURCE_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "converter/media_finder.h"
#include "converter/options.h"
#include "converter/source.h"
#include "converter/table_plan.h"
#include "converter/table_reader.h"

namespace ulhff {

struct TableFile {
  std::string name;  // from the operand, for messages
  std::string path;
  std::string base;  // its directory, from the operand
  TableDialect dialect;
  TablePlan plan;
  std::string split;  // empty: the source has none, or rows say theirs
};

class TableSource : public Source {
 public:
  struct Operand {
    std::string path;
    bool is_directory = false;
    bool hugging_face = false;
  };
  // Reads the first rows of the tables `names`. Throws UsageError if they cannot be used so.
  TableSource(Operand operand, const std::vector<std::string>& names,
              const ConvertOptions& options);

  void Scan(SourceSink& sink) override;

 private:
  struct RowTexts;

  void ScanTable(const TableFile& table, SourceSink& sink);
  void EmitRow(const TableFile& table, const TableRow& row, const Origin& origin, SourceSink& sink);
  std::vector<std::string> MediaOf(const TableFile& table, const TableRow& row);
  std::vector<std::optional<std::string>> TextsOfRow(const TableFile& table, const TableRow& row);
  void TakeNulls(const std::string& media, const Origin& origin,
                 std::vector<std::optional<std::string>>& texts, SourceSink& sink) const;
  void FillFields(const TableFile& table, const TableRow& row, std::vector<Text>& texts);
  uint64_t SplitOf(const TableFile& table, const TableRow& row, const std::string& media,
                   SourceSink& sink) const;
  void CheckResult() const;

  const Operand operand_;
  const ConvertOptions options_;
  MediaFinder finder_;
  std::vector<TableFile> tables_;
  bool folder_splits_ = false;  // Hugging Face: directories called train, test and so on
  std::string row_json_;
  uint64_t rows_ = 0, media_ = 0, pairs_ = 0, refused_ = 0, columns_seen_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TABLE_SOURCE_H_
