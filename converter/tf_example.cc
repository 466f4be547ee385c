// The messages, as public definitions (tensorflow/core/example/{example,feature}.proto) give them:
//
//   Example          { Features features = 1; }
//   SequenceExample  { Features context = 1; FeatureLists feature_lists = 2; }
//   Features         { map<string, Feature> feature = 1; }
//   FeatureLists     { map<string, FeatureList> feature_list = 1; }
//   FeatureList      { repeated Feature feature = 1; }
//   Feature          { oneof { BytesList = 1; FloatList = 2; Int64List = 3; } }
//   BytesList, FloatList, Int64List  { repeated bytes|float|int64 value = 1; }
#include "converter/tf_example.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "converter/float_token.h"

namespace ulhff {
namespace {

using google::protobuf::io::CodedInputStream;
using google::protobuf::io::ZeroCopyInputStream;
using Kind = RecordValue::Kind;

// What a record of media and texts may have; more is an attack on our memory.
constexpr size_t kMaxColumns = 1024;
constexpr size_t kMaxValues = size_t{1} << 20;
// Longer lists of numbers are tensors, which nobody wants as text.
constexpr size_t kMaxNumbers = 1024;

// The bytes of a message in a file.
class WindowStream : public ZeroCopyInputStream {
 public:
  WindowStream(FileWindow& file, uint64_t begin, uint64_t end)
      : file_(file), begin_(begin), pos_(begin), end_(end) {}

  bool Next(const void** data, int* size) override {
    const uint64_t piece = std::min<uint64_t>(end_ - pos_, kPiece);
    if (piece == 0) return false;
    *data = file_.Read(pos_, piece).data();
    *size = static_cast<int>(piece);
    pos_ += piece;
    return true;
  }
  void BackUp(int count) override { pos_ -= static_cast<uint64_t>(count); }
  bool Skip(int count) override {
    const uint64_t step = std::min<uint64_t>(static_cast<uint64_t>(count), end_ - pos_);
    pos_ += step;
    return step == static_cast<uint64_t>(count);
  }
  int64_t ByteCount() const override { return static_cast<int64_t>(pos_ - begin_); }

 private:
  static constexpr uint64_t kPiece = uint64_t{16} << 10;
  FileWindow& file_;
  uint64_t begin_, pos_, end_;
};

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kLength = 2, kFixed32 = 5 };
constexpr uint32_t Tag(uint32_t field, WireType type) { return field << 3 | type; }

class ExampleParser {
 public:
  ExampleParser(FileWindow& file, uint64_t offset, uint64_t size,
                std::vector<RecordColumn>& columns)
      : offset_(offset), stream_(file, offset, offset + size), in_(&stream_), columns_(columns) {
    in_.PushLimit(static_cast<int>(size));
  }

  bool Parse() {
    return Fields([this](uint32_t tag) {
      if (tag == Tag(1, kLength)) return Map(false);
      if (tag == Tag(2, kLength)) return Map(true);
      return SkipField(tag);
    });
  }

 private:
  // All fields up to the limit.
  template <typename Field>
  bool Fields(const Field& field) {
    while (const uint32_t tag = in_.ReadTag()) {
      if (!field(tag)) return false;
    }
    return in_.ConsumedEntireMessage();
  }

  bool Length(uint32_t& size) {
    return in_.ReadVarint32(&size) && size <= static_cast<uint32_t>(in_.BytesUntilLimit());
  }

  template <typename Field>
  bool Message(const Field& field) {
    uint32_t size = 0;
    if (!Length(size)) return false;
    const CodedInputStream::Limit outer = in_.PushLimit(static_cast<int>(size));
    if (!Fields(field)) return false;
    in_.PopLimit(outer);
    return true;
  }

  // Unknown ones, as newer definitions may have.
  bool SkipField(uint32_t tag) {
    uint64_t number = 0;
    uint32_t size = 0;
    switch (tag & 7) {
      case kVarint:
        return in_.ReadVarint64(&number);
      case kFixed64:
        return in_.Skip(8);
      case kFixed32:
        return in_.Skip(4);
      case kLength:
        return Length(size) && in_.Skip(static_cast<int>(size));
      default:
        return false;
    }
  }

