// Feeds a file to RapidJSON and looks after its escapes of surrogates and its large numbers.
#include "converter/json_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstring>

#include "converter/input_error.h"

namespace ulhff {
namespace {

enum class EscapeKind { kCutOff, kSound, kLoneSurrogate };

struct Escape {
  EscapeKind kind;
  size_t size;  // bytes from the backslash on
};

// The code unit of "\uXXXX", which `text` must begin with; 0 (no surrogate) if it is malformed.
unsigned CodeUnit(std::string_view text) {
  unsigned unit = 0;
  const char* end = text.data() + 6;
  const auto [stop, error] = std::from_chars(text.data() + 2, end, unit, 16);
  return stop == end ? unit : 0;
}

bool IsHighSurrogate(unsigned unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLowSurrogate(unsigned unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// Looks at the escape that `text` begins with. Malformed ones count as sound: RapidJSON names them.
Escape ClassifyEscape(std::string_view text) {
  constexpr size_t kUnitSize = 6;
  if (text.size() < 2) return {EscapeKind::kCutOff, 0};
  if (text[1] != 'u') return {EscapeKind::kSound, 2};
  if (text.size() < kUnitSize) return {EscapeKind::kCutOff, 0};
  const unsigned unit = CodeUnit(text);
  if (IsLowSurrogate(unit)) return {EscapeKind::kLoneSurrogate, kUnitSize};
  if (!IsHighSurrogate(unit)) return {EscapeKind::kSound, kUnitSize};

  const std::string_view rest = text.substr(kUnitSize);
  constexpr std::string_view kStart = "\\u";
  if (!rest.starts_with(kStart.substr(0, rest.size()))) {
    return {EscapeKind::kLoneSurrogate, kUnitSize};
  }
  if (rest.size() < kUnitSize) return {EscapeKind::kCutOff, 0};
  if (IsLowSurrogate(CodeUnit(rest))) return {EscapeKind::kSound, 2 * kUnitSize};
  return {EscapeKind::kLoneSurrogate, kUnitSize};
}

}  // namespace

JsonInput::JsonInput(const std::string& path, const JsonOptions& options)
    : file_(path),
      options_(options),
      buffer_(options.chunk_bytes),
      buffer_offset_(file_.offset()),
      cur_(buffer_.data()),
      limit_(buffer_.data()) {
  assert(options.max_record_bytes <= UINT32_MAX / 2);  // JsonTree has 32-bit positions
  RestartBudget();
  Refill();
}

void JsonInput::SkipSpace() {
  for (char c = Peek(); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = Peek()) Take();
}

uint64_t JsonInput::Line() {
  line_ += static_cast<uint64_t>(std::count<const char*>(buffer_.data() + counted_, cur_, '\n'));
  counted_ = pos();
  return line_;
}

void JsonInput::Mark() {
  mark_ = pos();
  RestartBudget();
}

void JsonInput::Rewind(uint64_t line) {
  if (!marked()) return;
  cur_ = buffer_.data() + mark_;
  counted_ = mark_;
  line_ = line;
  Unmark();
}

void JsonInput::SkipLine(uint64_t line) {
  Rewind(line);
  for (char c = '\0'; c != '\n' && !AtEnd();) {
    RestartBudget();
    c = Take();
  }
}

void JsonInput::Fail(std::string_view what) {
  if (!AtEnd()) FailHere(what);
  throw TruncatedError(file_.path(), Line(), Tell(),
                       "the file ends too early; is this the whole file?");
}

void JsonInput::FailHere(std::string_view what) {
  throw InputError(file_.path(), Line(), Tell(), what);
}

// Makes at least one more byte readable, unless the file is at its end.
void JsonInput::Refill() {
  while (cur_ == limit_) {
    if (lone_surrogate_) {
      FailHere(
          "an escape of half a surrogate pair, which is no character; correct it, or use --lenient "
          "to read it as U+FFFD");
    }
    if (eof_) return;
    ReadChunk();
    ScanEscapes();
    limit_ = buffer_.data() +
             numbers_.Cover(buffer_.data(), buffer_offset_, scanned_, eof_ || lone_surrogate_);
  }
}

void JsonInput::ReadChunk() {
  if (buffer_offset_ + end_ - budget_start_ > options_.max_record_bytes) {
    FailHere(fmt::format("a record of more than {} bytes; is this an annotation file?",
                         options_.max_record_bytes));
  }
  Line();  // counts the bytes that go
  const size_t gone = std::min(mark_, pos());
  const size_t kept = pos() - gone;
  if (gone > 0) std::memmove(buffer_.data(), buffer_.data() + gone, end_ - gone);
  buffer_offset_ += gone;
  end_ -= gone;
  scanned_ -= gone;
  counted_ -= gone;
  if (mark_ != kNone) mark_ = 0;
  numbers_.Forget(buffer_offset_);

  if (buffer_.size() < end_ + options_.chunk_bytes) {
    buffer_.resize(std::max(2 * buffer_.size(), end_ + options_.chunk_bytes));
  }
  const size_t got = file_.Read(buffer_.data() + end_, options_.chunk_bytes);
  end_ += got;
  eof_ = got == 0;
  cur_ = buffer_.data() + kept;
}

void JsonInput::TellReplaced() const {
  const char* data = buffer_.data();
  const auto lines = std::count(data + counted_, data + scanned_, '\n');
  options_.replaced("an escape of half a surrogate pair, read as U+FFFD",
                    line_ + static_cast<uint64_t>(lines), buffer_offset_ + scanned_);
}

// Sets scanned_ as far as it may be read: to an escape that is cut off, to a lone surrogate, or to
// the end.
void JsonInput::ScanEscapes() {
  char* const data = buffer_.data();
  while (scanned_ < end_) {
    const void* backslash = std::memchr(data + scanned_, '\\', end_ - scanned_);
    if (backslash == nullptr) {
      scanned_ = end_;
      break;
    }
    scanned_ = static_cast<size_t>(static_cast<const char*>(backslash) - data);
    const Escape escape = ClassifyEscape({data + scanned_, end_ - scanned_});
    if (escape.kind == EscapeKind::kCutOff) {
      if (eof_) scanned_ = end_;
      break;
    }
    if (escape.kind == EscapeKind::kLoneSurrogate) {
      if (!options_.lenient) {
        lone_surrogate_ = true;
        break;
      }
      std::memcpy(data + scanned_, "\\ufffd", escape.size);
      if (options_.replaced) TellReplaced();
    }
    scanned_ += escape.size;
  }
}

}  // namespace ulhff
