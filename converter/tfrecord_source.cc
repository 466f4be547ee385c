// TFRecord: a file, or a directory of shards.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "converter/input_error.h"
#include "converter/media_types.h"
#include "converter/output.h"
#include "converter/record_source.h"
#include "converter/shards.h"
#include "converter/source_kinds.h"
#include "converter/tfrecord_reader.h"

namespace ulhff {
namespace {

constexpr size_t kShardsPeeked = 64;

// "a.tfrecord", "a.tfrecords.gz", "a.tfrec-00000-of-00010": damaged ones have nothing else to say
// what they are.
bool IsCalledTfrecord(const std::string& path) {
  static const std::regex called(R"(.\.tfrec(ords?)?([-_.]?\d+([-_]of[-_]\d+)?)?(\.(gz|zlib))?$)",
                                 std::regex::icase | std::regex::optimize);
  return std::regex_search(path, called);
}

// Nothing is looked into that has the extension of a media or text.
IsShard IsTfrecord(const ConvertOptions& options) {
  return [types = MediaTypes(options)](const std::string& path) {
    return !types.IsMedia(path) && !types.TextRank(path) &&
           (PeekTfrecord(path) || IsCalledTfrecord(path));
  };
}

// A guess, from the size of the first record of each shard.
struct Estimate {
  uint64_t records = 0;
  size_t compressed =
      0;  // shards, of which nothing more is known: like damaged ones, one record each
};

Estimate EstimateRecords(const std::vector<Shard>& shards) {
  Estimate estimate;
  for (const Shard& shard : shards) {
    const std::optional<TfrecordPeek> peek = PeekTfrecord(shard.path);
    const uint64_t size = std::filesystem::file_size(shard.path);
    if (size == 0) continue;
    const bool compressed = peek && peek->compressed;
    if (compressed) ++estimate.compressed;
    const uint64_t each = std::max<uint64_t>(peek ? peek->first_length : size, 1);
    estimate.records += compressed ? 1 : std::max<uint64_t>(size / each, 1);
  }
  return estimate;
}

std::vector<Reading> RecogniseTfrecord(const Overview& operand, const ConvertOptions& options) {
  const bool asked = KindAsked(options) == "tfrecord";
  const IsShard is_tfrecord = IsTfrecord(options);
  const auto is_shard = [&](const std::string& path) {
    return (asked && !operand.is_directory) || is_tfrecord(path);
  };
  const std::vector<Shard> shards = PeekShards(operand, options, is_shard, kShardsPeeked);
  if (shards.empty()) return {};
  // Among media, the name alone does not make one.
  const bool any = std::any_of(shards.begin(), shards.end(), [](const Shard& shard) {
    return PeekTfrecord(shard.path).has_value();
  });
  if (!any && !asked && operand.media > 0) return {};
  const Estimate estimate = EstimateRecords(shards);
  Reading reading;
  reading.from = "tfrecord";
  reading.view = ViewKind::kPairs;
  reading.pairs = estimate.records;
  const std::string_view more = shards.size() == kShardsPeeked ? " or more" : "";
  const std::string_view files = NounFor(shards.size(), "file", "files");
  reading.why = operand.is_directory ? fmt::format("{}{} TFRecord {}", shards.size(), more, files)
                                     : "TFRecord file";
  reading.why += estimate.compressed > 0
                     ? ", compressed"
                     : fmt::format(" with about {}{} {}", estimate.records, more,
                                   NounFor(estimate.records, "record", "records"));
  return {reading};
}

std::unique_ptr<Source> OpenTfrecord(const std::string& operand, const Reading&,
                                     const ConvertOptions& options) {
  RecordSet set{.shards = FindShards(operand, options, IsTfrecord(options)),
                .open = [](size_t, const RecordContext& context) { return ReadTfrecord(context); },
                .operand = operand};
  if (set.shards.empty()) throw UsageError(fmt::format("{}: no TFRecord file in it", operand));
  set.is_directory = set.shards.size() != 1 || set.shards[0].path != operand;
  return MakeRecordSource(std::move(set), options);
}

}  // namespace

SourceKind TfrecordKind() {
  return {"tfrecord", "TFRecord of tf.train.Example or SequenceExample, also compressed",
          RecogniseTfrecord, OpenTfrecord};
}

}  // namespace ulhff
