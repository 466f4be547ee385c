// Hash index of the media of a tree.
#include "converter/media_index.h"

#include <algorithm>
#include <map>
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
        directories_.push_back(listing.path);
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
}

uint64_t MediaIndex::Hash(std::string_view stem) {
  const std::string nfc = ToNfc(stem);
  return Checksum64(AsBytes(nfc));
}

template <typename Wanted>
std::vector<std::string> MediaIndex::Find(std::string_view stem, const Wanted& wanted) const {
  const uint64_t hash = Hash(stem);
  std::vector<std::string> found;
  auto at = std::partition_point(entries_.begin(), entries_.end(),
                                 [&](const Entry& entry) { return entry.stem_hash < hash; });
  for (; at != entries_.end() && at->stem_hash == hash; ++at) {
    const std::string& extension = extensions_[at->extension];
    if (!wanted(extension)) continue;
    found.push_back(JoinPath(directories_[at->directory], std::string(stem) + "." + extension));
  }
  return found;
}

std::vector<std::string> MediaIndex::Named(std::string_view base_name) const {
  const NameParts parts = SplitName(base_name);
  return Find(parts.stem, [&](std::string_view extension) { return extension == parts.extension; });
}

std::vector<std::string> MediaIndex::WithStem(std::string_view stem) const {
  return Find(stem, [](std::string_view) { return true; });
}

}  // namespace ulhff
