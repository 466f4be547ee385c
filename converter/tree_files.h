// Walking a tree and reading its files, for the commands that work without a mount.
#ifndef ULHFF_CONVERTER_TREE_FILES_H_
#define ULHFF_CONVERTER_TREE_FILES_H_

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "ulhff/reader.h"
#include "ulhff/tree.h"

namespace ulhff {

// Calls `visit` for every entry of `directory`, in batches, so that it may use the tree and memory
// does not grow with the directory.
void ForEachEntry(const Tree& tree, Node directory,
                  const std::function<void(std::string_view name, Node node)>& visit);

// A user's spelling of a path as Tree::Resolve takes it: without "/" at its ends and "./" before
// it.
std::string_view TrimPath(std::string_view path);

// Contents of files, verified. Reuses its buffer; not thread-safe.
class FileReader {
 public:
  // Both must outlive it.
  FileReader(const Reader& reader, const Tree& tree) : reader_(reader), tree_(tree) {}
  // Passes on the bytes in order, in pieces that are valid during the call.
  void Read(Node file, const std::function<void(ByteSpan)>& take);

 private:
  size_t ReadAt(Node file, uint64_t position);

  const Reader& reader_;
  const Tree& tree_;
  std::vector<std::byte> buffer_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TREE_FILES_H_
