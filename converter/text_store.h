// The texts of all pairs: bytes of those that stood in a table, names and places of those in files.
#ifndef ULHFF_CONVERTER_TEXT_STORE_H_
#define ULHFF_CONVERTER_TEXT_STORE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "converter/origin_store.h"
#include "converter/source.h"
#include "converter/temp_store.h"

namespace ulhff {

// One field of a stored pair.
struct StoredText {
  enum class Kind : uint8_t { kAbsent, kInline, kFile };
  Kind kind = Kind::kAbsent;
  std::string bytes = {};  // kInline
  // Of kFile only:
  std::string name = {};  // in the source tree; empty if it shows under none
  Locator file = {};
  StoredOrigin origin = {};
};

struct StoredPair {
  MediaId media = 0;
  uint64_t split = 0;
  std::vector<StoredText> texts;
};

class TextStore {
 public:
  explicit TextStore(const std::string& dir) : records_(dir) {}

  // Returns the record's position.
  uint64_t Add(MediaId media, std::span<const Text> texts, uint64_t split,
               const StoredOrigin& origin);

  // Preconditions: `position` came from Add. Thread-safe while nothing is added.
  StoredPair Read(uint64_t position) const;
  // Changes the name that a text of kind kFile shows under; empty: none.
  void Rename(uint64_t position, size_t field, std::string_view name);

 private:
  TempStore records_;
  std::string record_;  // kept between calls of Add
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TEXT_STORE_H_
