// The names in a ULHFF file by what they stand for.
#ifndef ULHFF_CONVERTER_ULHFF_NAMES_H_
#define ULHFF_CONVERTER_ULHFF_NAMES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "ulhff/reader.h"
#include "ulhff/sorter.h"

namespace ulhff {

// Paths of one kind of target, by its number and then in the order of the tree. On disk but for
// small buffers.
class NamesByNumber {
 public:
  explicit NamesByNumber(const std::string& tmp_dir);

  void Add(uint64_t number, std::string_view path);
  // After the last Add: calls take(path) for the names of `number`. Numbers must not decrease from
  // call to call. Returns how many there were.
  template <typename Take>
  uint64_t Of(uint64_t number, Take take) {
    uint64_t count = 0;
    if (!started_) Advance();
    for (; more_ && number_ <= number; Advance()) {
      if (number_ < number) continue;
      ++count;
      const std::string_view path = path_;
      take(path);
    }
    return count;
  }

 private:
  void Advance();

  Sorter sorter_;
  bool started_ = false;
  bool more_ = false;
  uint64_t number_ = 0;
  std::string path_;
};

struct NameCallbacks {
  // Every directory, the root "" first.
  std::function<void(std::string_view path, int64_t mtime_ns)> directory;
  // Every other name.
  std::function<void(std::string_view path, NameTarget target)> file;
  // Before these, of a malformed name: `path` has what the reader shows instead of it.
  std::function<void(std::string_view stored, std::string_view path)> escaped;
};
// Depth first. Holds the names on the way down.
void WalkNames(const Reader& reader, const NameCallbacks& callbacks);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_ULHFF_NAMES_H_
