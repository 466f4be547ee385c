// --media-template: a media's path made of the cells of its row.
#ifndef ULHFF_CONVERTER_MEDIA_TEMPLATE_H_
#define ULHFF_CONVERTER_MEDIA_TEMPLATE_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ulhff {

// "audio/{youtube_id}.flac"; "{image_id:012}" (or ":012d") fills with zeros from the left;
// "{id%.wav}" takes that off the end; "{{" and "}}" are braces.
class MediaTemplate {
 public:
  explicit MediaTemplate(const std::string& pattern);  // throws UsageError

  const std::string& pattern() const { return pattern_; }
  std::vector<std::string> columns() const;
  // The text of a row's cell; nullopt: it has none.
  using Cells = std::function<std::optional<std::string_view>(const std::string& column)>;
  // nullopt: the row has not all of the columns, or an empty one.
  std::optional<std::string> Expand(const Cells& cells) const;

 private:
  struct Part {
    std::string literal;  // before the column
    std::string column;   // empty at the end
    size_t width = 0;
    std::string suffix;  // to take off
  };
  void AddColumn(const std::string& pattern, std::string_view inside);

  std::string pattern_;
  std::vector<Part> parts_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_MEDIA_TEMPLATE_H_
