// A source made of annotation files of one known format: what is the same for all of them.
#ifndef ULHFF_CONVERTER_ANNOTATION_SOURCE_H_
#define ULHFF_CONVERTER_ANNOTATION_SOURCE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "converter/media_finder.h"
#include "converter/options.h"
#include "converter/overview.h"
#include "converter/source.h"

namespace ulhff {

// One media with texts of it, as an annotation file says it.
struct Annotation {
  std::vector<std::string> media;  // how it may be called: the first that is there counts
  bool same_media = false;         // as of the annotation before
  std::vector<std::optional<std::string>> texts;  // a pair each, nullopt: absent; none: no text
  std::string split;                              // empty: that of the file
  // Where the texts, or the media, stand.
  std::string_view file;  // from the operand; empty: the first of the unit
  uint64_t line = 0;
  uint64_t offset = 0;
};

class AnnotationReader {
 public:
  virtual ~AnnotationReader() = default;
  // False at the end. `next` is as it was left by the call before.
  virtual bool Next(Annotation& next) = 0;
};

// What the beginning of a file says.
struct AnnotationPeek {
  bool fits = false;
  bool almost = false;             // half of the shape is there, so it is most likely a mistake
  std::vector<std::string> media;  // how the first ones may be called
  uint64_t pairs = 0;
  bool estimated = false;  // that number is from their average size
  // If it does not fit, but was asked for or is almost there: what is wrong in the bytes of the
  // file (PATH:LINE: byte OFFSET: ...), and else what it is not.
  std::string fault;
  std::string problem;
};

// Files that are read together, as one split.
struct AnnotationUnit {
  std::vector<std::string> names;  // from the operand; the first one gives messages their name
  std::string split;               // empty: none, or its entries say theirs
};

struct AnnotationContext {
  const ConvertOptions& options;
  // To tell of something odd.
  std::function<void(Odd, const std::string& what, const Origin& origin)> report;
};

// One format of annotation files.
struct AnnotationFormat {
  const char* from;     // "coco"
  const char* summary;  // for --help
  const char* title;    // "COCO captions"
  const char* unit;     // what the report counts: "captions"
  // The extension of such files, "" for any of a text.
  const char* extension;
  // Whether the media must be there before a file is taken for this format, because others look
  // alike (kNeeded), or because files beside each other are different sets (kAlternatives).
  enum class Media : uint8_t { kNotLookedFor, kNeeded, kAlternatives } media;

  // Reads as far as needed. An InputError is a fault as well.
  void (*peek)(const std::string& path, AnnotationPeek& peek);
  // In which order files are read, and what belongs together; nullptr: each is a split of its own.
  std::vector<AnnotationUnit> (*arrange)(const std::vector<std::string>& names,
                                         const std::string& directory);
  // Files of different variants hold the same set in two forms, and are two readings; nullptr: all
  // are one.
  std::string (*variant)(const std::string& name);
  // `paths` to open, `names` for messages.
  std::unique_ptr<AnnotationReader> (*open)(const AnnotationUnit& unit,
                                            const std::vector<std::string>& paths,
                                            const AnnotationContext& context);
};

std::vector<Reading> RecogniseAnnotations(const AnnotationFormat& format, const Overview& operand,
                                          const ConvertOptions& options);
std::unique_ptr<Source> OpenAnnotations(const AnnotationFormat& format, const std::string& operand,
                                        const Reading& reading, const ConvertOptions& options);

template <const AnnotationFormat& format>
SourceKind AnnotationKind() {
  return {format.from, format.summary,
          [](const Overview& operand, const ConvertOptions& options) {
            return RecogniseAnnotations(format, operand, options);
          },
          [](const std::string& operand, const Reading& reading, const ConvertOptions& options) {
            return OpenAnnotations(format, operand, reading, options);
          }};
}

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_ANNOTATION_SOURCE_H_
