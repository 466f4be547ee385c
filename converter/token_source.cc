// Flickr token files: a line NAME#N<TAB>CAPTION for each caption.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "converter/input_error.h"
#include "converter/media_finder.h"
#include "converter/overview.h"
#include "converter/source_kinds.h"
#include "converter/text_file.h"
#include "converter/tree_rest.h"
#include "ulhff/bytes.h"
#include "ulhff/checksum.h"

namespace ulhff {
namespace {

constexpr uint64_t kMaxLineBytes = uint64_t{64} << 20;
constexpr size_t kChunkBytes = size_t{64} << 10;
constexpr size_t kPeekLines = 100;
// Token files are small (Flickr30k: 14 MB); larger ones are not compared with each other.
constexpr uintmax_t kMaxComparedBytes = uintmax_t{256} << 20;

struct TokenLine {
  std::string_view media;
  std::string_view key;  // media#n
  std::string_view caption;
};

// The number after the last '#' before the first TAB; more TABs belong to the caption.
std::optional<TokenLine> Parse(std::string_view line) {
  const size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return std::nullopt;
  const std::string_view key = line.substr(0, tab);
  const size_t hash = key.rfind('#');
  if (hash == std::string_view::npos || hash == 0 || hash + 1 == key.size() ||
      key.find_first_not_of("0123456789", hash + 1) != std::string_view::npos) {
    return std::nullopt;
  }
  return TokenLine{key.substr(0, hash), key, line.substr(tab + 1)};
}

// The media that the first lines name; empty: it is no token file, which most of its lines show. A
// bad one among them is told when all are read.
std::vector<std::string> PeekNames(const std::string& path) {
  std::vector<std::string> names;
  size_t others = 0;
  LineReader lines(path, kMaxLineBytes, kChunkBytes);
  for (size_t i = 0; i < kPeekLines; ++i) {
    const TextLine* line = lines.Next();
    if (line == nullptr) break;
    if (line->bytes.empty()) continue;
    if (const auto token = Parse(line->bytes)) {
      names.emplace_back(token->media);
    } else {
      ++others;
    }
  }
  if (names.size() <= others) names.clear();
  return names;
}

class TokenSource : public Source {
 public:
  TokenSource(std::string operand, bool is_directory, std::vector<std::string> files,
              MediaPlace place, const ConvertOptions& options)
      : operand_(std::move(operand)),
        is_directory_(is_directory),
        files_(std::move(files)),
        options_(options),
        finder_(std::move(place), options, MediaFinder::Nearby::kNo) {}

  void Scan(SourceSink& sink) override {
    sink.DeclareFields({{"", "txt"}});
    for (const std::string& file : files_) ScanFile(file, sink);
    if (is_directory_) EmitRest(operand_, finder_.place(), options_, sink);
  }

 private:
  void ScanFile(const std::string& name, SourceSink& sink) {
    LineReader lines(is_directory_ ? JoinPath(operand_, name) : operand_, kMaxLineBytes,
                     kChunkBytes);
    const std::string base(is_directory_ ? ParentPath(name) : std::string_view());
    uint64_t pairs = 0;
    while (const TextLine* line = lines.Next()) {
      if (line->bytes.empty()) continue;
      const Origin origin{name, line->number, line->offset};
      const auto token = Parse(line->bytes);
      if (!token) {
        Refuse(lines.file(), *line, origin, sink);
        continue;
      }
      const auto media = finder_.Emit(token->media, base, origin, sink);
      if (!media) continue;
      const Text text = InlineText{token->caption};
      if (sink.Pair(*media, {&text, 1}, 0, origin)) ++pairs;
    }
    sink.Rule(fmt::format("lines of {}", is_directory_ ? name : std::string(BaseName(name))),
              pairs);
  }

  void Refuse(const TextFile& file, const TextLine& line, const Origin& origin,
              SourceSink& sink) const {
    const InputError error(
        file.path(), line.number, line.offset,
        fmt::format("not of the form NAME#N<TAB>CAPTION: '{}'", line.bytes.substr(0, 60)));
    if (!options_.lenient) throw InputError(error);
    sink.Note(Odd::kTruncated, error.fault(), origin);
  }

