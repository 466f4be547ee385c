// COCO captions: images with the captions of their annotations, a split for each file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "converter/coco_join.h"
#include "converter/media_finder.h"
#include "converter/overview.h"
#include "converter/source_kinds.h"
#include "converter/split_names.h"
#include "converter/tmp_dir.h"
#include "converter/tree_rest.h"

namespace ulhff {
namespace {

class CocoSource : public Source {
 public:
  CocoSource(std::string operand, bool is_directory, std::vector<std::string> files,
             MediaPlace place, const ConvertOptions& options)
      : operand_(std::move(operand)),
        is_directory_(is_directory),
        files_(std::move(files)),
        options_(options),
        finder_(std::move(place), options, MediaFinder::Nearby::kNo) {}

  void Scan(SourceSink& sink) override {
    sink.DeclareFields({{"", "txt"}});
    const std::vector<std::string> splits = SplitNamesOf(files_);
    for (size_t i = 0; i < files_.size(); ++i) ScanFile(files_[i], splits[i], sink);
    if (is_directory_) EmitRest(operand_, finder_.place(), options_, sink);
  }

 private:
  // An image whose captions are still to come.
  struct Image {
    std::string file_name;
    Origin origin;
    bool captioned = false;
    std::optional<MediaId> id;
  };

  void ScanFile(const std::string& name, const std::string& split, SourceSink& sink);
  void EmitCaption(Image& image, const CocoJoin::Entry& caption, uint64_t split, SourceSink& sink);
  void EmitUncaptioned(const Image& image, uint64_t split, SourceSink& sink);

  const std::string operand_;
  const bool is_directory_;
  const std::vector<std::string> files_;
  const ConvertOptions options_;
  MediaFinder finder_;
  std::string base_;  // the directory of the file, from the operand
  uint64_t pairs_ = 0;
};

void CocoSource::ScanFile(const std::string& name, const std::string& split, SourceSink& sink) {
  const std::string path = is_directory_ ? JoinPath(operand_, name) : operand_;
  base_ = is_directory_ ? ParentPath(name) : std::string_view();
  CocoJoin join(path, {.tmp_dir = TemporaryDirectory(options_), .lenient = options_.lenient},
                [&](Odd kind, const std::string& what, uint64_t line, uint64_t offset) {
                  sink.Note(kind, what, {name, line, offset});
                });
  finder_.Prefer(split);
  const uint64_t number = split.empty() ? 0 : sink.Split(split);
  pairs_ = 0;
  std::optional<Image> image;
  while (const auto entry = join.Next()) {
    if (!entry->is_image) {
      EmitCaption(*image, *entry, number, sink);
      continue;
    }
    if (image && !image->captioned) EmitUncaptioned(*image, number, sink);
    image = Image{std::string(entry->text), {name, entry->line, entry->offset}, false, {}};
  }
  if (image && !image->captioned) EmitUncaptioned(*image, number, sink);
  sink.Rule(fmt::format("captions of {}", is_directory_ ? name : std::string(BaseName(name))),
            pairs_);
}

void CocoSource::EmitCaption(Image& image, const CocoJoin::Entry& caption, uint64_t split,
                             SourceSink& sink) {
  if (!image.captioned) image.id = finder_.Emit(image.file_name, base_, image.origin, sink);
  image.captioned = true;
  if (!image.id) return;
  const Text text = caption.absent ? Text(Absent{}) : Text(InlineText{caption.text});
  sink.Pair(*image.id, {&text, 1}, split, {image.origin.file, caption.line, caption.offset});
  ++pairs_;
}

void CocoSource::EmitUncaptioned(const Image& image, uint64_t split, SourceSink& sink) {
  sink.Note(Odd::kUnpairedMedia, image.file_name, image.origin);
  if (options_.unpaired_media == OnUnpairedMedia::kSkip) return;
  const auto id = finder_.Emit(image.file_name, base_, image.origin, sink);
  if (!id) return;
  const Text text = Absent{};
  sink.Pair(*id, {&text, 1}, split, image.origin);
}

// Half of the shape is most likely a mistake in the file, and worth more than "unknown".
std::string ProblemOf(const std::string& path, const CocoPeek& peek) {
  if (peek.is_coco()) return {};
  if (!peek.error.empty()) return peek.error;
  return fmt::format(
      "{}: no COCO captions: {}", path,
      peek.captions ? "there are captions, but no section \"images\" whose entries have id and "
                      "file_name"
                    : "entries of \"images\" have id and file_name, those of \"annotations\" "
                      "image_id and caption");
}

bool IsCandidate(const std::string& name, const ConvertOptions& options) {
  if (AsksForFiles(options)) return AsksForFile(options, name);
  return LowerAscii(SplitName(BaseName(name)).extension) == "json";
}

// Files of the shape, in walk order; others are extras.
std::vector<Reading> RecogniseDirectory(const Overview& operand, const ConvertOptions& options) {
  Reading reading;
  for (const std::string& name : operand.documents) {
    if (!IsCandidate(name, options)) continue;
    const std::string path = JoinPath(operand.path, name);
    const CocoPeek peek = PeekCoco(path);
    const bool cut = !peek.is_coco() && !peek.error.empty() && (peek.images || peek.captions);
    if (!peek.is_coco() && !cut && !AsksForFiles(options)) continue;
    reading.files.push_back(name);
    reading.pairs += peek.captions_expected;
    reading.estimated = reading.estimated || peek.estimated;
    if (reading.problem.empty()) reading.problem = ProblemOf(path, peek);
    reading.broken = reading.broken || cut;
  }
  if (reading.files.empty()) return {};
  reading.from = "coco";
  reading.why = fmt::format("COCO captions in {}", fmt::join(reading.files, ", "));
  reading.view = ViewKind::kAll;
  return {reading};
}

std::vector<Reading> RecogniseFile(const Overview& operand, const ConvertOptions& options) {
  const bool asked = !options.from.empty();
  if (!asked && !IsCandidate(operand.path, options)) return {};
  const CocoPeek peek = PeekCoco(operand.path);
  if (!asked && !peek.captions && !(peek.images && !peek.error.empty())) return {};
  Reading reading;
  reading.from = "coco";
  reading.files = {operand.path};
  reading.view = ViewKind::kPairs;
  reading.pairs = peek.captions_expected;
  reading.estimated = peek.estimated;
  reading.why = "COCO captions";
  reading.problem = ProblemOf(operand.path, peek);
  reading.broken = !peek.is_coco() && !peek.error.empty();
  return {reading};
}

std::vector<Reading> RecogniseCoco(const Overview& operand, const ConvertOptions& options) {
  return operand.is_directory ? RecogniseDirectory(operand, options)
                              : RecogniseFile(operand, options);
}

std::unique_ptr<Source> OpenCoco(const std::string& operand, const Reading& reading,
                                 const ConvertOptions& options) {
  const bool directory = std::filesystem::is_directory(operand);
  MediaPlace place = directory ? PlaceOf(operand, true, options)
                               : PlaceNear(operand, PeekCoco(operand).file_names, options);
  return std::make_unique<CocoSource>(operand, directory, reading.files, std::move(place), options);
}

}  // namespace

SourceKind CocoKind() {
  return {"coco", "COCO captions: JSON with images and annotations", RecogniseCoco, OpenCoco};
}

}  // namespace ulhff
