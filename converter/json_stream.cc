// Walks the outer level of a JSON file and has RapidJSON parse one record after the other.
//
// Only the brackets, keys and commas around the records are read here: RapidJSON 1.1 pushes events,
// so it would otherwise drive the caller through the whole file.
#include "converter/json_stream.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <utility>

#include "converter/input_error.h"
#include "converter/json_builder.h"
#include "converter/json_input.h"

namespace ulhff {
namespace {

// Iterative: deep nesting must not overflow the stack.
constexpr unsigned kParseFlags = rapidjson::kParseIterativeFlag |
                                 rapidjson::kParseStopWhenDoneFlag |
                                 rapidjson::kParseNumbersAsStringsFlag;

// How far to look for the end of the first value, to tell JSON Lines from one object. Records of
// lines have some KiB; one object of a whole dataset that ends within this holds no more data
// anyway.
constexpr uint64_t kProbeBytes = uint64_t{1} << 20;

bool IsLinesName(std::string_view path) {
  return path.ends_with(".jsonl") || path.ends_with(".ndjson") || path.ends_with(".manifest");
}

bool AnotherValueFollows(const std::string& path, const JsonOptions& options) {
  JsonOptions silent = options;
  silent.replaced = {};
  silent.lenient = true;
  JsonInput in(path, silent);
  JsonSkipper skipper(&in, kProbeBytes);
  rapidjson::Reader reader;
  if (reader.Parse<kParseFlags>(in, skipper).IsError()) return false;
  in.SkipSpace();
  constexpr std::string_view kNoBeginning = "]},:";
  return !in.AtEnd() && kNoBeginning.find(in.Peek()) == std::string_view::npos;
}

// What RapidJSON's code means for the byte that stands at the failure.
std::string Explain(rapidjson::ParseErrorCode code, char at) {
  const bool no_value = code == rapidjson::kParseErrorValueInvalid ||
                        code == rapidjson::kParseErrorObjectMissName ||
                        code == rapidjson::kParseErrorDocumentEmpty;
  if (at == '\0') return "a NUL byte; is this UTF-8 text?";
  if (no_value && std::string_view("]},").find(at) != std::string_view::npos) {
    return fmt::format("'{}' where a key or value must stand; is there a comma too many?", at);
  }
  if (no_value && at == '\'') return "a single quote; JSON strings stand in double quotes";
  if (no_value && std::string_view("NITF").find(at) != std::string_view::npos) {
    return "no JSON value; write null, true or false for NaN, Infinity, None, True or False";
  }
  if (code == rapidjson::kParseErrorStringEscapeInvalid && static_cast<unsigned char>(at) < 0x20) {
    return "a line break or control character inside a string; write it as an escape (\\n)";
  }
  // Those that are one were masked (json_numbers.h).
  if (code == rapidjson::kParseErrorNumberTooBig) return "bad JSON: no number is written like this";
  if (code == rapidjson::kParseErrorDocumentEmpty) return "bad JSON: no value begins like this";
  return fmt::format("bad JSON: {}", rapidjson::GetParseError_En(code));
}

}  // namespace

class JsonStream::Impl {
 public:
  Impl(const std::string& path, JsonOptions options);

  JsonShape shape() const { return shape_; }
  const JsonRecord* Next();
  void SkipSection() { is_skipping_ = in_section_; }

 private:
  const JsonRecord* NextOrThrow();
  bool GoOn();
  bool SkipMalformed(char close);
  JsonShape FindShape(const std::string& path);
  const JsonRecord* NextLine();
  const JsonRecord* NextElement();
  const JsonRecord* NextMember();
  bool NextItem(char close, bool* first);
  void Begin();
  const JsonRecord* ReadRecord();
  void ReadKey();
  bool IsWanted(std::string_view key) const;
  void SkipValue();
  const JsonRecord* Finish();
  void CheckOneLine();
  template <typename Handler>
  void Parse(Handler& handler);

