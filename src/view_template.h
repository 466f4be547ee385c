// The path template of the generated views: number -> directories and key, and back without search.
#ifndef ULHFF_SRC_VIEW_TEMPLATE_H_
#define ULHFF_SRC_VIEW_TEMPLATE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format.h"

namespace ulhff {

// Digits that a number may be padded to; no number up to kMaxCount has more.
inline constexpr unsigned kMaxNumberWidth = 19;

// A name under construction, without allocation. Precondition of Append: the name stays within 255
// bytes (views check their longest name when they are made).
class NameBuffer {
 public:
  void Clear() { size_ = 0; }
  void Append(std::string_view bytes);
  void AppendNumber(uint64_t number, unsigned width);  // decimal, padded with zeros to `width`
  std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, kMaxNameSize + 1> bytes_;
  size_t size_ = 0;
};

// Digits that spell a number in one way only: exactly `width` of them, or more without a leading
// zero. nullopt: no digits, the wrong number of them, or more than kMaxCount. Takes them off
// `text`.
std::optional<uint64_t> TakeNumber(std::string_view& text, unsigned width);

// One component of a path: literal bytes, or literal bytes around one number.
struct TemplateComponent {
  std::string before;
  std::optional<unsigned> width;  // digits of the number; nullopt: no number
  std::string after;

  void Append(NameBuffer& name, uint64_t number) const;
  // The number (0 where there is none) of a name that begins with this component, whose bytes are
  // taken off `name`.
  std::optional<uint64_t> Take(std::string_view& name) const;
  size_t LongestName() const;
};

// Grammar: components split by '/'. A component is literal bytes and at most one field {shard:W} or
// {number:W} (W digits, 1..19, a leading zero allowed: {number:09}). The last component is the key
// and holds {number} once; {shard} may stand once before it. No digit follows a field, so that the
// number's end is known.
struct ViewTemplate {
  std::vector<TemplateComponent> directories;
  std::optional<size_t> shard_level;  // the directory that holds {shard}
  TemplateComponent key;

  // Throws std::invalid_argument with one line saying what is wrong.
  static ViewTemplate Parse(std::string_view text);
};

}  // namespace ulhff

#endif  // ULHFF_SRC_VIEW_TEMPLATE_H_
