// A sink that writes down what a source says, one line a call, so that a test can compare it all.
#ifndef ULHFF_TESTS_RECORDING_SINK_H_
#define ULHFF_TESTS_RECORDING_SINK_H_

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "converter/odd.h"
#include "converter/source.h"

namespace ulhff {

// pair a.jpg | whole "text" | second field      absent texts are "-"; a text from a file is
//                                               name="text"; its split, if not 0, is "@1";
//                                               a media without a name is [its bytes]
// extra LICENSE
// dir sub
// note unpaired-media a.jpg
// fields :txt json:json                         split 0 train
class RecordingSink : public SourceSink {
 public:
  void DeclareFields(std::vector<std::pair<std::string, std::string>> fields) override {
    std::string line = "fields";
    for (const auto& [name, extension] : fields) line += " " + name + ":" + extension;
    Add(line);
  }
  uint64_t Split(std::string_view name) override {
    const auto at = std::find(splits.begin(), splits.end(), name);
    if (at == splits.end()) {
      Add(fmt::format("split {} {}", splits.size(), name));
      splits.emplace_back(name);
      return splits.size() - 1;
    }
    return static_cast<uint64_t>(at - splits.begin());
  }
  std::optional<MediaId> Media(std::string_view name, const Locator& bytes,
                               const Origin& origin) override {
    struct stat st;
    if (stat(bytes.path.c_str(), &st) != 0 || !S_ISREG(st.st_mode)) {
      Note(Odd::kMissingMedia, name, origin);
      return std::nullopt;
    }
    if (name.empty()) {
      names_.push_back("[" + Read(bytes) + "]");
      return names_.size() - 1;
    }
    const auto [at, added] = ids_.emplace(name, names_.size());
    if (added) names_.emplace_back(name);
    if (added) paths[std::string(name)] = bytes.path;
    if (added) places[std::string(name)] = bytes;
    return at->second;
  }
  bool KnowsMedia(std::string_view name) const override { return ids_.count(std::string(name)); }
  bool Pair(MediaId media, std::span<const Text> texts, uint64_t split, const Origin& at) override {
    std::string line = "pair " + names_.at(media);
    if (split > 0) line += fmt::format(" @{}", split);
    for (const Text& text : texts) line += " | " + Spell(text);
    pair_splits.push_back(split);
    origins.push_back(fmt::format("{}:{}", at.file, at.line));
    Add(line);
    ++pairs;
    return true;
  }
  void Extra(std::string_view name, const Locator& bytes, const Origin&) override {
    paths[std::string(name)] = bytes.path;
    places[std::string(name)] = bytes;
    Add(fmt::format("extra {}", name));
  }
  void Facts(const UlhffFacts&) override {}
  std::vector<size_t> UniteFields(
      const std::vector<std::pair<std::string, std::string>>& fields) override {
    DeclareFields(fields);
    std::vector<size_t> numbers;
    for (size_t i = 0; i < fields.size(); ++i) numbers.push_back(i);
    return numbers;
  }
  void AlsoNamed(MediaId media, std::string_view name, const Origin&) override {
    Add(fmt::format("name {} {}", names_.at(media), name));
  }
  void PairAt(uint64_t, MediaId media, std::span<const Text> texts, uint64_t split,
              const Origin& origin) override {
    Pair(media, texts, split, origin);
  }
  void Directory(std::string_view name, int64_t) override { Add(fmt::format("dir {}", name)); }
  void Hold(std::shared_ptr<const void> needed) override { held.push_back(std::move(needed)); }
  void Note(Odd kind, std::string_view what, const Origin& origin) override {
    Add(fmt::format("note {} {}", Name(kind), what));
    note_origins.push_back(fmt::format("{}:{}", origin.file, origin.line));
    note_offsets.push_back(origin.offset.value_or(0));
  }
  void Rule(std::string_view rule, uint64_t count) override {
    rules.push_back(fmt::format("{}: {}", rule, count));
  }

  static std::string Read(const Locator& where) {
    std::ifstream in(where.path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    return all.substr(where.offset, where.size.value_or(all.size()));
  }

  // The lines that begin with `word`.
  std::vector<std::string> Only(std::string_view word) const {
    std::vector<std::string> result;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(result),
                 [&](const std::string& line) { return line.starts_with(word); });
    return result;
  }

  std::vector<std::string> lines;
  std::vector<std::string> rules, origins, note_origins, splits;
  std::vector<uint64_t> pair_splits, note_offsets;
  std::vector<std::shared_ptr<const void>> held;
  std::map<std::string, std::string> paths;  // of media and extras, by name
  std::map<std::string, Locator> places;     // the same
  uint64_t pairs = 0;

 private:
  void Add(std::string line) { lines.push_back(std::move(line)); }

  static std::string Spell(const Text& text) {
    if (std::holds_alternative<Absent>(text)) return "-";
    if (const auto* in = std::get_if<InlineText>(&text)) return fmt::format("\"{}\"", in->bytes);
    const FileText& file = std::get<FileText>(text);
    return fmt::format("{}=\"{}\"", file.name, Read(file.bytes));
  }

  // As the report does, with dashes.
  static std::string Name(Odd kind) {
    std::string name(Describe(kind).key);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
  }

  std::map<std::string, MediaId> ids_;
  std::vector<std::string> names_;
};

// Scans a source that recognition chose.
inline RecordingSink ScanChosen(const std::string& operand, const ConvertOptions& options = {}) {
  const Choice choice = Recognise(operand, options);
  RecordingSink sink;
  choice.kind->open(operand, choice.reading, options)->Scan(sink);
  return sink;
}

}  // namespace ulhff

#endif  // ULHFF_TESTS_RECORDING_SINK_H_
