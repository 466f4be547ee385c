// FFRecord: a file of records, or a folder of parts that are one set.
#include <fmt/format.h>

#include "converter/ffrecord_file.h"
#include "converter/ffrecord_reader.h"
#include "converter/input_error.h"
#include "converter/output.h"
#include "converter/packed_folder.h"
#include "converter/record_source.h"
#include "converter/shards.h"
#include "converter/source_kinds.h"

namespace ulhff {
namespace {

constexpr size_t kPartsPeeked = 64;
constexpr size_t kHeaderWindow = 4096;

bool IsFfr(const std::string& path) { return path.ends_with(".ffr"); }

std::optional<uint64_t> PeekCount(const std::string& path) {
  FileWindow file(path, kHeaderWindow);
  return LooksLikeFfrecord(file);
}

std::vector<Reading> RecogniseFfrecord(const Overview& operand, const ConvertOptions& options) {
  const bool asked = KindAsked(options) == "ffrecord";
  const auto is_shard = [&](const std::string& path) {
    return IsFfr(path) || (!operand.is_directory && (asked || PeekCount(path)));
  };
  const std::vector<Shard> shards = PeekShards(operand, options, is_shard, kPartsPeeked);
  if (shards.empty()) return {};
  Reading reading;
  reading.from = "ffrecord";
  reading.view = ViewKind::kPairs;
  for (const Shard& shard : shards) reading.pairs += PeekCount(shard.path).value_or(0);
  if (!operand.is_directory && IsPackedFolder(operand.path)) {
    --reading.pairs;
    reading.why = fmt::format("FFRecord file of a packed folder with {}",
                              Counted(reading.pairs, "file", "files"));
    reading.view = ViewKind::kSource;
    return {reading};
  }
  const std::string_view more = shards.size() == kPartsPeeked ? " or more" : "";
  const std::string_view files = NounFor(shards.size(), "file", "files");
  const std::string records =
      fmt::format("{}{} {}", reading.pairs, more, NounFor(reading.pairs, "record", "records"));
  reading.why = operand.is_directory
                    ? fmt::format("{}{} FFRecord {} with {}", shards.size(), more, files, records)
                    : fmt::format("FFRecord file with {}", records);
  return {reading};
}

std::unique_ptr<Source> OpenFfrecord(const std::string& operand, const Reading&,
                                     const ConvertOptions& options) {
  RecordSet set{.shards = FindShards(operand, options, IsFfr), .operand = operand};
  set.is_directory = set.shards.size() != 1 || set.shards[0].path != operand;
  if (!set.is_directory && IsPackedFolder(operand)) return MakePackedFolderSource(operand, options);
  if (set.shards.empty()) {
    throw UsageError(fmt::format("{}: no file called *.ffr in it", operand));
  }
  set.open = [](size_t, const RecordContext& context) { return ReadFfrecord(context); };
  return MakeRecordSource(std::move(set), options);
}

}  // namespace

SourceKind FfrecordKind() {
  return {"ffrecord", "FFRecord (.ffr), a file or a folder of parts; FFSlim's too",
          RecogniseFfrecord, OpenFfrecord};
}

}  // namespace ulhff
