// Recognition of annotation files, and how their entries become pairs.
#include "converter/annotation_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "converter/input_error.h"
#include "converter/split_names.h"
#include "converter/tree_rest.h"
#include "converter/unpaired_media.h"

namespace ulhff {
namespace {

bool IsLeftOut(Odd kind) { return kind == Odd::kTruncated || kind == Odd::kLostRest; }

class AnnotationSource : public Source {
 public:
  AnnotationSource(const AnnotationFormat& format, std::string operand, bool is_directory,
                   std::vector<AnnotationUnit> units, MediaPlace place,
                   const ConvertOptions& options)
      : format_(format),
        operand_(std::move(operand)),
        is_directory_(is_directory),
        units_(std::move(units)),
        options_(options),
        finder_(std::move(place), options, MediaFinder::Nearby::kNo) {}

  void Scan(SourceSink& sink) override {
    sink.DeclareFields({{"", "txt"}});
    for (const AnnotationUnit& unit : units_) ScanUnit(unit, sink);
    if (annotations_ == 0 && !fault_.empty()) throw InputError(fault_ + "; no entry is left");
    if (is_directory_) EmitRest(operand_, finder_.place(), options_, sink);
  }

 private:
  std::string Place(const Origin& origin) const {
    return fmt::format("{}:{}: ", is_directory_ ? JoinPath(operand_, origin.file) : operand_,
                       origin.line);
  }
  void ScanUnit(const AnnotationUnit& unit, SourceSink& sink);
  void Emit(const Annotation& annotation, const Origin& origin, uint64_t split, SourceSink& sink);
  bool EmitPair(const Annotation& annotation, const std::optional<std::string>& bytes,
                const Origin& origin, uint64_t split, SourceSink& sink);

