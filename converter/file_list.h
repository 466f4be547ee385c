// The media, or the other files, of a source: one record each, on disk.
#ifndef ULHFF_CONVERTER_FILE_LIST_H_
#define ULHFF_CONVERTER_FILE_LIST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "converter/origin_store.h"
#include "converter/source.h"
#include "converter/temp_store.h"

namespace ulhff {

// Any change of a file changes one of these.
struct FileStamp {
  int64_t mtime_ns = 0;
  int64_t ctime_ns = 0;  // 0: unknown, so nothing is compared
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// What the scan learnt of one file. Two with equal device, inode, offset and size are the same
// bytes on disk.
struct FileRecord {
  std::string name;  // in the source tree; empty if it has none there
  std::string path;  // to open
  uint64_t offset = 0;
  uint64_t size = 0;
  bool to_end = false;  // the whole rest of the file: a growing file is noticed
  int64_t mtime_ns = 0;
  uint64_t device = 0;
  uint64_t inode = 0;
  FileStamp stamp = {};  // of the file when it was scanned
  StoredOrigin origin;
  bool dropped = false;  // --duplicates
  UlhffPart part = {};   // as in Locator
  // Of media in ULHFF files:
  bool is_alias = false;     // one more name of the media before it
  bool has_aliases = false;  // these follow
  bool is_twin = false;      // its name and, by their sums, its bytes are those of another one
  uint64_t next_twin = 0;    // position + 1 of that which has this one's name; 0: none
};

class FileList {
 public:
  explicit FileList(const std::string& dir) : records_(dir) {}

  // Returns the record's position, which grows with each.
  uint64_t Add(const FileRecord& record);
  uint64_t count() const { return count_; }

  // Preconditions: `position` came from Add. Thread-safe while nothing is added.
  FileRecord Read(uint64_t position) const;
  // Dropped ones have none.
  bool HasName(uint64_t position, std::string_view name) const;
  void Drop(uint64_t position);
  void Rename(uint64_t position, std::string_view name);
  void SetHasAliases(uint64_t position);
  void SetNextTwin(uint64_t position, uint64_t next_twin);

  // All records with their positions, in the order they were added; dropped ones as well.
  class Cursor {
   public:
    explicit Cursor(const FileList& list) : cursor_(list.records_) {}
    struct Item {
      uint64_t position;
      FileRecord record;
    };
    std::optional<Item> Next();

   private:
    TempStoreCursor cursor_;
  };

 private:
  TempStore records_;
  uint64_t count_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_FILE_LIST_H_
