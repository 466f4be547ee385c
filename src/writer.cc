// Keeps the order of calls, gathers what the index needs, and finishes the file.
#include "writer.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "checksum.h"
#include "writer_body.h"
#include "writer_file.h"
#include "writer_index.h"
#include "writer_links.h"
#include "writer_names.h"
#include "writer_order.h"
#include "writer_packed.h"
#include "writer_pairs.h"
#include "writer_shard.h"
#include "writer_spool.h"
#include "writer_strings.h"

namespace ulhff {

namespace {

void Require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(what);
}

void CheckCount(uint64_t count, const char* what) {
  if (count > kMaxCount) throw std::invalid_argument(fmt::format("too many {}: {}", what, count));
}

WriterOptions Checked(WriterOptions options, const std::string& path) {
  const unsigned a = options.alignment;
  Require(std::has_single_bit(a) && a >= 1u << kMinAlignmentLog2 && a <= 1u << kMaxAlignmentLog2,
          "alignment is not a power of two in 64..4096");
  if (options.tmp_dir.empty()) options.tmp_dir = DirectoryOf(path);
  return options;
}

}  // namespace

DuplicateName::DuplicateName(std::string path, uint64_t first_origin, uint64_t second_origin)
    : std::runtime_error(path + ": added twice"),
      path_(std::move(path)),
      first_origin_(first_origin),
      second_origin_(second_origin) {}

class Writer::Impl {
 public:
  Impl(const std::string& path, WriterOptions options)
      : options_(Checked(std::move(options), path)),
        strings_(options_.fields, options_.splits),
        out_(path, options_.overwrite),
        body_(out_, options_.alignment) {
    out_.AppendZeros(kSuperblockSize);
  }

  uint64_t BeginObject(std::string_view extension, std::optional<int64_t> mtime_ns);
  void AppendMedia(ByteSpan bytes);
  uint64_t AddPair(std::span<const std::optional<ByteSpan>> texts, uint64_t split,
                   std::span<const std::optional<int64_t>> mtimes_ns);
  void EndObject();
  uint64_t BeginBlob(std::optional<int64_t> mtime_ns);
  void AppendBlob(ByteSpan bytes);
  void EndBlob();
  void AddName(std::string_view path, const Target& target, uint64_t origin);
  void AddDirectory(std::string_view path, std::optional<int64_t> mtime_ns);
  void AppendOrder(uint64_t pair);
  void AppendShardPosition(uint64_t position);
  void SetSourceFacts(const SourceFacts& facts) { facts_ = facts; }
  std::string Finish();

  uint64_t bytes_written() const { return out_.offset(); }
  uint64_t pairs() const { return pairs_; }
  uint64_t objects() const { return extensions_.size(); }

 private:
  enum class State { kObjects, kMedia, kTexts, kBlobs, kBlob, kFinished };

  uint64_t texts() const { return pairs_ * strings_.fields(); }
  uint64_t TimeOr(std::optional<int64_t> mtime_ns) const {
    return static_cast<uint64_t>(mtime_ns.value_or(options_.default_mtime_ns));
  }
  void AddText(const std::optional<ByteSpan>& text, std::optional<int64_t> mtime_ns);
  void WriteIndex(Superblock& superblock);
  void WriteNames(IndexWriter& index, Superblock& superblock);
  void FillSuperblock(Superblock& superblock) const;

  WriterOptions options_;
  StringArea strings_;
  OutputFile out_;
  BodyWriter body_;
  State state_ = State::kObjects;

  // Of each object.
  Column extensions_{options_.tmp_dir};
  Column sizes_{options_.tmp_dir};
  Column object_times_{options_.tmp_dir};
  Column pair_counts_{options_.tmp_dir};
  // Of each text.
  Column text_codes_{options_.tmp_dir};
  Column text_times_{options_.tmp_dir};
  // Of each blob.
  Column blob_sizes_{options_.tmp_dir};
  Column blob_times_{options_.tmp_dir};

  SplitRuns splits_{options_.tmp_dir};
  SourceOrder order_{options_.tmp_dir};
  ShardPositions shard_positions_{options_.tmp_dir};
  NameTable names_{options_.tmp_dir, options_.sort_memory / 4 * 3};
  SourceFacts facts_;

  uint64_t pairs_ = 0;
  uint64_t first_pair_ = 0;  // of the open object
  uint64_t media_bytes_ = 0;
  uint64_t text_bytes_ = 0;
  uint64_t blobs_offset_ = 0;
};

uint64_t Writer::Impl::BeginObject(std::string_view extension, std::optional<int64_t> mtime_ns) {
  Require(state_ == State::kObjects, "BeginObject: an object is open, or blobs were begun");
  CheckCount(objects() + 1, "objects");
  const uint64_t number = strings_.ExtensionNumber(extension);
  state_ = State::kMedia;
  first_pair_ = pairs_;
  body_.Begin();
  object_times_.Append(TimeOr(mtime_ns));
  extensions_.Append(number);
  return objects() - 1;
}

