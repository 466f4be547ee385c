// A shard: u32 count, u32 offsets[count + 1], a header that repeats the index, the samples. A
// sample: the u32 sizes of its columns of varying size, then the values of all columns.
#include "converter/mds_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "converter/decompress.h"
#include "converter/mds_values.h"

namespace ulhff {
namespace {

constexpr size_t kOffsetsWindow = size_t{64} << 10;
constexpr uint64_t kWord = sizeof(uint32_t);

class MdsReader : public RecordReader {
 public:
  MdsReader(const RecordContext& context, const MdsShard& shard, MdsForm form)
      : damage_(context.damage), shard_(shard) {
    if (form == MdsForm::kNotThere) {
      damage_.Tell(0, fmt::format("the index names this shard of {} samples, but it is not there",
                                  shard_.samples));
      return;
    }
    file_ = std::make_unique<FileWindow>(damage_.shard().path);
    size_ = file_->size();
    if (form == MdsForm::kZip && !Unzip(context)) return;
    offsets_ = std::make_unique<FileWindow>(file_->file(), kOffsetsWindow);
    Open();
  }

  const Record* Next() override {
    while (next_ < count_) {
      const uint64_t number = next_++;
      const uint64_t begin = OffsetAt(number);
      const uint64_t end = OffsetAt(number + 1);
      if (is_part_ && end > size_) break;
      if (begin < (count_ + 2) * kWord || end < begin || end > size_) {
        damage_.Tell(
            (1 + number) * kWord,
            fmt::format("sample {} is said to lie from {} to {}, but the shard has {} bytes",
                        number, begin, end, size_));
        break;
      }
      record_.number = number;
      record_.offset = begin;
      if (Fill(begin, end)) return &record_;
    }
    return nullptr;
  }

  FileWindow& file() override { return *file_; }

 private:
  // False: the shard is not what the index says, and that was told.
  bool Unzip(const RecordContext& context) {
    const std::string_view name = MdsName(shard_.compression);
    if (name != "gz" && name != "zstd") {
      damage_.Refuse(0, fmt::format("compression \"{}\" is not read here, zstd and gz are: "
                                    "decompress the shards, then convert",
                                    name));
    }
    const Compression compression = name == "gz" ? Compression::kGzip : Compression::kZstd;
    if (CompressionOf(file_->Read(0, std::min<uint64_t>(size_, 4))) != compression) {
      damage_.Tell(0, fmt::format("does not begin like a file of compression {}", name));
      return false;
    }
    const Decompressed all = Decompress(*file_, compression, context.spool, context.max_spooled);
    is_part_ = all.size >= context.max_spooled;
    if (!all.damage.empty()) damage_.Tell(0, "compressed " + all.damage);
    begin_ = all.offset;
    size_ = all.size;
    context.spool.SetTime(damage_.shard().mtime_ns);
    file_ = std::make_unique<FileWindow>(context.spool.path());
    return true;
  }

  void Open() {
    if (!is_part_ && size_ != shard_.raw_bytes) {
      damage_.Tell(
          std::min(size_, shard_.raw_bytes),
          fmt::format("the shard has {} bytes, the index says {}", size_, shard_.raw_bytes));
    }
    if (size_ < kWord) return damage_.Tell(0, "no room for a count of samples");
    const uint64_t count = file_->Load<Le<uint32_t>>(begin_);
    if (count != shard_.samples) {
      damage_.Tell(0,
                   fmt::format("the shard says {} samples, the index {}", count, shard_.samples));
    }
    if (count > size_ / kWord || (count + 2) * kWord > size_) {
      return damage_.Tell(
          0, fmt::format("{} bytes have no room for the offsets of {} samples", size_, count));
    }
    count_ = count;
  }

  uint64_t OffsetAt(uint64_t i) { return offsets_->Load<Le<uint32_t>>(begin_ + (1 + i) * kWord); }

  // False: the sizes do not fit, and that was told.
  bool Fill(uint64_t begin, uint64_t end) {
    const std::vector<MdsColumn>& columns = *shard_.columns;
    const auto variable = static_cast<uint64_t>(std::count_if(
        columns.begin(), columns.end(), [](const MdsColumn& column) { return column.size == 0; }));
    uint64_t left = end - begin;
    uint64_t size_at = begin_ + begin;
    uint64_t value_at = size_at + variable * kWord;
    record_.columns.clear();
    if (variable > left / kWord) return TellMisfit(begin);
    left -= variable * kWord;
    for (const MdsColumn& column : columns) {
      uint64_t size = column.size;
      if (size == 0) {
        size = offsets_->Load<Le<uint32_t>>(size_at);
        size_at += kWord;
      }
      if (size > left) return TellMisfit(begin);
      record_.columns.push_back(DecodeMds(column, *file_, value_at, size));
      value_at += size;
      left -= size;
    }
    return left == 0 || TellMisfit(begin);
  }

  bool TellMisfit(uint64_t begin) const {
    damage_.Tell(begin,
                 fmt::format("sample {}: its columns do not fill its bytes", record_.number));
    return false;
  }

  const Damage& damage_;
  const MdsShard& shard_;
  std::unique_ptr<FileWindow> file_;
  std::unique_ptr<FileWindow> offsets_;
  bool is_part_ = false;
  uint64_t begin_ = 0;  // of the shard in file_
  uint64_t size_ = 0;
  uint64_t count_ = 0;
  uint64_t next_ = 0;
  Record record_;
};

}  // namespace

std::unique_ptr<RecordReader> ReadMds(const RecordContext& context, const MdsShard& shard,
                                      MdsForm form) {
  return std::make_unique<MdsReader>(context, shard, form);
}

}  // namespace ulhff
