// Batches of directory entries; file contents in pieces.
#include "tree_files.h"

#include <cassert>
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

size_t ReadAt(const Reader& reader, Node file, uint64_t position, std::span<std::byte> out) {
  if (file.kind() == NodeKind::kMedia) return reader.ReadMedia(file.number(), position, out);
  if (file.kind() == NodeKind::kText) return reader.ReadText(file.number(), position, out);
  assert(file.kind() == NodeKind::kBlob);
  return reader.ReadBlob(file.number(), position, out);
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

void FileReader::Read(Node file, const std::function<void(ByteSpan)>& take) {
  buffer_.resize(kPieceSize);
  uint64_t position = 0;
  for (size_t size = kPieceSize; size == kPieceSize; position += size) {
    size = ReadAt(reader_, file, position, buffer_);
    if (size > 0) take(ByteSpan(buffer_).first(size));
  }
}

}  // namespace ulhff
