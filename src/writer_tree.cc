// Walks names and directories side by side: both come in the same order.
#include "writer_tree.h"

#include <algorithm>
#include <array>

#include "bytes.h"
#include "writer_packed.h"

namespace ulhff {

namespace {

constexpr size_t kDepthSize = 2;

std::string DepthBytes(size_t depth) {
  return {static_cast<char>(depth >> 8), static_cast<char>(depth & 0xFF)};
}

size_t DepthOf(std::string_view key) {
  return static_cast<size_t>(static_cast<uint8_t>(key[0])) << 8 | static_cast<uint8_t>(key[1]);
}

}  // namespace

std::string PathKey(std::string_view path) {
  std::string key =
      DepthBytes(static_cast<size_t>(std::count(path.begin(), path.end(), '/'))).append(path);
  std::replace(key.begin() + kDepthSize, key.end(), '/', '\0');
  return key;
}

std::string PathOfKey(std::string_view key) {
  std::string path(key.substr(kDepthSize));
  std::replace(path.begin(), path.end(), '\0', '/');
  return path;
}

SourceTreeWriter::SourceTreeWriter(IndexWriter& index, const std::string& tmp_dir,
                                   int64_t root_mtime_ns)
    : index_(index),
      names_(index, tmp_dir),
      starts_(tmp_dir),
      parents_(tmp_dir),
      children_(tmp_dir),
      times_(tmp_dir),
      prefixes_(tmp_dir),
      next_prefix_(prefixes_),
      prefix_(DepthBytes(0)) {
  starts_.Append(0);
  parents_.Append(0);
  times_.Append(static_cast<uint64_t>(root_mtime_ns));
}

// Makes the directory of `key` the open one and returns the name in it.
std::string_view SourceTreeWriter::Enter(std::string_view key) {
  const size_t nul = key.rfind('\0');
  const size_t prefix_size =
      nul == std::string_view::npos || nul < kDepthSize ? kDepthSize : nul + 1;
  while (key.substr(0, prefix_size) != prefix_) {
    CloseDirectory();
    OpenDirectory();
  }
  return key.substr(prefix_size);
}

void SourceTreeWriter::CloseDirectory() {
  children_.Append(open_children_);
  open_children_ = 0;
}

void SourceTreeWriter::OpenDirectory() {
  uint32_t size = 0;
  next_prefix_.Read(std::as_writable_bytes(std::span(&size, 1)));
  prefix_.resize(size);
  next_prefix_.Read(std::as_writable_bytes(std::span(prefix_)));
  starts_.Append(names_.entries());
  ++open_;
}

void SourceTreeWriter::AddFile(std::string_view key, TargetKind kind, uint64_t number) {
  names_.Add(Enter(key), kind, number);
}

void SourceTreeWriter::AddDirectory(std::string_view key, int64_t mtime_ns) {
  const std::string_view name = Enter(key);
  names_.Add(name, TargetKind::kDirectory, parents_.size());
  parents_.Append(open_);
  times_.Append(static_cast<uint64_t>(mtime_ns));
  ++open_children_;
  std::string prefix = DepthBytes(DepthOf(key) + 1).append(key.substr(kDepthSize));
  prefix.push_back('\0');
  const auto size = static_cast<uint32_t>(prefix.size());
  prefixes_.Append(std::as_bytes(std::span(&size, 1)));
  prefixes_.Append(AsBytes(prefix));
}

void SourceTreeWriter::Finish(int64_t default_mtime_ns, Superblock& superblock) {
  while (next_prefix_.left() > 0) {
    CloseDirectory();
    OpenDirectory();
  }
  CloseDirectory();
  starts_.Append(names_.entries());
  names_.Finish();
  WritePacked(index_, SectionType::kDirectoryStarts, ColumnSource(starts_));
  WritePacked(index_, SectionType::kDirectoryParents, ColumnSource(parents_));
  WritePacked(index_, SectionType::kDirectoryChildren, ColumnSource(children_));
  WriteTimes(index_, SectionType::kDirectoryTimes, times_, default_mtime_ns);
  superblock.directories = parents_.size();
  superblock.entries = names_.entries();
}

}  // namespace ulhff
