// The options of a tree as users write them, shared by `ulhff-fuse -o ...` and the `ulhff` command.
#ifndef ULHFF_SRC_TREE_OPTIONS_H_
#define ULHFF_SRC_TREE_OPTIONS_H_

#include <span>
#include <string_view>

#include "tree.h"

namespace ulhff {

struct TreeOptionHelp {
  const char* key;       // "fan_out"
  const char* argument;  // "N"; nullptr: the option takes none
  const char* summary;   // one line
};

// Every option that ParseTreeOption knows, in the order of help texts.
std::span<const TreeOptionHelp> TreeOptionList();

// Sets the option `key`, e.g. ("view", "pairs"); `value` is empty for one without argument. Returns
// false if it is none of the list. Throws std::invalid_argument, one line, if the value is wrong.
// What options mean together is checked by Tree's constructor.
bool ParseTreeOption(TreeOptions& options, std::string_view key, std::string_view value);

}  // namespace ulhff

#endif  // ULHFF_SRC_TREE_OPTIONS_H_
