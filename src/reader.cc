// Opens a file and puts its parts together; checks the numbers that callers pass.
#include "reader.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "checksum.h"
#include "error.h"
#include "reader_body.h"
#include "reader_names.h"
#include "reader_objects.h"
#include "reader_order.h"
#include "reader_sections.h"
#include "reader_superblock.h"

namespace ulhff {

namespace {

void CheckRange(uint64_t number, uint64_t count, const char* what) {
  if (number >= count) throw std::out_of_range(fmt::format("{} {} of {}", what, number, count));
}

// The value of `i` in an optional section, or what stands for all.
uint64_t ValueOr(const PackedSequence& section, uint64_t i, uint64_t otherwise) {
  return section.present() ? section.at(i).value : otherwise;
}

IndexBlocks::Place PlaceOf(const Superblock& sb) {
  IndexBlocks::Place place{sb.index_offset, sb.index_blocks, {}};
  place.root_sum = sb.root_sum;
  return place;
}

}  // namespace

class Reader::Impl {
 public:
  Impl(const std::string& path, const ReaderOptions& options)
      : file(InputFile::Open(path, options.mode)),
        superblock(ReadSuperblock(file)),
        table(CheckSections(file, superblock)),
        blocks(file, PlaceOf(superblock.fields), options.index_cache_bytes),
        sections(blocks, table),
        objects(sections, superblock.fields),
        body(file),
        order(sections, superblock.fields),
        splits(sections, superblock.fields),
        names(sections, superblock.fields) {
    AddSizes();
  }

  const Info& info() const { return superblock.info; }
  const Superblock& sb() const { return superblock.fields; }
  uint64_t texts() const { return info().pairs * info().fields.size(); }
  uint64_t Links(SectionType type, uint64_t i, uint64_t otherwise) const {
    return ValueOr(sections[type], i, otherwise);
  }
  int64_t Time(SectionType type, uint64_t i) const {
    return static_cast<int64_t>(ValueOr(sections[type], i, sb().default_mtime));
  }

  // In this order: each needs those before it.
  InputFile file;
  CheckedSuperblock superblock;
  SectionTable table;
  IndexBlocks blocks;
  Sections sections;
  ObjectTable objects;
  BodyReader body;
  SourceOrder order;
  SplitIndex splits;
  NameTable names;

