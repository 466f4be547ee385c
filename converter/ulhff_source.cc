// ULHFF files as a source: objects with all their names, pairs at their places in the source order,
// extras, directories.
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "converter/catalogue.h"
#include "converter/input_error.h"
#include "converter/output.h"
#include "converter/overview.h"
#include "converter/sort_key.h"
#include "converter/source_kinds.h"
#include "converter/tmp_dir.h"
#include "converter/ulhff_file.h"
#include "converter/ulhff_names.h"
#include "ulhff/file.h"

namespace ulhff {
namespace {

// Of all operands together, and of each at least and at most.
constexpr uint64_t kCaches = uint64_t{32} << 20;
constexpr uint64_t kLeastCache = uint64_t{64} << 10;
constexpr uint64_t kMostCache = uint64_t{8} << 20;

// The source positions of the pairs, by pair.
class Positions {
 public:
  // `absolute`: those of a shard in the whole source.
  Positions(const Reader& reader, bool absolute, const std::string& tmp_dir)
      : reader_(&reader),
        absolute_(absolute),
        in_order_(reader.info().order_bytes == 0),
        by_pair_(tmp_dir, kSortMemory) {
    if (in_order_) return;
    for (uint64_t i = 0; i < reader.info().pairs; ++i) {
      by_pair_.Add(SortKey(reader.PairAtSourcePosition(i)), Raw(i));
    }
  }

  // Of pair 0, 1, 2 ... Throws InputError if the order has not each pair once.
  uint64_t Next() {
    const uint64_t position = in_order_ ? pair_ : NextSorted();
    ++pair_;
    return absolute_ ? reader_->ShardPosition(position) : position;
  }

 private:
  uint64_t NextSorted() {
    const auto record = by_pair_.Next();
    if (!record || KeyNumber(record->key, 0) != pair_) {
      throw InputError(
          fmt::format("{}: its source order does not hold each pair once", reader_->info().path));
    }
    return LoadAt<uint64_t>(record->payload, 0);
  }

  const Reader* reader_;
  bool absolute_;
  bool in_order_;
  Sorter by_pair_;
  uint64_t pair_ = 0;
};

class UlhffSource : public Source {
 public:
  UlhffSource(const std::string& path, const ConvertOptions& options)
      : options_(&options),
        file_(std::make_shared<UlhffFile>(
            path, std::clamp(kCaches / std::max<uint64_t>(options.sources.size(), 1), kLeastCache,
                             kMostCache))),
        tmp_dir_(TemporaryDirectory(options)),
        media_names_(tmp_dir_),
        text_names_(tmp_dir_),
        blob_names_(tmp_dir_) {}

  void Scan(SourceSink& sink) override {
    sink.Hold(file_);
    sink_ = &sink;
    try {
      TakeHeader();
      TakeNames();
      TakeObjects();
      TakeBlobs();
      TellFacts();
    } catch (const FormatError& e) {
      ThrowDamaged(file_->path(), "", e);
    }
  }

 private:
  const Reader& reader() const { return file_->reader(); }
  const Info& info() const { return reader().info(); }

  void TakeHeader() {
    std::vector<std::pair<std::string, std::string>> fields;
    for (const FieldInfo& field : info().fields) fields.emplace_back(field.name, field.extension);
    if (!fields.empty()) fields_ = sink_->UniteFields(fields);
    for (const std::string& split : info().splits) splits_.push_back(sink_->Split(split));
    texts_.resize(fields_.empty() ? 0 : *std::max_element(fields_.begin(), fields_.end()) + 1);
    names_.resize(fields_.size());
  }

  void TakeNames() {
    WalkNames(reader(),
              {.directory = [this](std::string_view path,
                                   int64_t mtime_ns) { sink_->Directory(path, mtime_ns); },
               .file =
                   [this](std::string_view path, NameTarget target) {
                     if (target.kind == TargetKind::kMedia) media_names_.Add(target.number, path);
                     if (target.kind == TargetKind::kText) text_names_.Add(target.number, path);
                     if (target.kind == TargetKind::kBlob) blob_names_.Add(target.number, path);
                   },
               .escaped =
                   [this](std::string_view stored, std::string_view path) {
                     sink_->Note(Odd::kShortenedName, fmt::format("{} -> {}", stored, path),
                                 {file_->path()});
                   }});
  }

  Locator LocatorOf(const ObjectLayout& layout, int64_t mtime_ns, TargetKind kind,
                    uint64_t number) const {
    return {file_->path(), layout.offset, layout.media_size, mtime_ns, {file_.get(), kind, number}};
  }
  Origin OriginAt(uint64_t offset) const { return {file_->path(), 0, offset}; }

  void TakeObjects() {
    Positions positions(reader(), options_->whole_shards, tmp_dir_);
    for (uint64_t object = 0; object < info().objects; ++object) {
      const ObjectLayout layout = reader().Object(object);
      const std::optional<MediaId> media = TakeMedia(object, layout);
      for (uint64_t i = 0; i < layout.pairs; ++i) {
        TakePair(layout, layout.first_pair + i, media, positions.Next());
      }
    }
  }

