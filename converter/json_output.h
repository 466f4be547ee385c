// One JSON document, for programs that read what a command found.
#ifndef ULHFF_CONVERTER_JSON_OUTPUT_H_
#define ULHFF_CONVERTER_JSON_OUTPUT_H_

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <string>
#include <string_view>

#include "output.h"

namespace ulhff {

class JsonOutput : public rapidjson::PrettyWriter<rapidjson::StringBuffer> {
 public:
  JsonOutput() {
    Reset(buffer_);
    SetIndent(' ', 2);
    SetFormatOptions(rapidjson::kFormatDefault);  // RapidJSON 1.1 leaves them uninitialised
  }
  JsonOutput(const JsonOutput&) = delete;  // the base points at buffer_
  JsonOutput& operator=(const JsonOutput&) = delete;

  // A string of any bytes: those that are no UTF-8 are kept, see JsonString.
  void Bytes(std::string_view bytes) {
    const std::string text = JsonString(bytes);
    RawValue(text.data(), text.size(), rapidjson::kStringType);
  }
  // The document, which must be complete, and a newline.
  std::string Text() const { return std::string(buffer_.GetString(), buffer_.GetSize()) + "\n"; }
  void Print() const {
    Output out;
    out.Write(Text());
    out.Flush();
  }

 private:
  rapidjson::StringBuffer buffer_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_JSON_OUTPUT_H_