 private:
  void AddSizes() {
    using enum SectionType;
    auto bytes = [&](auto... types) { return ((sections.entry(types).blocks + ...)) * kBlockSize; };
    Info& to = superblock.info;
    to.index_bytes = bytes(kObjects, kPairStarts, kPairTree);
    to.order_bytes = bytes(kOrder, kOrderStarts, kOrderPairs);
    to.text_index_bytes = bytes(kTexts);
    to.name_bytes =
        bytes(kNames, kNameStarts, kDirectoryStarts, kDirectoryParents, kDirectoryChildren);
  }
};

Reader Reader::Open(const std::string& path, const ReaderOptions& options) {
  return Reader(std::make_unique<Impl>(path, options));
}

Reader::Reader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

const Info& Reader::info() const { return impl_->info(); }
const InputFile& Reader::file() const { return impl_->file; }
const Superblock& Reader::superblock() const { return impl_->sb(); }
const Sections& Reader::sections() const { return impl_->sections; }
const NameTable& Reader::names() const { return impl_->names; }

PairLocation Reader::Locate(uint64_t pair) const {
  CheckRange(pair, info().pairs, "pair");
  return impl_->objects.Locate(pair);
}

ObjectLayout Reader::Object(uint64_t object) const {
  CheckRange(object, info().objects, "object");
  return impl_->objects.Object(object);
}

ObjectLayout Reader::ObjectOfText(uint64_t text) const {
  CheckRange(text, impl_->texts(), "text");
  return impl_->objects.ObjectOfText(text);
}

ObjectLayout Reader::Blob(uint64_t blob) const {
  CheckRange(blob, info().blobs, "blob");
  return impl_->objects.Blob(blob);
}

TextLayout Reader::Text(const ObjectLayout& object, uint64_t text) const {
  if (text < object.first_text || text - object.first_text >= object.texts) {
    throw std::out_of_range(
        fmt::format("text {} of an object of texts {}+{}", text, object.first_text, object.texts));
  }
  return impl_->objects.Text(object, text);
}

std::string_view Reader::Extension(uint64_t object) const {
  CheckRange(object, info().objects, "object");
  const auto& extensions = info().extensions;
  if (extensions.empty()) return {};
  const PackedSequence& numbers = impl_->sections[SectionType::kObjectExtensions];
  const uint64_t number = ValueOr(numbers, object, 0);
  if (number >= extensions.size()) {
    numbers.ThrowMalformed(object, fmt::format("extension {} of {}", number, extensions.size()));
  }
  return extensions[number];
}

uint64_t Reader::ObjectLinks(uint64_t object) const {
  CheckRange(object, info().objects, "object");
  return impl_->Links(SectionType::kObjectLinks, object, impl_->sb().object_links);
}

uint64_t Reader::TextLinks(uint64_t text) const {
  CheckRange(text, impl_->texts(), "text");
  return impl_->Links(SectionType::kTextLinks, text, impl_->sb().text_links);
}

uint64_t Reader::BlobLinks(uint64_t blob) const {
  CheckRange(blob, info().blobs, "blob");
  return impl_->Links(SectionType::kBlobLinks, blob, impl_->sb().blob_links);
}

int64_t Reader::ObjectTime(uint64_t object) const {
  CheckRange(object, info().objects, "object");
  return impl_->Time(SectionType::kObjectTimes, object);
}

int64_t Reader::TextTime(uint64_t text) const {
  CheckRange(text, impl_->texts(), "text");
  return impl_->Time(SectionType::kTextTimes, text);
}

int64_t Reader::BlobTime(uint64_t blob) const {
  CheckRange(blob, info().blobs, "blob");
  return impl_->Time(SectionType::kBlobTimes, blob);
}

size_t Reader::ReadMedia(uint64_t object, uint64_t position, std::span<std::byte> out) const {
  return impl_->body.ReadMedia(Object(object), position, out);
}

size_t Reader::ReadText(uint64_t text, uint64_t position, std::span<std::byte> out) const {
  const ObjectLayout object = ObjectOfText(text);
  return impl_->body.ReadText(object, impl_->objects.Text(object, text), position, out);
}

size_t Reader::ReadBlob(uint64_t blob, uint64_t position, std::span<std::byte> out) const {
  return impl_->body.ReadMedia(Blob(blob), position, out);
}

ByteSpan Reader::ReadObject(const ObjectLayout& object, AlignedBuffer& buffer) const {
  const ByteSpan bytes = impl_->file.Read(object.offset, object.size, buffer);
  auto stored = [&](uint64_t position) { return LoadAt<Le<uint64_t>>(bytes, position); };
  for (uint64_t chunk = 0; chunk < object.chunks(); ++chunk) {
    const ByteSpan part = bytes.subspan(chunk * kChunkSize, object.chunk_size(chunk));
    CheckChunk(object, chunk, Checksum64(part), stored(object.media_sum_position(chunk)));
  }
  for (uint64_t i = 0; i < object.texts; ++i) {
    const TextLayout text = impl_->objects.Text(object, object.first_text + i);
    if (text.absent) continue;
    const ByteSpan part = bytes.subspan(text.position, text.size);
    CheckText(object, text, Checksum64(part), stored(object.text_sum_position(text.number)));
  }
  return bytes;
}

void Reader::CheckChunk(const ObjectLayout& object, uint64_t chunk, uint64_t sum,
                        uint64_t stored) const {
  impl_->body.CheckChunk(object, chunk, sum, stored);
}

void Reader::CheckText(const ObjectLayout& object, const TextLayout& text, uint64_t sum,
                       uint64_t stored) const {
  impl_->body.CheckText(object, text, sum, stored);
}

uint64_t Reader::PairAtSourcePosition(uint64_t position) const {
  CheckRange(position, info().pairs, "source position");
  return impl_->order.PairAt(position);
}

uint64_t Reader::SplitPairs(uint64_t split) const {
  CheckRange(split, info().splits.size(), "split");
  return impl_->splits.PairCount(split);
}

uint64_t Reader::PairInSplit(uint64_t split, uint64_t number) const {
  CheckRange(number, SplitPairs(split), "pair of the split");
  return impl_->splits.PairAt(split, number);
}

SplitNumber Reader::SplitOf(uint64_t pair) const {
  CheckRange(pair, info().pairs, "pair");
  CheckRange(0, info().splits.size(), "split");
  return impl_->splits.SplitOf(pair);
}

std::optional<ShardInfo> Reader::Shard() const {
  const PackedSequence& shard = impl_->sections[SectionType::kShard];
  if (!shard.present()) return std::nullopt;
  const auto at = [&shard](uint64_t i) { return shard.at(i).value; };
  const ShardInfo info{at(0), at(1), {at(2), at(3)}, at(4)};
  if (info.count < 2 || info.count > kMaxShardCount || info.number < 1 ||
      info.number > info.count || info.positions > kMaxCount) {
    shard.ThrowMalformed(
        0, fmt::format("shard {} of {}, {} positions", info.number, info.count, info.positions));
  }
  return info;
}

uint64_t Reader::ShardPosition(uint64_t position) const {
  CheckRange(position, info().pairs, "source position");
  return impl_->sections[SectionType::kShardPositions].at(position).value;
}

DirectoryInfo Reader::Directory(uint64_t directory) const {
  CheckRange(directory, info().directories, "directory");
  return impl_->names.Directory(directory);
}

std::optional<Reader::Name> Reader::FindName(uint64_t directory, std::string_view name) const {
  CheckRange(directory, info().directories, "directory");
  return impl_->names.Find(directory, name);
}

void Reader::ListNames(uint64_t directory, uint64_t position, NameVisitor visit,
                       void* context) const {
  CheckRange(directory, info().directories, "directory");
  impl_->names.List(directory, position, visit, context);
}

}  // namespace ulhff
