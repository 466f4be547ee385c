// Records of a container (FFRecord, TFRecord, MDS): named values, wherever their bytes stand.
#ifndef ULHFF_CONVERTER_RECORD_H_
#define ULHFF_CONVERTER_RECORD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "converter/file_window.h"
#include "converter/source.h"
#include "converter/spooled_file.h"

namespace ulhff {

struct RecordValue {
  enum class Kind : uint8_t {
    kNull,
    kNan,    // what pandas makes of an empty cell
    kBytes,  // may be a text too
    kText,   // a string
    kToken,  // a number, true, false, or a JSON object: `text` is its JSON
    kOther,  // neither media nor text: `text` says what it is, as in "a dict"
  };
  // Where the bytes of kBytes and kText stand: in `text`, or at `offset` in a file.
  enum class Place : uint8_t { kMemory, kShard, kSpool };

  Kind kind = Kind::kNull;
  Place place = Place::kMemory;
  uint64_t offset = 0;
  uint64_t size = 0;
  std::string text = {};
};

struct RecordColumn {
  std::string name = {};
  std::vector<RecordValue> values = {};
  bool is_list = false;
  bool is_sequence = false;  // of words that make up one text
  bool is_media = false;     // its type says so, whatever its name
};

struct Record {
  uint64_t number = 0;  // in its shard, from 0
  uint64_t offset = 0;  // of its first byte in the shard
  std::vector<RecordColumn> columns = {};
};

// A file of records.
struct Shard {
  std::string name;        // from the operand; for the report
  std::string path;        // to open
  std::string split = {};  // empty: none
  int64_t mtime_ns = 0;
  std::string said = {};  // in messages, if not the path

  const std::string& label() const { return said.empty() ? path : said; }
};

// What readers do about a shard that is cut or damaged.
class Damage {
 public:
  using Note = std::function<void(const std::string& what, uint64_t offset)>;

  // `note`: what --lenient does. Empty: damage is an error.
  explicit Damage(const Shard& shard, Note note = {}) : shard_(&shard), note_(std::move(note)) {}

  const Shard& shard() const { return *shard_; }
  // Returns if what is whole shall be kept, else throws a TruncatedError that names shard and byte.
  void Tell(uint64_t offset, const std::string& what) const;
  // What is not damaged but cannot be used, whatever the options. Throws InputError.
  [[noreturn]] void Refuse(uint64_t offset, const std::string& what) const;

 private:
  const Shard* shard_;
  Note note_;
};

// What a reader of a shard gets from its source; all outlive it.
struct RecordContext {
  const Damage& damage;
  // For bytes that do not stand in the shard as they are.
  SpooledFile& spool;
  uint64_t max_spooled = ~uint64_t{0};  // of one shard: its first records may be all that is wanted
  // For what is odd about the shard as a whole.
  std::function<void(Odd kind, const std::string& what)> note;
};

// Reads the records of one shard, in order. Throws what Damage throws, and std::system_error.
class RecordReader {
 public:
  virtual ~RecordReader() = default;
  // nullptr at the end. Valid until the next call.
  virtual const Record* Next() = 0;
  // Where the bytes of Place::kShard of the last record stand.
  virtual FileWindow& file() = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_RECORD_H_
