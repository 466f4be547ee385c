// The stages, one after the other, over a Catalogue.
#include "converter/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "converter/catalogue.h"
#include "converter/equal_files.h"
#include "converter/feed.h"
#include "converter/input_error.h"
#include "converter/media_types.h"
#include "converter/object_writer.h"
#include "converter/plan.h"
#include "converter/printable.h"
#include "converter/scan.h"
#include "converter/sort_key.h"
#include "converter/tmp_dir.h"
#include "converter/worker_pool.h"
#include "ulhff/tree.h"

namespace ulhff {

namespace {

ViewKind CommonView(const std::vector<NamedSource>& operands) {
  const ViewKind view = operands.front().view;
  const bool common =
      std::all_of(operands.begin(), operands.end(),
                  [view](const NamedSource& operand) { return operand.view == view; });
  return common ? view : ViewKind::kAll;
}

// One run of the stages.
class Conversion {
 public:
  Conversion(const ConvertOptions& options, Report& report, Progress& progress)
      : options_(&options),
        report_(&report),
        progress_(&progress),
        catalogue_(TemporaryDirectory(options)),
        pairs_(catalogue_.tmp_dir),
        pool_(options.threads == 0 ? DefaultThreads() : options.threads) {}

  ConversionResult Run(std::vector<NamedSource> operands) {
    const auto start = std::chrono::steady_clock::now();
    const ViewKind view = CommonView(operands);
    ScanAll(std::move(operands));
    try {
      Write(view);
    } catch (const DuplicateName& e) {
      ThrowDuplicate(e);
    } catch (const std::invalid_argument& e) {
      throw InputError(fmt::format("the source exceeds a limit of the format: {}", e.what()));
    }
    progress_->Clear();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    result_.seconds = time.count();
    return result_;
  }

 private:
  void ScanAll(std::vector<NamedSource> operands) {
    progress_->Stage("scanning, pairs", 0, Progress::Unit::kCount);
    Scan scan(*options_, catalogue_, *report_, *progress_);
    for (NamedSource& operand : operands) {
      scan.BeginOperand(operand.path, operand.prefix);
      operand.source->Scan(scan);
      operand.source.reset();
    }
    scan.Finish();
  }

  void Write(ViewKind view) {
    ShardCut cut(options_->shard, options_->shards);
    Plan plan = PlanMedia(catalogue_, pairs_, cut, pool_, *progress_);
    Plan extras = PlanExtras(catalogue_, cut, pool_, *progress_);
    const WriterOptions options = OptionsOfWriter(view);
    CheckViews(options, {});
    const std::unique_ptr<Container> container = options_->dry_run
                                                     ? MakeDryContainer(options)
                                                     : MakeFileContainer(options_->output, options);
    result_.extras = extras.files();
    result_.extra_bytes = extras.bytes();
    progress_->Stage(options_->dry_run ? "reading" : "copying",
                     plan.bytes_to_read() + extras.bytes_to_read(), Progress::Unit::kBytes);
    WriteObjects(std::move(plan), *container);
    CheckViews(options, extensions_);
    WriteExtras(std::move(extras), *container);
    if (options_->shard == 1) AddDirectories(*container);
    progress_->Stage("writing the index", 0, Progress::Unit::kBytes);
    result_.file = container->Finish(result_.source);
  }

  bool is_shard() const { return options_->shards > 1; }

  WriterOptions OptionsOfWriter(ViewKind view) const {
    WriterOptions options;
    options.alignment = options_->alignment;
    options.overwrite = options_->force;
    options.tmp_dir = catalogue_.tmp_dir;
    options.sort_memory = 2 * kSortMemory;
    options.default_view = view;
    options.splits = catalogue_.splits;
    options.default_mtime_ns = catalogue_.newest_mtime_ns;
    if (is_shard()) {
      options.shard = {options_->shard, options_->shards, catalogue_.digest, catalogue_.sequence};
    }
    if (!catalogue_.has_texts()) return options;
    for (const auto& [name, extension] : catalogue_.fields) {
      options.fields.push_back({name, extension});
    }
    return options;
  }

  void WriteObjects(Plan plan, Container& container) {
    ObjectWriter writer(*options_, catalogue_, pairs_, container, *report_);
    Feed feed(catalogue_.media, std::move(plan), pool_,
              [this](const PlanEntry& entry) { return LoadPairs(catalogue_, pairs_, entry); });
    MergeEqualFiles(feed, catalogue_.media, pool_, writer, *progress_);
    writer.WriteOrder();
    Count(writer.counts());
    extensions_ = writer.extensions();
  }

