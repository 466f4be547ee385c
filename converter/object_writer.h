// The third stage of a conversion: writes groups of equal media as objects, with all their pairs.
#ifndef ULHFF_CONVERTER_OBJECT_WRITER_H_
#define ULHFF_CONVERTER_OBJECT_WRITER_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "converter/catalogue.h"
#include "converter/container.h"
#include "converter/equal_files.h"
#include "converter/magic.h"
#include "converter/report.h"
#include "ulhff/sorter.h"

namespace ulhff {

// Reads the first pairs of an entry, with the bytes of texts in files, as far as they are small.
// Thread-safe.
std::vector<ReadyPair> LoadPairs(const Catalogue& catalogue, const PairList& pairs,
                                 const PlanEntry& entry);

class ObjectWriter : public GroupSink {
 public:
  struct Counts {
    uint64_t media_files = 0;
    uint64_t media_bytes = 0;  // of all of them
    uint64_t text_bytes = 0;
    uint64_t text_files = 0;  // that have a name
    uint64_t text_file_bytes = 0;
    uint64_t objects = 0;
    uint64_t pairs = 0;
    uint64_t min_pairs = std::numeric_limits<uint64_t>::max();  // of an object
    uint64_t max_pairs = 0;
  };

  // All must outlive it. Of a shard, the container wants positions.
  ObjectWriter(const ConvertOptions& options, const Catalogue& catalogue, const PairList& pairs,
               Container& container, Report& report);

  void Begin(const Loaded& leader) override;
  void Append(ByteSpan bytes) override;
  void Add(Loaded member) override;
  void End() override;

  // After all objects: the source's order, if it is not that of the pairs.
  void WriteOrder();
  const Counts& counts() const { return counts_; }
  const std::set<std::string>& extensions() const { return extensions_; }  // of the objects

 private:
  // A pair of the open object, and where it is in ready_.
  struct Place {
    PairList::Item item;
    size_t ready;
  };
  static constexpr size_t kNotReady = ~size_t{0};

  std::string_view ObjectExtensionOf(const Loaded& leader);
  void CheckContent(const FileRecord& file);
  void AddPlaces(const PlanEntry& entry, size_t first_ready);
  void Spill();
  ReadyPair ReadPair(const PairList::Item& item) const;
  void WritePair(const ReadyPair& ready);
  void WriteTextName(const StoredText& text, const NameRef& ref, uint64_t number);
  void Remember(uint64_t sequence, uint64_t pair);
  void AddRun();

  const Catalogue* catalogue_;
  const PairList* pairs_;
  Container* container_;
  Report* report_;
  size_t fields_;
  bool is_shard_, lowers_extensions_;
  std::set<std::string> extensions_;

  // Of the open object.
  uint64_t object_ = 0;
  int64_t mtime_ns_ = 0;
  std::vector<std::byte> head_;  // of its media
  std::vector<Place> places_;
  std::optional<Sorter> more_places_;  // once there are too many
  std::vector<ReadyPair> ready_;
  uint64_t ready_bytes_ = 0;

  // Source positions next to each other that became pairs next to each other.
  struct Run {
    uint64_t sequence = 0, pair = 0, length = 0;
  };
  Run run_;
  bool in_order_ = true;
  Sorter runs_;  // key sequence, payload Run
  Counts counts_;
};

// Writes groups of equal extras as blobs.
class BlobWriter : public GroupSink {
 public:
  BlobWriter(Container& container, Report& report, const OriginStore& origins)
      : container_(&container), report_(&report), origins_(&origins) {}

  void Begin(const Loaded& leader) override;
  void Append(ByteSpan bytes) override { container_->AppendBlob(bytes); }
  void Add(Loaded member) override;
  void End() override { container_->EndBlob(); }

 private:
  Container* container_;
  Report* report_;
  const OriginStore* origins_;
  uint64_t blob_ = 0;
  int64_t mtime_ns_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_OBJECT_WRITER_H_
