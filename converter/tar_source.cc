// WebDataset: a tar archive, a directory of shards, or several archives.
#include "converter/tar_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "converter/input_error.h"
#include "converter/media_types.h"
#include "converter/output.h"
#include "converter/shards.h"
#include "converter/source_kinds.h"
#include "converter/spooled_file.h"
#include "converter/tar_columns.h"
#include "converter/tar_pairs.h"
#include "converter/tar_samples.h"
#include "converter/tree_rest.h"

namespace ulhff {
namespace {

constexpr size_t kLookedAt = 100;
constexpr size_t kShardsPeeked = 64;
// Of a compressed shard.
constexpr uint64_t kSpooledToLook = uint64_t{64} << 20;
constexpr uint64_t kSpooledToPeek = uint64_t{4} << 20;

// "a.tar.gz" is called "a"; empty: not called like a tar.
std::string_view StemOfTar(std::string_view name) {
  for (const std::string_view one : {".tgz", ".tbz", ".tbz2", ".txz", ".tzst", ".tlz"}) {
    if (name.ends_with(one)) return name.substr(0, name.size() - one.size());
  }
  for (const std::string_view filter : {".gz", ".zst", ".zstd", ".bz2", ".xz", ".lz4", ".lz", ""}) {
    const std::string_view plain =
        name.ends_with(filter) ? name.substr(0, name.size() - filter.size()) : std::string_view();
    if (plain.ends_with(".tar")) return plain.substr(0, plain.size() - 4);
  }
  return {};
}

bool IsTarName(const std::string& path) { return !StemOfTar(BaseName(path)).empty(); }

// What is called so is one, or an error; nothing is looked into that is called like a media or
// text.
IsShard IsTar(const ConvertOptions& options) {
  return [types = MediaTypes(options)](const std::string& path) {
    return IsTarName(path) || (!types.IsMedia(path) && !types.TextRank(path) && LooksLikeTar(path));
  };
}

class NoAside : public TarAside {
  void File(const TarEntry&) override {}
  void Directory(const TarMember&) override {}
  void LeftOut(Odd, const TarMember&) override {}
};

// The first samples of shards, whatever is wrong with them; `look` says when it is enough.
void LookAtSamples(const std::vector<Shard>& shards, const ConvertOptions& options,
                   uint64_t max_spooled, const std::function<bool(const TarSample&)>& look) {
  for (const Shard& shard : shards) {
    SpooledFile spool(options);
    const Damage later(shard, [](const std::string&, uint64_t) {});  // the scan will tell
    const RecordContext context{
        .damage = later, .spool = spool, .max_spooled = max_spooled, .note = {}};
    NoAside aside;
    TarSamples samples(context, options, aside);
    while (const TarSample* sample = samples.Next()) {
      if (!look(*sample)) return;
    }
  }
}

// Where members go in the source tree: a directory of each shard, if there are several.
std::vector<std::string> DirectoriesOf(const std::vector<Shard>& shards) {
  std::vector<std::string> directories(shards.size());
  if (shards.size() == 1) return directories;
  std::map<std::string, size_t> uses;
  for (size_t i = 0; i < shards.size(); ++i) {
    const std::string& name = shards[i].name;
    const std::string_view stem = StemOfTar(BaseName(name));
    directories[i] = stem.empty() ? name : JoinPath(ParentPath(name), stem);
    ++uses[directories[i]];
  }
  for (size_t i = 0; i < shards.size(); ++i) {
    if (uses[directories[i]] > 1) directories[i] = shards[i].name;
  }
  return directories;
}

class TarSource : public Source {
 public:
  // `directory`: what lies beside the shards there is kept; empty: there is none. `needed`: by the
  // shards' paths.
  TarSource(std::string operand, std::vector<Shard> shards, std::string directory,
            std::shared_ptr<const void> needed, const ConvertOptions& options)
      : operand_(std::move(operand)),
        shards_(std::move(shards)),
        directory_(std::move(directory)),
        needed_(std::move(needed)),
        options_(options),
        columns_(options_) {}

  void Scan(SourceSink& sink) override {
    Look();
    if (!directory_.empty()) NoteMissingShards(shards_, operand_, sink);
    // Locators lead into it after the scan.
    const auto spool = std::make_shared<SpooledFile>(options_);
    sink.Hold(spool);
    if (needed_) sink.Hold(needed_);
    TarPairs pairs(options_, columns_, sink);
    pairs.Declare();
    const std::vector<std::string> directories = DirectoriesOf(shards_);
    for (size_t i = 0; i < shards_.size(); ++i) {
      const Damage damage(shards_[i], NoteDamage(shards_[i], sink));
      pairs.BeginShard(shards_[i], directories[i], damage);
      TarSamples samples({.damage = damage, .spool = *spool, .note = {}}, options_, pairs);
      while (const TarSample* sample = samples.Next()) pairs.Add(*sample);
      pairs.EndShard();
    }
    pairs.Finish(operand_);
    if (!directory_.empty()) EmitExtras(sink);
  }

