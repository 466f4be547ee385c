// Converts whole or in shards, and merges, through the sources that recognition chooses.
#ifndef ULHFF_TESTS_MERGING_H_
#define ULHFF_TESTS_MERGING_H_

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "converter/shard_set.h"
#include "tests/conversion.h"

namespace ulhff {

class MergingTest : public ConversionTest {
 protected:
  using Operands = std::function<std::vector<NamedSource>()>;

  // As the command line opens them: of several directories each goes to its own name.
  std::vector<NamedSource> Open(const std::vector<std::string>& paths) const {
    std::vector<NamedSource> sources;
    for (const std::string& path : paths) {
      const Choice choice = Recognise(path, options);
      const bool prefixed = paths.size() > 1 && std::filesystem::is_directory(path);
      sources.push_back({choice.kind->open(path, choice.reading, options), path,
                         prefixed ? std::filesystem::path(path).filename().string() : "",
                         choice.reading.view});
    }
    return sources;
  }

  std::string ConvertTo(const std::string& name, const Operands& operands) {
    options.output = out / name;
    Convert(operands());
    return options.output;
  }
  std::string ConvertTo(const std::string& name, const std::vector<std::string>& paths) {
    options.sources = paths;
    return ConvertTo(name, [&] { return Open(paths); });
  }

  std::vector<std::string> ConvertShards(uint64_t count, const Operands& operands) {
    std::vector<std::string> shards;
    options.shards = count;
    for (options.shard = 1; options.shard <= count; ++options.shard) {
      shards.push_back(ConvertTo(fmt::format("{}-of-{}.ulhff", options.shard, count), operands));
    }
    options.shard = options.shards = 1;
    return shards;
  }

  // As `ulhff merge`, whose policies are those of `options`.
  std::string Merge(const std::string& name, const std::vector<std::string>& paths) {
    const ConvertOptions kept = options;
    const MergeInputs inputs = LookAtInputs(paths, out.path());
    options.from = "ulhff";
    options.split_column.clear();  // merge has none
    options.sources = inputs.paths;
    options.whole_shards = inputs.are_shards;
    options.alignment = inputs.alignment;
    const std::string path = ConvertTo(name, [&] { return Open(inputs.paths); });
    options = kept;
    return path;
  }

  // The law of shards: for each count the merged shards are the file that one conversion makes.
  void ExpectShardsToMerge(const Operands& operands,
                           const std::vector<uint64_t>& counts = {1, 2, 3, 7}) {
    const std::string whole = ReadBytes(ConvertTo("whole.ulhff", operands));
    for (const uint64_t count : counts) {
      SCOPED_TRACE(fmt::format("{} shards", count));
      options.force = true;
      const std::string merged = ReadBytes(Merge("merged.ulhff", ConvertShards(count, operands)));
      EXPECT_TRUE(merged == whole) << merged.size() << " bytes, not " << whole.size();
    }
  }
  void ExpectShardsToMerge(const std::vector<std::string>& paths,
                           const std::vector<uint64_t>& counts = {1, 2, 3, 7}) {
    options.sources = paths;
    ExpectShardsToMerge([this, paths] { return Open(paths); }, counts);
  }
};

}  // namespace ulhff

#endif  // ULHFF_TESTS_MERGING_H_
