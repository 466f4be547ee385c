// Pairs as WebDataset's samples: tar shards, filled up to a size or a number of pairs.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "converter/pair_layout.h"
#include "converter/split_names.h"
#include "converter/tar_writer.h"
#include "ulhff/error.h"
#include "ulhff/numbered_view.h"

namespace ulhff {

namespace {

// Media up to this size are read once, into memory; larger ones are checked first, then copied.
constexpr uint64_t kHeldMedia = uint64_t{4} << 20;

class TarLayout final : public PairLayout {
 public:
  explicit TarLayout(const LayoutContext& context)
      : context_(context),
        suffixes_(context.reader.info(), TreeOptions{}),
        ascii_(AreAscii(suffixes_.media()) && AreAscii(suffixes_.texts())) {
    const std::vector<std::string>& splits = context.reader.info().splits;
    if (splits.size() < 2) {
      shards_.push_back(std::make_unique<Shards>(context.root));
    } else {
      for (const std::string& split : splits)
        shards_.push_back(std::make_unique<Shards>(context.root.Open(split, true)));
    }
  }

  // A header says the size of what follows, so everything is known to be whole before the first.
  void Add(PairWalk& pair) override {
    const auto texts = pair.ReadTexts();
    const uint64_t size = pair.layout().media_size;
    const bool held = size <= kHeldMedia;
    media_.clear();
    ReadWholeMedia(context_.reader, pair.object(), buffer_, [&](ByteSpan bytes) {
      if (held) media_.insert(media_.end(), bytes.begin(), bytes.end());
    });
    Shards& shards = *shards_[shards_.size() > 1 ? *pair.split() : 0];
    TarWriter& tar = Room(shards, SizeOf(size, texts));
    const std::string key = fmt::format("{:09}", pair.position());
    tar.Begin(NameOf(key, pair.object()), size, context_.reader.ObjectTime(pair.object()));
    if (held) {
      tar.Write(media_);
    } else {
      Copy(pair.object(), tar);
    }
    for (uint64_t field = 0; field < texts.size(); ++field) {
      if (!texts[field]) continue;
      tar.Begin(fmt::format("{}.{}", key, ColumnOf(field)), texts[field]->size(),
                context_.reader.TextTime(pair.pair() * texts.size() + field));
      tar.Write(std::as_bytes(std::span(*texts[field])));
    }
    ++shards.pairs;
  }

  void Finish() override {
    for (const auto& shards : shards_) Close(*shards);
  }

  std::optional<uint64_t> NumberOf(std::string_view path) const override {
    const auto number = ParseNumber(path.substr(0, path.find('.')));
    return number && path == NameOfShard(*number) ? number : std::nullopt;
  }

  // Unasked, KEY.tags.txt would be a text of its own.
  std::string ConvertOptions() const override {
    const auto& fields = context_.reader.info().fields;
    const std::vector<std::string>& splits = context_.reader.info().splits;
    const bool words = std::all_of(splits.begin(), splits.end(), [](const std::string& split) {
      return SplitWord(split + "/") == split;
    });
    std::string options = splits.size() < 2 || words ? "" : "--split-dirs";
    if (fields.size() < 2) return options;
    options += (options.empty() ? "" : " ") + ("--text-column " + ColumnOf(0));
    for (size_t i = 1; i < fields.size(); ++i) {
      const std::string& name = fields[i].name.empty() ? fields[i].extension : fields[i].name;
      options += fmt::format(" --field {}={}", name, ColumnOf(i));
    }
    return options;
  }

 private:
  // Those of one directory, the last one open.
  struct Shards {
    explicit Shards(const TargetDirectory& root) : directory(root) {}
    explicit Shards(TargetDirectory&& own)
        : opened(std::make_unique<TargetDirectory>(std::move(own))), directory(*opened) {}
    std::unique_ptr<TargetDirectory> opened;
    const TargetDirectory& directory;
    std::optional<TarWriter> tar;
    uint64_t number = 0;  // of the open shard, or the next one
    uint64_t pairs = 0;   // in it
    uint64_t bytes = 0;   // of its samples
  };

  static bool AreAscii(const std::vector<std::string>& names) {
    return std::all_of(names.begin(), names.end(), [](const std::string& name) {
      return std::all_of(name.begin(), name.end(), [](char c) { return c > 0; });
    });
  }

  static std::string NameOfShard(uint64_t number) { return fmt::format("{:05}.tar", number); }

  // A member needs a column: a text without an extension is called KEY.txt, a media KEY.bin.
  std::string ColumnOf(uint64_t field) const {
    const std::string& suffix = suffixes_.text(field);
    return suffix.empty() ? "txt" : suffix.substr(1);
  }
  std::string NameOf(const std::string& key, uint64_t object) const {
    const std::string_view extension = context_.reader.Extension(object);
    return fmt::format("{}.{}", key, extension.empty() ? "bin" : extension);
  }

  static uint64_t SizeOf(uint64_t media, std::span<const std::optional<std::string_view>> texts) {
    uint64_t size = TarWriter::SizeOfMember(media);
    for (const auto& text : texts) size += text ? TarWriter::SizeOfMember(text->size()) : 0;
    return size;
  }

  // A shard that takes a sample of `size`; one sample always fits.
  TarWriter& Room(Shards& shards, uint64_t size) {
    const bool full = shards.pairs >= context_.options.shard_pairs ||
                      shards.bytes + size > context_.options.shard_bytes;
    if (shards.tar && full) Close(shards);
    if (!shards.tar) {
      CheckFree(context_, shards.directory, NameOfShard(shards.number));
      shards.tar.emplace(shards.directory, ascii_);
    }
    shards.bytes += size;
    return *shards.tar;
  }

  void Close(Shards& shards) {
    if (!shards.tar) return;
    shards.tar->Publish(NameOfShard(shards.number), context_.options.force);
    ++context_.totals.files;
    context_.totals.bytes += shards.tar->size();
    shards.tar.reset();
    ++shards.number;
    shards.pairs = shards.bytes = 0;
  }

  // It was whole a moment ago: what fails now cannot be left out any more.
  void Copy(uint64_t object, TarWriter& tar) {
    try {
      ReadWholeMedia(context_.reader, object, buffer_, [&](ByteSpan bytes) { tar.Write(bytes); });
    } catch (const FormatError& e) {
      throw std::runtime_error(fmt::format("the file changed while it was read: {}", e.what()));
    }
  }

  const LayoutContext context_;
  const Suffixes suffixes_;
  const bool ascii_;                             // all names
  std::vector<std::unique_ptr<Shards>> shards_;  // by split, if there are several
  std::vector<std::byte> media_;
  std::vector<std::byte> buffer_;
};

}  // namespace

std::unique_ptr<PairLayout> MakeTarLayout(const LayoutContext& context) {
  return std::make_unique<TarLayout>(context);
}

}  // namespace ulhff
