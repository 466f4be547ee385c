// Seeded random datasets as a ULHFF file, beside plain maps of what each view of them must hold.
#ifndef ULHFF_TESTS_MODEL_DATASET_H_
#define ULHFF_TESTS_MODEL_DATASET_H_

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "ulhff/tree.h"
#include "ulhff/writer.h"

namespace ulhff {

struct ModelShape {
  uint64_t seed = 1;
  uint64_t objects = 20;
  uint64_t max_pairs = 4;  // of an object, at least 1
  bool fixed = false;      // every object has max_pairs pairs
  std::vector<FieldSpec> fields = {{"", "txt"}};
  std::vector<std::string> splits = {};
  std::vector<std::string> extensions = {"jpg"};
  unsigned absent_percent = 20;
  uint64_t blobs = 3;
  bool name_texts = true;
};

// A file of a view: the node that its path must lead to.
struct ModelFile {
  NodeKind kind;
  uint64_t number;
  std::string content;
  int64_t mtime_ns;
};

struct Model {
  std::map<std::string, ModelFile> files;      // by path
  std::map<std::string, int64_t> directories;  // by path, "" included, with mtime
};

struct ModelPair {
  uint64_t object;
  uint64_t slot;
  uint64_t split;
  uint64_t number_in_split;
};

// What was written, as plain values.
class ModelDataset {
 public:
  ModelDataset(const std::string& path, const ModelShape& shape);

  const ModelShape& shape() const { return shape_; }
  const std::vector<ModelPair>& pairs() const { return pairs_; }
  Model Source() const;
  Model Pairs(const TreeOptions& options) const;
  Model Objects(const TreeOptions& options) const;
  Model View(const TreeOptions& options) const;  // of options.view, all included

  static constexpr int64_t kDefaultTime = 1'600'000'000'000'000'005;

 private:
  struct Media {
    std::string extension, content;
    int64_t mtime_ns;
    std::vector<uint64_t> pairs;
  };
  struct TextPart {
    std::optional<std::string> content;
    int64_t mtime_ns;
  };

  void MakeObjects(Writer& writer);
  void MakePair(Writer& writer, uint64_t object);
  void MakeBlobs(Writer& writer);
  void MakeNames(Writer& writer);
  std::string RandomName();
  std::string RandomPath();
  uint64_t Random(uint64_t below);
  ModelFile MediaFile(uint64_t object) const;
  std::optional<ModelFile> TextFile(uint64_t text, AbsentText absent) const;
  static void AddParents(Model& model, const std::string& path, int64_t mtime_ns);

  ModelShape shape_;
  std::mt19937_64 random_;
  std::vector<Media> media_;
  std::vector<ModelPair> pairs_;
  std::vector<TextPart> texts_;
  std::vector<TextPart> blobs_;
  Model source_;
};

}  // namespace ulhff

#endif  // ULHFF_TESTS_MODEL_DATASET_H_
