// RapidJSON writes, numbers keep their tokens.
#include "converter/record_json.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <utf8proc.h>

#include <algorithm>

namespace ulhff {
namespace {

using Kind = RecordValue::Kind;
using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

// Larger bytes are media that were not chosen, not something to read in a side file.
constexpr uint64_t kMaxBytes = uint64_t{1} << 20;

rapidjson::SizeType SizeOf(const std::string& text) {
  return static_cast<rapidjson::SizeType>(text.size());
}

bool IsUtf8(const std::string& text) {
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  auto left = static_cast<utf8proc_ssize_t>(text.size());
  while (left > 0) {
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t size = utf8proc_iterate(at, left, &code);
    if (size <= 0) return false;
    at += size;
    left -= size;
  }
  return true;
}

void Write(Writer& json, const RecordValue& value, const BytesOfValue& bytes_of) {
  const bool is_finite = value.text != "inf" && value.text != "-inf";
  if (value.kind == Kind::kToken && is_finite) {
    json.RawValue(value.text.data(), value.text.size(), rapidjson::kNumberType);
    return;
  }
  const bool is_text = value.kind == Kind::kText || value.kind == Kind::kBytes;
  const std::string text = is_text && value.size <= kMaxBytes ? bytes_of(value) : std::string();
  if (is_text && value.size <= kMaxBytes && IsUtf8(text)) {
    json.String(text.data(), SizeOf(text));
  } else {
    json.Null();
  }
}

void Write(Writer& json, const RecordColumn& column, const BytesOfValue& bytes_of) {
  if (column.is_list) json.StartArray();
  for (const RecordValue& value : column.values) Write(json, value, bytes_of);
  if (column.is_list) json.EndArray();
  if (!column.is_list && column.values.empty()) json.Null();
}

std::string TakeText(const rapidjson::StringBuffer& buffer) {
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace

std::string ColumnToJson(const RecordColumn& column, const BytesOfValue& bytes_of) {
  rapidjson::StringBuffer buffer;
  Writer json(buffer);
  Write(json, column, bytes_of);
  return TakeText(buffer);
}

std::string RecordToJson(const Record& record, const std::vector<const RecordColumn*>& without,
                         const BytesOfValue& bytes_of) {
  rapidjson::StringBuffer buffer;
  Writer json(buffer);
  json.StartObject();
  for (const RecordColumn& column : record.columns) {
    if (std::find(without.begin(), without.end(), &column) != without.end()) continue;
    json.Key(column.name.data(), SizeOf(column.name));
    Write(json, column, bytes_of);
  }
  json.EndObject();
  return TakeText(buffer);
}

}  // namespace ulhff
