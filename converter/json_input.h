// The byte stream below RapidJSON: buffered, keeps the bytes of a record, counts lines.
#ifndef ULHFF_CONVERTER_JSON_INPUT_H_
#define ULHFF_CONVERTER_JSON_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "converter/json_numbers.h"
#include "converter/json_stream.h"
#include "converter/text_file.h"

namespace ulhff {

// Models RapidJSON's input stream concept. Lone surrogate escapes never reach the parser
// (RapidJSON 1.1 rejects high ones only): they are replaced, or an InputError, as
// JsonOptions::lenient says. Nor do numbers beyond a double.
class JsonInput {
 public:
  using Ch = char;

  JsonInput(const std::string& path, const JsonOptions& options);

  // '\0' at the end of the file; a NUL byte in the file looks the same, see AtEnd().
  char Peek() const { return cur_ == limit_ ? '\0' : *cur_; }
  char Take() {
    const char c = *cur_++;
    if (cur_ == limit_) Refill();
    return c;
  }
  // Byte offset in the file.
  size_t Tell() const { return buffer_offset_ + pos(); }
  // The output half of the concept, for in-situ parsing only: never called.
  char* PutBegin() { return nullptr; }
  void Put(char) {}
  void Flush() {}
  size_t PutEnd(char*) { return 0; }

  bool AtEnd() const { return cur_ == limit_; }
  void SkipSpace();
  // Line of the next byte, from 1.
  uint64_t Line();

  // Keeps all bytes from here on in memory, until Unmark().
  void Mark();
  void Unmark() { mark_ = kNone; }
  bool marked() const { return mark_ != kNone; }
  // Goes back to the first of the marked bytes, if there are any, and unmarks them. `line`: its
  // number.
  void Rewind(uint64_t line);
  // Goes behind the end of the line on which the marked bytes begin, or else of this one.
  void SkipLine(uint64_t line);
  // The bytes before the next one are as they stand in the file: the parser has read its numbers.
  void ShowNumbers() { numbers_.Restore(buffer_.data(), buffer_offset_, Tell()); }
  // Since Mark(); valid until the next Take().
  std::string_view Marked() const { return {buffer_.data() + mark_, pos() - mark_}; }
  size_t marked_size() const { return pos() - mark_; }
  // JsonOptions::max_record_bytes is counted from here; Mark() does the same.
  void RestartBudget() { budget_start_ = Tell(); }

  const TextFile& file() const { return file_; }
  // Throws InputError at the current byte, or TruncatedError if the file has no more.
  [[noreturn]] void Fail(std::string_view what);

 private:
  static constexpr size_t kNone = SIZE_MAX;

  size_t pos() const { return static_cast<size_t>(cur_ - buffer_.data()); }
  [[noreturn]] void FailHere(std::string_view what);
  void Refill();
  void ReadChunk();
  void ScanEscapes();
  void TellReplaced() const;

  TextFile file_;
  const JsonOptions options_;
  std::vector<char> buffer_;
  uint64_t buffer_offset_;  // of buffer_[0] in the file
  NumberMask numbers_;
  // The parser reads [cur_, limit_); the rest up to end_ waits for more bytes or cannot be read.
  const char* cur_;
  const char* limit_;
  // Positions in buffer_.
  size_t end_ = 0;
  size_t scanned_ = 0;  // before it all escapes are known to be whole and sound
  size_t counted_ = 0;  // before it all line ends are counted in line_
  size_t mark_ = kNone;
  uint64_t line_ = 1;
  uint64_t budget_start_ = 0;
  bool eof_ = false;
  bool lone_surrogate_ = false;  // one stands at limit_
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_JSON_INPUT_H_
