// One decoder for each encoding of MDS.
#include "converter/mds_values.h"

#include <fmt/format.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <bit>
#include <cmath>
#include <optional>
#include <string_view>

#include "converter/float_token.h"
#include "converter/json_numbers.h"

namespace ulhff {
namespace {

using Kind = RecordValue::Kind;

// Nobody keeps captions in a larger one.
constexpr uint64_t kMaxJson = uint64_t{16} << 20;
constexpr uint64_t kMaxNumberText = 4096;

RecordValue Other(std::string what) { return {.kind = Kind::kOther, .text = std::move(what)}; }
RecordValue Token(std::string text) { return {.kind = Kind::kToken, .text = std::move(text)}; }
RecordValue At(Kind kind, uint64_t offset, uint64_t size) {
  return {.kind = kind, .place = RecordValue::Place::kShard, .offset = offset, .size = size};
}

template <typename T>
RecordValue Integer(FileWindow& file, uint64_t offset) {
  using Unsigned = std::make_unsigned_t<T>;
  const Unsigned bits = file.Load<Le<Unsigned>>(offset);
  return Token(fmt::format("{}", static_cast<T>(bits)));
}

template <typename T, typename Bits>
RecordValue Float(FileWindow& file, uint64_t offset) {
  const auto value = std::bit_cast<T>(Bits{file.Load<Le<Bits>>(offset)});
  return std::isnan(value) ? RecordValue{.kind = Kind::kNan} : Token(FloatToken(value));
}

struct Number {
  std::string_view encoding;
  uint64_t size;
  RecordValue (*decode)(FileWindow& file, uint64_t offset);
};

constexpr Number kNumbers[] = {
    {"int", 8, Integer<int64_t>},
    {"int8", 1, Integer<int8_t>},
    {"int16", 2, Integer<int16_t>},
    {"int32", 4, Integer<int32_t>},
    {"int64", 8, Integer<int64_t>},
    {"uint8", 1, Integer<uint8_t>},
    {"uint16", 2, Integer<uint16_t>},
    {"uint32", 4, Integer<uint32_t>},
    {"uint64", 8, Integer<uint64_t>},
    {"float32", 4, Float<float, uint32_t>},
    {"float64", 8, Float<double, uint64_t>},
};

// A list of texts is one, as captions are; an object stays JSON.
class JsonHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, JsonHandler> {
 public:
  JsonHandler(const std::string& json, const rapidjson::MemoryStream& in, RecordColumn& column)
      : json_(json), in_(in), column_(column) {}

  bool Null() { return Add({}); }
  bool Bool(bool value) { return Add(Token(value ? "true" : "false")); }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    const std::string_view token(text, size);
    if (token == "NaN") return Add({.kind = Kind::kNan});
    if (token.ends_with("Inf") || token.ends_with("Infinity")) {
      return Add(Token(token[0] == '-' ? "-inf" : "inf"));
    }
    return Add(Token(json_.substr(in_.Tell() - size, size)));
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    return Add({.kind = Kind::kText, .text = {text, size}});
  }
  bool Key(const char*, rapidjson::SizeType, bool) { return true; }
  bool StartArray() {
    column_.is_list = column_.is_list || depth_ == 0;
    return Open();
  }
  bool StartObject() {
    if (depth_ == 0) column_.values.push_back(Token(json_));
    return Open();
  }
  bool EndArray(rapidjson::SizeType) { return Close(); }
  bool EndObject(rapidjson::SizeType) { return Close(); }

 private:
  bool is_value() const { return depth_ == 0 || (depth_ == 1 && column_.is_list); }
  bool Add(RecordValue value) {
    if (is_value()) column_.values.push_back(std::move(value));
    return true;
  }
  bool Open() {
    if (depth_++ == 1 && column_.is_list) {
      column_.values.push_back(Other("a list or object within a list"));
    }
    return true;
  }
  bool Close() {
    --depth_;
    return true;
  }

