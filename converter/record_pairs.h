// Hands the media and texts of records to the sink, by the options and policies of tables.
#ifndef ULHFF_CONVERTER_RECORD_PAIRS_H_
#define ULHFF_CONVERTER_RECORD_PAIRS_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "converter/file_window.h"
#include "converter/media_types.h"
#include "converter/options.h"
#include "converter/record.h"
#include "converter/record_columns.h"
#include "converter/source.h"
#include "converter/spooled_file.h"

namespace ulhff {

class RecordPairs {
 public:
  // All must outlive it. `many_shards`: names of --id-column hold within their shard, so they go to
  // a directory of its name.
  RecordPairs(const ConvertOptions& options, const RecordColumns& columns, bool many_shards,
              SpooledFile& spool, SourceSink& sink);

  // Before the first record. `operand`: for messages.
  void Declare(const std::string& operand);
  // `file`: where the values of Place::kShard stand.
  void Add(const Record& record, FileWindow& file, const Damage& damage);
  // After the last: tells which columns were taken, and which were not.
  void Finish(const std::string& operand);

 private:
  std::vector<const RecordValue*> MediaValues();
  void FillTexts();
  void FillFields();
  Text TextOf(const RecordColumn& column, const RecordValue& value);
  Text Joined(const RecordColumn& column);
  Text Keep(std::string text);
  uint64_t SplitOf();
  std::string NameOf(const RecordValue& media);
  void GiveName(Text& text, std::string name);
  // Returns the number of pairs that were taken and have a text, or are of a source without texts.
  uint64_t EmitPairs(MediaId media, std::string_view name);
  std::string BytesOf(const RecordValue& value);
  Locator At(const RecordValue& value);
  void CountColumns(uint64_t pairs);
  bool IsUsed(const RecordColumn& column) const;
  Origin origin() const { return {damage_->shard().name, 0, record_->offset}; }
  [[noreturn]] void Refuse(const std::string& what) const;

  const ConvertOptions& options_;
  const RecordColumns& columns_;
  const MediaTypes types_;
  const bool many_shards_;
  SpooledFile& spool_;
  SourceSink& sink_;

  // The record that is added now.
  const Record* record_ = nullptr;
  FileWindow* file_ = nullptr;
  const Damage* damage_ = nullptr;
  std::vector<const RecordColumn*> media_columns_, text_columns_;
  std::vector<Text> texts_;       // the first field of each pair
  std::vector<Text> fields_;      // all fields of one pair; the first is one of texts_
  std::deque<std::string> kept_;  // what these point at

  std::map<std::string, uint64_t> pairs_by_columns_;
  std::map<std::string, uint64_t> left_columns_;  // records that have them
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_RECORD_PAIRS_H_