  std::optional<MediaId> TakeMedia(uint64_t object, const ObjectLayout& layout) {
    const Origin origin = OriginAt(layout.offset);
    const Locator bytes =
        LocatorOf(layout, reader().ObjectTime(object), TargetKind::kMedia, object);
    std::optional<MediaId> media;
    const uint64_t names = media_names_.Of(object, [&](std::string_view name) {
      if (media) {
        sink_->AlsoNamed(*media, name, origin);
      } else {
        media = sink_->Media(name, bytes, origin);
      }
    });
    if (names == 0) media = sink_->Media("", bytes, origin);
    const uint64_t files = std::max<uint64_t>(names, 1);
    seen_media_ += files;
    seen_files_ += files;
    seen_bytes_ += files * layout.media_size;
    return media;
  }

  void TakePair(const ObjectLayout& layout, uint64_t pair, std::optional<MediaId> media,
                uint64_t position) {
    std::fill(texts_.begin(), texts_.end(), Absent{});
    for (size_t field = 0; field < fields_.size(); ++field) {
      texts_[fields_[field]] = TextOf(layout, pair * fields_.size() + field, names_[field]);
    }
    if (!media) return;
    const uint64_t split = splits_.empty() ? 0 : splits_[reader().SplitOf(pair).split];
    sink_->PairAt(position, *media, texts_, split, OriginAt(layout.offset));
  }

  Text TextOf(const ObjectLayout& layout, uint64_t number, std::string& name) {
    const TextLayout text = reader().Text(layout, number);
    name.clear();
    const uint64_t names = text_names_.Of(number, [&](std::string_view path) { name = path; });
    seen_files_ += names;
    seen_bytes_ += names * text.size;
    if (text.absent) return Absent{};
    // Without a path: the part knows it, and texts are many.
    Locator bytes{"",
                  layout.offset + text.position,
                  text.size,
                  reader().TextTime(number),
                  {file_.get(), TargetKind::kText, number}};
    return FileText{name, std::move(bytes)};
  }

  void TakeBlobs() {
    for (uint64_t blob = 0; blob < info().blobs; ++blob) {
      const ObjectLayout layout = reader().Blob(blob);
      const Locator bytes = LocatorOf(layout, reader().BlobTime(blob), TargetKind::kBlob, blob);
      const uint64_t names = blob_names_.Of(blob, [&](std::string_view name) {
        if (options_->extras) sink_->Extra(name, bytes, OriginAt(layout.offset));
      });
      seen_files_ += names;
      seen_bytes_ += names * layout.media_size;
    }
  }

  void TellFacts() {
    const auto unseen = [](uint64_t all, uint64_t seen) { return all - std::min(all, seen); };
    UlhffFacts facts;
    facts.unseen.duplicates_merged = unseen(info().objects + info().duplicates_merged, seen_media_);
    facts.unseen.files = unseen(info().source_files, seen_files_);
    facts.unseen.bytes = unseen(info().source_bytes, seen_bytes_);
    facts.default_mtime_ns = info().default_mtime_ns;
    facts.has_fields = !info().fields.empty();
    sink_->Facts(facts);
  }

  const ConvertOptions* options_;
  std::shared_ptr<const UlhffFile> file_;
  std::string tmp_dir_;
  SourceSink* sink_ = nullptr;
  NamesByNumber media_names_, text_names_, blob_names_;
  std::vector<size_t> fields_;    // numbers in the output
  std::vector<uint64_t> splits_;  // numbers in the output
  // Of the current pair.
  std::vector<Text> texts_;
  std::vector<std::string> names_;
  // What the names stand for.
  uint64_t seen_media_ = 0;
  uint64_t seen_files_ = 0;
  uint64_t seen_bytes_ = 0;
};

std::vector<Reading> RecogniseUlhff(const Overview& operand, const ConvertOptions& /*options*/) {
  if (operand.is_directory || !IsUlhffFile(operand.path)) return {};
  Reading reading;
  reading.from = "ulhff";
  try {
    const Info info = UlhffFile(operand.path, kLeastCache).reader().info();
    reading.pairs = info.pairs;
    reading.view = info.default_view;
    reading.why = fmt::format("ULHFF {}.{}: {} {} of {} media", info.major, info.minor, info.pairs,
                              NounFor(info.pairs, "pair", "pairs"), info.objects);
  } catch (const InputError& e) {
    reading.problem = e.what();
    reading.broken = true;
  }
  return {reading};
}

std::unique_ptr<Source> OpenUlhff(const std::string& operand, const Reading& /*reading*/,
                                  const ConvertOptions& options) {
  return std::make_unique<UlhffSource>(operand, options);
}

}  // namespace

SourceKind UlhffKind() {
  return {"ulhff", "ULHFF files: several are joined (see also ulhff merge)", RecogniseUlhff,
          OpenUlhff};
}

}  // namespace ulhff
