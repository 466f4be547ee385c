// Hands the samples of tar archives to the sink, by the options and policies.
#ifndef ULHFF_CONVERTER_TAR_PAIRS_H_
#define ULHFF_CONVERTER_TAR_PAIRS_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "converter/json_key.h"
#include "converter/options.h"
#include "converter/record.h"
#include "converter/source.h"
#include "converter/tar_columns.h"
#include "converter/tar_keys.h"
#include "converter/tar_samples.h"

namespace ulhff {

class TarPairs : public TarAside {
 public:
  // All must outlive it.
  TarPairs(const ConvertOptions& options, const TarColumns& columns, SourceSink& sink);

  // Before the first sample.
  void Declare();
  // Before the samples of each shard. `directory`: where its members go in the source tree; empty:
  // the root.
  void BeginShard(const Shard& shard, std::string directory, const Damage& damage);
  void Add(const TarSample& sample);
  // After the last sample of a shard, and of all.
  void EndShard();
  void Finish(const std::string& operand);

  void File(const TarEntry& entry) override;
  void Directory(const TarMember& member) override;
  void LeftOut(Odd kind, const TarMember& member) override;

 private:
  bool KeepsMedia(TarRoles& roles);
  void AddWithoutMedia(const TarRoles& roles);
  void AddTexts(const TarSample& sample, const TarRoles& roles);
  void AddLines(const TarEntry& entry);
  void AddFields(const TarSample& sample, const TarRoles& roles);
  // All members but the media, as JSON.
  std::string RowOf(const TarSample& sample, const TarRoles& roles) const;
  // What a key of KEY.json says.
  JsonKeyTexts FromJson(const TarSample& sample, std::string_view key);
  void EmitPairs(const TarSample& sample, TarRoles& roles);
  uint64_t SplitOf(const TarSample& sample);
  void Extra(const TarEntry& entry);
  // `pairs`: that were taken and have a text, or are of a source without texts.
  void CountColumns(const TarRoles& roles, uint64_t pairs);
  std::string ReadAll(const TarEntry& entry) const;
  Text FileTextOf(const TarEntry& entry);
  std::string_view Keep(std::string text);
  // Its path in the source tree.
  std::string PathOf(const TarEntry& entry);
  bool IsRefused(std::string_view name) const;
  Origin OriginOf(const TarEntry& entry) const { return {shard_->name, 0, entry.offset}; }

  const ConvertOptions& options_;
  const TarColumns& columns_;
  SourceSink& sink_;
  TarKeys keys_;

  const Shard* shard_ = nullptr;
  const Damage* damage_ = nullptr;
  std::string directory_;

  // The sample that is added now.
  uint64_t again_ = 1;            // the number in its names
  std::string key_;               // for messages
  std::vector<Text> texts_;       // the first field of each pair
  std::vector<Text> fields_;      // all fields of one pair
  std::deque<std::string> kept_;  // what these point at

  uint64_t samples_ = 0, lone_ = 0;  // of the shard
  bool has_lone_texts_ = false;      // that are apart from their media
  std::map<std::string, uint64_t> pairs_by_columns_;
  std::map<std::string, uint64_t> left_columns_;  // members
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TAR_PAIRS_H_
