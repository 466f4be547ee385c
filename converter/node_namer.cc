// Asks one view after the other.
#include "converter/node_namer.h"

#include <stdexcept>

namespace ulhff {

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

std::string NodeNamer::PathOf(Node node) const {
  for (const auto& tree : trees_) {
    if (const auto path = tree->FindPath(node)) return path->empty() ? "/" : *path;
  }
  return trees_.back()->PathOf(node);
}

}  // namespace ulhff
