// The table of names is a pickle of nested OrderedDicts; its records are files as they were.
#include "converter/packed_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "converter/ffrecord_file.h"
#include "converter/media_types.h"
#include "converter/pickle.h"
#include "converter/shards.h"
#include "converter/spooled_file.h"
#include "converter/stem_index.h"
#include "converter/unpaired_media.h"
#include "converter/walk.h"

namespace ulhff {
namespace {

constexpr size_t kMaxDepth = 256;  // of directories

struct PackedDirectory {
  std::string path;
  NameList files = {};
  NameList hidden = {};
  std::map<std::string, uint64_t, std::less<>> records = {};  // by name
};

// Unfolds the table, which a pickle may also make a circle or a tree that doubles with each level.
class NameTable {
 public:
  NameTable(FfrecordFile& file, const Damage& damage, const ConvertOptions& options)
      : damage_(damage), table_(file.At(file.count() - 1)), spool_(options) {
    PickleReader pickle(file.data(), spool_, [&](uint64_t offset, const std::string& what) {
      damage_.Refuse(offset, "table of names: " + what);
    });
    const uint64_t magic = FfrecordFile::kPackedFolder.size();
    left_ = file.count() - 1;
    used_.resize(left_);
    Unfold("", pickle.Read(table_.offset + magic, table_.size - magic), 0);
    if (left_ > 0)
      Refuse(fmt::format("{} no name",
                         left_ == 1 ? "a record has" : fmt::format("{} records have", left_)));
  }

  std::vector<PackedDirectory>& directories() { return directories_; }

 private:
  [[noreturn]] void Refuse(const std::string& what) const {
    damage_.Refuse(table_.offset, "table of names: " + what);
  }

  void Unfold(const std::string& path, const PickleValue& dict, size_t depth) {
    if (dict.type != PickleValue::Type::kDict) Refuse("neither number nor dict for " + path);
    if (depth > kMaxDepth) Refuse(fmt::format("more than {} directories deep", kMaxDepth));
    if (directories_.size() > used_.size() + kMaxDepth) Refuse("more directories than files");
    const size_t own = directories_.size();
    directories_.push_back({path});
    for (size_t i = 0; i < dict.items.size(); i += 2) {
      const PickleValue& name = *dict.items[i];
      const PickleValue& value = *dict.items[i + 1];
      if (name.type != PickleValue::Type::kText) Refuse("a name that is no text in " + path);
      if (value.type != PickleValue::Type::kNumber) {
        Unfold(JoinPath(path, name.text), value, depth + 1);
      } else {
        AddFile(directories_[own], name.text, value.text);
      }
    }
    directories_[own].files.Sort();
    directories_[own].hidden.Sort();
  }

  void AddFile(PackedDirectory& directory, const std::string& name, const std::string& number) {
    if (name.size() > NameList::kMaxName) Refuse(fmt::format("a name of {} bytes", name.size()));
    uint64_t record = 0;
    const char* end = number.data() + number.size();
    const bool good = std::from_chars(number.data(), end, record).ptr == end &&
                      record < used_.size() && !used_[record];
    if (!good || !directory.records.emplace(name, record).second) {
      Refuse(fmt::format("{} is said to be record {} of {}, used twice or not there",
                         JoinPath(directory.path, name), number, used_.size()));
    }
    used_[record] = true;
    --left_;
    const bool is_hidden = IsHiddenPath(JoinPath(directory.path, name));
    (is_hidden ? directory.hidden : directory.files).Add(name);
  }

  const Damage& damage_;
  const FfrecordFile::Slot table_;
  SpooledFile spool_;
  std::vector<bool> used_;  // by record
  uint64_t left_ = 0;
  std::vector<PackedDirectory> directories_;
};

class PackedFolderSource : public Source {
 public:
  PackedFolderSource(const std::string& path, const ConvertOptions& options)
      : shard_(MakeShard(std::string(BaseName(path)), path)), options_(options), types_(options) {}

  void Scan(SourceSink& sink) override {
    Damage::Note note;
    if (options_.lenient) {
      note = [&](const std::string& what, uint64_t offset) {
        sink.Note(Odd::kTruncated, what, {shard_.name, 0, offset});
      };
    }
    const Damage damage(shard_, note);
    FfrecordFile file(damage);
    if (file.count() == 0) return;
    NameTable table(file, damage, options_);
    Declare(table, sink);
    sink_ = &sink;
    file_ = &file;
    damage_ = &damage;
    for (const PackedDirectory& directory : table.directories()) EmitDirectory(directory);
    sink.Rule("same stem", pairs_);
  }

 private:
  void Declare(NameTable& table, SourceSink& sink) {
    for (const PackedDirectory& directory : table.directories()) {
      const StemIndex index(directory.files, types_);
      for (const uint32_t media : index.media()) {
        has_texts_ = has_texts_ || !TextsOf(index, media).empty();
      }
    }
    if (has_texts_) return sink.DeclareFields({{"", "txt"}});
    sink.DeclareFields({});
    sink.Note(Odd::kNoText, "no text has the name of a media", {shard_.name});
  }

