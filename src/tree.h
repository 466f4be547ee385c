// The mounted tree: nodes, names and attributes of the views, without FUSE (docs/semantics.md).
#ifndef ULHFF_SRC_TREE_H_
#define ULHFF_SRC_TREE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "format.h"
#include "reader.h"

namespace ulhff {

enum class NodeKind : uint8_t {
  kRoot = 0,        // number 1: FUSE's root inode is the plain integer 1
  kMedia = 1,       // number: object
  kText = 2,        // number: text number
  kBlob = 3,        // number: blob
  kSourceDir = 4,   // number: directory
  kPairsDir = 5,    // number: made by PairsView
  kObjectsDir = 6,  // number: made by ObjectsView
  kMade = 7,        // a file that a view makes; number: the view's kind and its own number
};

// A node is a number computed from what it is, the same in every view, mount and run: kind 4 bits,
// file 16 bits (0 until a mount shows several), number 44 bits. It is also the inode number.
class Node {
 public:
  constexpr Node() = default;
  constexpr Node(NodeKind kind, uint64_t number)
      : ino_(static_cast<uint64_t>(kind) << 60 | number) {}
  static constexpr Node FromInode(uint64_t ino) {
    Node n;
    n.ino_ = ino;
    return n;
  }
  constexpr uint64_t inode() const { return ino_; }
  constexpr NodeKind kind() const { return static_cast<NodeKind>(ino_ >> 60); }
  constexpr uint64_t number() const { return ino_ & ((uint64_t{1} << 44) - 1); }
  constexpr bool is_directory() const {
    switch (kind()) {
      case NodeKind::kMedia:
      case NodeKind::kText:
      case NodeKind::kBlob:
      case NodeKind::kMade:
        return false;
      default:
        return true;
    }
  }
  friend constexpr bool operator==(Node, Node) = default;

 private:
  uint64_t ino_ = 1;
};
inline constexpr Node kRootNode{NodeKind::kRoot, 1};

struct Attributes {
  Node node;
  bool directory = false;
  uint64_t size = 0;   // bytes; of a directory a multiple of 4096, never 0
  uint64_t links = 1;  // names in the mounted view; of a directory 2 + subdirectories
  int64_t mtime_ns = 0;
};

enum class AbsentText : uint8_t { kOmit, kEmpty };

struct TreeOptions {
  std::optional<ViewKind> view;  // nullopt: the file's default view; with hf_metadata, pairs
  // The pairs view: [SPLIT/]<directory>/<key>.<ext>, see view.h for the template's grammar.
  std::string pair_template;  // empty: "{shard:05}/{number:09}"
  static constexpr uint64_t kFanOut = 10000;
  static constexpr unsigned kWidth = 9;
  std::optional<uint64_t> fan_out;  // keys in a directory, kFanOut
  bool flat = false;                // no directories of keys
  std::optional<unsigned> width;    // digits of a key, kWidth
  std::string media_extension = "keep";
  std::string text_extension;  // empty: that of the field ("txt")
  AbsentText absent_text = AbsentText::kOmit;
  bool hf_metadata = false;  // pairs and objects have a metadata.jsonl
};

// Immutable after construction, but for files that it makes; any number of threads. Allocates
// nothing in Lookup, List and GetAttributes, but for those. Errors: FormatError, std::system_error
// from the Reader; std::invalid_argument (constructor) for options that make no sense, with one
// clear line.
class Tree {
 public:
  Tree(const Reader& reader, const TreeOptions& options);  // `reader` must outlive it
  ~Tree();

  ViewKind view() const;
  std::string Description() const;  // "source view: 25 pairs of 4 media"

  // nullopt: no such name, or `directory` is none.
  std::optional<Node> Lookup(Node directory, std::string_view name) const;
  std::optional<Attributes> GetAttributes(Node node) const;  // nullopt: no such node
  Node Parent(Node directory) const;

  // Visits entries of `directory` from `cookie` on (0 = the first; "." and ".." are not among them)
  // until visit returns false. Cookies are stable and stateless: the one passed with an entry
  // continues behind it.
  using Visitor = bool (*)(void* context, std::string_view name, Node node, uint64_t next_cookie);
  void List(Node directory, uint64_t cookie, Visitor visit, void* context) const;

  // A path of the node in this view, for logs and verify: may read many blocks. nullopt if it has
  // none, or if the names that lead to it are damaged.
  std::optional<std::string> FindPath(Node node) const;
  std::string PathOf(Node node) const;  // as FindPath; "<object 7>" for none
  // The same of the media of a pair, in the first of the mounted views: where every pair has a name
  // of its own, that one. As slow as FindPath in the source view only.
  std::optional<std::string> PathOfPair(uint64_t pair) const;

  // Reads a file of NodeKind::kMade, as Reader::ReadMedia does; 0 if there is no such file.
  size_t ReadMade(Node file, uint64_t position, std::span<std::byte> out) const;

  uint64_t file_count() const;  // names of files in the view, for statfs
  // By path ("a/b.jpg", without leading or trailing '/'; "" is the root), for `ls` and `cat`.
  std::optional<Node> Resolve(std::string_view path) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Why the default view of a file that is yet to be written could not be shown, as its fields, or
// these and the extensions of its media, would give equal names. Looks at fields, extensions and
// default_view.
std::optional<std::string> FindCollision(const Info& planned);

}  // namespace ulhff

#endif  // ULHFF_SRC_TREE_H_
