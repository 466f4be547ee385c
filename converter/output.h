// Standard output and terminals: writes that are checked, bytes made safe to show, numbers made
// readable.
#ifndef ULHFF_CONVERTER_OUTPUT_H_
#define ULHFF_CONVERTER_OUTPUT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "ulhff/json_text.h"

namespace ulhff {

// Standard output, buffered by stdio. Every failure is a std::system_error, a full disk at Flush
// too; OutputClosed (nobody reads the pipe any more) ends the program without a word.
class OutputClosed {};
class Output {
 public:
  void Write(std::string_view bytes);
  void Flush();
};

bool IsTerminal(int fd);

// As `ls -b`: backslash, space and what the locale cannot print become C escapes.
std::string EscapeName(std::string_view name);

std::string GroupedNumber(uint64_t number);  // "155,070"
// "1 pair", "155,070 pairs", "0 pairs"
std::string Counted(uint64_t count, std::string_view one, std::string_view many);
// "pair" or "pairs"
std::string_view NounFor(uint64_t count, std::string_view one, std::string_view many);
std::string ReadableSize(uint64_t size_bytes);  // "4.2 GiB", "17 bytes"

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_OUTPUT_H_
