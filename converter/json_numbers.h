// Gets numbers beyond a double past RapidJSON.
#ifndef ULHFF_CONVERTER_JSON_NUMBERS_H_
#define ULHFF_CONVERTER_JSON_NUMBERS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace ulhff {

// RapidJSON refuses 1e999 and integers of 400 digits even where it is asked for the tokens of
// numbers only. This puts a small number of the same length in their place until RapidJSON has read
// over it; what is no number by the grammar of JSON is left to RapidJSON, which names the fault.
class NumberMask {
 public:
  // Goes on from where the last call ended. data[0] is byte `base` of the text, `size` bytes of it
  // are there, and no escape sequence is cut off by their end. `last`: there are no more. Returns
  // how many of them can be parsed: a number that may go on must wait.
  size_t Cover(char* data, uint64_t base, size_t size, bool last);
  // Puts back the numbers that begin before byte `until` of the text.
  void Restore(char* data, uint64_t base, uint64_t until);
  // No one will ask for what stands before this byte.
  void Forget(uint64_t until);

 private:
  struct Number {
    uint64_t offset;
    std::string token;
  };
  void Mask(char* token, size_t size, uint64_t offset);

  enum class At : uint8_t { kOther, kString, kNumber };
  At at_ = At::kOther;
  uint64_t seen_ = 0;
  uint64_t number_ = 0;  // where the current one begins
  std::deque<Number> masked_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_JSON_NUMBERS_H_
