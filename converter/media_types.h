// Which names are media and which are texts, by their extension.
#ifndef ULHFF_CONVERTER_MEDIA_TYPES_H_
#define ULHFF_CONVERTER_MEDIA_TYPES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "converter/options.h"

namespace ulhff {

// A name cut at its last dot. A dot at the front belongs to the stem.
struct NameParts {
  std::string_view stem;
  std::string_view extension;  // without the dot, as spelled
};
NameParts SplitName(std::string_view name);

// ASCII letters only: file names are bytes.
std::string LowerAscii(std::string_view text);

// The part after the last '/', and the part before it ("" if there is none).
std::string_view BaseName(std::string_view path);
std::string_view ParentPath(std::string_view path);
// `directory`/`name`, or the one that is not empty.
std::string JoinPath(std::string_view directory, std::string_view name);

// The lists of --media-ext and --text-ext, or the defaults. Extensions compare in any case.
class MediaTypes {
 public:
  explicit MediaTypes(const ConvertOptions& options);

  bool IsMedia(std::string_view name) const;
  // The place of the name's extension in text_extensions(); nullopt: not a text.
  std::optional<size_t> TextRank(std::string_view name) const;
  // The name without its extension, which --text-ext may give with dots inside: "a.normalized.txt".
  std::string_view StemOf(std::string_view name) const;

  // Lower case, no dots, in order of preference.
  const std::vector<std::string>& media_extensions() const { return media_; }
  const std::vector<std::string>& text_extensions() const { return texts_; }

 private:
  std::optional<size_t> DottedRank(std::string_view name) const;

  std::vector<std::string> media_;
  std::vector<std::string> sorted_media_;
  std::vector<std::string> texts_;
  std::vector<size_t> dotted_;  // the places of those in texts_ that have dots inside
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_MEDIA_TYPES_H_