void Writer::Impl::AppendMedia(ByteSpan bytes) {
  Require(state_ == State::kMedia, "AppendMedia: not after BeginObject and before AddPair");
  body_.AppendMedia(bytes);
  media_bytes_ += bytes.size();
}

uint64_t Writer::Impl::AddPair(std::span<const std::optional<ByteSpan>> texts, uint64_t split,
                               std::span<const std::optional<int64_t>> mtimes_ns) {
  Require(state_ == State::kMedia || state_ == State::kTexts, "AddPair: no object is open");
  Require(texts.size() == strings_.fields(), "AddPair: not one text for each field");
  Require(mtimes_ns.empty() || mtimes_ns.size() == texts.size(),
          "AddPair: not a time for each text");
  Require(split < std::max<uint64_t>(strings_.splits(), 1), "AddPair: no such split");
  CheckCount(pairs_ + 1, "pairs");
  CheckCount(this->texts() + texts.size(), "texts");
  state_ = State::kTexts;
  for (size_t i = 0; i < texts.size(); ++i) {
    AddText(texts[i], mtimes_ns.empty() ? std::nullopt : mtimes_ns[i]);
  }
  if (strings_.splits() > 0) splits_.Append(split);
  return pairs_++;
}

void Writer::Impl::AddText(const std::optional<ByteSpan>& text, std::optional<int64_t> mtime_ns) {
  if (text) {
    body_.AppendText(*text);
    text_bytes_ += text->size();
  } else {
    body_.AppendAbsentText();
  }
  text_codes_.Append(TextCode(text ? text->size() : 0, !text));
  text_times_.Append(TimeOr(mtime_ns));
}

void Writer::Impl::EndObject() {
  Require(state_ == State::kTexts, "EndObject: no object is open, or it has no pair");
  state_ = State::kObjects;
  sizes_.Append(body_.End());
  pair_counts_.Append(pairs_ - first_pair_);
}

uint64_t Writer::Impl::BeginBlob(std::optional<int64_t> mtime_ns) {
  Require(state_ == State::kObjects || state_ == State::kBlobs, "BeginBlob: something is open");
  CheckCount(blob_times_.size() + 1, "blobs");
  if (state_ == State::kObjects) blobs_offset_ = out_.offset();
  state_ = State::kBlob;
  body_.Begin();
  blob_times_.Append(TimeOr(mtime_ns));
  return blob_times_.size() - 1;
}

void Writer::Impl::AppendBlob(ByteSpan bytes) {
  Require(state_ == State::kBlob, "AppendBlob: no blob is open");
  body_.AppendMedia(bytes);
}

void Writer::Impl::EndBlob() {
  Require(state_ == State::kBlob, "EndBlob: no blob is open");
  state_ = State::kBlobs;
  blob_sizes_.Append(body_.End());
}

void Writer::Impl::AddName(std::string_view path, const Target& target, uint64_t origin) {
  Require(state_ != State::kFinished, "AddName: the file is finished");
  names_.AddFile(path, target, origin);
}

void Writer::Impl::AddDirectory(std::string_view path, std::optional<int64_t> mtime_ns) {
  Require(state_ != State::kFinished, "AddDirectory: the file is finished");
  names_.AddDirectory(path, mtime_ns);
}

void Writer::Impl::AppendOrder(uint64_t pair) {
  Require(state_ != State::kFinished, "AppendOrder: the file is finished");
  order_.Append(pair);
}

void Writer::Impl::AppendShardPosition(uint64_t position) {
  Require(state_ != State::kFinished, "AppendShardPosition: the file is finished");
  Require(options_.shard.has_value(), "AppendShardPosition: the file is no shard");
  shard_positions_.Append(position);
}

std::string Writer::Impl::Finish() {
  Require(state_ == State::kObjects || state_ == State::kBlobs, "Finish: something is open");
  if (state_ == State::kObjects) blobs_offset_ = out_.offset();
  state_ = State::kFinished;
  Superblock superblock;
  FillSuperblock(superblock);
  out_.PadTo(kBlockSize);
  superblock.index_offset = out_.offset();
  WriteIndex(superblock);
  superblock.file_length = out_.offset();
  const auto slot = std::as_bytes(std::span(&superblock, 1));
  superblock.checksum = Checksum64(slot.first(kChecksumStart));
  out_.Finish(slot);
  return UuidText(Checksum128(slot.subspan(kUuidStart, kChecksumStart - kUuidStart)));
}

