// Looks at the first records, then takes all of them.
#include "converter/record_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "converter/column_names.h"
#include "converter/input_error.h"
#include "converter/record_columns.h"
#include "converter/record_pairs.h"
#include "converter/shards.h"
#include "converter/tree_rest.h"
#include "converter/walk.h"

namespace ulhff {
namespace {

constexpr size_t kLookedAt = 100;
// Of a compressed shard; enough for that many records of most sets, and for one of any.
constexpr uint64_t kSpooledToLook = uint64_t{64} << 20;

class RecordSource : public Source {
 public:
  RecordSource(RecordSet set, const ConvertOptions& options)
      : set_(std::move(set)), options_(options), columns_(options) {}

  void Scan(SourceSink& sink) override {
    Look();
    if (set_.is_directory) NoteMissingShards(set_.shards, set_.operand, sink);
    // Locators lead into it after the scan.
    const auto spool = std::make_shared<SpooledFile>(options_);
    sink.Hold(spool);
    RecordPairs pairs(options_, columns_, set_.shards.size() > 1, *spool, sink);
    pairs.Declare(set_.operand);
    for (size_t i = 0; i < set_.shards.size(); ++i) {
      const Shard& shard = set_.shards[i];
      const Origin origin{shard.name};
      const Damage damage(shard, NoteDamage(shard, sink));
      const auto note = [&](Odd kind, const std::string& what) { sink.Note(kind, what, origin); };
      const auto reader = set_.open(i, {.damage = damage, .spool = *spool, .note = note});
      bool any = false;
      while (const Record* record = reader->Next()) {
        any = true;
        pairs.Add(*record, reader->file(), damage);
      }
      if (!any) sink.Note(Odd::kEmptyShard, shard.name, origin);
    }
    pairs.Finish(set_.operand);
    if (set_.is_directory) EmitExtras(sink);
  }

 private:
  Damage::Note NoteDamage(const Shard& shard, SourceSink& sink) const {
    if (!options_.lenient) return {};
    return [&](const std::string& what, uint64_t offset) {
      sink.Note(Odd::kTruncated, what, {shard.name, 0, offset});
    };
  }

  void Look() {
    SpooledFile spool(options_);
    size_t looked = 0;
    for (size_t i = 0; i < set_.shards.size() && looked < kLookedAt; ++i) {
      Damage::Note later;  // Scan will tell
      if (options_.lenient) later = [](const std::string&, uint64_t) {};
      const Damage damage(set_.shards[i], later);
      const auto reader = set_.open(
          i, {.damage = damage, .spool = spool, .max_spooled = kSpooledToLook, .note = {}});
      for (; looked < kLookedAt; ++looked) {
        const Record* record = reader->Next();
        if (record == nullptr) break;
        columns_.Look(*record, reader->file());
      }
    }
    if (looked > 0) CheckAsked();
    if (columns_.has_media() || looked == 0) return;
    throw InputError(
        fmt::format("{}: no column of its first {} is known or looks like a media: choose one with "
                    "--media-column; {}",
                    set_.operand, looked == 1 ? "record" : fmt::format("{} records", looked),
                    DescribeColumns(columns_.seen(), {})));
  }

  void CheckAsked() const {
    Check("--media-column", options_.media_column);
    Check("--id-column", options_.id_column);
    Check("--split-column", options_.split_column);
    for (const std::string& pattern : options_.text_columns) Check("--text-column", pattern);
    for (const auto& [name, column] : options_.fields) Check("--field", column, name + "=");
  }

  void Check(const std::string& option, const std::string& pattern,
             const std::string& before = "") const {
    const std::vector<std::string>& seen = columns_.seen();
    const bool known = std::any_of(seen.begin(), seen.end(), [&](const std::string& column) {
      return MatchesColumn(pattern, column);
    });
    if (known || pattern.empty()) return;
    throw UsageError(fmt::format("{}: {} {}{}: the first records have no such column; {}",
                                 set_.operand, option, before, pattern,
                                 DescribeColumns(seen, {pattern})));
  }

  void EmitExtras(SourceSink& sink) const {
    std::vector<std::string> own = set_.own_files;
    for (const Shard& shard : set_.shards) own.push_back(shard.name);
    std::sort(own.begin(), own.end());
    EmitRest(set_.operand, options_, sink, [&own](const std::string& name) {
      return !std::binary_search(own.begin(), own.end(), name);
    });
  }

  RecordSet set_;
  const ConvertOptions options_;
  RecordColumns columns_;
};

}  // namespace

std::unique_ptr<Source> MakeRecordSource(RecordSet set, const ConvertOptions& options) {
  return std::make_unique<RecordSource>(std::move(set), options);
}

}  // namespace ulhff
