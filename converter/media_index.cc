// Hash index of the media of a tree.
#include "converter/media_index.h"

#include <algorithm>
#include <compare>
#include <map>
#include <numeric>
#include <tuple>

#include "converter/unicode_form.h"
#include "ulhff/bytes.h"
#include "ulhff/checksum.h"

namespace ulhff {

MediaIndex::MediaIndex(const Walker& walker, const MediaTypes& types) {
  std::map<std::string, uint32_t, std::less<>> extension_numbers;
  const auto number_of = [&](std::string_view extension) {
    const auto [at, added] = extension_numbers.emplace(extension, extensions_.size());
    if (added) extensions_.emplace_back(extension);
    return at->second;
  };
  walker.Walk(
      [&](const DirectoryListing& listing) {
        const auto directory = static_cast<uint32_t>(directories_.size());
        directories_.push_back("/" + listing.path);
        for (size_t i = 0; i < listing.files.size(); ++i) {
          if (!types.IsMedia(listing.files[i])) continue;
          const NameParts parts = SplitName(listing.files[i]);
          entries_.push_back({Hash(parts.stem), directory, number_of(parts.extension)});
        }
      },
      {});
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.stem_hash, a.directory, a.extension) <
           std::tie(b.stem_hash, b.directory, b.extension);
  });
  by_end_.resize(directories_.size());
  std::iota(by_end_.begin(), by_end_.end(), 0);
  std::sort(by_end_.begin(), by_end_.end(), [this](uint32_t a, uint32_t b) {
    return std::lexicographical_compare(directories_[a].rbegin(), directories_[a].rend(),
                                        directories_[b].rbegin(), directories_[b].rend());
  });
}

uint64_t MediaIndex::Hash(std::string_view stem) {
  const std::string nfc = ToNfc(stem);
  return Checksum64(AsBytes(nfc));
}

// In both directions, since either can be all there are: media of one name in a directory each, or
// directories of one name with a media each.
template <typename Wanted>
std::vector<std::string> MediaIndex::Find(std::string_view parent, std::string_view stem,
                                          const Wanted& wanted) const {
  const uint64_t hash = Hash(stem);
  const auto [first, last] =
      std::equal_range(entries_.begin(), entries_.end(), Entry{hash, 0, 0},
                       [](const Entry& a, const Entry& b) { return a.stem_hash < b.stem_hash; });
  std::vector<std::string> found;
  const auto take = [&](const Entry& entry) {
    const std::string& extension = extensions_[entry.extension];
    if (!wanted(extension)) return;
    const std::string_view directory = std::string_view{directories_[entry.directory]}.substr(1);
    found.push_back(JoinPath(directory, std::string(stem) + "." + extension));
  };
  const std::span<const uint32_t> directories = DirectoriesEndingIn(parent);
  if (directories.size() >= static_cast<size_t>(last - first)) {
    std::for_each(first, last, take);
    return found;
  }
  for (const uint32_t directory : directories) {
    auto at = std::partition_point(
        first, last, [directory](const Entry& entry) { return entry.directory < directory; });
    for (; at != last && at->directory == directory; ++at) take(*at);
  }
  return found;
}

std::span<const uint32_t> MediaIndex::DirectoriesEndingIn(std::string_view parent) const {
  const std::string end = parent.empty() ? std::string() : "/" + std::string(parent);
  // What stands at the end of a directory, from the last byte on.
  const auto compare = [&](uint32_t directory) {
    const std::string_view path = directories_[directory];
    const std::string_view tail = path.substr(path.size() - std::min(path.size(), end.size()));
    const auto order = std::lexicographical_compare_three_way(tail.rbegin(), tail.rend(),
                                                              end.rbegin(), end.rend());
    return order;
  };
  const auto first = std::partition_point(by_end_.begin(), by_end_.end(),
                                          [&](uint32_t d) { return std::is_lt(compare(d)); });
  const auto last = std::partition_point(first, by_end_.end(),
                                         [&](uint32_t d) { return std::is_eq(compare(d)); });
  return {first, last};
}

std::vector<std::string> MediaIndex::EndingIn(std::string_view path) const {
  const NameParts parts = SplitName(BaseName(path));
  return Find(ParentPath(path), parts.stem,
              [&](std::string_view extension) { return extension == parts.extension; });
}

std::vector<std::string> MediaIndex::EndingInStem(std::string_view path) const {
  return Find(ParentPath(path), BaseName(path), [](std::string_view) { return true; });
}

}  // namespace ulhff