void Writer::Impl::FillSuperblock(Superblock& superblock) const {
  superblock.magic = kMagic;
  superblock.major = kMajorVersion;
  superblock.minor = kMinorVersion;
  superblock.slot_size = static_cast<uint16_t>(kSlotSize);
  superblock.generation = 1;
  superblock.pairs = pairs_;
  superblock.objects = objects();
  superblock.blobs = blob_sizes_.size();
  superblock.default_view = static_cast<uint8_t>(options_.default_view);
  superblock.alignment = static_cast<uint8_t>(std::countr_zero(options_.alignment));
  superblock.body_offset = kSuperblockSize;
  superblock.blobs_offset = blobs_offset_;
  superblock.media_bytes = media_bytes_;
  superblock.text_bytes = text_bytes_;
  superblock.duplicates_merged = facts_.duplicates_merged;
  superblock.source_files = facts_.files;
  superblock.source_bytes = facts_.bytes;
  superblock.default_mtime = static_cast<uint64_t>(options_.default_mtime_ns);
  superblock.body_digest = body_.digest();
  strings_.Write(superblock);
}

void Writer::Impl::WriteIndex(Superblock& superblock) {
  const unsigned alignment_log2 = superblock.alignment;
  const int64_t default_mtime_ns = options_.default_mtime_ns;
  IndexWriter index(out_, options_.tmp_dir);
  WriteObjects(index, SectionType::kObjects, sizes_, alignment_log2);
  if (blob_sizes_.size() > 0) {
    WriteObjects(index, SectionType::kBlobs, blob_sizes_, alignment_log2);
  }
  WritePairIndex(index, pair_counts_, options_.tmp_dir, superblock);
  if (strings_.fields() > 0) WriteTexts(index, text_codes_);
  if (strings_.extensions() > 1) {
    WritePacked(index, SectionType::kObjectExtensions, ColumnSource(extensions_));
  }
  order_.Write(index, pairs_);
  if (strings_.splits() > 0) splits_.Write(index);
  WriteNames(index, superblock);
  WriteTimes(index, SectionType::kObjectTimes, object_times_, default_mtime_ns);
  WriteTimes(index, SectionType::kTextTimes, text_times_, default_mtime_ns);
  WriteTimes(index, SectionType::kBlobTimes, blob_times_, default_mtime_ns);
  if (options_.shard) shard_positions_.Write(index, *options_.shard, pairs_);
  index.Finish(superblock);
}

void Writer::Impl::WriteNames(IndexWriter& index, Superblock& superblock) {
  const TargetCounts counts{objects(), texts(), blob_sizes_.size()};
  LinkCounter links(options_.tmp_dir, options_.sort_memory / 4);
  names_.Write(index, counts, options_.default_mtime_ns, links, superblock);
  superblock.object_links =
      links.Write(index, TargetKind::kMedia, counts.objects, SectionType::kObjectLinks);
  superblock.text_links =
      links.Write(index, TargetKind::kText, counts.texts, SectionType::kTextLinks);
  superblock.blob_links =
      links.Write(index, TargetKind::kBlob, counts.blobs, SectionType::kBlobLinks);
}

Writer::Writer(const std::string& path, WriterOptions options)
    : impl_(std::make_unique<Impl>(path, std::move(options))) {}
Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

uint64_t Writer::BeginObject(std::string_view extension, std::optional<int64_t> mtime_ns) {
  return impl_->BeginObject(extension, mtime_ns);
}
void Writer::AppendMedia(ByteSpan bytes) { impl_->AppendMedia(bytes); }
uint64_t Writer::AddPair(std::span<const std::optional<ByteSpan>> texts, uint64_t split,
                         std::span<const std::optional<int64_t>> mtimes_ns) {
  return impl_->AddPair(texts, split, mtimes_ns);
}
void Writer::EndObject() { impl_->EndObject(); }
uint64_t Writer::BeginBlob(std::optional<int64_t> mtime_ns) { return impl_->BeginBlob(mtime_ns); }
void Writer::AppendBlob(ByteSpan bytes) { impl_->AppendBlob(bytes); }
void Writer::EndBlob() { impl_->EndBlob(); }
void Writer::AddName(std::string_view path, Target target, uint64_t origin) {
  impl_->AddName(path, target, origin);
}
void Writer::AddDirectory(std::string_view path, std::optional<int64_t> mtime_ns) {
  impl_->AddDirectory(path, mtime_ns);
}
void Writer::AppendOrder(uint64_t pair) { impl_->AppendOrder(pair); }
void Writer::AppendShardPosition(uint64_t position) { impl_->AppendShardPosition(position); }
void Writer::SetSourceFacts(const SourceFacts& facts) { impl_->SetSourceFacts(facts); }
std::string Writer::Finish() { return impl_->Finish(); }
uint64_t Writer::bytes_written() const { return impl_->bytes_written(); }
uint64_t Writer::pairs() const { return impl_->pairs(); }
uint64_t Writer::objects() const { return impl_->objects(); }

}  // namespace ulhff
