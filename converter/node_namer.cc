// Asks one view after the other.
#include "converter/node_namer.h"

#include <stdexcept>

#include "ulhff/error.h"

namespace ulhff {

namespace {

// 1 if it has none there.
uint64_t CountNames(const Tree& tree, Node node) {
  try {
    const auto attributes = tree.GetAttributes(node);
    return attributes && !attributes->directory ? attributes->links : 1;
  } catch (const FormatError&) {
    return 1;  // that is damaged too
  }
}

}  // namespace

NodeNamer::NodeNamer(const Reader& reader) {
  Add(reader, reader.info().default_view);
  Add(reader, ViewKind::kAll);
  Add(reader, ViewKind::kSource);
}

// A view whose names would not be unique names nothing.
void NodeNamer::Add(const Reader& reader, ViewKind view) {
  TreeOptions options;
  options.view = view;
  try {
    trees_.push_back(std::make_unique<Tree>(reader, options));
  } catch (const std::invalid_argument&) {
    return;
  }
}

NodeNamer::Name NodeNamer::NameOf(Node node) const {
  for (const auto& tree : trees_) {
    const auto path = tree->FindPath(node);
    if (!path) continue;
    // Of all views the source's names count: the others show the same file again.
    const Tree& counted = tree->view() == ViewKind::kAll ? *trees_.back() : *tree;
    return {path->empty() ? "/" : *path, CountNames(counted, node)};
  }
  return {trees_.back()->PathOf(node)};
}

}  // namespace ulhff
