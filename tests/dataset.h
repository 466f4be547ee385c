// A dataset in memory: made from a seed, written with the Writer, compared with a Reader.
#ifndef ULHFF_TESTS_DATASET_H_
#define ULHFF_TESTS_DATASET_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ulhff/reader.h"
#include "ulhff/writer.h"

namespace ulhff {

struct DatasetPair {
  std::vector<std::optional<std::string>> texts{};  // one for each field
  uint64_t split = 0;
  std::vector<std::optional<int64_t>> mtimes_ns{};  // as many as texts, or none
};

struct DatasetObject {
  std::string extension;
  std::string media;
  std::vector<DatasetPair> pairs;
  std::optional<int64_t> mtime_ns;
};

struct DatasetBlob {
  std::string bytes;
  std::optional<int64_t> mtime_ns;
};

struct Dataset {
  WriterOptions options;
  std::vector<DatasetObject> objects;
  std::vector<DatasetBlob> blobs;
  std::map<std::string, Target> names;                        // by path
  std::map<std::string, std::optional<int64_t>> directories;  // given as such; "" is the root
  std::vector<uint64_t> order;                                // empty: that of the pairs
  SourceFacts facts;

  uint64_t pairs() const;
  uint64_t fields() const { return options.fields.size(); }
  std::string Write(const std::string& path) const;  // returns the uuid
};

// What RandomDataset makes; counts are upper bounds where they say so.
struct DatasetShape {
  unsigned alignment = 64;
  uint64_t objects = 20;
  uint64_t pairs_per_object = 5;  // up to; with `fixed` exactly
  bool fixed = false;
  uint64_t fields = 1;
  uint64_t splits = 0;
  uint64_t blobs = 2;
  uint64_t media_size = 3000;  // up to
  uint64_t text_size = 60;     // up to
  bool shuffled_order = false;
  bool rotated_order = false;  // two runs
  bool named = true;           // has a source tree
};

Dataset RandomDataset(uint64_t seed, const DatasetShape& shape);

// The smallest useful one, the example of docs/format.md: media "m" (a.jpg) and text "t" (a.txt).
Dataset SmallestDataset();

// Expects that `reader` answers with exactly the dataset: bytes, layouts, names, order, splits.
void ExpectSame(const Dataset& dataset, const Reader& reader);

// Bytes of a whole media, text or blob.
std::string MediaOf(const Reader& reader, uint64_t object);
std::string TextOf(const Reader& reader, uint64_t text);
std::string BlobOf(const Reader& reader, uint64_t blob);

}  // namespace ulhff

#endif  // ULHFF_TESTS_DATASET_H_
