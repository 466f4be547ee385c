// The seam of Tree: what a view is. A new view is one file that implements View and one line in
// tree.cc; nothing else knows the views.
#ifndef ULHFF_SRC_VIEW_H_
#define ULHFF_SRC_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reader.h"
#include "tree.h"

namespace ulhff {

// A tree of names over nodes. Media, texts and blobs are shared by all views; directories (and
// whatever else a view makes up) are the view's own: nodes of own_kind() with numbers computed from
// what they are, never remembered. Immutable, thread-safe; Lookup, List and Attributes allocate
// nothing.
class View {
 public:
  virtual ~View() = default;

  virtual NodeKind own_kind() const = 0;
  Node root() const { return Node(own_kind(), 0); }

  // Of an own node. nullopt: there is none of this number.
  virtual std::optional<Attributes> OwnAttributes(uint64_t number) const = 0;

  // Of an own directory; of any other number: the root's, nullopt, nothing, 0.
  virtual uint64_t Parent(uint64_t directory) const = 0;
  virtual std::optional<Node> Lookup(uint64_t directory, std::string_view name) const = 0;
  virtual void List(uint64_t directory, uint64_t cookie, Tree::Visitor visit,
                    void* context) const = 0;

  // How many names in this view stand for a shared node.
  virtual uint64_t MediaLinks(uint64_t object, const ObjectLayout& layout) const = 0;
  virtual uint64_t TextLinks(uint64_t text, const TextLayout& layout) const = 0;
  virtual uint64_t BlobLinks(uint64_t blob) const = 0;

  // A path of any node from the view's root on ("" is the root); nullopt: it has none here. May
  // read much.
  virtual std::optional<std::string> PathOf(Node node) const = 0;
  // The same of the media of a pair: where every pair has a name of its own, that one.
  virtual std::optional<std::string> PathOfPair(uint64_t /*pair*/, uint64_t object) const {
    return PathOf(Node(NodeKind::kMedia, object));
  }
  virtual uint64_t FileCount() const = 0;  // exact but for absent texts that are left out

  // Files that the view makes itself (NodeKind::kMade): what they hold may be made when it is asked
  // for first, so both may take long once. nullopt: none of this number.
  virtual std::optional<Attributes> MadeAttributes(uint64_t /*number*/) const {
    return std::nullopt;
  }
  // As Reader::ReadMedia. Precondition: MadeAttributes(number) has a value.
  virtual size_t ReadMade(uint64_t /*number*/, uint64_t /*position*/,
                          std::span<std::byte> /*out*/) const {
    return 0;
  }
};

// st_size of every directory; du counts it as one block.
inline constexpr uint64_t kDirectorySize = 4096;

// The source's own tree of names (source_view.cc).
std::unique_ptr<View> MakeSourceView(const Reader& reader);
// [SPLIT/]SHARD/KEY.jpg + KEY.txt for each pair (pairs_view.cc). Throws std::invalid_argument.
std::unique_ptr<View> MakePairsView(const Reader& reader, const TreeOptions& options);
// SHARD/KEY.jpg + KEY.0.txt, KEY.1.txt ... for each object (objects_view.cc). Throws
// std::invalid_argument.
std::unique_ptr<View> MakeObjectsView(const Reader& reader, const TreeOptions& options);
// The pairs or objects view with a metadata.jsonl of all its media (metadata_view.cc). Throws
// std::invalid_argument.
std::unique_ptr<View> AddMetadata(const Reader& reader, std::unique_ptr<View> view);

}  // namespace ulhff

#endif  // ULHFF_SRC_VIEW_H_
