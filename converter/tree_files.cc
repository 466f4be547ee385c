// Batches of directory entries; file contents in pieces.
#include "tree_files.h"

#include <span>
#include <string>
#include <utility>

namespace ulhff {

namespace {

constexpr size_t kBatchEntries = 1024;
constexpr size_t kPieceSize = 1u << 20;

struct Batch {
  std::vector<std::pair<std::string, Node>> entries;
  uint64_t cookie = 0;
};

bool AddToBatch(void* context, std::string_view name, Node node, uint64_t next_cookie) {
  auto* batch = static_cast<Batch*>(context);
  batch->entries.emplace_back(name, node);
  batch->cookie = next_cookie;
  return batch->entries.size() < kBatchEntries;
}

}  // namespace

void ForEachEntry(const Tree& tree, Node directory,
                  const std::function<void(std::string_view name, Node node)>& visit) {
  Batch batch;
  do {
    batch.entries.clear();
    tree.List(directory, batch.cookie, AddToBatch, &batch);
    for (const auto& [name, node] : batch.entries) visit(name, node);
  } while (batch.entries.size() == kBatchEntries);
}

std::string_view TrimPath(std::string_view path) {
  while (path.starts_with('/') || path.starts_with("./")) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path == "." ? std::string_view() : path;
}

size_t FileReader::ReadAt(Node file, uint64_t position) {
  switch (file.kind()) {
    case NodeKind::kMedia:
      return reader_.ReadMedia(file.number(), position, buffer_);
    case NodeKind::kText:
      return reader_.ReadText(file.number(), position, buffer_);
    case NodeKind::kBlob:
      return reader_.ReadBlob(file.number(), position, buffer_);
    default:
      return tree_.ReadMade(file, position, buffer_);
  }
}

void FileReader::Read(Node file, const std::function<void(ByteSpan)>& take) {
  buffer_.resize(kPieceSize);
  uint64_t position = 0;
  for (size_t size = kPieceSize; size == kPieceSize; position += size) {
    size = ReadAt(file, position);
    if (size > 0) take(ByteSpan(buffer_).first(size));
  }
}

}  // namespace ulhff
