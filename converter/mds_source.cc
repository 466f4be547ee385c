// MosaicML Streaming: a directory with an index.json, or several below one directory.
#include <fmt/format.h>

#include <filesystem>

#include "converter/input_error.h"
#include "converter/mds_index.h"
#include "converter/mds_reader.h"
#include "converter/media_types.h"
#include "converter/output.h"
#include "converter/record_source.h"
#include "converter/shards.h"
#include "converter/source_kinds.h"
#include "converter/walk.h"

namespace ulhff {
namespace {

constexpr std::string_view kIndex = "index.json";

// That of the operand holds for all below it; without one, each directory has its own.
std::vector<std::string> FindIndexes(const Overview& operand) {
  if (!operand.is_directory) {
    const bool is_index = BaseName(operand.path) == kIndex && IsMdsIndex(operand.path);
    return is_index ? std::vector{operand.path} : std::vector<std::string>();
  }
  std::vector<std::string> indexes;
  for (const std::string& document : operand.documents) {
    if (BaseName(document) != kIndex || !IsMdsIndex(JoinPath(operand.path, document))) continue;
    if (document == kIndex) return {document};
    indexes.push_back(document);
  }
  return indexes;
}

std::vector<Reading> RecogniseMds(const Overview& operand, const ConvertOptions& options) {
  Reading reading;
  reading.from = "mds";
  reading.view = ViewKind::kPairs;
  reading.files = FindIndexes(operand);
  if (reading.files.empty()) return {};
  size_t shards = 0;
  for (const std::string& index : reading.files) {
    const std::string path = operand.is_directory ? JoinPath(operand.path, index) : index;
    for (const MdsShard& shard : ReadMdsIndex(path, options)) {
      reading.pairs += shard.samples;
      ++shards;
    }
  }
  reading.why = fmt::format(
      "MDS: {} {} in {} {} by {}", reading.pairs, NounFor(reading.pairs, "sample", "samples"),
      shards, NounFor(shards, "shard", "shards"),
      reading.files.size() == 1 ? reading.files[0]
                                : fmt::format("{} {}", reading.files.size(), kIndex));
  return {reading};
}

// What the sets' functions need as long as they live.
struct MdsShards {
  std::vector<MdsShard> shards;
  std::vector<MdsForm> forms;
};

void AddShards(const std::string& operand, const std::string& index, const ConvertOptions& options,
               RecordSet& set, MdsShards& all) {
  const std::string directory(ParentPath(index));
  const bool below = set.is_directory;
  const std::string root = below ? operand : directory;
  const Walker walker(root.empty() ? "." : root, options);
  for (MdsShard& shard : ReadMdsIndex(below ? JoinPath(operand, index) : index, options)) {
    const auto from_root = [&](const std::string& name) {
      return below ? JoinPath(directory, name) : name;
    };
    const bool has_zip = !shard.zip_name.empty() && walker.Reaches(from_root(shard.zip_name));
    const MdsForm form = walker.Reaches(from_root(shard.raw_name)) ? MdsForm::kRaw
                         : has_zip                                 ? MdsForm::kZip
                                                                   : MdsForm::kNotThere;
    const bool is_zip = form == MdsForm::kZip;
    const std::string name = from_root(is_zip ? shard.zip_name : shard.raw_name);
    set.shards.push_back(MakeShard(name, JoinPath(root, name)));
    const std::string& other = is_zip ? shard.raw_name : shard.zip_name;
    if (!other.empty()) set.own_files.push_back(JoinPath(directory, other));
    all.shards.push_back(std::move(shard));
    all.forms.push_back(form);
  }
  set.own_files.push_back(index);
}

std::unique_ptr<Source> OpenMds(const std::string& operand, const Reading& reading,
                                const ConvertOptions& options) {
  RecordSet set{.operand = operand, .is_directory = std::filesystem::is_directory(operand)};
  const auto all = std::make_shared<MdsShards>();
  for (const std::string& index : reading.files) AddShards(operand, index, options, set, *all);
  AssignSplits(set.shards, options);
  set.open = [all](size_t shard, const RecordContext& context) {
    return ReadMds(context, all->shards[shard], all->forms[shard]);
  };
  return MakeRecordSource(std::move(set), options);
}

}  // namespace

SourceKind MdsKind() {
  return {"mds", "MosaicML Streaming: index.json and its shards (raw, zstd, gz)", RecogniseMds,
          OpenMds};
}

}  // namespace ulhff
