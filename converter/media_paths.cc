// A length and a path for each object, in the order of the walk.
#include "converter/media_paths.h"

#include <fmt/format.h>

#include <filesystem>
#include <span>

#include "converter/interrupt.h"
#include "converter/output.h"
#include "converter/tree_files.h"

namespace ulhff {

MediaPaths::MediaPaths(const Tree& tree, uint64_t objects, const std::string& tmp_dir)
    : tree_(tree), names_(tmp_dir) {
  if (tree.view() != ViewKind::kSource) return;
  places_.resize(objects);
  several_.resize(objects);
  Walk(kRootNode, "");
}

void MediaPaths::Walk(Node directory, const std::string& prefix) {
  CheckInterrupt();
  ForEachEntry(tree_, directory, [&](std::string_view name, Node node) {
    const std::string path = fmt::format("{}{}", prefix, name);
    if (node.is_directory()) return Walk(node, path + "/");
    if (node.kind() != NodeKind::kMedia || node.number() >= places_.size()) return;
    uint64_t& place = places_[node.number()];
    if (place != 0) {
      several_[node.number()] = true;
      return;
    }
    const uint64_t size = path.size();
    place = names_.Append(std::as_bytes(std::span(&size, 1))) + 1;
    names_.Append(std::as_bytes(std::span(path)));
  });
}

std::optional<std::string> MediaPaths::Of(uint64_t pair, uint64_t object) const {
  if (tree_.view() != ViewKind::kSource) return tree_.PathOfPair(pair);
  const uint64_t place = places_[object];
  if (place == 0) return std::nullopt;
  uint64_t size = 0;
  names_.Read(place - 1, std::as_writable_bytes(std::span(&size, 1)));
  std::string path(size, '\0');
  names_.Read(place - 1 + sizeof(size), std::as_writable_bytes(std::span(path)));
  return path;
}

std::string FirstNamesNote(uint64_t pairs, std::string_view instead) {
  return fmt::format(
      "the media of {} several names in the source; each pair is given the first ({}: one of its "
      "own)",
      Counted(pairs, "pair has", "pairs have"), instead);
}

std::string DefaultTmpDir() { return std::filesystem::temp_directory_path().string(); }

}  // namespace ulhff
