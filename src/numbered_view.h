// What the generated views share: directories and keys computed from numbers through a template.
#ifndef ULHFF_SRC_NUMBERED_VIEW_H_
#define ULHFF_SRC_NUMBERED_VIEW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "view.h"
#include "view_template.h"

namespace ulhff {

// What follows an object's key in the name of a text: ".SLOT.txt".
struct TextPart {
  uint64_t slot = 0;
  uint64_t field = 0;
};

// What follows a key in the name of a media or a text: ".jpg", ".txt", ".meta.json". The only place
// that turns extensions and field names into names.
class Suffixes {
 public:
  Suffixes(const Info& info, const TreeOptions& options);

  void AppendMedia(NameBuffer& name, std::string_view extension) const;
  bool IsMedia(std::string_view suffix, std::string_view extension) const;
  const std::string& text(uint64_t field) const { return texts_[field]; }
  std::optional<uint64_t> FindText(std::string_view suffix) const;  // the field
  // Of a text in the objects view.
  std::optional<TextPart> ParseTextPart(std::string_view suffix) const;

  // All that the file's media get, and those of the texts.
  const std::vector<std::string>& media() const { return media_; }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  bool keep_;                       // each media has its own extension; else media_[0] for all
  std::vector<std::string> media_;  // distinct
  std::vector<std::string> texts_;  // one for each field
};

// A view of keys 0..n-1, of each split or of the whole file, spread over directories of fan_out
// keys. Own nodes are directories: depth, split and shard in one number. Subclasses say which files
// a key has. Throws std::invalid_argument where names would not be unique or exceed 255 bytes.
class NumberedView : public View {
 public:
  struct Split {
    std::string name;
    uint64_t keys = 0;
  };

  std::optional<Attributes> OwnAttributes(uint64_t number) const final;
  uint64_t Parent(uint64_t directory) const final;
  std::optional<Node> Lookup(uint64_t directory, std::string_view name) const final;
  void List(uint64_t directory, uint64_t cookie, Tree::Visitor visit, void* context) const final;
  uint64_t BlobLinks(uint64_t) const final { return 0; }
  std::optional<std::string> PathOf(Node node) const final;
  std::optional<std::string> PathOfPair(uint64_t pair, uint64_t object) const final;

 protected:
  // One split: no split directories. `longest_suffix` in bytes.
  NumberedView(const Reader& reader, const TreeOptions& options, std::vector<Split> splits);
  // To be called by constructors with every suffix that a key can get.
  void CheckNames(const std::vector<std::string>& suffixes) const;

  // Keys [first, end) of a split: a directory of files.
  struct Leaf {
    uint64_t split = 0;
    uint64_t first = 0;
    uint64_t end = 0;
  };
  virtual std::optional<Node> FindFile(uint64_t split, uint64_t key,
                                       std::string_view suffix) const = 0;
  virtual void ListFiles(const Leaf& leaf, uint64_t cookie, Tree::Visitor visit,
                         void* context) const = 0;
  virtual uint64_t CountFiles(const Leaf& leaf) const = 0;
  // The key and suffix of one name of a shared node.
  struct FileName {
    uint64_t split = 0;
    uint64_t key = 0;
    std::string suffix;
  };
  virtual std::optional<FileName> NameOf(Node file) const = 0;
  virtual FileName NameOfMedia(uint64_t pair, uint64_t object) const = 0;

  const Reader& reader() const { return reader_; }
  const Suffixes& suffixes() const { return suffixes_; }
  const std::vector<Split>& splits() const { return splits_; }
  void AppendKey(NameBuffer& name, uint64_t key) const { template_.key.Append(name, key); }

 private:
  struct Directory {
    uint64_t depth = 0;  // 0 is the root
    uint64_t split = 0;
    uint64_t shard = 0;
  };
  std::optional<Directory> Decode(uint64_t number) const;
  static uint64_t Encode(const Directory& directory);

  bool has_split_level() const { return splits_.size() > 1; }
  uint64_t leaf_depth() const { return template_.directories.size() + (has_split_level() ? 1 : 0); }
  bool IsLeaf(const Directory& directory) const { return directory.depth == leaf_depth(); }
  bool IsBelowShard(const Directory& directory) const;  // or the {shard} directory itself
  uint64_t Shards(uint64_t split) const;
  Leaf LeafOf(const Directory& directory) const;
  const TemplateComponent& Component(uint64_t depth) const;

  // Subdirectories of a directory that is no leaf, and their names.
  uint64_t Children(const Directory& directory) const;
  Directory Child(const Directory& directory, uint64_t index) const;
  void AppendName(const Directory& directory, NameBuffer& name) const;
  std::optional<uint64_t> FindChild(const Directory& directory, std::string_view name) const;
  std::string PathOfDirectory(Directory directory) const;
  std::string PathOfFile(const FileName& file) const;

  const Reader& reader_;
  Suffixes suffixes_;
  ViewTemplate template_;
  uint64_t fan_out_;
  std::vector<Split> splits_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_NUMBERED_VIEW_H_