  const JsonOptions options_;
  JsonInput in_;
  rapidjson::Reader reader_;
  JsonTree tree_;
  JsonBuilder builder_{&in_, &tree_};
  JsonRecord record_{{}, {}, JsonValue(&tree_, 0), 0, 0};
  JsonShape shape_;
  bool first_item_ = true;     // of the top level
  bool first_element_ = true;  // of the current section
  bool in_section_ = false;
  bool is_skipping_ = false;  // its elements
  bool at_key_ = false;
  bool at_separator_ = false;  // between two records: what is wrong is no part of one
  bool done_ = false;
};

JsonStream::Impl::Impl(const std::string& path, JsonOptions options)
    : options_(std::move(options)), in_(path, options_), shape_(FindShape(path)) {
  if (shape_ != JsonShape::kLines) in_.Take();
}

JsonShape JsonStream::Impl::FindShape(const std::string& path) {
  in_.SkipSpace();
  if (in_.Peek() == '[') return JsonShape::kArray;
  if (IsLinesName(path)) return JsonShape::kLines;
  if (in_.Peek() != '{') in_.Fail("annotations in JSON begin with '{' or '['");
  return AnotherValueFollows(path, options_) ? JsonShape::kLines : JsonShape::kObject;
}

const JsonRecord* JsonStream::Impl::Next() {
  if (!options_.left_out) return NextOrThrow();
  for (;;) {
    try {
      return NextOrThrow();
    } catch (const TruncatedError& error) {
      done_ = true;
      options_.left_out({error, error.fault(), Odd::kLostRest});
    } catch (const InputError& error) {
      const char* const rest = at_separator_ ? "; no entry is lost by that" : "";
      done_ = !GoOn();
      options_.left_out({error, error.fault() + (done_ ? "; all behind it is left out" : rest),
                         done_ ? Odd::kLostRest : Odd::kTruncated});
    }
  }
}

// After an InputError: goes to where the next record can begin. False: that cannot be told.
bool JsonStream::Impl::GoOn() {
  if (done_) return false;
  if (shape_ == JsonShape::kLines) {
    in_.SkipLine(record_.line);
    return true;
  }
  const bool in_array = shape_ == JsonShape::kArray || in_section_;
  const char close = in_array ? ']' : '}';
  if (at_separator_) {
    if (in_.Peek() == close) return true;  // a comma too many
    (in_section_ ? first_element_ : first_item_) = true;
    return in_array && in_.Peek() == '{';  // one too few
  }
  if (!in_.marked() || at_key_) return false;
  in_.Rewind(record_.line);
  const bool took_comma = SkipMalformed(close);
  in_.SkipSpace();
  if (in_.Peek() == ',' || in_.Peek() == close) return true;
  (in_section_ ? first_element_ : first_item_) = true;
  return took_comma && (in_.Peek() == '{' || in_.Peek() == '[' || in_.Peek() == '"');
}

// Goes behind the value that begins here, whatever is wrong with it. A line break ends a string, as
// JSON has none there: then a quote is missing or one too many, and all brackets of the line count.
// True: it ended so, and the comma behind it went with that string.
bool JsonStream::Impl::SkipMalformed(char close) {
  const bool bracketed = in_.Peek() == '{' || in_.Peek() == '[';
  bool in_string = false;
  int depth = 0, all = 0;  // brackets that are open: outside strings, anywhere
  const auto at_end = [&] {
    if (in_.AtEnd() || in_string || bracketed) return in_.AtEnd();
    return in_.Peek() == ',' || in_.Peek() == close;
  };
  while (!at_end()) {
    in_.RestartBudget();
    const char c = in_.Take();
    if (in_string && c == '\\' && !in_.AtEnd()) in_.Take();
    const int step = c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    all += step;
    const bool is_broken = in_string && c == '\n';
    depth = is_broken ? all : in_string ? depth : depth + step;
    if (c == '"' || c == '\n') in_string = !in_string && c == '"';
    if (!bracketed) continue;
    if (!in_string && depth <= 0) return is_broken;
    // On a line with others: the last bracket of all, and a comma, are hardly part of a text.
    if (in_string && step < 0 && all == 0 && (in_.Peek() == ',' || in_.Peek() == close)) break;
  }
  return false;
}

const JsonRecord* JsonStream::Impl::NextOrThrow() {
  in_.Unmark();
  if (done_) return nullptr;
  switch (shape_) {
    case JsonShape::kLines:
      return NextLine();
    case JsonShape::kArray:
      return NextElement();
    case JsonShape::kObject:
      return NextMember();
  }
  return nullptr;
}

const JsonRecord* JsonStream::Impl::NextLine() {
  in_.SkipSpace();
  if (in_.AtEnd()) return nullptr;
  if (in_.Line() == record_.line) in_.Fail("more than one record on a line; is this JSON Lines?");
  ReadRecord();
  CheckOneLine();
  return &record_;
}

const JsonRecord* JsonStream::Impl::NextElement() {
  return NextItem(']', &first_item_) ? ReadRecord() : Finish();
}

const JsonRecord* JsonStream::Impl::NextMember() {
  for (;;) {
    if (in_section_) {
      const bool any = NextItem(']', &first_element_);
      if (any && !is_skipping_) return ReadRecord();
      if (any) {
        SkipValue();
        continue;
      }
      in_section_ = is_skipping_ = false;
      record_.section.clear();
    }
    if (!NextItem('}', &first_item_)) return Finish();
    ReadKey();
    const bool is_wanted = IsWanted(record_.key);
    if (in_.Peek() == '[' && !options_.whole_members) {
      in_.Take();
      in_section_ = first_element_ = true;
      is_skipping_ = !is_wanted;
      record_.section.swap(record_.key);
      record_.key.clear();
    } else if (is_wanted) {
      return ReadRecord();
    } else {
      SkipValue();
    }
  }
}

// Moves to the next element or key. False: the container is at its end, and `close` is taken.
bool JsonStream::Impl::NextItem(char close, bool* first) {
  at_separator_ = true;
  in_.SkipSpace();
  const char c = in_.Peek();
  if (c == close) {
    in_.Take();
    at_separator_ = false;
    return false;
  }
  if (!*first) {
    if (c != ',') in_.Fail(fmt::format("',' or '{}' must stand here", close));
    in_.Take();
    in_.SkipSpace();
    if (in_.Peek() == close) in_.Fail(Explain(rapidjson::kParseErrorValueInvalid, close));
  }
  *first = at_separator_ = false;
  return true;
}

void JsonStream::Impl::Begin() {
  in_.Mark();
  record_.line = in_.Line();
  record_.offset = in_.Tell();
}

const JsonRecord* JsonStream::Impl::ReadRecord() {
  Begin();
  builder_.Reset();
  Parse(builder_);
  in_.ShowNumbers();
  tree_.record = in_.Marked();
  return &record_;
}

void JsonStream::Impl::ReadKey() {
  if (in_.Peek() != '"') in_.Fail("a key in double quotes must stand here");
  at_key_ = true;
  record_.key = ReadRecord()->value.text();
  at_key_ = false;
  in_.Unmark();
  in_.SkipSpace();
  if (in_.Peek() != ':') in_.Fail("':' must follow a key");
  in_.Take();
  in_.SkipSpace();
}

bool JsonStream::Impl::IsWanted(std::string_view key) const {
  const auto& wanted = options_.sections;
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), key) != wanted.end();
}