 private:
  Damage::Note NoteDamage(const Shard& shard, SourceSink& sink) const {
    if (!options_.lenient) return {};
    return [&](const std::string& what, uint64_t offset) {
      sink.Note(Odd::kTruncated, what, {shard.name, 0, offset});
    };
  }

  void Look() {
    size_t looked = 0;
    LookAtSamples(shards_, options_, kSpooledToLook, [&](const TarSample& sample) {
      columns_.Look(sample);
      return ++looked < kLookedAt || !columns_.has_media();
    });
    if (columns_.has_media() || looked == 0) return;
    throw InputError(fmt::format(
        "{}: {} a media; members are called '{}' (--media-column chooses, --key-rule "
        "says where a key ends)",
        operand_,
        looked == 1 ? "its only sample has not" : fmt::format("none of its {} samples has", looked),
        fmt::join(columns_.seen(), "', '")));
  }

  void EmitExtras(SourceSink& sink) const {
    std::vector<std::string> own;
    for (const Shard& shard : shards_) own.push_back(shard.name);
    std::sort(own.begin(), own.end());
    EmitRest(directory_, options_, sink, [&own](const std::string& name) {
      return !std::binary_search(own.begin(), own.end(), name);
    });
  }

  const std::string operand_;
  const std::vector<Shard> shards_;
  const std::string directory_;
  const std::shared_ptr<const void> needed_;
  const ConvertOptions options_;
  TarColumns columns_;
};

// About how many pairs there are, from the first samples.
uint64_t EstimatePairs(const std::vector<Shard>& shards, const ConvertOptions& options) {
  uint64_t total = 0;
  for (const Shard& shard : shards) total += std::filesystem::file_size(shard.path);
  TarColumns columns(options);
  uint64_t pairs = 0, looked = 0, bytes = 0;
  LookAtSamples(shards, options, kSpooledToPeek, [&](const TarSample& sample) {
    columns.Look(sample);
    const TarRoles roles = columns.RolesOf(sample);
    if (!roles.media.empty()) pairs += std::max<size_t>(roles.texts.size(), 1);
    bytes = sample.entries.back().offset;
    return ++looked < kLookedAt;
  });
  return looked < kLookedAt ? pairs : std::max(pairs, total / std::max<uint64_t>(bytes, 1) * pairs);
}

std::vector<Reading> RecogniseTar(const Overview& operand, const ConvertOptions& options) {
  const bool asked = KindAsked(options) == "tar" && !operand.is_directory;
  const IsShard is_tar = IsTar(options);
  const auto is_shard = [&](const std::string& path) { return asked || is_tar(path); };
  const std::vector<Shard> shards = PeekShards(operand, options, is_shard, kShardsPeeked);
  if (shards.empty()) return {};
  Reading reading;
  reading.from = "tar";
  reading.pairs = EstimatePairs(shards, options);
  reading.estimated = true;
  reading.view = ViewKind::kPairs;
  const std::string_view more = shards.size() == kShardsPeeked ? " or more" : "";
  reading.why = operand.is_directory ? fmt::format("{}{} tar {}", shards.size(), more,
                                                   NounFor(shards.size(), "file", "files"))
                                     : "tar file";
  reading.why += fmt::format(", samples by key (WebDataset), {}",
                             options.key_rule == KeyRule::kFirstDot ? "first dot" : "last dot");
  return {reading};
}

std::unique_ptr<Source> OpenTar(const std::string& operand, const Reading&,
                                const ConvertOptions& options) {
  std::vector<Shard> shards = FindShards(operand, options, IsTar(options));
  if (shards.empty()) throw UsageError(fmt::format("{}: no tar file in it", operand));
  const bool is_directory = shards.size() != 1 || shards[0].path != operand;
  return std::make_unique<TarSource>(operand, std::move(shards), is_directory ? operand : "",
                                     nullptr, options);
}

// What the directories of all paths have in common, with the slash.
size_t CommonPrefix(const std::vector<std::string>& paths) {
  size_t common = paths.front().rfind('/') + 1;
  for (const std::string& path : paths) {
    while (path.compare(0, common, paths.front(), 0, common) != 0) {
      common = common < 2 ? 0 : paths.front().rfind('/', common - 2) + 1;
    }
  }
  return common;
}

std::unique_ptr<Source> OpenTars(const std::vector<std::string>& operands,
                                 const ConvertOptions& options) {
  const size_t common = CommonPrefix(operands);
  std::vector<Shard> shards;
  shards.reserve(operands.size());
  for (const std::string& path : operands) shards.push_back(MakeShard(path.substr(common), path));
  AssignSplits(shards, options);
  return std::make_unique<TarSource>(operands.front(), std::move(shards), "", nullptr, options);
}

}  // namespace

std::unique_ptr<Source> MakeTarSource(const Shard& shard, std::shared_ptr<const void> needed,
                                      const ConvertOptions& options) {
  return std::make_unique<TarSource>(shard.label(), std::vector{shard}, "", std::move(needed),
                                     options);
}

SourceKind TarKind() {
  return {"tar", "WebDataset: tar shards (plain, gz, zst, bz2, xz), members paired by key",
          RecogniseTar, OpenTar, OpenTars};
}

}  // namespace ulhff
