// Finds the shards of an operand: itself, or files of a directory.
#ifndef ULHFF_CONVERTER_SHARDS_H_
#define ULHFF_CONVERTER_SHARDS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "converter/options.h"
#include "converter/overview.h"
#include "converter/record.h"
#include "converter/source.h"

namespace ulhff {

// Told a path to open; whether it is a shard, by name or by content.
using IsShard = std::function<bool(const std::string& path)>;

// The operand if it is a file, whatever it is; of a directory all files that `is_shard` takes, and
// those that are of one set with such a file by their names (train-00001-of-00256): a directory's
// files before its sub-directories, in byte order. Hidden files are none. If all have the word of a
// split in their path, and not the same, that is their split.
std::vector<Shard> FindShards(const std::string& operand, const ConvertOptions& options,
                              const IsShard& is_shard);

// The same for recognition: looks only at the first files of the first directories, and returns at
// most `limit` shards.
std::vector<Shard> PeekShards(const Overview& operand, const ConvertOptions& options,
                              const IsShard& is_shard, size_t limit);

// By --split-dirs, or as FindShards.
void AssignSplits(std::vector<Shard>& shards, const ConvertOptions& options);
Shard MakeShard(std::string name, std::string path);

// Of names such as train-00001-of-00256, which count themselves: notes each set that is not whole.
void NoteMissingShards(const std::vector<Shard>& shards, const std::string& operand,
                       SourceSink& sink);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_SHARDS_H_
