// JSON made of any bytes: strings, and objects written member by member.
#ifndef ULHFF_SRC_JSON_TEXT_H_
#define ULHFF_SRC_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ulhff {

// The length of the well-formed UTF-8 character at the front of `bytes` (1..4), 0 if there is none.
size_t Utf8Length(std::string_view bytes);

// What stands for a byte that is no UTF-8.
enum class OddByte : uint8_t {
  kEscape,   // \udc80..\udcff, which Python's os.fsencode turns back into the byte
  kReplace,  // U+FFFD, for readers that take no lone surrogates
};

// Appends a JSON string, quotes included.
void AppendJsonString(std::string& out, std::string_view bytes, OddByte odd = OddByte::kEscape);
std::string JsonString(std::string_view bytes);

// One JSON object on one line.
class JsonObject {
 public:
  explicit JsonObject(OddByte odd = OddByte::kEscape) : odd_(odd) {}

  void Clear() { text_.clear(); }
  void Add(std::string_view key, const std::optional<std::string_view>& value);  // nullopt: null
  void Add(std::string_view key, uint64_t number);
  // Begins an array of strings, which EndArray ends.
  void BeginArray(std::string_view key);
  void AddElement(const std::optional<std::string_view>& value);
  void EndArray();
  // The object, valid until the next call of anything; no member is added after it until Clear.
  std::string_view Finish();

 private:
  void AddKey(std::string_view key);
  void AddValue(const std::optional<std::string_view>& value);

  OddByte odd_;
  bool first_element_ = true;
  std::string text_;
};

}  // namespace ulhff

#endif  // ULHFF_SRC_JSON_TEXT_H_
