// Remembers where things were said without holding the names of files in memory.
#ifndef ULHFF_CONVERTER_ORIGIN_STORE_H_
#define ULHFF_CONVERTER_ORIGIN_STORE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "converter/source.h"
#include "converter/temp_store.h"

namespace ulhff {

// An Origin whose file name stands in an OriginStore.
struct StoredOrigin {
  static constexpr uint64_t kNone = ~uint64_t{0};
  uint64_t file = 0;  // position in the store
  uint64_t line = 0;
  uint64_t offset = kNone;
};

struct OwnedOrigin {
  std::string file;
  uint64_t line = 0;
  std::optional<uint64_t> offset;
  Origin view() const { return {.file = file, .line = line, .offset = offset}; }
};

class OriginStore {
 public:
  explicit OriginStore(const std::string& dir) : files_(dir) {}

  // Neighbours of one file share its name.
  StoredOrigin Put(const Origin& origin);
  OwnedOrigin Read(const StoredOrigin& origin) const;

 private:
  TempStore files_;  // u64 size, bytes
  std::string last_file_;
  uint64_t last_position_ = 0;
};

// "FILE:LINE", "FILE: byte OFFSET" or "FILE", with odd bytes made visible.
std::string DescribeOrigin(const Origin& origin);
// Where the file at `path` was named: `origin` if that is a place in a table, else the path itself.
Origin PlaceOf(const std::string& path, const Origin& origin);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_ORIGIN_STORE_H_
