// The string area of the superblock: fields, media extensions, splits (docs/format.md §3.1).
#ifndef ULHFF_SRC_WRITER_STRINGS_H_
#define ULHFF_SRC_WRITER_STRINGS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "format.h"
#include "writer.h"

namespace ulhff {

// Throws std::invalid_argument for what docs/format.md does not allow or has no room for.
class StringArea {
 public:
  StringArea(const std::vector<FieldSpec>& fields, const std::vector<std::string>& splits);

  // The number of a media extension; new ones are numbered as they come.
  uint64_t ExtensionNumber(std::string_view extension);
  uint64_t fields() const { return field_strings_.size() / 2; }
  uint64_t splits() const { return splits_.size(); }
  uint64_t extensions() const { return extensions_.size(); }
  // Sets `fields`, `extensions`, `splits`, `strings_size` and `strings`.
  void Write(Superblock& superblock) const;

 private:
  void TakeRoom(std::string_view text);
  std::vector<std::string> field_strings_;  // name, extension of each field
  std::vector<std::string> splits_;
  std::vector<std::string> extensions_;
  std::unordered_map<std::string, uint64_t> extension_numbers_;
  uint64_t size_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_STRINGS_H_
