// Turns RapidJSON's events into the nodes of a JsonTree.
#include "converter/json_builder.h"

namespace ulhff {

void JsonBuilder::Reset() {
  tree_->nodes.clear();
  tree_->unescaped.clear();
  open_.clear();
  token_end_ = 0;
}

JsonTree::Node& JsonBuilder::Add(JsonType type, uint32_t raw_begin, uint32_t raw_end) {
  JsonTree::Node& node = tree_->nodes.emplace_back();
  node.type = type;
  node.raw_begin = raw_begin;
  node.raw_end = raw_end;
  node.next = static_cast<uint32_t>(tree_->nodes.size());
  token_end_ = raw_end;
  return node;
}

// RapidJSON reports a token just after it was read.
bool JsonBuilder::AddToken(JsonType type, uint32_t size) {
  Add(type, pos() - size, pos());
  return true;
}

// RapidJSON does not say where a string began: between it and the last token stand separators only.
bool JsonBuilder::String(const char* bytes, rapidjson::SizeType size, bool) {
  const auto begin =
      static_cast<uint32_t>(in_->Marked().find_first_not_of(" \t\r\n,:", token_end_));
  JsonTree::Node& node = Add(JsonType::kString, begin, pos());
  node.text_begin = begin + 1;
  node.text_size = size;
  // Every escape is longer than what it stands for.
  node.escaped = size != pos() - begin - 2;
  if (node.escaped) {
    node.text_begin = static_cast<uint32_t>(tree_->unescaped.size());
    tree_->unescaped.append(bytes, size);
  }
  return true;
}

// RapidJSON reports brackets just before it takes them.
bool JsonBuilder::Open(JsonType type) {
  open_.push_back(static_cast<uint32_t>(tree_->nodes.size()));
  Add(type, pos(), pos() + 1);
  return true;
}

bool JsonBuilder::Close(uint32_t size) {
  JsonTree::Node& node = tree_->nodes[open_.back()];
  open_.pop_back();
  node.raw_end = pos() + 1;
  node.size = size;
  node.next = static_cast<uint32_t>(tree_->nodes.size());
  token_end_ = node.raw_end;
  return true;
}

}  // namespace ulhff
