// Which columns of records are media and texts: as told, or by their names and contents.
#ifndef ULHFF_CONVERTER_RECORD_COLUMNS_H_
#define ULHFF_CONVERTER_RECORD_COLUMNS_H_

#include <string>
#include <string_view>
#include <vector>

#include "converter/options.h"
#include "converter/record.h"

namespace ulhff {

class RecordColumns {
 public:
  explicit RecordColumns(const ConvertOptions& options);

  // Learns from one of the first records: the columns there are, and which hold media by content.
  // `file`: where its values stand.
  void Look(const Record& record, FileWindow& file);
  bool has_media() const { return has_media_; }
  bool has_texts() const { return has_texts_; }
  const std::vector<std::string>& seen() const { return seen_; }

  // The columns of a record that hold its media: all that --media-column names, or else the first
  // that is known as such. None if the record has none.
  std::vector<const RecordColumn*> MediaOf(const Record& record) const;
  // Those that hold its texts: all that --text-column names, or else the first that is known as
  // such, or all that are numbered like caption_0. In the order of their numbers (2 before 10).
  std::vector<const RecordColumn*> TextsOf(const Record& record) const;

 private:
  std::vector<std::string> media_patterns_, text_patterns_;  // of the options
  std::vector<std::string> found_media_;                     // by content
  std::vector<std::string> seen_;
  bool has_media_ = false;
  bool has_texts_ = false;
};

// nullptr: the record has no such column.
const RecordColumn* FindColumn(const Record& record, std::string_view name);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_RECORD_COLUMNS_H_
