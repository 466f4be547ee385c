// Paths for nodes in messages: in the view that a mount shows, else in any other.
#ifndef ULHFF_CONVERTER_NODE_NAMER_H_
#define ULHFF_CONVERTER_NODE_NAMER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ulhff/tree.h"

namespace ulhff {

class NodeNamer {
 public:
  explicit NodeNamer(const Reader& reader);  // must outlive it
  // "<object 7>" where no view has a name for it.
  std::string PathOf(Node node) const { return NameOf(node).path; }
  struct Name {
    std::string path;
    uint64_t count = 1;  // of all names that the node has in that view
  };
  Name NameOf(Node node) const;

 private:
  void Add(const Reader& reader, ViewKind view);

  std::vector<std::unique_ptr<Tree>> trees_;  // the source view, which is never refused, among them
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_NODE_NAMER_H_
