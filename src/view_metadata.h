// The contents of a metadata.jsonl: a row for each media name of a view, with its texts.
#ifndef ULHFF_SRC_VIEW_METADATA_H_
#define ULHFF_SRC_VIEW_METADATA_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "file.h"
#include "json_text.h"
#include "pool.h"
#include "reader.h"
#include "view.h"

namespace ulhff {

// Writes the rows into a temporary file without a name, so that memory does not grow with them.
// Bytes that are no UTF-8 become U+FFFD: what reads these files refuses lone surrogates. Throws
// what Reader throws; std::invalid_argument (constructor) if two columns would have one name.
class MetadataWriter {
 public:
  // Media are named as in `view`, without the first `prefix` bytes of their paths. Both must
  // outlive it.
  MetadataWriter(const Reader& reader, const View& view, size_t prefix);

  void AddPairs(std::optional<uint64_t> split);  // a row for each pair; nullopt: of all splits
  void AddObjects();                             // a row for each media, texts as lists

  struct Contents {
    UniqueFd file;
    uint64_t size = 0;
  };
  Contents Finish();

 private:
  void BeginRow(uint64_t pair, uint64_t object);
  void EndRow();
  // nullopt: absent. Valid until the next call.
  std::optional<std::string_view> Read(const ObjectLayout& object, uint64_t text);
  void Flush();

  const Reader& reader_;
  const View& view_;
  const size_t prefix_;
  const std::vector<std::string> columns_;
  ObjectPool pool_;  // each object's texts are read once
  JsonObject row_{OddByte::kReplace};
  std::string text_;
  std::string buffer_;
  std::string where_;
  Contents contents_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_VIEW_METADATA_H_