  bool Map(bool lists) {
    return Message([&](uint32_t tag) {
      if (tag != Tag(1, kLength)) return SkipField(tag);
      RecordColumn column;
      column.is_sequence = lists;
      const bool good = Message([&](uint32_t entry) {
        uint32_t size = 0;
        if (entry == Tag(1, kLength)) {
          return Length(size) && in_.ReadString(&column.name, static_cast<int>(size));
        }
        if (entry != Tag(2, kLength)) return SkipField(entry);
        return lists ? FeatureList(column) : Feature(column);
      });
      return good && Add(std::move(column));
    });
  }

  // Of equal keys in a map the last one counts.
  bool Add(RecordColumn column) {
    column.is_list = column.values.size() != 1 || column.is_sequence;
    const auto same =
        std::find_if(columns_.begin(), columns_.end(), [&](const RecordColumn& known) {
          return known.name == column.name && known.is_sequence == column.is_sequence;
        });
    if (same != columns_.end()) {
      *same = std::move(column);
    } else {
      columns_.push_back(std::move(column));
    }
    return columns_.size() <= kMaxColumns;
  }

  bool FeatureList(RecordColumn& column) {
    return Message(
        [&](uint32_t tag) { return tag == Tag(1, kLength) ? Feature(column) : SkipField(tag); });
  }

  bool Feature(RecordColumn& column) {
    return Message([&](uint32_t tag) {
      const auto list = [&](auto value) {
        return Message([&](uint32_t element) { return value(element); });
      };
      if (tag == Tag(1, kLength)) return list([&](uint32_t t) { return BytesValue(t, column); });
      if (tag == Tag(2, kLength)) return list([&](uint32_t t) { return Float(t, column); });
      if (tag == Tag(3, kLength)) return list([&](uint32_t t) { return Int(t, column); });
      return SkipField(tag);
    });
  }

  bool BytesValue(uint32_t tag, RecordColumn& column) {
    uint32_t size = 0;
    if (tag != Tag(1, kLength)) return SkipField(tag);
    if (!Length(size)) return false;
    const auto position = static_cast<uint64_t>(in_.CurrentPosition());
    column.values.push_back({.kind = Kind::kBytes,
                             .place = RecordValue::Place::kShard,
                             .offset = offset_ + position,
                             .size = size});
    return ++values_ <= kMaxValues && in_.Skip(static_cast<int>(size));
  }

  // Repeated numbers are packed or not, as the writer liked.
  bool Float(uint32_t tag, RecordColumn& column) {
    const auto one = [&] {
      uint32_t bits = 0;
      if (!in_.ReadLittleEndian32(&bits)) return false;
      const auto value = std::bit_cast<float>(bits);
      return AddNumber(column, std::isnan(value) ? "" : FloatToken(value));
    };
    if (tag == Tag(1, kFixed32)) return one();
    return tag == Tag(1, kLength) ? Packed(one) : SkipField(tag);
  }

  bool Int(uint32_t tag, RecordColumn& column) {
    const auto one = [&] {
      uint64_t bits = 0;
      return in_.ReadVarint64(&bits) &&
             AddNumber(column, fmt::format("{}", static_cast<int64_t>(bits)));
    };
    if (tag == Tag(1, kVarint)) return one();
    return tag == Tag(1, kLength) ? Packed(one) : SkipField(tag);
  }

  template <typename One>
  bool Packed(const One& one) {
    uint32_t size = 0;
    if (!Length(size)) return false;
    const CodedInputStream::Limit outer = in_.PushLimit(static_cast<int>(size));
    while (in_.BytesUntilLimit() > 0) {
      if (!one()) return false;
    }
    in_.PopLimit(outer);
    return true;
  }

  // Empty: NaN.
  bool AddNumber(RecordColumn& column, std::string token) {
    if (column.values.size() < kMaxNumbers) {
      const Kind kind = token.empty() ? Kind::kNan : Kind::kToken;
      column.values.push_back({.kind = kind, .text = std::move(token)});
    } else {
      column.values.resize(1);
      column.values[0] = {.kind = Kind::kOther,
                          .text = fmt::format("a list of more than {} numbers", kMaxNumbers)};
    }
    return true;
  }

  const uint64_t offset_;
  WindowStream stream_;
  CodedInputStream in_;
  std::vector<RecordColumn>& columns_;
  size_t values_ = 0;
};

}  // namespace

bool ParseExample(FileWindow& file, uint64_t offset, uint64_t size,
                  std::vector<RecordColumn>& columns) {
  columns.clear();
  if (size > static_cast<uint64_t>(std::numeric_limits<int32_t>::max())) return false;
  return ExampleParser(file, offset, size, columns).Parse();
}

}  // namespace ulhff
