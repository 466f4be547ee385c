// Composes the views into one tree and gives every node its attributes.
#include "tree.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "error.h"
#include "view.h"

namespace ulhff {

namespace {

struct NamedView {
  std::string_view name;  // of its directory where several views are mounted
  std::unique_ptr<View> view;
};

// The tree of the source has its own names.
void CheckSourceView(const TreeOptions& options) {
  const std::pair<const char*, bool> given[] = {
      {"fan_out", options.fan_out.has_value()},
      {"flat", options.flat},
      {"width", options.width.has_value()},
      {"template", !options.pair_template.empty()},
      {"media_ext", options.media_extension != TreeOptions().media_extension},
      {"text_ext", !options.text_extension.empty()},
      {"absent_text", options.absent_text != AbsentText::kOmit},
      {"hf_metadata", options.hf_metadata}};
  for (const auto& [name, is_given] : given) {
    if (!is_given) continue;
    throw std::invalid_argument(fmt::format(
        "{}: not in the source view, whose names are those of the source; add view=pairs, "
        "objects or all",
        name));
  }
}

// The one place that lists the views.
std::vector<NamedView> MakeViews(const Reader& reader, const TreeOptions& options, ViewKind kind) {
  if (kind == ViewKind::kSource) CheckSourceView(options);
  const bool all = kind == ViewKind::kAll;
  const auto described = [&](std::unique_ptr<View> view) {
    return options.hf_metadata ? AddMetadata(reader, std::move(view)) : std::move(view);
  };
  std::vector<NamedView> views;
  if (all || kind == ViewKind::kObjects)
    views.push_back({"objects", described(MakeObjectsView(reader, options))});
  if (all || kind == ViewKind::kPairs)
    views.push_back({"pairs", described(MakePairsView(reader, options))});
  if (all || kind == ViewKind::kSource) views.push_back({"source", MakeSourceView(reader)});
  return views;
}

// The loaders that want metadata read all that lies below: of several views, each pair twice.
ViewKind KindOf(const Reader& reader, const TreeOptions& options) {
  const ViewKind kind = options.hf_metadata ? ViewKind::kPairs : reader.info().default_view;
  return options.view.value_or(kind);
}

// Paths are wanted where damage is reported: damage to the names must not hide that report.
std::optional<std::string> PathIn(const View& view, Node node) {
  try {
    return view.PathOf(node);
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

}  // namespace

// A single view is mounted as the root; several are its subdirectories.
class Tree::Impl {
 public:
  Impl(const Reader& reader, const TreeOptions& options)
      : reader_(reader),
        kind_(KindOf(reader, options)),
        views_(MakeViews(reader, options, kind_)) {}

  const Reader& reader() const { return reader_; }
  ViewKind kind() const { return kind_; }
  const std::vector<NamedView>& views() const { return views_; }

  // Who answers for a directory; nullopt: it is the root of several views, or no view's own.
  struct Place {
    const View* view;
    uint64_t directory;
  };
  std::optional<Place> Find(Node node) const {
    if (node == kRootNode) {
      if (views_.size() > 1) return std::nullopt;
      return Place{views_.front().view.get(), views_.front().view->root().number()};
    }
    for (const NamedView& named : views_) {
      if (named.view->own_kind() == node.kind()) return Place{named.view.get(), node.number()};
    }
    return std::nullopt;
  }
  // The same directory under the number that the mount shows.
  Node Shown(Node node) const {
    return views_.size() == 1 && node == views_.front().view->root() ? kRootNode : node;
  }

  std::optional<Attributes> OfMedia(uint64_t object) const {
    if (object >= reader_.info().objects) return std::nullopt;
    const ObjectLayout layout = reader_.Object(object);
    uint64_t links = 0;
    for (const NamedView& named : views_) links += named.view->MediaLinks(object, layout);
    return Attributes{Node(NodeKind::kMedia, object), false, layout.media_size, links,
                      reader_.ObjectTime(object)};
  }

  std::optional<Attributes> OfText(uint64_t text) const {
    const uint64_t fields = reader_.info().fields.size();
    if (fields == 0 || text / fields >= reader_.info().pairs) return std::nullopt;
    const uint64_t object = reader_.Locate(text / fields).object;
    const TextLayout layout = reader_.Text(reader_.Object(object), text);
    uint64_t links = 0;
    for (const NamedView& named : views_) links += named.view->TextLinks(text, layout);
    return Attributes{Node(NodeKind::kText, text), false, layout.size, links,
                      reader_.TextTime(text)};
  }

  std::optional<Attributes> OfBlob(uint64_t blob) const {
    if (blob >= reader_.info().blobs) return std::nullopt;
    uint64_t links = 0;
    for (const NamedView& named : views_) links += named.view->BlobLinks(blob);
    return Attributes{Node(NodeKind::kBlob, blob), false, reader_.Blob(blob).media_size, links,
                      reader_.BlobTime(blob)};
  }

  // Of a file that a view makes: the view too. nullptr: there is no such file.
  const View* MakerOf(uint64_t number, std::optional<Attributes>& attributes) const {
    for (const NamedView& named : views_) {
      attributes = named.view->MadeAttributes(number);
      if (attributes) return named.view.get();
    }
    return nullptr;
  }

  std::optional<Attributes> OfRootOfViews() const {
    return Attributes{kRootNode, true, kDirectorySize, 2 + views_.size(),
                      reader_.info().default_mtime_ns};
  }

 private:
  const Reader& reader_;
  ViewKind kind_;
  std::vector<NamedView> views_;
};

Tree::Tree(const Reader& reader, const TreeOptions& options)
    : impl_(std::make_unique<Impl>(reader, options)) {}
Tree::~Tree() = default;

ViewKind Tree::view() const { return impl_->kind(); }

std::string Tree::Description() const {
  static constexpr std::array kNames = {"source view", "pairs view", "objects view",
                                        "all views (objects, pairs, source)"};
  const Info& info = impl_->reader().info();
  return fmt::format("{}: {} pair{} of {} media", kNames.at(static_cast<size_t>(view())),
                     info.pairs, info.pairs == 1 ? "" : "s", info.objects);
}

std::optional<Node> Tree::Lookup(Node directory, std::string_view name) const {
  if (const auto place = impl_->Find(directory)) return place->view->Lookup(place->directory, name);
  if (directory != kRootNode) return std::nullopt;
  for (const NamedView& named : impl_->views()) {
    if (named.name == name) return named.view->root();
  }
  return std::nullopt;
}

std::optional<Attributes> Tree::GetAttributes(Node node) const {
  std::optional<Attributes> attributes;
  if (node.kind() == NodeKind::kMedia) {
    attributes = impl_->OfMedia(node.number());
  } else if (node.kind() == NodeKind::kText) {
    attributes = impl_->OfText(node.number());
  } else if (node.kind() == NodeKind::kBlob) {
    attributes = impl_->OfBlob(node.number());
  } else if (node.kind() == NodeKind::kMade) {
    impl_->MakerOf(node.number(), attributes);
  } else if (const auto place = impl_->Find(node)) {
    attributes = place->view->OwnAttributes(place->directory);
    if (attributes) attributes->node = impl_->Shown(attributes->node);
  } else if (node == kRootNode) {
    attributes = impl_->OfRootOfViews();
  }
  // A node that the mounted views have no name for is not there; nor is one of another file.
  if (attributes && (attributes->links == 0 || attributes->node != impl_->Shown(node)))
    return std::nullopt;
  return attributes;
}

Node Tree::Parent(Node directory) const {
  const auto place = impl_->Find(directory);
  if (!place || place->directory == place->view->root().number()) return kRootNode;
  return impl_->Shown(Node(place->view->own_kind(), place->view->Parent(place->directory)));
}

void Tree::List(Node directory, uint64_t cookie, Visitor visit, void* context) const {
  if (const auto place = impl_->Find(directory))
    return place->view->List(place->directory, cookie, visit, context);
  if (directory != kRootNode) return;
  const auto& views = impl_->views();
  for (uint64_t i = cookie; i < views.size(); ++i) {
    if (!visit(context, views[i].name, views[i].view->root(), i + 1)) return;
  }
}

std::optional<std::string> Tree::FindPath(Node node) const {
  if (node == kRootNode) return "";
  const auto& views = impl_->views();
  // Backwards: the name that the source gave says most.
  for (auto named = views.rbegin(); named != views.rend(); ++named) {
    auto path = PathIn(*named->view, node);
    if (!path) continue;
    if (views.size() == 1) return path;
    return path->empty() ? std::string(named->name) : fmt::format("{}/{}", named->name, *path);
  }
  return std::nullopt;
}

std::optional<std::string> Tree::PathOfPair(uint64_t pair) const {
  const auto& views = impl_->views();
  auto path = views.front().view->PathOfPair(pair, impl_->reader().Locate(pair).object);
  if (!path || views.size() == 1) return path;
  return fmt::format("{}/{}", views.front().name, *path);
}

size_t Tree::ReadMade(Node file, uint64_t position, std::span<std::byte> out) const {
  std::optional<Attributes> attributes;
  const View* const maker =
      file.kind() == NodeKind::kMade ? impl_->MakerOf(file.number(), attributes) : nullptr;
  return maker == nullptr ? 0 : maker->ReadMade(file.number(), position, out);
}

std::string Tree::PathOf(Node node) const {
  if (auto path = FindPath(node)) return *path;
  static constexpr std::array kKinds = {"node", "object", "text", "blob"};
  const auto kind = static_cast<size_t>(node.kind());
  return fmt::format("<{} {}>", kind < kKinds.size() ? kKinds.at(kind) : "directory",
                     node.number());
}

uint64_t Tree::file_count() const {
  uint64_t count = 0;
  for (const NamedView& named : impl_->views()) count += named.view->FileCount();
  return count;
}

std::optional<Node> Tree::Resolve(std::string_view path) const {
  Node node = kRootNode;
  while (!path.empty()) {
    const size_t slash = path.find('/');
    const auto next = Lookup(node, path.substr(0, slash));
    if (!next) return std::nullopt;
    node = *next;
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  return node;
}

}  // namespace ulhff
