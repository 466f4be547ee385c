// Frames, perhaps compressed, become records.
#include "converter/tfrecord_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "converter/decompress.h"
#include "converter/tf_example.h"
#include "converter/tfrecord_frames.h"

namespace ulhff {
namespace {

constexpr size_t kPeekWindow = 4096;

ByteSpan HeadOf(FileWindow& file) {
  return file.Read(0, std::min<uint64_t>(file.size(), kFrameHeader));
}

// A good frame is one, whatever compression its bytes also look like.
Compression CompressionOfTfrecord(FileWindow& file) {
  if (FirstLength(HeadOf(file))) return Compression::kNone;
  const Compression found = CompressionOf(HeadOf(file));
  return found == Compression::kZstd ? Compression::kNone : found;
}

class TfrecordReader : public RecordReader {
 public:
  explicit TfrecordReader(const RecordContext& context)
      : damage_(context.damage),
        in_decompressed_(damage_.shard(), [this](const std::string& what, uint64_t offset) {
          TellDecompressed(what, offset);
        }) {
    file_ = std::make_unique<FileWindow>(damage_.shard().path);
    const Compression compression = CompressionOfTfrecord(*file_);
    if (compression == Compression::kNone) {
      frames_.emplace(*file_, 0, file_->size(), damage_);
      return;
    }
    const Decompressed all = Decompress(*file_, compression, context.spool, context.max_spooled);
    is_part_ = all.size >= context.max_spooled;
    compressed_damage_ = all.damage;
    begin_ = all.offset;
    context.spool.SetTime(damage_.shard().mtime_ns);
    file_ = std::make_unique<FileWindow>(context.spool.path());
    frames_.emplace(*file_, all.offset, all.size, in_decompressed_);
  }

  const Record* Next() override {
    const std::optional<TfrecordFrames::Frame> frame = frames_->Next();
    if (!frame) {
      if (!compressed_damage_.empty()) TellDecompressed("", frames_->position());
      return nullptr;
    }
    record_.number = frame->number;
    record_.offset = frame->offset - begin_;
    if (!ParseExample(*file_, frame->offset, frame->size, record_.columns)) {
      damage_.Refuse(record_.offset,
                     fmt::format("record {}: neither a tf.train.Example nor a SequenceExample",
                                 frame->number));
    }
    return &record_;
  }

  FileWindow& file() override { return *file_; }

 private:
  void TellDecompressed(const std::string& what, uint64_t offset) {
    if (is_part_) return;  // the end of a part is no damage
    std::string text = what.empty() ? "" : what + " ";
    text += "(of the decompressed data";
    if (!compressed_damage_.empty()) text += "; compressed " + compressed_damage_;
    compressed_damage_.clear();
    damage_.Tell(offset, text + ")");
  }

  const Damage& damage_;
  const Damage in_decompressed_;
  std::unique_ptr<FileWindow> file_;
  bool is_part_ = false;
  std::string compressed_damage_;  // not yet told
  uint64_t begin_ = 0;             // of the decompressed data in the spool
  std::optional<TfrecordFrames> frames_;
  Record record_;
};

}  // namespace

std::unique_ptr<RecordReader> ReadTfrecord(const RecordContext& context) {
  return std::make_unique<TfrecordReader>(context);
}

std::optional<TfrecordPeek> PeekTfrecord(const std::string& path) {
  FileWindow file(path, kPeekWindow);
  const Compression compression = CompressionOfTfrecord(file);
  const std::optional<uint64_t> length =
      compression == Compression::kNone
          ? FirstLength(HeadOf(file))
          : FirstLength(AsBytes(DecompressHead(file, compression, kFrameHeader)));
  if (!length) return std::nullopt;
  return TfrecordPeek{*length, compression != Compression::kNone};
}

}  // namespace ulhff
