// One JSON document on standard output, for programs that read what a command found.
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
  }
  JsonOutput(const JsonOutput&) = delete;  // the base points at buffer_
  JsonOutput& operator=(const JsonOutput&) = delete;

  // A string of any bytes: those that are no UTF-8 are kept, see JsonString.
  void Bytes(std::string_view bytes) {
    const std::string text = JsonString(bytes);
    RawValue(text.data(), text.size(), rapidjson::kStringType);
  }
  // Writes the document, which must be complete, and a newline.
  void Print() const {
    Output out;
    out.Write(std::string_view(buffer_.GetString(), buffer_.GetSize()));
    out.Write("\n");
    out.Flush();
  }

 private:
  rapidjson::StringBuffer buffer_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_JSON_OUTPUT_H_
