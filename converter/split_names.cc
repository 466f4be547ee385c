// Split names from paths.
#include "converter/split_names.h"

#include <algorithm>
#include <set>

#include "converter/media_types.h"

namespace ulhff {
namespace {

constexpr std::string_view kDelimiters = "/_-. ";

// Words of a path without its extension, each with the delimiter before it.
std::vector<std::string> Words(std::string_view path) {
  const std::string_view base = BaseName(path);
  path.remove_suffix(base.size() - SplitName(base).stem.size());
  std::vector<std::string> words(1);
  for (const char c : path) {
    if (kDelimiters.find(c) != std::string_view::npos) words.emplace_back();
    words.back() += c;
  }
  return words;
}

// How many words all lists share, from the front (or, reversed, from the back).
template <typename Get>
size_t Shared(const std::vector<std::vector<std::string>>& lists, size_t most, const Get& get) {
  for (size_t n = 0; n < most; ++n) {
    for (const auto& words : lists) {
      if (get(words, n) != get(lists[0], n)) return n;
    }
  }
  return most;
}

std::string Join(const std::vector<std::string>& words, size_t begin, size_t end) {
  std::string name;
  for (size_t i = begin; i < end; ++i) name += words[i];
  if (!name.empty() && kDelimiters.find(name[0]) != std::string_view::npos) name.erase(0, 1);
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

// nullptr: no word of a split.
const char* CanonicalSplit(std::string_view word) {
  constexpr std::pair<std::string_view, const char*> kWords[] = {
      {"train", "train"},      {"training", "train"}, {"validation", "validation"},
      {"valid", "validation"}, {"dev", "validation"}, {"val", "validation"},
      {"test", "test"},        {"testing", "test"},   {"eval", "test"},
      {"evaluation", "test"}};
  for (const auto& [known, split] : kWords) {
    if (word == known) return split;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> SplitNamesOf(const std::vector<std::string>& paths) {
  if (paths.size() < 2) return std::vector<std::string>(paths.size());
  std::vector<std::vector<std::string>> lists;
  size_t shortest = SIZE_MAX;
  for (const std::string& path : paths) {
    lists.push_back(Words(path));
    shortest = std::min(shortest, lists.back().size());
  }
  const size_t front =
      Shared(lists, shortest, [](const auto& words, size_t n) { return words[n]; });
  const size_t back = Shared(lists, shortest - front, [](const auto& words, size_t n) {
    return words[words.size() - 1 - n];
  });
  std::vector<std::string> names;
  for (const auto& words : lists) {
    names.push_back(Join(words, front, words.size() - back));
    // "captions.json" beside "captions_val.json": there is nothing left of the first.
    if (names.back().empty()) names.back() = Join(words, 0, words.size());
  }
  if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  return paths;
}

bool AreSplits(const std::string& a, const std::string& b) {
  const std::vector<std::string> names = SplitNamesOf({a, b});
  return std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return HuggingFaceSplit(name + "/").has_value();
  });
}

std::string SplitDirectory(std::string_view path) {
  const size_t slash = path.find('/');
  return slash == std::string_view::npos ? "default" : std::string(path.substr(0, slash));
}

std::optional<std::string> SplitWord(std::string_view path) {
  const std::string_view directory = ParentPath(path);
  for (size_t begin = 0; begin < directory.size();) {
    const size_t end =
        std::min(directory.find_first_of("/_-. 0123456789", begin), directory.size());
    const std::string_view word = directory.substr(begin, end - begin);
    if (CanonicalSplit(LowerAscii(word)) != nullptr) return std::string(word);
    begin = end + 1;
  }
  return std::nullopt;
}

std::optional<std::string> HuggingFaceSplit(std::string_view path) {
  const std::optional<std::string> word = SplitWord(path);
  if (!word) return std::nullopt;
  return CanonicalSplit(LowerAscii(*word));
}

}  // namespace ulhff
