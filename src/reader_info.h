// The plain types that a Reader answers with: what the superblock says, names, directories.
#ifndef ULHFF_SRC_READER_INFO_H_
#define ULHFF_SRC_READER_INFO_H_

#include <cstdint>
#include <string>
#include <vector>

#include "format.h"

namespace ulhff {

struct FieldInfo {
  std::string name;
  std::string extension;
};

struct Info {
  std::string path;
  std::string uuid;
  uint16_t major = 0, minor = 0;
  PairingType type{};
  IndexKind index{};
  ViewKind default_view{};
  uint64_t alignment = 0;  // bytes
  uint64_t pairs = 0, objects = 0, ratio = 0, blobs = 0, directories = 0, entries = 0;
  uint64_t media_bytes = 0, text_bytes = 0, file_bytes = 0;
  uint64_t index_bytes = 0;  // object table and pair index: the bytes that retrieval holds in
                             // memory once all of it was used
  uint64_t order_bytes = 0;
  uint64_t table_bytes = 0;  // all behind the body: these, times, links, splits, checksums
  uint64_t text_index_bytes = 0, name_bytes = 0;
  uint64_t duplicates_merged = 0, source_files = 0, source_bytes = 0;
  int64_t default_mtime_ns = 0;  // of nodes without a stored time, generated directories included
  std::vector<FieldInfo> fields;
  std::vector<std::string> extensions;
  std::vector<std::string> splits;
};

// What a name of the source tree stands for: a directory, object, text or blob number.
struct NameTarget {
  TargetKind kind{};
  uint64_t number = 0;
};

struct DirectoryInfo {
  uint64_t first_entry = 0;  // entry number
  uint64_t entries = 0;
  uint64_t parent = 0;
  uint64_t children = 0;  // subdirectories
  int64_t mtime_ns = 0;
};

struct SplitNumber {
  uint64_t split = 0;
  uint64_t number = 0;  // of the pair within the split
};

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_INFO_H_
