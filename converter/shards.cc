// Shards in a tree.
#include "converter/shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "converter/media_types.h"
#include "converter/scan.h"
#include "converter/split_names.h"
#include "converter/walk.h"

namespace ulhff {
namespace {

// Recognition must not open thousands of files to learn that they are something else.
constexpr size_t kDirectoriesPeeked = 32;
constexpr size_t kFilesPeeked = 16;

void AddShards(const Walker& walker, const DirectoryListing& listing, const IsShard& is_shard,
               size_t files, std::vector<Shard>& shards) {
  for (size_t i = 0; i < std::min(files, listing.files.size()); ++i) {
    std::string name = JoinPath(listing.path, listing.files[i]);
    const std::string path = walker.FullPath(name);
    if (is_shard(path)) shards.push_back(MakeShard(std::move(name), path));
  }
}

}  // namespace

Shard MakeShard(std::string name, std::string path) {
  Shard shard{.name = std::move(name), .path = std::move(path)};
  const std::optional<FileState> state = StatFile(shard.path);
  if (state) shard.mtime_ns = state->mtime_ns;
  return shard;
}

std::vector<Shard> FindShards(const std::string& operand, const ConvertOptions& options,
                              const IsShard& is_shard) {
  if (!std::filesystem::is_directory(operand)) {
    return {MakeShard(std::string(BaseName(operand)), operand)};
  }
  std::vector<Shard> shards;
  const Walker walker(operand, options);
  walker.Walk(
      [&](const DirectoryListing& listing) {
        AddShards(walker, listing, is_shard, listing.files.size(), shards);
      },
      {});
  AssignSplits(shards, options);
  return shards;
}

std::vector<Shard> PeekShards(const Overview& operand, const ConvertOptions& options,
                              const IsShard& is_shard, size_t limit) {
  if (!operand.is_directory) {
    if (!is_shard(operand.path)) return {};
    return {MakeShard(std::string(BaseName(operand.path)), operand.path)};
  }
  std::vector<Shard> shards;
  const Walker walker(operand.path, options);
  std::vector<std::string> directories = operand.directories;
  directories.insert(directories.begin(), "");
  directories.resize(std::min(directories.size(), kDirectoriesPeeked));
  for (const std::string& directory : directories) {
    const size_t files = directory.empty() ? std::max(limit, kFilesPeeked) : kFilesPeeked;
    AddShards(walker, walker.List(directory), is_shard, files, shards);
    if (shards.size() >= limit) break;
  }
  shards.resize(std::min(shards.size(), limit));
  return shards;
}

void AssignSplits(std::vector<Shard>& shards, const ConvertOptions& options) {
  if (options.split_dirs) {
    for (Shard& shard : shards) shard.split = SplitDirectory(shard.name);
    return;
  }
  bool differ = false;
  for (Shard& shard : shards) {
    // The words of the file's own name count like those of a directory's.
    shard.split = SplitWord(shard.name + "/").value_or("");
    differ = differ || shard.split != shards.front().split;
  }
  const bool all = std::none_of(shards.begin(), shards.end(),
                                [](const Shard& shard) { return shard.split.empty(); });
  if (all && differ) return;
  for (Shard& shard : shards) shard.split.clear();
}

}  // namespace ulhff
