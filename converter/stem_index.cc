// Stems of one directory's files, sorted for lookup.
#include "converter/stem_index.h"

#include <algorithm>
#include <tuple>

namespace ulhff {
namespace {

// A number of any length, ordered by value: its digits without leading zeros.
std::string_view Digits(std::string_view stem) {
  std::string_view digits = stem.substr(UnnumberedStem(stem).size() + 1);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

// Names sorted by bytes mostly are so by stem too, and a directory may hold two million.
template <typename Container, typename Less>
void SortIfNeeded(Container& container, const Less& less) {
  if (std::is_sorted(container.begin(), container.end(), less)) return;
  std::sort(container.begin(), container.end(), less);
}

}  // namespace

std::string_view UnnumberedStem(std::string_view stem) {
  const size_t last = stem.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last == 0 || last + 1 == stem.size()) return {};
  return stem[last] == '.' || stem[last] == '_' ? stem.substr(0, last) : std::string_view();
}

StemIndex::StemIndex(const NameList& files, const MediaTypes& types)
    : files_(&files), types_(&types) {
  for (uint32_t i = 0; i < files.size(); ++i) {
    if (types.IsMedia(files[i])) {
      media_.push_back(i);
    } else if (const auto rank = types.TextRank(files[i])) {
      texts_.push_back({i, static_cast<uint32_t>(*rank)});
      if (!UnnumberedStem(stem(i)).empty()) numbered_.push_back(texts_.back());
    }
  }
  media_by_stem_ = media_;
  SortIfNeeded(media_by_stem_, [this](uint32_t a, uint32_t b) { return stem(a) < stem(b); });
  SortIfNeeded(texts_, [this](const TextEntry& a, const TextEntry& b) {
    return std::tuple(stem(a.file), a.rank, a.file) < std::tuple(stem(b.file), b.rank, b.file);
  });
  const auto number = [this](const TextEntry& text) {
    const std::string_view all = stem(text.file);
    const std::string_view digits = Digits(all);
    return std::tuple(UnnumberedStem(all), digits.size(), digits, all, text.rank, text.file);
  };
  SortIfNeeded(numbered_,
               [&](const TextEntry& a, const TextEntry& b) { return number(a) < number(b); });
}

size_t StemIndex::CountMedia(std::string_view wanted) const {
  const auto first = std::partition_point(media_by_stem_.begin(), media_by_stem_.end(),
                                          [&](uint32_t file) { return stem(file) < wanted; });
  const auto last = std::find_if_not(first, media_by_stem_.end(),
                                     [&](uint32_t file) { return stem(file) == wanted; });
  return static_cast<size_t>(last - first);
}

std::span<const StemIndex::TextEntry> StemIndex::Exact(std::string_view wanted) const {
  const auto first = std::partition_point(texts_.begin(), texts_.end(), [&](const TextEntry& text) {
    return stem(text.file) < wanted;
  });
  const auto last = std::find_if_not(
      first, texts_.end(), [&](const TextEntry& text) { return stem(text.file) == wanted; });
  return {first, last};
}

std::span<const StemIndex::TextEntry> StemIndex::Numbered(std::string_view wanted) const {
  const auto base = [this](const TextEntry& text) { return UnnumberedStem(stem(text.file)); };
  const auto first =
      std::partition_point(numbered_.begin(), numbered_.end(),
                           [&](const TextEntry& text) { return base(text) < wanted; });
  const auto last = std::find_if_not(first, numbered_.end(),
                                     [&](const TextEntry& text) { return base(text) == wanted; });
  return {first, last};
}

}  // namespace ulhff
