// Plain files: media and texts that belong together by their names.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "converter/files_pairing.h"
#include "converter/input_error.h"
#include "converter/overview.h"
#include "converter/source_kinds.h"
#include "converter/split_names.h"
#include "converter/text_file.h"
#include "converter/unpaired_media.h"
#include "ulhff/file.h"

namespace ulhff {
namespace {

constexpr uint64_t kMaxLineBytes = uint64_t{64} << 20;
constexpr size_t kChunkBytes = size_t{64} << 10;

// Flickr30k Entities: Sentences/ID.txt holds five captions with marked phrases, a line each.
bool HasEntitiesMarkup(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return false;
  std::array<char, 4096> head;
  const size_t size = PreadFull(fd.get(), std::as_writable_bytes(std::span(head)), 0, path);
  return std::string_view(head.data(), size).find("[/EN#") != std::string_view::npos;
}

class FilesSource : public Source {
 public:
  FilesSource(const std::string& root, const ConvertOptions& options)
      : options_(options),
        walker_(root, options),
        types_(options),
        context_{walker_, types_, options_.pair_dirs, options_.empty == OnEmpty::kSkip} {}

  void Scan(SourceSink& sink) override {
    DeclareFields(sink);
    walker_.Walk(
        [&](DirectoryListing listing) {
          SeePairDirs(BaseName(listing.path));
          if (!listing.path.empty()) sink.Directory(listing.path, listing.mtime_ns);
          const MediaDirectory directory(std::move(listing), context_);
          for (const uint32_t media : directory.index().media()) {
            EmitMedia(directory, media, sink);
          }
          EmitOthers(directory, sink);
        },
        [&](Odd kind, std::string_view path) { sink.Note(kind, path, {path}); });
    CheckPairDirs();
    for (size_t rule = 0; rule < kFilesRuleNames.size(); ++rule) {
      if (pairs_by_rule_[rule] > 0) sink.Rule(kFilesRuleNames[rule], pairs_by_rule_[rule]);
    }
  }

 private:
  // Texts of one pair with several extensions are its fields: the first in the order of
  // --text-ext is the text itself, whatever its extension; each other one is a field of that name
  // ("q.txt": q, with the extension txt).
  void DeclareFields(SourceSink& sink);
  void EmitMedia(const MediaDirectory& directory, uint32_t file, SourceSink& sink);
  uint64_t EmitGroup(MediaId media, const std::string& name, const TextGroup& group,
                     SourceSink& sink);
  uint64_t EmitLines(MediaId media, const std::string& path, uint64_t split,
                     std::vector<Text>& texts, uint64_t& taken, SourceSink& sink);
  void EmitOthers(const MediaDirectory& directory, SourceSink& sink);
  void EmitText(const std::string& name, size_t media_count, SourceSink& sink);
  void EmitExtra(const std::string& name, SourceSink& sink) {
    if (options_.extras) return sink.Extra(name, At(name), {name});
    sink.Note(Odd::kDroppedExtra, name, {name});
  }
  void SeePairDirs(std::string_view name);
  void CheckPairDirs() const;
  bool HoldsLines(const std::string& text) const;
  uint64_t SplitOf(std::string_view name, SourceSink& sink) const {
    return options_.split_dirs ? sink.Split(SplitDirectory(name)) : 0;
  }
  Locator At(std::string_view name) const { return {walker_.FullPath(name), 0, std::nullopt}; }

