// The view of the tree that was converted: the file's names section, read in place.
#include <algorithm>

#include "view.h"

namespace ulhff {

namespace {

Node NodeOf(Reader::Name target) {
  switch (target.kind) {
    case TargetKind::kMedia:
      return Node(NodeKind::kMedia, target.number);
    case TargetKind::kText:
      return Node(NodeKind::kText, target.number);
    case TargetKind::kBlob:
      return Node(NodeKind::kBlob, target.number);
    case TargetKind::kDirectory:
      break;
  }
  return Node(NodeKind::kSourceDir, target.number);
}

class SourceView final : public View {
 public:
  explicit SourceView(const Reader& reader) : reader_(reader) {}

  NodeKind own_kind() const override { return NodeKind::kSourceDir; }

  std::optional<Attributes> OwnAttributes(uint64_t number) const override {
    if (!Exists(number)) return std::nullopt;
    const Reader::DirectoryInfo directory = reader_.Directory(number);
    return Attributes{Node(own_kind(), number), true, kDirectorySize, 2 + directory.children,
                      directory.mtime_ns};
  }

  uint64_t Parent(uint64_t directory) const override {
    return Exists(directory) ? reader_.Directory(directory).parent : 0;
  }

  std::optional<Node> Lookup(uint64_t directory, std::string_view name) const override {
    if (!Exists(directory)) return std::nullopt;
    const auto target = reader_.FindName(directory, name);
    if (!target) return std::nullopt;
    return NodeOf(*target);
  }

  void List(uint64_t directory, uint64_t cookie, Tree::Visitor visit,
            void* context) const override {
    if (!Exists(directory)) return;
    struct Listing {
      Tree::Visitor visit;
      void* context;
    } listing{visit, context};
    const auto pass_on = [](void* to, std::string_view name, Reader::Name target, uint64_t next) {
      const auto* listing = static_cast<Listing*>(to);
      return listing->visit(listing->context, name, NodeOf(target), next);
    };
    reader_.ListNames(directory, cookie, pass_on, &listing);
  }

  uint64_t MediaLinks(uint64_t object, const ObjectLayout&) const override {
    return reader_.ObjectLinks(object);
  }
  uint64_t TextLinks(uint64_t text, const TextLayout&) const override {
    return reader_.TextLinks(text);
  }
  uint64_t BlobLinks(uint64_t blob) const override { return reader_.BlobLinks(blob); }

  uint64_t FileCount() const override {
    return reader_.info().entries - (reader_.info().directories - 1);
  }

  // Searches the directories one by one: nothing leads from a node to its names.
  std::optional<std::string> PathOf(Node node) const override {
    if (node == root()) return std::string();
    if (node.kind() == own_kind()) {
      if (!Exists(node.number())) return std::nullopt;
      return PathIn(reader_.Directory(node.number()).parent, node);
    }
    for (uint64_t directory = 0; directory < reader_.info().directories; ++directory) {
      if (auto path = PathIn(directory, node)) return path;
    }
    return std::nullopt;
  }

 private:
  bool Exists(uint64_t directory) const { return directory < reader_.info().directories; }

  // The path of `node` if it is an entry of `directory`.
  std::optional<std::string> PathIn(uint64_t directory, Node node) const {
    std::optional<std::string> path = NameIn(directory, node);
    // Parents have smaller numbers, so this ends even in a damaged file.
    while (path && directory != 0) {
      const uint64_t parent = reader_.Directory(directory).parent;
      if (parent >= directory) return std::nullopt;
      const auto name = NameIn(parent, Node(own_kind(), directory));
      if (!name) return std::nullopt;
      path = *name + "/" + *path;
      directory = parent;
    }
    return path;
  }

  std::optional<std::string> NameIn(uint64_t directory, Node node) const {
    struct Search {
      Node wanted;
      std::optional<std::string> name;
    } search{node, std::nullopt};
    const auto compare = [](void* context, std::string_view name, Node found, uint64_t) {
      auto* search = static_cast<Search*>(context);
      if (found == search->wanted) search->name = name;
      return !search->name;
    };
    List(directory, 0, compare, &search);
    return search.name;
  }

  const Reader& reader_;
};

}  // namespace

std::unique_ptr<View> MakeSourceView(const Reader& reader) {
  return std::make_unique<SourceView>(reader);
}

}  // namespace ulhff