void JsonStream::Impl::SkipValue() {
  if (options_.left_out) Begin();
  JsonSkipper skipper(&in_);
  Parse(skipper);
  in_.Unmark();
}

const JsonRecord* JsonStream::Impl::Finish() {
  in_.SkipSpace();
  done_ = true;
  if (!in_.AtEnd()) in_.Fail("more data after the end of the top-level value; is this two files?");
  return nullptr;
}

// A record of JSON Lines, whole or not, ends on its line. Without this check a line that was cut
// off would be reported at the line after it.
void JsonStream::Impl::CheckOneLine() {
  const std::string_view record = in_.Marked();
  const size_t lf = record.find('\n');
  if (lf == std::string_view::npos) return;
  constexpr std::string_view kFault =
      "the record does not end on its line; JSON Lines hold one record a line";
  const std::string& path = in_.file().path();
  const uint64_t offset = record_.offset + lf;
  const bool is_last = record.find_first_not_of(" \t\r\n", lf) == std::string_view::npos;
  if (is_last && in_.AtEnd()) throw TruncatedError(path, record_.line, offset, kFault);
  throw InputError(path, record_.line, offset, kFault);
}

template <typename Handler>
void JsonStream::Impl::Parse(Handler& handler) {
  const rapidjson::ParseResult result = reader_.Parse<kParseFlags>(in_, handler);
  if (!result.IsError()) return;
  if (shape_ == JsonShape::kLines) CheckOneLine();
  in_.Fail(Explain(result.Code(), in_.Peek()));
}

JsonStream::JsonStream(const std::string& path, JsonOptions options)
    : impl_(std::make_unique<Impl>(path, std::move(options))) {}
JsonStream::~JsonStream() = default;

JsonShape JsonStream::shape() const { return impl_->shape(); }
const JsonRecord* JsonStream::Next() { return impl_->Next(); }
void JsonStream::SkipSection() { impl_->SkipSection(); }

}  // namespace ulhff