  // A file that no mount could show in its default view must not be written.
  static void CheckViews(const WriterOptions& options, const std::set<std::string>& extensions) {
    Info planned;
    planned.default_view = options.default_view;
    for (const FieldSpec& field : options.fields) {
      planned.fields.push_back({field.name, field.extension});
    }
    planned.extensions.assign(extensions.begin(), extensions.end());
    const std::optional<std::string> collision = FindCollision(planned);
    if (collision) {
      throw UsageError(
          fmt::format("{} in a mount: choose other fields (--field) or extensions", *collision));
    }
  }

  void WriteExtras(Plan plan, Container& container) {
    BlobWriter writer(container, *report_, catalogue_.origins);
    Feed feed(catalogue_.extras, std::move(plan), pool_, {});
    MergeEqualFiles(feed, catalogue_.extras, pool_, writer, *progress_);
  }

  void Count(const ObjectWriter::Counts& counts) {
    result_.pairs = counts.pairs;
    result_.objects = counts.objects;
    result_.texts = catalogue_.texts_present;
    const bool even = counts.objects > 0 && counts.min_pairs == counts.max_pairs;
    result_.ratio = even ? counts.min_pairs : counts.objects == 0 ? 1 : 0;
    result_.type = !catalogue_.has_texts() ? PairingType::kUniModal
                   : result_.ratio == 1    ? PairingType::kOneToOne
                   : result_.ratio > 1     ? PairingType::kFixedOneToMany
                                           : PairingType::kHybridOneToMany;
    // Of shards the first counts what none of them sees.
    const SourceFacts unseen = options_->shard == 1 ? catalogue_.unseen : SourceFacts();
    result_.media_bytes = counts.media_bytes;
    result_.source.duplicates_merged =
        counts.media_files - counts.objects + unseen.duplicates_merged;
    result_.source.files = counts.media_files + counts.text_files + result_.extras + unseen.files;
    result_.source.bytes =
        counts.media_bytes + counts.text_file_bytes + result_.extra_bytes + unseen.bytes;
  }

  // Where several operands have a directory the first says its time: the writer takes the last.
  void AddDirectories(Container& container) const {
    uint64_t end = catalogue_.directories.size();
    const auto& parts = catalogue_.directory_parts;
    for (auto part = parts.rbegin(); part != parts.rend(); end = *part++) {
      TempStoreCursor directories(catalogue_.directories, *part);
      while (directories.position() < end) AddDirectory(directories, container);
    }
  }

  static void AddDirectory(TempStoreCursor& directories, Container& container) {
    int64_t mtime_ns = 0;
    uint64_t size = 0;
    directories.Read(RawOut(mtime_ns));
    directories.Read(RawOut(size));
    std::string name(size, '\0');
    directories.Read(std::as_writable_bytes(std::span(name)));
    container.AddDirectory(name, mtime_ns);
  }

  // Two files of one name were found before; here a file has the name of a directory.
  [[noreturn]] void ThrowDuplicate(const DuplicateName& e) const {
    throw InputError(fmt::format("{}: used twice: by {} and by {}", Printable(e.path()),
                                 DescribeUse(e.first_origin()), DescribeUse(e.second_origin())));
  }

  std::string DescribeUse(uint64_t packed) const {
    if (packed == kNoOrigin) return "a directory";
    const NameRef ref = NameRef::Unpack(packed);
    if (ref.kind == NameRef::Kind::kText) {
      const StoredText text = catalogue_.texts.Read(ref.position).texts[ref.field];
      const OwnedOrigin origin = catalogue_.origins.Read(text.origin);
      return DescribeOrigin(PlaceOf(text.file.path, origin.view()));
    }
    const FileRecord file =
        (ref.kind == NameRef::Kind::kMedia ? catalogue_.media : catalogue_.extras)
            .Read(ref.position);
    const OwnedOrigin origin = catalogue_.origins.Read(file.origin);
    return DescribeOrigin(PlaceOf(file.path, origin.view()));
  }

  const ConvertOptions* options_;
  Report* report_;
  Progress* progress_;
  Catalogue catalogue_;
  PairList pairs_;
  WorkerPool pool_;
  ConversionResult result_;
  std::set<std::string> extensions_;  // of the media
};

}  // namespace

unsigned DefaultThreads() { return std::clamp(2 * std::thread::hardware_concurrency(), 4u, 32u); }

ConversionResult RunConversion(std::vector<NamedSource> operands, const ConvertOptions& options,
                               Report& report, Progress& progress) {
  return Conversion(options, report, progress).Run(std::move(operands));
}

}  // namespace ulhff
