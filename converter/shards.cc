// Shards in a tree.
#include "converter/shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "converter/media_types.h"
#include "converter/scan.h"
#include "converter/split_names.h"
#include "converter/walk.h"

namespace ulhff {
namespace {

// Recognition must not open thousands of files to learn that they are something else.
constexpr size_t kDirectoriesPeeked = 32;
constexpr size_t kFilesPeeked = 16;

// The name of a shard that says which of how many it is: `before`NUMBER-of-COUNT`after`.
struct CountedName {
  std::string before, number, count, after;

  // What the names of one set share.
  auto set() const { return std::tie(before, count, after); }
};
struct BySet {
  bool operator()(const CountedName& a, const CountedName& b) const { return a.set() < b.set(); }
};

// The digits at the end or the beginning of `text`, taken off; a number that fits.
std::optional<std::string> TakeDigits(std::string_view& text, bool at_end) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr size_t kMost = 9;
  const size_t other =
      at_end ? text.find_last_not_of(kDigits) + 1 : text.find_first_not_of(kDigits);
  const size_t cut = std::min(other, text.size());
  const std::string digits(at_end ? text.substr(cut) : text.substr(0, cut));
  text = at_end ? text.substr(0, cut) : text.substr(cut);
  if (digits.empty() || digits.size() > kMost) return std::nullopt;
  return digits;
}

std::optional<CountedName> ParseCountedName(std::string_view name) {
  constexpr std::string_view kOf = "-of-";
  const size_t of = name.rfind(kOf);
  if (of == std::string_view::npos) return std::nullopt;
  std::string_view before = name.substr(0, of);
  std::string_view after = name.substr(of + kOf.size());
  const std::optional<std::string> number = TakeDigits(before, true);
  const std::optional<std::string> count = TakeDigits(after, false);
  if (!number || !count) return std::nullopt;
  return CountedName{std::string(before), *number, *count, std::string(after)};
}

// A damaged shard may show by its name alone that it is one: others of its set are.
void AddShards(const Walker& walker, const DirectoryListing& listing, const IsShard& is_shard,
               size_t files, std::vector<Shard>& shards) {
  const size_t count = std::min(files, listing.files.size());
  const auto name_of = [&](size_t i) { return JoinPath(listing.path, listing.files[i]); };
  std::vector<bool> known(count);
  std::set<CountedName, BySet> sets;
  for (size_t i = 0; i < count; ++i) {
    known[i] = is_shard(walker.FullPath(name_of(i)));
    if (!known[i]) continue;
    if (auto counted = ParseCountedName(listing.files[i])) sets.insert(*std::move(counted));
  }
  for (size_t i = 0; i < count; ++i) {
    const auto counted = sets.empty() ? std::nullopt : ParseCountedName(listing.files[i]);
    if (!known[i] && !(counted && sets.contains(*counted))) continue;
    shards.push_back(MakeShard(name_of(i), walker.FullPath(name_of(i))));
  }
}

// nullopt: all are there. They are counted from 0 or from 1.
std::optional<std::string> FirstMissing(const CountedName& one, const std::set<uint64_t>& there) {
  const uint64_t count = std::stoull(one.count);
  if (there.size() >= count) return std::nullopt;
  uint64_t missing = there.contains(count) ? 1 : 0;
  while (there.contains(missing)) ++missing;
  return fmt::format("{}{:0{}}-of-{}{}", one.before, missing, one.number.size(), one.count,
                     one.after);
}

}  // namespace

void NoteMissingShards(const std::vector<Shard>& shards, const std::string& operand,
                       SourceSink& sink) {
  std::map<CountedName, std::set<uint64_t>, BySet> sets;
  for (const Shard& shard : shards) {
    const std::optional<CountedName> name = ParseCountedName(shard.name);
    if (name) sets[*name].insert(std::stoull(name->number));
  }
  for (const auto& [name, there] : sets) {
    const std::optional<std::string> missing = FirstMissing(name, there);
    if (!missing) continue;
    sink.Note(Odd::kMissingShard,
              fmt::format("{} of {} are there, {} is not", there.size(), std::stoull(name.count),
                          *missing),
              {operand});
  }
}

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