  const ConvertOptions options_;
  const Walker walker_;
  const MediaTypes types_;
  const FilesContext context_;
  std::set<size_t> seen_pair_dirs_;  // one of the two at least is there
  bool has_texts_ = false;
  std::map<size_t, size_t> field_of_rank_;  // fields after the first
  std::array<uint64_t, kFilesRuleNames.size()> pairs_by_rule_{};
};

void FilesSource::DeclareFields(SourceSink& sink) {
  std::vector<uint64_t> first(types_.text_extensions().size());
  std::vector<uint64_t> further(first.size());
  walker_.Walk(
      [&](DirectoryListing listing) {
        const MediaDirectory directory(std::move(listing), context_);
        for (const uint32_t media : directory.index().media()) {
          for (const TextGroup& group : directory.TextsOf(directory.index().stem(media))) {
            for (const TextGroup::File& file : group.files) {
              ++(&file == &group.files.front() ? first : further)[file.rank];
            }
          }
        }
      },
      {});
  // One that is a field elsewhere would be there twice; the first in use never is.
  size_t commonest = 0;
  for (size_t rank = 0; rank < first.size(); ++rank) {
    if (further[rank] == 0 && first[rank] > first[commonest]) commonest = rank;
  }
  has_texts_ = first[commonest] > 0;
  if (!has_texts_) {
    sink.DeclareFields({});
    sink.Note(
        Odd::kNoText,
        fmt::format("looked for .{} beside the media", fmt::join(types_.text_extensions(), " .")),
        {walker_.root()});
    return;
  }
  std::vector<std::pair<std::string, std::string>> fields{
      {"", types_.text_extensions()[commonest]}};
  for (size_t rank = 0; rank < further.size(); ++rank) {
    if (further[rank] == 0) continue;
    field_of_rank_[rank] = fields.size();
    const std::string& extension = types_.text_extensions()[rank];
    const NameParts parts = SplitName(extension);
    const bool dotted = !parts.extension.empty();
    fields.emplace_back(dotted ? parts.stem : extension, dotted ? parts.extension : extension);
  }
  sink.DeclareFields(std::move(fields));
}

void FilesSource::EmitMedia(const MediaDirectory& directory, uint32_t file, SourceSink& sink) {
  const std::string name = JoinPath(directory.listing().path, directory.index().name(file));
  const std::vector<TextGroup> groups = directory.TextsOf(directory.index().stem(file));
  if (groups.empty() && !KeepsUnpaired(name, {name}, has_texts_, options_, sink)) return;
  const std::optional<MediaId> media = sink.Media(name, At(name), {name});
  if (!media) return;
  uint64_t pairs = 0;
  for (const TextGroup& group : groups) {
    pairs += EmitGroup(*media, name, group, sink);
  }
  if (pairs > 0) return;
  const bool without_lines = !groups.empty();
  if (without_lines && !KeepsUnpaired(name, {name}, has_texts_, options_, sink)) return;
  const std::vector<Text> nothing(has_texts_ ? 1 + field_of_rank_.size() : 0, Absent{});
  sink.Pair(*media, nothing, SplitOf(name, sink), {name});
}

// Returns the number of pairs, also of those that the sink leaves out: none if the file holds lines
// and has none.
uint64_t FilesSource::EmitGroup(MediaId media, const std::string& name, const TextGroup& group,
                                SourceSink& sink) {
  std::vector<Text> texts(1 + field_of_rank_.size(), Absent{});
  for (size_t i = 1; i < group.files.size(); ++i) {
    const TextGroup::File& file = group.files[i];
    texts[field_of_rank_.at(file.rank)] = FileText{file.path, At(file.path)};
  }
  const std::string& primary = group.files.front().path;
  const uint64_t split = SplitOf(name, sink);
  uint64_t& taken = pairs_by_rule_[static_cast<size_t>(group.rule)];
  if (HoldsLines(primary)) return EmitLines(media, primary, split, texts, taken, sink);
  texts[0] = FileText{primary, At(primary)};
  if (sink.Pair(media, texts, split, {name})) ++taken;
  return 1;
}

uint64_t FilesSource::EmitLines(MediaId media, const std::string& path, uint64_t split,
                                std::vector<Text>& texts, uint64_t& taken, SourceSink& sink) {
  LineReader lines(walker_.FullPath(path), kMaxLineBytes, kChunkBytes);
  uint64_t count = 0;
  while (const TextLine* line = lines.Next()) {
    texts[0] = InlineText{line->bytes};
    if (sink.Pair(media, texts, split, {path, line->number, line->offset})) ++taken;
    ++count;
  }
  return count;
}

void FilesSource::SeePairDirs(std::string_view name) {
  for (size_t i = 0; i < options_.pair_dirs.size(); ++i) {
    const auto& [media, texts] = options_.pair_dirs[i];
    if (name == media || name == texts) seen_pair_dirs_.insert(i);
  }
}

void FilesSource::CheckPairDirs() const {
  for (size_t i = 0; i < options_.pair_dirs.size(); ++i) {
    if (seen_pair_dirs_.count(i) > 0) continue;
    const auto& [media, texts] = options_.pair_dirs[i];
    throw UsageError(fmt::format("--pair-dirs {}:{}: no directory of either name in {}", media,
                                 texts, walker_.root()));
  }
}

bool FilesSource::HoldsLines(const std::string& text) const {
  if (options_.texts == TextsMode::kLines) return true;
  return LowerAscii(BaseName(ParentPath(text))) == "sentences" &&
         HasEntitiesMarkup(walker_.FullPath(text));
}

// Everything of the directory that is no media: texts of no pair, texts whose lines were taken
// (their file stays in the tree), and what is neither.
void FilesSource::EmitOthers(const MediaDirectory& directory, SourceSink& sink) {
  const DirectoryListing& listing = directory.listing();
  const TextDirectory texts(directory, context_);
  for (uint32_t i = 0; i < listing.files.size(); ++i) {
    if (types_.IsMedia(listing.files[i])) continue;
    const std::string name = JoinPath(listing.path, listing.files[i]);
    if (types_.TextRank(listing.files[i])) {
      EmitText(name, texts.MediaOf(i), sink);
    } else {
      EmitExtra(name, sink);
    }
  }
  for (size_t i = 0; i < listing.hidden.size(); ++i) {
    EmitExtra(JoinPath(listing.path, listing.hidden[i]), sink);
  }
}

void FilesSource::EmitText(const std::string& name, size_t media_count, SourceSink& sink) {
  if (media_count > 1) sink.Note(Odd::kSharedText, name, {name});
  if (media_count > 0) {
    if (HoldsLines(name)) EmitExtra(name, sink);
    return;
  }
  sink.Note(Odd::kUnpairedText, name, {name});
  if (options_.unpaired_text != OnUnpairedText::kSkip) EmitExtra(name, sink);
}

// What looks like a table and is not read as one: someone may wonder.
std::string Unread(const Overview& operand) {
  for (const std::string& name : operand.documents) {
    const std::string extension = LowerAscii(SplitName(name).extension);
    if (extension != "csv" && extension != "tsv" && extension != "jsonl") continue;
    return fmt::format(", and {} is just a file beside them (--from table tells more)", name);
  }
  return "";
}

std::vector<Reading> RecogniseFiles(const Overview& operand, const ConvertOptions& options) {
  if (!operand.is_directory) return {};
  Reading reading;
  reading.from = "files";
  reading.estimated = !operand.complete;
  const std::string more = operand.complete ? "" : " or more";
  std::vector<std::string> rules;
  for (size_t rule = 0; rule < kFilesRuleNames.size(); ++rule) {
    if (operand.text_pairs[rule] == 0) continue;
    reading.pairs += operand.text_pairs[rule];
    rules.push_back(
        fmt::format("{}{} by {}", operand.text_pairs[rule], more, kFilesRuleNames[rule]));
  }
  if (reading.pairs > 0) {
    reading.why = fmt::format("media with texts: {}", fmt::join(rules, ", "));
  } else if (operand.media > 0 || !options.from.empty()) {
    reading.why = fmt::format("media only: {}{}, no text beside them{}", operand.media, more,
                              Unread(operand));
  } else {
    return {};
  }
  return {reading};
}

std::unique_ptr<Source> OpenFiles(const std::string& operand, const Reading&,
                                  const ConvertOptions& options) {
  return std::make_unique<FilesSource>(operand, options);
}

}  // namespace

SourceKind FilesKind() {
  return {"files", "media and texts of the same name, or media only", RecogniseFiles, OpenFiles};
}

}  // namespace ulhff
