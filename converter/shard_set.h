// What the inputs of `ulhff merge` are together: all shards of one conversion, or files of any
// kind.
#ifndef ULHFF_CONVERTER_SHARD_SET_H_
#define ULHFF_CONVERTER_SHARD_SET_H_

#include <string>
#include <vector>

namespace ulhff {

struct MergeInputs {
  std::vector<std::string> paths;  // shards in their order, others as given
  bool are_shards = false;
  unsigned alignment = 64;  // of all of them, or the default
};

// Throws InputError with one line if some are shards and these are not exactly those of one
// conversion, or if an input is damaged; std::system_error.
MergeInputs LookAtInputs(const std::vector<std::string>& paths, const std::string& tmp_dir);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_SHARD_SET_H_
