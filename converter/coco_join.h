// Joins the images and captions of a COCO annotation file, whatever their order and number.
#ifndef ULHFF_CONVERTER_COCO_JOIN_H_
#define ULHFF_CONVERTER_COCO_JOIN_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "converter/source.h"
#include "ulhff/sorter.h"

namespace ulhff {

// 42, "42", "0042" and 42.0 are one id; what is no whole number is itself.
std::string CanonicalId(std::string_view id);

// What the beginning of a file says.
struct CocoPeek {
  bool images = false;                  // entries with id and file_name
  bool captions = false;                // annotations with image_id and caption
  std::vector<std::string> file_names;  // of the first images
  uint64_t captions_expected = 0;
  bool estimated = false;  // that number is from their average size
  std::string error;       // not empty: what ended the look early

  bool is_coco() const { return images && captions; }
};
// Reads as far as needed to see entries of both sections.
CocoPeek PeekCoco(const std::string& path);

// Reads the file once and sorts it twice, outside of memory: by id to join, then by image.
class CocoJoin {
 public:
  struct Options {
    std::string tmp_dir;
    bool lenient = false;
  };
  // Told of an id that comes twice, of a caption without its image, and of a file that is cut.
  using Report = std::function<void(Odd, const std::string& what, uint64_t line, uint64_t offset)>;

  CocoJoin(const std::string& path, const Options& options, const Report& report);

  struct Entry {
    bool is_image = false;  // else a caption of the image before
    bool absent = false;    // a caption that is null
    std::string_view text;  // file_name or caption; valid until the next call
    uint64_t line = 0;
    uint64_t offset = 0;
  };
  // Each image in file order, followed by its captions in file order; nullopt at the end.
  std::optional<Entry> Next();

 private:
  void Read(const std::string& path, const Options& options);
  void Join(const Report& report);

  Sorter by_id_;
  Sorter by_image_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_COCO_JOIN_H_
