// Names of splits, from the files and directories that hold them.
#ifndef ULHFF_CONVERTER_SPLIT_NAMES_H_
#define ULHFF_CONVERTER_SPLIT_NAMES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ulhff {

// The part in which several paths differ, word by word: "captions_train2017.json" and
// "captions_val2017.json" give "train2017" and "val2017". One path gives "".
std::vector<std::string> SplitNamesOf(const std::vector<std::string>& paths);

// Whether two files that differ in these parts are called as splits by the words below.
bool AreSplits(const std::string& a, const std::string& b);

// Of --split-dirs: the topmost directory of the path, "default" where it has none.
std::string SplitDirectory(std::string_view path);

// The word of a split in a directory of the path, as it is written there.
std::optional<std::string> SplitWord(std::string_view path);

// The split that a directory of the path says by the words of Hugging Face: "train", "validation"
// or "test".
std::optional<std::string> HuggingFaceSplit(std::string_view path);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_SPLIT_NAMES_H_
