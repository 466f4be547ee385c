// Streams the records of a JSON or JSON Lines file, one small tree at a time.
#ifndef ULHFF_CONVERTER_JSON_STREAM_H_
#define ULHFF_CONVERTER_JSON_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "converter/json_value.h"
#include "converter/odd_kind.h"

namespace ulhff {

class InputError;

// How records lie in a file.
enum class JsonShape : uint8_t {
  kArray,   // [record, ...]
  kObject,  // {"key": record, ...}; a member that is an array is a *section*, its elements are
            // records
  kLines,   // one record a line, blank lines skipped (JSON Lines)
};

// What was left out of a file.
struct JsonLeftOut {
  const InputError& fault;
  std::string what;  // fault.fault(), and what became of the part behind it
  Odd kind;          // kLostRest: nothing more comes; else kTruncated
};

struct JsonOptions {
  // Told of what was replaced because of `lenient`.
  std::function<void(const std::string& what, uint64_t line, uint64_t offset)> replaced = {};
  // If set, a malformed or cut record is left out and told, and Next() goes on behind it: behind
  // the line of JSON Lines, else behind its brackets. Where they do not lead to the next record,
  // the rest of the file is left out too. So it is with what is skipped.
  std::function<void(const JsonLeftOut& part)> left_out = {};
  // Sections to deliver; all others are skipped without building trees. Empty: everything. Only for
  // JsonShape::kObject, where it holds for members of every type.
  std::vector<std::string> sections = {};
  // kObject: a member that is an array is one record, not a section.
  bool whole_members = false;
  // Escapes of lone surrogates ("\ud800") become U+FFFD, in raw() too. Otherwise they are an error.
  bool lenient = false;
  // A single record above this is an error: no file of a dataset has one, and it bounds the memory.
  size_t max_record_bytes = size_t{256} << 20;
  // Bytes per read; small values make tests cross every boundary.
  size_t chunk_bytes = size_t{128} << 10;
};

struct JsonRecord {
  std::string section;  // kObject: the top-level key whose array holds the record; else empty
  std::string key;  // kObject: the top-level key of a record that is no array element; else empty
  JsonValue value;  // valid until the next call of Next() or SkipSection()
  uint64_t line;    // of the record's first byte, from 1
  uint64_t offset;  // of the record's first byte, from the start of the file
};

// Pull parser: holds one record and one chunk of the file, whatever the file's size.
//
//   JsonStream json(path);                        // [..], {"images":[..],..} or JSON Lines
//   while (const JsonRecord* record = json.Next()) {
//     if (record->section == "images") Use(record->value.Find("file_name"));
//   }
//
// Equal keys at the top level are delivered as often as they stand. Strings are bytes: NUL
// (escaped) and invalid UTF-8 pass unchanged. Numbers are their raw tokens, so a 64-bit id never
// becomes a double. A UTF-8 BOM is skipped.
//
// Every failure is an InputError "PATH:LINE: byte OFFSET: what, and what to do"; a file that ends
// too early is a TruncatedError, after all whole records were delivered. std::system_error: I/O.
class JsonStream {
 public:
  // Opens the file and finds its shape: '[' first is an array even in a .jsonl file; '{' first is
  // JSON Lines if the name ends in .jsonl or .ndjson, or if another value follows the first
  // (looking at most 1 MiB ahead), and not only a bracket or comma too many; else one object.
  explicit JsonStream(const std::string& path, JsonOptions options = {});
  ~JsonStream();
  JsonStream(const JsonStream&) = delete;
  JsonStream& operator=(const JsonStream&) = delete;

  JsonShape shape() const;

  // The next record, or nullptr at the end. Looking at the first few records and dropping the
  // stream is cheap. An empty section delivers nothing.
  const JsonRecord* Next();

  // What is left of the section of the last record will be skipped, without building trees.
  void SkipSection();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_JSON_STREAM_H_
