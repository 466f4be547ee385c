// RapidJSON handlers: one builds a JsonTree, one skips a value.
#ifndef ULHFF_CONVERTER_JSON_BUILDER_H_
#define ULHFF_CONVERTER_JSON_BUILDER_H_

#include <rapidjson/reader.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "converter/json_input.h"
#include "converter/json_value.h"

namespace ulhff {

// Builds the tree of the one value that stands at the input's mark.
class JsonBuilder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, JsonBuilder> {
 public:
  JsonBuilder(const JsonInput* in, JsonTree* tree) : in_(in), tree_(tree) {}

  void Reset();

  bool Null() { return AddToken(JsonType::kNull, 4); }
  bool Bool(bool value) { return AddToken(JsonType::kBool, value ? 4 : 5); }
  bool RawNumber(const char*, rapidjson::SizeType size, bool) {
    return AddToken(JsonType::kNumber, size);
  }
  bool String(const char* bytes, rapidjson::SizeType size, bool);
  bool Key(const char* bytes, rapidjson::SizeType size, bool copy) {
    return String(bytes, size, copy);
  }
  bool StartArray() { return Open(JsonType::kArray); }
  bool StartObject() { return Open(JsonType::kObject); }
  bool EndArray(rapidjson::SizeType size) { return Close(size); }
  bool EndObject(rapidjson::SizeType size) { return Close(size); }

 private:
  uint32_t pos() const { return static_cast<uint32_t>(in_->marked_size()); }
  JsonTree::Node& Add(JsonType type, uint32_t raw_begin, uint32_t raw_end);
  bool AddToken(JsonType type, uint32_t size);
  bool Open(JsonType type);
  bool Close(uint32_t size);

  const JsonInput* in_;
  JsonTree* tree_;
  std::vector<uint32_t> open_;  // nodes of the containers around the next value
  uint32_t token_end_ = 0;      // of the last token, from the mark
};

// Accepts everything up to byte offset `until`, keeps nothing.
class JsonSkipper : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, JsonSkipper> {
 public:
  explicit JsonSkipper(JsonInput* in, uint64_t until = UINT64_MAX) : in_(in), until_(until) {}

  bool Default() {
    if (!in_->marked()) in_->RestartBudget();  // single tokens are limited, the value is not
    return in_->Tell() < until_;
  }

 private:
  JsonInput* in_;
  uint64_t until_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_JSON_BUILDER_H_
