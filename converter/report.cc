// Examples for people, JSON lines for programs.
#include "converter/report.h"

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <cerrno>

#include "converter/input_error.h"
#include "converter/origin_store.h"
#include "converter/output.h"
#include "converter/printable.h"
#include "ulhff/error.h"

namespace ulhff {

namespace {

constexpr size_t kExamples = 20;

std::string Example(std::string_view what, const Origin& origin) {
  if (what.empty()) return DescribeOrigin(origin);
  // Files are their own origin.
  if (origin.file.empty() || origin.file == what) return Printable(what);
  const std::string place = DescribeOrigin(origin);
  const std::string text = Printable(what);
  return text.starts_with(place + ": ") ? text : fmt::format("{}: {}", place, text);
}

std::string JsonLine(const OddKind& kind, std::string_view what, const Origin& origin) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> json(buffer);
  const auto bytes = [&json](const char* key, std::string_view value) {
    json.Key(key);
    const std::string literal = JsonString(value);
    json.RawValue(literal.data(), literal.size(), rapidjson::kStringType);
  };
  json.StartObject();
  bytes("kind", kind.key);
  bytes("what", what);
  if (!origin.file.empty()) bytes("file", origin.file);
  if (origin.line != 0) {
    json.Key("line");
    json.Uint64(origin.line);
  }
  if (origin.offset) {
    json.Key("offset");
    json.Uint64(*origin.offset);
  }
  json.EndObject();
  return fmt::format("{}\n", std::string_view(buffer.GetString(), buffer.GetSize()));
}

}  // namespace

Report::Report(const ConvertOptions& options) : options_(&options) {
  if (options.report.empty()) return;
  file_.reset(std::fopen(options.report.c_str(), "we"));
  if (!file_) ThrowErrno(options.report);
}

void Report::Note(Odd kind, std::string_view what, const Origin& origin) {
  Kind& seen = seen_[static_cast<size_t>(kind)];
  ++seen.count;
  if (seen.examples.size() < kExamples) seen.examples.push_back(Example(what, origin));
  errors_ = errors_ || IsError(kind, *options_);
  if (!file_) return;
  const std::string line = JsonLine(Describe(kind), what, origin);
  std::fwrite(line.data(), 1, line.size(), file_.get());  // Close() tells of errors
}

void Report::Rule(std::string_view rule, uint64_t pairs) {
  const auto known = std::find_if(rules_.begin(), rules_.end(),
                                  [rule](const auto& seen) { return seen.first == rule; });
  if (known != rules_.end()) {
    known->second += pairs;
  } else {
    rules_.emplace_back(rule, pairs);
  }
}

void Report::ThrowErrors() const {
  if (!errors_) return;
  std::string text;
  for (size_t i = 0; i < kOddKinds; ++i) {
    const auto kind = static_cast<Odd>(i);
    if (IsError(kind, *options_)) text += DescribeAll(kind);
  }
  // No error itself, but often why there are some.
  if (!IsError(Odd::kHeaderLooksLikeData, *options_))
    text += DescribeAll(Odd::kHeaderLooksLikeData);
  text.pop_back();  // the line end of the last
  throw InputError(text);
}

// Lines of what was seen of it; empty: nothing.
std::string Report::DescribeAll(Odd kind) const {
  const Kind& seen = Seen(kind);
  if (seen.count == 0) return "";
  const OddKind& about = Describe(kind);
  std::string text = Counted(seen.count, about.singular, about.plural);
  const std::string remedy = RemedyOf(kind, *options_);
  if (!remedy.empty()) text += fmt::format(" ({})", remedy);
  text += ":\n";
  for (const std::string& example : seen.examples) text += fmt::format("  {}\n", example);
  if (seen.count > seen.examples.size()) {
    text += fmt::format("  and {} more; --report FILE gets all of them\n",
                        GroupedNumber(seen.count - seen.examples.size()));
  }
  return text;
}

void Report::Close() {
  if (!file_) return;
  const bool failed = std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0;
  const int error = errno;
  file_.reset();
  if (failed) ThrowErrno(error, options_->report);
}

}  // namespace ulhff