  const AnnotationFormat& format_;
  const std::string operand_;
  const bool is_directory_;
  const std::vector<AnnotationUnit> units_;
  const ConvertOptions options_;
  MediaFinder finder_;
  std::string base_;           // the directory of the file, from the operand
  std::optional<MediaId> id_;  // of the annotation before, if
  bool looked_for_ = false;    // its media was
  uint64_t pairs_ = 0;         // of the unit
  uint64_t annotations_ = 0;   // of all
  std::string fault_;          // for which --lenient left out the first part
};

void AnnotationSource::ScanUnit(const AnnotationUnit& unit, SourceSink& sink) {
  const std::string& name = unit.names.front();
  std::vector<std::string> paths;
  for (const std::string& file : unit.names) {
    paths.push_back(is_directory_ ? JoinPath(operand_, file) : file);
  }
  base_ = is_directory_ ? ParentPath(name) : std::string_view();
  const AnnotationContext context{options_,
                                  [&](Odd kind, const std::string& what, const Origin& origin) {
                                    if (fault_.empty() && IsLeftOut(kind))
                                      fault_ = Place(origin) + what;
                                    sink.Note(kind, what, origin);
                                  }};
  const auto reader = format_.open(unit, paths, context);
  finder_.Prefer(unit.split);
  pairs_ = 0;
  for (Annotation annotation; reader->Next(annotation);) {
    const std::string& split = annotation.split.empty() ? unit.split : annotation.split;
    const std::string_view file = annotation.file.empty() ? name : annotation.file;
    ++annotations_;
    Emit(annotation, {file, annotation.line, annotation.offset},
         split.empty() ? 0 : sink.Split(split), sink);
  }
  sink.Rule(
      fmt::format("{} of {}", format_.unit, is_directory_ ? name : std::string(BaseName(name))),
      pairs_);
}

void AnnotationSource::Emit(const Annotation& annotation, const Origin& origin, uint64_t split,
                            SourceSink& sink) {
  if (!annotation.same_media) {
    looked_for_ = false;
    id_.reset();
  }
  if (annotation.texts.empty() &&
      KeepsUnpaired(annotation.media[0], origin, true, options_, sink)) {
    EmitPair(annotation, std::nullopt, origin, split, sink);
  }
  for (const auto& text : annotation.texts) {
    if (!text) sink.Note(Odd::kNullText, annotation.media[0], origin);
    pairs_ += EmitPair(annotation, text, origin, split, sink) ? 1 : 0;
  }
}

// A media without any pair is none: it is looked for when it has the first.
bool AnnotationSource::EmitPair(const Annotation& annotation,
                                const std::optional<std::string>& bytes, const Origin& origin,
                                uint64_t split, SourceSink& sink) {
  if (!bytes && options_.unpaired_media == OnUnpairedMedia::kSkip) return false;
  if (!looked_for_) {
    id_ = finder_.Emit(finder_.FirstFound(annotation.media, base_), base_, origin, sink);
    looked_for_ = true;
  }
  if (!id_) return false;
  const Text text = bytes ? Text(InlineText{*bytes}) : Text(Absent{});
  return sink.Pair(*id_, {&text, 1}, split, origin);
}

bool IsCandidate(const AnnotationFormat& format, const std::string& name,
                 const ConvertOptions& options) {
  if (AsksForFiles(options)) return AsksForFile(options, name);
  const std::string_view wanted = format.extension;
  return wanted.empty() || LowerAscii(SplitName(BaseName(name)).extension) == wanted;
}

AnnotationPeek PeekAt(const AnnotationFormat& format, const std::string& path) {
  AnnotationPeek peek;
  try {
    format.peek(path, peek);
  } catch (const InputError& error) {
    peek.fault = error.what();
  }
  return peek;
}

std::string ProblemOf(const AnnotationFormat& format, const std::string& path,
                      const AnnotationPeek& peek) {
  if (peek.fits) return "";
  if (!peek.fault.empty()) return peek.fault;
  return fmt::format("{}: no {}: {}", path, format.title,
                     peek.problem.empty() ? format.summary : peek.problem);
}

// Which of the files have media that are there.
std::vector<bool> WithMedia(const std::vector<std::string>& names,
                            const std::vector<AnnotationPeek>& peeks, MediaFinder& finder) {
  std::vector<bool> found;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string base(ParentPath(names[i]));
    found.push_back(
        std::any_of(peeks[i].media.begin(), peeks[i].media.end(),
                    [&](const std::string& media) { return finder.Find(media, base).found(); }));
  }
  return found;
}

// Leaves out files that only look alike.
void DropOthers(const AnnotationFormat& format, const Overview& operand,
                const ConvertOptions& options, std::vector<std::string>& names,
                std::vector<AnnotationPeek>& peeks) {
  if (format.media == AnnotationFormat::Media::kNotLookedFor || names.empty()) return;
  const bool needed = format.media == AnnotationFormat::Media::kNeeded;
  if (AsksForFiles(options) || (!needed && names.size() == 1)) return;
  MediaFinder finder(PlaceOf(operand.path, true, options), options, MediaFinder::Nearby::kNo);
  const std::vector<bool> found = WithMedia(names, peeks, finder);
  const bool any = std::find(found.begin(), found.end(), true) != found.end();
  if (!any && (!needed || !options.from.empty())) return;
  size_t kept = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!found[i]) continue;
    names[kept] = names[i];
    peeks[kept++] = peeks[i];
  }
  names.resize(kept);
  peeks.resize(kept);
}

Reading ReadingOf(const AnnotationFormat& format, const Overview& operand,
                  const std::vector<std::string>& names, const std::vector<AnnotationPeek>& peeks) {
  Reading reading;
  reading.from = format.from;
  reading.files = names;
  reading.view = operand.is_directory ? ViewKind::kAll : ViewKind::kPairs;
  reading.is_table = !operand.is_directory;
  reading.why = operand.is_directory ? fmt::format("{} in {}", format.title, fmt::join(names, ", "))
                                     : format.title;
  for (size_t i = 0; i < names.size(); ++i) {
    reading.pairs += peeks[i].pairs;
    reading.estimated = reading.estimated || peeks[i].estimated;
    const std::string path = operand.is_directory ? JoinPath(operand.path, names[i]) : names[i];
    if (reading.problem.empty()) reading.problem = ProblemOf(format, path, peeks[i]);
    reading.broken = reading.broken || (!peeks[i].fits && !peeks[i].fault.empty());
  }
  return reading;
}

