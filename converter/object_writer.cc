// An object's pairs are those of all its media, in source order.
#include "converter/object_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "converter/input_error.h"
#include "converter/interrupt.h"
#include "converter/media_types.h"
#include "converter/name_rules.h"
#include "converter/sort_key.h"
#include "converter/source_file.h"
#include "converter/ulhff_file.h"

namespace ulhff {

namespace {

// What a worker reads ahead for one media.
constexpr uint64_t kPairsAhead = 64;
constexpr uint64_t kTextBytesAhead = uint64_t{256} << 10;
// What an object holds of it, and of the places of its pairs, in memory.
constexpr uint64_t kReadyBytes = uint64_t{4} << 20;
constexpr size_t kPlaces = size_t{1} << 17;
// Fewer than the format allows, and short enough for its string area.
constexpr size_t kMaxObjectExtensions = 128;

// Fills in the texts that stand in files. False: they have more than `limit` bytes.
bool FillTexts(ReadyPair& ready, uint64_t& limit) {
  ready.mtimes_ns.resize(ready.pair.texts.size());
  for (size_t field = 0; field < ready.pair.texts.size(); ++field) {
    StoredText& text = ready.pair.texts[field];
    if (text.kind == StoredText::Kind::kFile) {
      std::optional<TextBytes> read = ReadText(text, limit);
      if (!read) return false;
      text.bytes = std::move(read->bytes);
      ready.mtimes_ns[field] = read->mtime_ns;
    }
    if (text.bytes.size() > limit) return false;
    limit -= text.bytes.size();
  }
  return true;
}

// Of a media without a name. A literal.
std::string_view ExtensionByContent(const Loaded& leader) {
  const size_t size = std::min<uint64_t>(leader.file.size, kMagicBytes);
  if (leader.is_whole()) return SniffExtension(leader.bytes.bytes().first(size));
  Buffer head(size);
  SourceFile(leader.file).Read(0, head.span());
  return SniffExtension(head.bytes());
}

std::string_view ExtensionOf(const Loaded& leader) {
  const UlhffPart& part = leader.file.part;
  if (part.file != nullptr) return part.file->Extension(part);
  return leader.file.name.empty() ? ExtensionByContent(leader) : ObjectExtension(leader.file.name);
}

void CheckTime(const FileRecord& file, int64_t shown_ns, const OriginStore& origins,
               Report& report) {
  if (file.mtime_ns == shown_ns || file.name.empty()) return;
  report.Note(Odd::kSharedTime, file.name, origins.Read(file.origin).view());
}

}  // namespace

std::vector<ReadyPair> LoadPairs(const Catalogue& catalogue, const PairList& pairs,
                                 const PlanEntry& entry) {
  std::vector<PairList::Item> items(std::min(entry.pairs, kPairsAhead));
  pairs.Read(entry.first_pair, items);
  std::vector<ReadyPair> ready;
  uint64_t limit = kTextBytesAhead;
  for (const PairList::Item& item : items) {
    ReadyPair pair{.item = item, .pair = catalogue.texts.Read(item.texts), .mtimes_ns = {}};
    if (!FillTexts(pair, limit)) break;
    ready.push_back(std::move(pair));
  }
  return ready;
}

ObjectWriter::ObjectWriter(const ConvertOptions& options, const Catalogue& catalogue,
                           const PairList& pairs, Container& container, Report& report)
    : catalogue_(&catalogue),
      pairs_(&pairs),
      container_(&container),
      report_(&report),
      fields_(catalogue.has_texts() ? catalogue.fields.size() : 0),
      is_shard_(options.shards > 1),
      lowers_extensions_(options.lower_ext),
      runs_(catalogue.tmp_dir, kSortMemory) {}

std::string_view ObjectWriter::ObjectExtensionOf(const Loaded& leader) {
  std::string extension(ExtensionOf(leader));
  if (lowers_extensions_) extension = LowerAscii(extension);
  if (extensions_.size() >= kMaxObjectExtensions && extensions_.count(extension) == 0) {
    // Which ones are left out depends on all media before.
    if (is_shard_) {
      throw InputError(
          fmt::format("media have more than {} different extensions; convert them without --shard",
                      kMaxObjectExtensions));
    }
    report_->Note(Odd::kLostExtension,
                  leader.file.name.empty() ? leader.file.path : leader.file.name,
                  catalogue_->origins.Read(leader.file.origin).view());
    return {};
  }
  return *extensions_.insert(std::move(extension)).first;
}

void ObjectWriter::Begin(const Loaded& leader) {
  mtime_ns_ = leader.file.mtime_ns;
  object_ = container_->BeginObject(ObjectExtensionOf(leader), mtime_ns_);
  head_.clear();
}

void ObjectWriter::Append(ByteSpan bytes) {
  const size_t missing = std::min(kMagicBytes - head_.size(), bytes.size());
  head_.insert(head_.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(missing));
  container_->AppendMedia(bytes);
}

void ObjectWriter::Add(Loaded member) {
  if (!member.file.is_twin) {
    ++counts_.media_files;
    counts_.media_bytes += member.file.size;
  }
  if (!member.file.name.empty()) {
    const NameRef ref{NameRef::Kind::kMedia, member.entry.file};
    container_->AddName(member.file.name, {TargetKind::kMedia, object_}, ref.Pack());
    CheckTime(member.file, mtime_ns_, catalogue_->origins, *report_);
  }
  const size_t first_ready = ready_.size();
  for (ReadyPair& pair : member.pairs) {
    if (ready_bytes_ > kReadyBytes) break;
    for (const StoredText& text : pair.pair.texts) ready_bytes_ += sizeof(text) + text.bytes.size();
    ready_.push_back(std::move(pair));
  }
  CheckContent(member.file);
  AddPlaces(member.entry, first_ready);
}

void ObjectWriter::CheckContent(const FileRecord& file) {
  const std::string_view extension =
      file.name.empty() ? std::string_view() : SplitName(BaseName(file.name)).extension;
  const std::optional<MagicFinding> finding = CheckMagic(head_, extension);
  if (!finding) return;
  const OwnedOrigin origin = catalogue_->origins.Read(file.origin);
  report_->Note(finding->not_media ? Odd::kNotMedia : Odd::kMagicMismatch,
                fmt::format("{}: {}", file.name.empty() ? file.path : file.name, finding->what),
                origin.view());
}

void ObjectWriter::AddPlaces(const PlanEntry& entry, size_t first_ready) {
  std::vector<PairList::Item> items;
  for (uint64_t done = 0; done < entry.pairs; done += items.size()) {
    items.resize(std::min<uint64_t>(entry.pairs - done, kPairsAhead));
    pairs_->Read(entry.first_pair + done, items);
    for (const PairList::Item& item : items) {
      const bool is_ready = first_ready < ready_.size();
      places_.push_back({item, is_ready ? first_ready++ : kNotReady});
    }
    if (places_.size() > kPlaces) Spill();
  }
}

void ObjectWriter::Spill() {
  if (!more_places_) more_places_.emplace(catalogue_->tmp_dir, kSortMemory);
  for (const Place& place : places_) {
    more_places_->Add(SortKey(place.item.sequence), Raw(place.item.texts));
  }
  places_.clear();
}

void ObjectWriter::End() {
  const uint64_t before = counts_.pairs;
  if (more_places_) Spill();
  std::sort(places_.begin(), places_.end(),
            [](const Place& a, const Place& b) { return a.item.sequence < b.item.sequence; });
  for (const Place& place : places_) {
    if (place.ready != kNotReady) {
      WritePair(ready_[place.ready]);
    } else {
      WritePair(ReadPair(place.item));
    }
  }
  while (const auto record = more_places_ ? more_places_->Next() : std::nullopt) {
    WritePair(ReadPair({KeyNumber(record->key, 0), LoadAt<uint64_t>(record->payload, 0)}));
  }
  container_->EndObject();
  report_->ThrowErrors();  // --strict need not wait for the last object
  ++counts_.objects;
  counts_.min_pairs = std::min(counts_.min_pairs, counts_.pairs - before);
  counts_.max_pairs = std::max(counts_.max_pairs, counts_.pairs - before);
  places_.clear();
  more_places_.reset();
  ready_.clear();
  ready_bytes_ = 0;
}

ReadyPair ObjectWriter::ReadPair(const PairList::Item& item) const {
  CheckInterrupt();
  ReadyPair pair{.item = item, .pair = catalogue_->texts.Read(item.texts), .mtimes_ns = {}};
  uint64_t no_limit = std::numeric_limits<uint64_t>::max();
  FillTexts(pair, no_limit);
  return pair;
}

void ObjectWriter::WritePair(const ReadyPair& ready) {
  const std::vector<StoredText>& texts = ready.pair.texts;
  // A source before may have had fewer fields.
  const size_t known = std::min(fields_, texts.size());
  std::vector<std::optional<ByteSpan>> bytes(fields_);
  std::vector<std::optional<int64_t>> mtimes_ns(fields_);
  for (size_t field = 0; field < known; ++field) {
    const StoredText& text = texts[field];
    mtimes_ns[field] = ready.mtimes_ns[field];
    if (text.kind == StoredText::Kind::kAbsent) continue;
    bytes[field] = AsBytes(text.bytes);
    counts_.text_bytes += text.bytes.size();
  }
  const uint64_t pair = container_->AddPair(bytes, ready.pair.split, mtimes_ns);
  ++counts_.pairs;
  for (size_t field = 0; field < known; ++field) {
    if (texts[field].kind == StoredText::Kind::kFile) {
      WriteTextName(texts[field], {NameRef::Kind::kText, ready.item.texts, field},
                    pair * bytes.size() + field);
    }
  }
  Remember(ready.item.sequence, pair);
}

void ObjectWriter::WriteTextName(const StoredText& text, const NameRef& ref, uint64_t number) {
  if (text.bytes.empty() && ref.field == 0) {
    report_->Note(Odd::kEmptyText, text.name.empty() ? text.file.path : text.name,
                  catalogue_->origins.Read(text.origin).view());
  }
  if (text.name.empty()) return;
  counts_.text_files += 1;
  counts_.text_file_bytes += text.bytes.size();
  container_->AddName(text.name, {TargetKind::kText, number}, ref.Pack());
}

void ObjectWriter::Remember(uint64_t sequence, uint64_t pair) {
  if (run_.length > 0 && sequence == run_.sequence + run_.length) {
    ++run_.length;
    return;
  }
  AddRun();
  in_order_ = in_order_ && sequence >= run_.sequence;
  run_ = {sequence, pair, 1};
}

void ObjectWriter::AddRun() {
  if (run_.length > 0) runs_.Add(SortKey(run_.sequence), Raw(run_));
}

void ObjectWriter::WriteOrder() {
  AddRun();
  run_ = {};
  if (in_order_ && !is_shard_) return;
  while (const auto record = runs_.Next()) {
    const auto run = LoadAt<Run>(record->payload, 0);
    for (uint64_t i = 0; i < run.length; ++i) {
      if (!in_order_) container_->AppendOrder(run.pair + i);
      if (is_shard_) container_->AppendShardPosition(run.sequence + i);
    }
  }
}

void BlobWriter::Begin(const Loaded& leader) {
  mtime_ns_ = leader.file.mtime_ns;
  blob_ = container_->BeginBlob(mtime_ns_);
}

void BlobWriter::Add(Loaded member) {
  const NameRef ref{NameRef::Kind::kExtra, member.entry.file};
  container_->AddName(member.file.name, {TargetKind::kBlob, blob_}, ref.Pack());
  CheckTime(member.file, mtime_ns_, *origins_, *report_);
}

}  // namespace ulhff