  const std::string& json_;
  const rapidjson::MemoryStream& in_;
  RecordColumn& column_;
  size_t depth_ = 0;
};

void DecodeJson(FileWindow& file, uint64_t offset, uint64_t size, RecordColumn& column) {
  if (size > kMaxJson) {
    column.values.push_back(Other(fmt::format("JSON of more than {} MiB", kMaxJson >> 20)));
    return;
  }
  const std::string text = file.ReadText(offset, size);
  std::string masked = text;
  NumberMask().Cover(masked.data(), 0, masked.size(), true);
  rapidjson::MemoryStream in(masked.data(), masked.size());
  // Not by recursion: the text may be a million brackets.
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag |
                              rapidjson::kParseNumbersAsStringsFlag;
  JsonHandler handler(text, in, column);
  if (!rapidjson::Reader().Parse<kFlags>(in, handler).IsError()) return;
  column.is_list = false;
  column.values.assign(1, Other("bad JSON"));
}

// u32 lengths[count], then the elements.
void DecodeList(FileWindow& file, uint64_t count, uint64_t offset, uint64_t size,
                RecordColumn& column) {
  column.is_list = true;
  uint64_t left = size;
  const uint64_t lengths = offset;
  if (count <= left / sizeof(uint32_t)) {
    left -= count * sizeof(uint32_t);
    offset += count * sizeof(uint32_t);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t length = file.Load<Le<uint32_t>>(lengths + i * sizeof(uint32_t));
      if (length > left) break;
      column.values.push_back(At(Kind::kBytes, offset, length));
      offset += length;
      left -= length;
    }
  }
  if (column.values.size() == count && left == 0) return;
  column.values.assign(1, Other("a list of images whose lengths do not fit"));
}

bool DecodeImages(std::string_view encoding, FileWindow& file, uint64_t offset, uint64_t size,
                  RecordColumn& column) {
  const bool list = encoding == "list[jpeg]" || encoding == "list[png]";
  const bool array = encoding == "jpeg_array" || encoding == "jpegarray";
  if (!list && !array) return false;
  column.is_media = true;
  // A list has a word that is reserved before its count.
  const uint64_t count_at = list ? sizeof(uint32_t) : 0;
  const uint64_t header = count_at + sizeof(uint32_t);
  if (size < header) {
    column.values.push_back(Other("a list of images that is cut short"));
  } else {
    DecodeList(file, file.Load<Le<uint32_t>>(offset + count_at), offset + header, size - header,
               column);
  }
  return true;
}

RecordValue DecodeOne(std::string_view encoding, FileWindow& file, uint64_t offset, uint64_t size) {
  if (encoding == "bytes" || encoding == "jpeg" || encoding == "png") {
    return At(Kind::kBytes, offset, size);
  }
  if (encoding == "str") return At(Kind::kText, offset, size);
  if (encoding.starts_with("str_") && size <= kMaxNumberText) {
    return Token(file.ReadText(offset, size));
  }
  for (const Number& number : kNumbers) {
    if (encoding == number.encoding && size == number.size) return number.decode(file, offset);
  }
  if (encoding == "pil" || encoding == "list[pil]") return Other("raw pixels (encoding pil)");
  if (encoding == "pkl") return Other("a pickle, which is never opened");
  return Other(fmt::format("{} bytes of encoding {}", size, encoding));
}

}  // namespace

RecordColumn DecodeMds(const MdsColumn& column, FileWindow& file, uint64_t offset, uint64_t size) {
  RecordColumn result{.name = column.name};
  const std::string_view encoding = MdsName(column.encoding);
  result.is_media = encoding == "jpeg" || encoding == "png";
  if (encoding == "json") {
    DecodeJson(file, offset, size, result);
  } else if (!DecodeImages(encoding, file, offset, size, result)) {
    result.values.push_back(DecodeOne(encoding, file, offset, size));
  }
  return result;
}

}  // namespace ulhff
