// Pairs as plain files, numbered in the order of the source.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

#include "converter/media_types.h"
#include "converter/output.h"
#include "converter/pair_layout.h"
#include "ulhff/numbered_view.h"

namespace ulhff {

namespace {

constexpr uint64_t kFanOut = 10000;

class FilesLayout final : public PairLayout {
 public:
  explicit FilesLayout(const LayoutContext& context)
      : context_(context),
        suffixes_(context.reader.info(), TreeOptions{}),
        directory_(context.root),
        originals_(context.root) {
    if (context.options.hard_links) first_numbers_.resize(context.reader.info().objects);
  }

  void Add(PairWalk& pair) override {
    // Whatever may be damaged is read before anything has a name.
    const auto texts = pair.ReadTexts();
    const std::string key = KeyOf(pair.number());
    const TargetDirectory& directory = directory_.At(DirectoryOf(pair.split(), pair.number()));
    AddMedia(pair, directory, key);
    const Reader& reader = context_.reader;
    for (uint64_t field = 0; field < texts.size(); ++field) {
      if (!texts[field]) continue;
      WriteTarget(context_, directory, key + suffixes_.text(field), *texts[field],
                  reader.TextTime(pair.pair() * texts.size() + field));
    }
    const bool any =
        std::any_of(texts.begin(), texts.end(), [](const auto& text) { return text.has_value(); });
    if (any && !texts[0]) ++first_text_absent_;
  }

  std::optional<uint64_t> NumberOf(std::string_view path) const override {
    const std::string_view stem = path.substr(0, path.find('.'));
    if (path.find('/', stem.size()) != std::string_view::npos) return std::nullopt;
    const auto number = ParseNumber(BaseName(stem));
    const bool own = number && stem == ShardOf(*number) + "/" + KeyOf(*number);
    return own ? number : std::nullopt;
  }

  void Finish() override {
    if (first_text_absent_ == 0) return;
    fmt::print(stderr,
               "ulhff export: {} no text but further fields, whose first would be the text if this "
               "were converted again; --as tdp and webdataset keep them apart\n",
               Counted(first_text_absent_, "pair has", "pairs have"));
  }

  std::string ConvertOptions() const override {
    std::string options = context_.reader.info().splits.size() > 1 ? "--split-dirs" : "";
    if (const std::string extensions = TextExtensions(); !extensions.empty()) {
      options += fmt::format("{}--text-ext {}", options.empty() ? "" : " ", extensions);
    }
    return options;
  }

 private:
  // As --text-ext needs them, in the order of the fields; "" where they are known and in order.
  std::string TextExtensions() const {
    const MediaTypes types{ulhff::ConvertOptions()};
    const std::vector<std::string>& known = types.text_extensions();
    std::vector<std::string> wanted;
    auto next = known.begin();
    bool in_order = true;
    for (const std::string& suffix : suffixes_.texts()) {
      wanted.push_back(suffix.substr(1));
      next = in_order ? std::find(next, known.end(), wanted.back()) : next;
      in_order = next != known.end();
    }
    return in_order ? "" : fmt::format("{}", fmt::join(wanted, ","));
  }

  static std::string ShardOf(uint64_t number) { return fmt::format("{:05}", number / kFanOut); }
  static std::string KeyOf(uint64_t number) { return fmt::format("{:09}", number); }

  // As the pairs view: only two and more splits have directories.
  std::string DirectoryOf(std::optional<uint64_t> split, uint64_t number) const {
    const std::vector<std::string>& splits = context_.reader.info().splits;
    return (split && splits.size() > 1 ? splits[*split] + "/" : "") + ShardOf(number);
  }

  std::string NameOf(const std::string& key, uint64_t object) const {
    NameBuffer name;
    name.Append(key);
    suffixes_.AppendMedia(name, context_.reader.Extension(object));
    return std::string(name.view());
  }

  void AddMedia(const PairWalk& pair, const TargetDirectory& directory, const std::string& key) {
    const uint64_t object = pair.object();
    const std::string name = NameOf(key, object);
    CheckFree(context_, directory, name);
    if (context_.options.hard_links && first_numbers_[object] != 0 &&
        Link(pair, directory, name, first_numbers_[object] - 1))
      return;
    TargetFile file(directory);
    ReadWholeMedia(context_.reader, object, buffer_, [&](ByteSpan bytes) { file.Write(bytes); });
    file.SetTime(context_.reader.ObjectTime(object));
    file.Publish(name, context_.options.force);
    ++context_.totals.files;
    context_.totals.bytes += pair.layout().media_size;
    if (!context_.options.hard_links) return;
    first_numbers_[object] = pair.number() + 1;
    first_splits_.resize(context_.reader.info().splits.size() > 1 ? first_numbers_.size() : 0);
    if (!first_splits_.empty()) first_splits_[object] = static_cast<uint8_t>(*pair.split());
  }

  // False if the file system allows no further link to this file.
  bool Link(const PairWalk& pair, const TargetDirectory& directory, const std::string& name,
            uint64_t first) {
    const uint64_t object = pair.object();
    std::optional<uint64_t> split;
    if (!first_splits_.empty()) split = first_splits_[object];
    try {
      TargetFile(directory, originals_.At(DirectoryOf(split, first)), NameOf(KeyOf(first), object))
          .Publish(name, context_.options.force);
      ++context_.totals.links;
      return true;
    } catch (const std::system_error& e) {
      if (e.code().value() != EMLINK) throw;
      return false;
    }
  }

  const LayoutContext context_;
  const Suffixes suffixes_;
  OpenDirectory directory_;
  OpenDirectory originals_;
  std::vector<uint64_t> first_numbers_;  // of objects: of the pair whose media was written, plus 1
  std::vector<uint8_t> first_splits_;
  static_assert(kMaxSplits <= 256);
  std::vector<std::byte> buffer_;
  uint64_t first_text_absent_ = 0;
};

}  // namespace

std::unique_ptr<PairLayout> MakeFilesLayout(const LayoutContext& context) {
  return std::make_unique<FilesLayout>(context);
}

}  // namespace ulhff
