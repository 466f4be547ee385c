// One decoder for each encoding of MDS.
#include "converter/mds_values.h"

#include <fmt/format.h>
#include <rapidjson/document.h>

#include <bit>
#include <cmath>
#include <optional>
#include <string_view>

#include "converter/float_token.h"

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

RecordValue JsonScalar(const rapidjson::Value& value) {
  if (value.IsNull()) return {};
  if (value.IsString()) {
    return {.kind = Kind::kText, .text = {value.GetString(), value.GetStringLength()}};
  }
  if (value.IsBool()) return Token(value.GetBool() ? "true" : "false");
  if (value.IsUint64()) return Token(fmt::format("{}", value.GetUint64()));
  if (value.IsInt64()) return Token(fmt::format("{}", value.GetInt64()));
  if (value.IsDouble()) return Token(FloatToken(value.GetDouble()));
  return Other("a list or object within a list");
}

// A list of texts is one, as captions are; an object stays JSON.
void DecodeJson(FileWindow& file, uint64_t offset, uint64_t size, RecordColumn& column) {
  if (size > kMaxJson) {
    column.values.push_back(Other(fmt::format("JSON of more than {} MiB", kMaxJson >> 20)));
    return;
  }
  const std::string text = file.ReadText(offset, size);
  rapidjson::Document json;
  // Not by recursion: the text may be a million brackets.
  json.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag>(text.data(),
                                                                              text.size());
  if (json.HasParseError()) {
    column.values.push_back(Other("bad JSON"));
  } else if (json.IsArray()) {
    column.is_list = true;
    for (const rapidjson::Value& element : json.GetArray()) {
      column.values.push_back(JsonScalar(element));
    }
  } else {
    column.values.push_back(json.IsObject() ? Token(text) : JsonScalar(json));
  }
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
