// Everything the scan of a source learnt, on disk but for counts.
#ifndef ULHFF_CONVERTER_CATALOGUE_H_
#define ULHFF_CONVERTER_CATALOGUE_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "converter/file_list.h"
#include "converter/origin_store.h"
#include "converter/temp_store.h"
#include "converter/text_store.h"
#include "ulhff/sorter.h"

namespace ulhff {

// Bytes that each external sort may hold; a handful live at once.
inline constexpr uint64_t kSortMemory = uint64_t{6} << 20;

// What a name of the source tree stands for, as payload of Catalogue::names and origin of a
// DuplicateName: 2 bits kind, 4 bits field, the rest a position.
struct NameRef {
  enum class Kind : uint8_t { kMedia, kText, kExtra, kDirectory };
  Kind kind;
  uint64_t position;  // in media, texts, extras or parents
  size_t field = 0;   // kText

  uint64_t Pack() const {
    return position << 6 | uint64_t{field & 15} << 2 | static_cast<uint64_t>(kind);
  }
  static NameRef Unpack(uint64_t packed) {
    return {static_cast<Kind>(packed & 3), packed >> 6, packed >> 2 & 15};
  }
};

struct Catalogue {
  explicit Catalogue(const std::string& dir)
      : tmp_dir(dir),
        origins(dir),
        media(dir),
        extras(dir),
        texts(dir),
        pairs(dir, kSortMemory),
        names(dir, kSortMemory),
        directories(dir),
        parents(dir) {}

  bool has_texts() const { return has_fields || texts_present > 0; }
  void SawTime(int64_t mtime_ns) { newest_mtime_ns = std::max(newest_mtime_ns, mtime_ns); }

  std::string tmp_dir;
  OriginStore origins;
  FileList media;
  FileList extras;
  TextStore texts;
  Sorter pairs;           // key (media position, sequence), payload u64 position in texts
  Sorter names;           // key (hash of a name), payload u64 NameRef
  TempStore directories;  // i64 mtime, u64 size, name
  TempStore parents;  // directories that names imply: StoredOrigin of such a name, u64 size, name

  std::vector<std::pair<std::string, std::string>> fields = {{"", "txt"}};  // name, extension
  std::vector<std::string> splits;
  bool has_fields = false;  // even if all texts are absent
  // Media under names that --duplicates rename made: they give way to who is called so.
  std::unordered_set<uint64_t> renamed;
  std::vector<std::shared_ptr<const void>> held;  // what Locators point into

  uint64_t sequence = 0;       // of the next pair
  uint64_t texts_present = 0;  // not absent
  uint64_t text_files = 0;
  SourceFacts unseen;                     // as UlhffFacts::unseen
  std::vector<uint64_t> directory_parts;  // where in `directories` those of each operand begin
  std::array<uint64_t, 2> digest{};       // ConversionDigest, of a shard
  int64_t newest_mtime_ns = std::numeric_limits<int64_t>::min();
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_CATALOGUE_H_
