// Events of RapidJSON; raw JSON is cut out of the bytes, so that numbers and blanks stay.
#include "converter/json_key.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include "converter/json_numbers.h"

namespace ulhff {
namespace {

class KeyHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, KeyHandler> {
 public:
  KeyHandler(std::string_view json, std::string_view key, const rapidjson::MemoryStream& in)
      : json_(json), key_(key), in_(in) {}

  JsonKeyTexts Take() { return std::move(found_); }

  bool Null() {
    if (is_element()) found_.texts.emplace_back(std::nullopt);
    return EndValue();
  }
  bool Bool(bool value) { return Scalar(value ? "true" : "false"); }
  bool RawNumber(const char*, rapidjson::SizeType size, bool) {
    return Scalar(json_.substr(in_.Tell() - size, size));
  }
  bool String(const char* text, rapidjson::SizeType size, bool) { return Scalar({text, size}); }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (depth_ != 1) return true;
    wanted_ = std::string_view(text, size) == key_;
    if (wanted_) found_ = {};
    return true;
  }
  bool StartObject() { return Start(false); }
  bool StartArray() { return Start(true); }
  bool EndObject(rapidjson::SizeType) { return End(); }
  bool EndArray(rapidjson::SizeType) { return End(); }

 private:
  // What is met now is an element of the key's list.
  bool is_element() const { return wanted_ && in_list_ && depth_ == 2; }
  bool is_value() const { return wanted_ && depth_ == 1; }

  bool Scalar(std::string_view text) {
    if (is_value() || is_element()) found_.texts.emplace_back(text);
    return EndValue();
  }
  bool EndValue() {
    if (depth_ == 1) wanted_ = false;
    return depth_ > 0;
  }
  // RapidJSON calls before it takes a bracket.
  bool Start(bool array) {
    if (depth_ == 0 && array) return false;
    if (is_value()) {
      begin_ = in_.Tell();
      in_list_ = array;
    } else if (is_element()) {
      element_ = in_.Tell();
    }
    ++depth_;
    return true;
  }
  bool End() {
    --depth_;
    if (is_element()) found_.texts.emplace_back(json_.substr(element_, in_.Tell() + 1 - element_));
    if (is_value()) {
      const std::string_view all = json_.substr(begin_, in_.Tell() + 1 - begin_);
      if (in_list_) {
        found_.raw = all;
      } else {
        found_.texts.emplace_back(all);
      }
      wanted_ = in_list_ = false;
    }
    return true;
  }

  std::string_view json_, key_;
  const rapidjson::MemoryStream& in_;
  JsonKeyTexts found_;
  size_t depth_ = 0;
  bool wanted_ = false;   // the value of the key is being read
  bool in_list_ = false;  // and is a list
  size_t begin_ = 0, element_ = 0;
};

}  // namespace

JsonKeyTexts TextsOfKey(std::string_view json, std::string_view key) {
  constexpr unsigned kFlags =
      rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;
  std::string masked(json);
  NumberMask().Cover(masked.data(), 0, masked.size(), true);
  rapidjson::MemoryStream in(masked.data(), masked.size());
  KeyHandler handler(json, key, in);
  rapidjson::Reader reader;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(in, handler);
  if (!result.IsError()) return handler.Take();
  const bool other = result.Code() == rapidjson::kParseErrorTermination;
  return {.error = fmt::format(
              "byte {}: {}", result.Offset(),
              other ? "not a JSON object" : rapidjson::GetParseError_En(result.Code()))};
}

}  // namespace ulhff
