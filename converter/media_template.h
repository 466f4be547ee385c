// --media-template: a media's path made of the cells of its row.
#ifndef ULHFF_CONVERTER_MEDIA_TEMPLATE_H_
#define ULHFF_CONVERTER_MEDIA_TEMPLATE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "converter/table_reader.h"

namespace ulhff {

// "audio/{youtube_id}.flac"; "{image_id:012}" (or ":012d") fills with zeros from the left; "{{" and
// "}}" are braces.
class MediaTemplate {
 public:
  explicit MediaTemplate(const std::string& pattern);  // throws UsageError

  std::vector<std::string> columns() const;
  // nullopt: the row has not all of the columns, or an empty one.
  std::optional<std::string> Expand(const TableRow& row) const;

 private:
  struct Part {
    std::string literal;  // before the column
    std::string column;   // empty at the end
    size_t width = 0;
  };
  void AddColumn(const std::string& pattern, std::string_view inside);

  std::vector<Part> parts_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_MEDIA_TEMPLATE_H_