  const std::string operand_;
  const bool is_directory_;
  const std::vector<std::string> files_;
  const ConvertOptions options_;
  MediaFinder finder_;
};

// What a token file says captions of, as sorted hashes.
std::vector<uint64_t> KeysOf(const std::string& path) {
  std::vector<uint64_t> keys;
  LineReader lines(path, kMaxLineBytes, kChunkBytes);
  while (const TextLine* line = lines.Next()) {
    if (const auto token = Parse(line->bytes)) keys.push_back(Checksum64(AsBytes(token->key)));
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

// Flickr8k.token and Flickr8k.lemma.token hold the same captions in two forms: nine tenths of the
// larger file's keys are in the other.
bool SayTheSame(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  std::vector<uint64_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size() * 10 > std::max(a.size(), b.size()) * 9;
}

Reading ReadingOf(std::vector<std::string> files, uint64_t pairs, bool directory) {
  Reading reading;
  reading.from = "token";
  reading.why = fmt::format("lines NAME#N<TAB>CAPTION in {}", fmt::join(files, ", "));
  reading.pairs = pairs;
  reading.files = std::move(files);
  reading.view = directory ? ViewKind::kAll : ViewKind::kPairs;
  reading.is_table = !directory;
  return reading;
}

std::vector<std::string> FindTokenFiles(const Overview& operand, const ConvertOptions& options) {
  std::vector<std::string> files;
  for (const std::string& name : operand.documents) {
    const std::string extension = LowerAscii(SplitName(BaseName(name)).extension);
    const bool asked = AsksForFile(options, name);
    if (AsksForFiles(options) ? !asked : extension != "token" && extension != "txt") continue;
    try {
      if (!PeekNames(JoinPath(operand.path, name)).empty()) files.push_back(name);
    } catch (const InputError&) {
      if (asked) throw;
    }
  }
  return files;
}

std::vector<Reading> RecogniseDirectory(const Overview& operand, const ConvertOptions& options) {
  const std::vector<std::string> files = FindTokenFiles(operand, options);
  if (files.empty()) return {};
  std::vector<std::vector<uint64_t>> keys;
  uint64_t pairs = 0;
  bool alternatives = false;
  for (const std::string& name : files) {
    const std::string path = JoinPath(operand.path, name);
    const bool small = std::filesystem::file_size(path) <= kMaxComparedBytes;
    keys.push_back(small ? KeysOf(path) : std::vector<uint64_t>());
    pairs += small ? keys.back().size() : kPeekLines;
    for (size_t i = 0; i + 1 < keys.size(); ++i) {
      alternatives = alternatives || SayTheSame(keys[i], keys.back());
    }
  }
  if (!alternatives || AsksForFiles(options)) return {ReadingOf(files, pairs, true)};
  std::vector<Reading> readings;
  for (size_t i = 0; i < files.size(); ++i) {
    readings.push_back(ReadingOf({files[i]}, keys[i].size(), true));
    readings.back().from += ":" + files[i];
  }
  return readings;
}

std::vector<Reading> RecogniseToken(const Overview& operand, const ConvertOptions& options) {
  if (operand.is_directory) return RecogniseDirectory(operand, options);
  const std::string extension = LowerAscii(SplitName(BaseName(operand.path)).extension);
  if (options.from.empty() && extension != "token" && extension != "txt") return {};
  const std::vector<std::string> names = PeekNames(operand.path);
  if (names.empty() && options.from.empty()) return {};
  Reading reading = ReadingOf({operand.path}, names.size(), false);
  if (names.empty()) {
    reading.problem =
        fmt::format("{}: its first lines are not of the form NAME#N<TAB>CAPTION", operand.path);
  }
  return {reading};
}

std::unique_ptr<Source> OpenToken(const std::string& operand, const Reading& reading,
                                  const ConvertOptions& options) {
  const bool directory = std::filesystem::is_directory(operand);
  MediaPlace place =
      directory ? PlaceOf(operand, true, options) : PlaceNear(operand, PeekNames(operand), options);
  return std::make_unique<TokenSource>(operand, directory, reading.files, std::move(place),
                                       options);
}

}  // namespace

SourceKind TokenKind() {
  return {"token", "Flickr token files: lines NAME#N<TAB>CAPTION", RecogniseToken, OpenToken};
}

}  // namespace ulhff
