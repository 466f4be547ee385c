// The pairs of a file in the order of its source, with their texts.
#ifndef ULHFF_CONVERTER_PAIR_WALK_H_
#define ULHFF_CONVERTER_PAIR_WALK_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulhff/pool.h"
#include "ulhff/reader.h"

namespace ulhff {

// Memory does not grow with the file. Errors are those of Reader.
class PairWalk {
 public:
  // nullopt: all splits. `reader` must outlive it.
  explicit PairWalk(const Reader& reader, std::optional<uint64_t> split = std::nullopt);

  // Goes to the next pair, at first to the first; false at the end.
  bool Next();

  uint64_t position() const { return position_; }  // in the source
  uint64_t pair() const { return pair_; }
  uint64_t object() const { return object_; }
  const ObjectLayout& layout() const { return layout_; }
  std::optional<uint64_t> split() const { return split_; }             // nullopt: the file has none
  uint64_t number() const { return counts_[split_.value_or(0)] - 1; }  // of those of its split

  // One for each field; nullopt: absent. Valid until the next call.
  std::span<const std::optional<std::string_view>> ReadTexts();
  bool HasText(uint64_t field) const;  // false: absent

 private:
  void MoveTo(uint64_t pair);

  const Reader& reader_;
  ObjectPool pool_;  // each object's texts are read once where its pairs follow each other
  std::optional<uint64_t> wanted_split_;
  uint64_t next_ = 0;  // position in the source
  uint64_t position_ = 0;
  uint64_t pair_ = 0;
  uint64_t object_ = 0;
  ObjectLayout layout_;
  std::optional<uint64_t> split_;
  std::vector<uint64_t> counts_;  // pairs seen, by split
  std::string bytes_;
  std::vector<std::optional<std::string_view>> texts_;
};

// The number of the split called `name`. Throws UsageError that lists those there are.
uint64_t SplitCalled(const Info& info, const std::string& name);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PAIR_WALK_H_