  // One of each pair: the preferred extension, or all that are numbered.
  static std::vector<uint32_t> TextsOf(const StemIndex& index, uint32_t media) {
    std::vector<uint32_t> texts;
    for (const auto& text : index.Exact(index.stem(media))) {
      if (texts.empty()) texts.push_back(text.file);
    }
    for (const auto& text : index.Numbered(index.stem(media))) texts.push_back(text.file);
    return texts;
  }

  void EmitDirectory(const PackedDirectory& directory) {
    const StemIndex index(directory.files, types_);
    std::vector<bool> is_media(directory.files.size());
    std::vector<bool> lost(directory.files.size());  // texts of media that are left out
    std::vector<uint32_t> pairs(directory.files.size());
    for (const uint32_t media : index.media()) {
      is_media[media] = true;
      const std::vector<uint32_t> texts = TextsOf(index, media);
      const bool emitted = EmitMedia(directory, media, texts);
      for (const uint32_t text : texts) {
        if (emitted) ++pairs[text];
        lost[text] = !emitted;
      }
    }
    for (uint32_t file = 0; file < is_media.size(); ++file) {
      const std::string_view name = directory.files[file];
      const bool alone = lost[file] || !index.HasMedia(index.stem(file));
      if (pairs[file] > 1) Note(Odd::kSharedText, directory, name);
      if (is_media[file] || pairs[file] > 0) continue;
      if (!types_.TextRank(name) || !alone || KeepsText(directory, name)) Extra(directory, name);
    }
    for (size_t i = 0; i < directory.hidden.size(); ++i) {
      Note(Odd::kHiddenFile, directory, directory.hidden[i]);
      if (!options_.drop_hidden) Extra(directory, directory.hidden[i]);
    }
  }

  // False: it is left out, and that is told.
  bool EmitMedia(const PackedDirectory& directory, uint32_t media,
                 const std::vector<uint32_t>& texts) {
    const auto bytes = Find(directory, directory.files[media]);
    if (!bytes) return false;
    const std::string name = JoinPath(directory.path, directory.files[media]);
    const Origin origin{shard_.name, 0, bytes->offset};
    if (texts.empty() && !KeepsUnpaired(name, origin, has_texts_, options_, *sink_)) return false;
    const std::optional<MediaId> id = sink_->Media(name, *bytes, origin);
    if (!id) return false;
    for (const uint32_t text : texts) {
      const auto place = Find(directory, directory.files[text]);
      const std::string text_name = JoinPath(directory.path, directory.files[text]);
      const Text field = place ? Text(FileText{text_name, *place}) : Text(Absent{});
      if (sink_->Pair(*id, {&field, 1}, 0, origin)) ++pairs_;
    }
    const Text absent = Absent{};
    if (texts.empty()) sink_->Pair(*id, {&absent, has_texts_ ? 1U : 0U}, 0, origin);
    return true;
  }

  void Note(Odd kind, const PackedDirectory& directory, std::string_view file) {
    const uint64_t record = directory.records.find(file)->second;
    sink_->Note(kind, JoinPath(directory.path, file), {shard_.name, 0, file_->At(record).offset});
  }

  bool KeepsText(const PackedDirectory& directory, std::string_view file) {
    Note(Odd::kUnpairedText, directory, file);
    return options_.unpaired_text != OnUnpairedText::kSkip;
  }

  void Extra(const PackedDirectory& directory, std::string_view file) {
    if (!options_.extras) return Note(Odd::kDroppedExtra, directory, file);
    const auto bytes = Find(directory, file);
    if (!bytes) return;
    sink_->Extra(JoinPath(directory.path, file), *bytes, {shard_.name, 0, bytes->offset});
  }

  // nullopt: damaged, and told.
  std::optional<Locator> Find(const PackedDirectory& directory, std::string_view name) {
    const uint64_t record = directory.records.find(name)->second;
    const FfrecordFile::Slot slot = file_->At(record);
    if (file_->IsIntact(slot)) return Locator{shard_.path, slot.offset, slot.size};
    damage_->Tell(slot.offset, fmt::format("record {}, {}, has another CRC-32 than the index says",
                                           record, JoinPath(directory.path, name)));
    return std::nullopt;
  }

  const Shard shard_;
  const ConvertOptions options_;
  const MediaTypes types_;
  bool has_texts_ = false;
  uint64_t pairs_ = 0;
  // During Scan.
  SourceSink* sink_ = nullptr;
  FfrecordFile* file_ = nullptr;
  const Damage* damage_ = nullptr;
};

}  // namespace

bool IsPackedFolder(const std::string& path) {
  FileWindow file(path, 4096);
  const std::optional<uint64_t> count = LooksLikeFfrecord(file);
  if (count.value_or(0) == 0) return false;
  const std::string_view magic = FfrecordFile::kPackedFolder;
  const uint64_t last = file.Load<Le<uint64_t>>(12 + 4 * *count + 8 * (*count - 1));
  return last <= file.size() && file.size() - last > magic.size() &&
         AsText(file.Read(last, magic.size())) == magic;
}

std::unique_ptr<Source> MakePackedFolderSource(const std::string& path,
                                               const ConvertOptions& options) {
  return std::make_unique<PackedFolderSource>(path, options);
}

}  // namespace ulhff