// A reading for each variant, in the order of their first files.
std::vector<Reading> ReadingsOf(const AnnotationFormat& format, const Overview& operand,
                                const std::vector<std::string>& names,
                                const std::vector<AnnotationPeek>& peeks) {
  std::vector<std::string> variants;
  std::vector<std::vector<std::string>> names_of;
  std::vector<std::vector<AnnotationPeek>> peeks_of;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string variant = format.variant(names[i]);
    const auto at = std::find(variants.begin(), variants.end(), variant) - variants.begin();
    const auto place = static_cast<size_t>(at);
    if (place == variants.size()) {
      variants.push_back(variant);
      names_of.emplace_back();
      peeks_of.emplace_back();
    }
    names_of[place].push_back(names[i]);
    peeks_of[place].push_back(peeks[i]);
  }
  std::vector<Reading> readings;
  for (size_t i = 0; i < variants.size(); ++i) {
    readings.push_back(ReadingOf(format, operand, names_of[i], peeks_of[i]));
    if (variants.size() > 1) {
      readings.back().from += fmt::format(":{}", fmt::join(names_of[i], ","));
    }
  }
  return readings;
}

std::vector<AnnotationUnit> Arrange(const AnnotationFormat& format,
                                    const std::vector<std::string>& names,
                                    const std::string& directory) {
  if (format.arrange != nullptr) return format.arrange(names, directory);
  const std::vector<std::string> splits = SplitNamesOf(names);
  std::vector<AnnotationUnit> units;
  for (size_t i = 0; i < names.size(); ++i) units.push_back({{names[i]}, splits[i]});
  return units;
}

}  // namespace

std::vector<Reading> RecogniseAnnotations(const AnnotationFormat& format, const Overview& operand,
                                          const ConvertOptions& options) {
  std::vector<std::string> names;
  std::vector<AnnotationPeek> peeks;
  const std::vector<std::string> files =
      operand.is_directory ? operand.documents : std::vector<std::string>{operand.path};
  const bool asked = operand.is_directory ? AsksForFiles(options) : !options.from.empty();
  for (const std::string& name : files) {
    if (!IsCandidate(format, name, options) && !(asked && !operand.is_directory)) continue;
    AnnotationPeek peek =
        PeekAt(format, operand.is_directory ? JoinPath(operand.path, name) : name);
    const bool damaged = peek.almost && !peek.fault.empty();
    const bool meant = peek.fits || asked || damaged || (peek.almost && !operand.is_directory);
    if (!meant) continue;
    names.push_back(name);
    peeks.push_back(std::move(peek));
  }
  if (operand.is_directory) DropOthers(format, operand, options, names, peeks);
  if (names.empty()) return {};
  if (format.variant == nullptr || AsksForFiles(options)) {
    return {ReadingOf(format, operand, names, peeks)};
  }
  return ReadingsOf(format, operand, names, peeks);
}

std::unique_ptr<Source> OpenAnnotations(const AnnotationFormat& format, const std::string& operand,
                                        const Reading& reading, const ConvertOptions& options) {
  const bool directory = std::filesystem::is_directory(operand);
  MediaPlace place = directory ? PlaceOf(operand, true, options)
                               : PlaceNear(operand, PeekAt(format, operand).media, options);
  return std::make_unique<AnnotationSource>(
      format, operand, directory, Arrange(format, reading.files, directory ? operand : ""),
      std::move(place), options);
}

}  // namespace ulhff
