// A Writer behind the interface, and one that only counts.
#include "converter/container.h"

#include "ulhff/format.h"
#include "ulhff/reader.h"

namespace ulhff {

namespace {

class FileContainer : public Container {
 public:
  FileContainer(const std::string& path, const WriterOptions& options)
      : path_(path), writer_(path, options) {}

  uint64_t BeginObject(std::string_view extension, int64_t mtime_ns) override {
    return writer_.BeginObject(extension, mtime_ns);
  }
  void AppendMedia(ByteSpan bytes) override { writer_.AppendMedia(bytes); }
  uint64_t AddPair(std::span<const std::optional<ByteSpan>> texts, uint64_t split,
                   std::span<const std::optional<int64_t>> mtimes_ns) override {
    return writer_.AddPair(texts, split, mtimes_ns);
  }
  void EndObject() override { writer_.EndObject(); }
  uint64_t BeginBlob(int64_t mtime_ns) override { return writer_.BeginBlob(mtime_ns); }
  void AppendBlob(ByteSpan bytes) override { writer_.AppendBlob(bytes); }
  void EndBlob() override { writer_.EndBlob(); }
  void AddName(std::string_view path, Target target, uint64_t origin) override {
    writer_.AddName(path, target, origin);
  }
  void AddDirectory(std::string_view path, int64_t mtime_ns) override {
    writer_.AddDirectory(path, mtime_ns);
  }
  void AppendOrder(uint64_t pair) override { writer_.AppendOrder(pair); }
  void AppendShardPosition(uint64_t position) override { writer_.AppendShardPosition(position); }
  FinishedFile Finish(const SourceFacts& facts) override {
    writer_.SetSourceFacts(facts);
    FinishedFile finished;
    finished.uuid = writer_.Finish();
    finished.info = Reader::Open(path_, {.mode = ReadMode::kBuffered}).info();
    finished.file_bytes = finished.info->file_bytes;
    finished.table_bytes = finished.info->table_bytes;
    return finished;
  }

 private:
  std::string path_;
  Writer writer_;
};

class DryContainer : public Container {
 public:
  explicit DryContainer(const WriterOptions& options) : alignment_(options.alignment) {}

  uint64_t BeginObject(std::string_view /*extension*/, int64_t /*mtime_ns*/) override {
    item_ = media_ = 0;
    return objects_++;
  }
  void AppendMedia(ByteSpan bytes) override { media_ += bytes.size(); }
  uint64_t AddPair(std::span<const std::optional<ByteSpan>> texts, uint64_t /*split*/,
                   std::span<const std::optional<int64_t>> /*mtimes_ns*/) override {
    for (const auto& text : texts) item_ += kSumSize + (text ? text->size() : 0);
    texts_ += texts.size();
    return pairs_++;
  }
  void EndObject() override { EndItem(); }
  uint64_t BeginBlob(int64_t /*mtime_ns*/) override {
    item_ = media_ = 0;
    return blobs_++;
  }
  void AppendBlob(ByteSpan bytes) override { media_ += bytes.size(); }
  void EndBlob() override { EndItem(); }
  void AddName(std::string_view path, Target /*target*/, uint64_t /*origin*/) override {
    // Front coding takes about half of a name away.
    names_ += (path.size() - (path.rfind('/') + 1)) / 2 + kNameOverhead;
  }
  void AddDirectory(std::string_view path, int64_t mtime_ns) override {
    AddName(path, {}, 0);
    names_ += sizeof(mtime_ns);
  }
  void AppendOrder(uint64_t /*pair*/) override { ++order_; }
  void AppendShardPosition(uint64_t /*position*/) override {}  // most need no room
  FinishedFile Finish(const SourceFacts& /*facts*/) override {
    FinishedFile finished;
    const uint64_t data =
        kObjectBytes * (objects_ + blobs_) + kTextBytes * texts_ + kOrderBytes * order_ + names_;
    finished.table_bytes = (data / kBlockSize + kBlocksAtLeast) * kBlockSize;
    const uint64_t body = (body_ + kBlockSize - 1) / kBlockSize * kBlockSize;
    finished.file_bytes = body + finished.table_bytes;
    return finished;
  }

 private:
  // Typical bytes of an index entry.
  static constexpr uint64_t kObjectBytes = 4;
  static constexpr uint64_t kTextBytes = 2;
  static constexpr uint64_t kOrderBytes = 2;
  static constexpr uint64_t kNameOverhead = 4;
  static constexpr uint64_t kBlocksAtLeast = 8;

  void EndItem() {
    item_ += media_ + (media_ + kChunkSize - 1) / kChunkSize * kSumSize;
    body_ += (item_ + alignment_ - 1) / alignment_ * alignment_;
  }

  uint64_t alignment_;
  uint64_t item_ = 0;  // bytes of the open object or blob, without its media
  uint64_t media_ = 0;
  uint64_t body_ = kSuperblockSize;
  uint64_t objects_ = 0, pairs_ = 0, texts_ = 0, blobs_ = 0, names_ = 0, order_ = 0;
};

}  // namespace

std::unique_ptr<Container> MakeFileContainer(const std::string& path,
                                             const WriterOptions& options) {
  return std::make_unique<FileContainer>(path, options);
}

std::unique_ptr<Container> MakeDryContainer(const WriterOptions& options) {
  return std::make_unique<DryContainer>(options);
}

}  // namespace ulhff
