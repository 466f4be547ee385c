// Parses view templates and matches names against their components.
#include "view_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <stdexcept>

namespace ulhff {

namespace {

constexpr size_t kMaxDirectories = 16;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

[[noreturn]] void Fail(std::string_view text, const std::string& why) {
  throw std::invalid_argument(fmt::format("template '{}': {}", text, why));
}

struct Field {
  std::string_view name;
  unsigned width = 1;
};

// "number:09" -> {"number", 9}
Field ParseField(std::string_view text, std::string_view inside) {
  const size_t colon = inside.find(':');
  Field field{inside.substr(0, colon), 1};
  if (field.name != "shard" && field.name != "number")
    Fail(text, fmt::format("unknown field {{{}}}, known are {{shard:W}} and {{number:W}}", inside));
  if (colon == std::string_view::npos) return field;
  const std::string_view digits = inside.substr(colon + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), field.width);
  if (error != std::errc() || end != digits.data() + digits.size() || field.width < 1 ||
      field.width > kMaxNumberWidth)
    Fail(text,
         fmt::format("width '{}' of {{{}}} is not 1..{}", digits, field.name, kMaxNumberWidth));
  return field;
}

struct ParsedComponent {
  TemplateComponent component;
  std::string_view field;  // name, or empty
};

ParsedComponent ParseComponent(std::string_view text, std::string_view part) {
  if (part.empty()) Fail(text, "a component is empty");
  if (part == "." || part == "..") Fail(text, fmt::format("'{}' is no name", part));
  ParsedComponent parsed;
  const size_t open = part.find_first_of("{}");
  parsed.component.before = part.substr(0, open);
  if (open == std::string_view::npos) return parsed;
  const size_t close = part.find('}', open);
  if (part[open] == '}' || close == std::string_view::npos)
    Fail(text, fmt::format("'{}' has a brace without its partner", part));
  const Field field = ParseField(text, part.substr(open + 1, close - open - 1));
  parsed.field = field.name;
  parsed.component.width = field.width;
  parsed.component.after = part.substr(close + 1);
  const std::string& after = parsed.component.after;
  if (after.find_first_of("{}") != std::string::npos)
    Fail(text, fmt::format("'{}' has more than one field", part));
  if (!after.empty() && IsDigit(after[0]))
    Fail(text, fmt::format("a digit follows {{{}}}, so the number has no end", field.name));
  return parsed;
}

void AddDirectory(std::string_view text, ViewTemplate& result, const ParsedComponent& parsed) {
  if (parsed.field == "number") Fail(text, "{number} must stand behind the last '/'");
  if (parsed.field == "shard") {
    if (result.shard_level) Fail(text, "{shard} stands in it twice");
    result.shard_level = result.directories.size();
  }
  result.directories.push_back(parsed.component);
  if (result.directories.size() > kMaxDirectories)
    Fail(text, fmt::format("more than {} directories", kMaxDirectories));
}

}  // namespace

void NameBuffer::Append(std::string_view bytes) {
  assert(bytes.size() <= bytes_.size() - size_);
  std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<ptrdiff_t>(size_));
  size_ += bytes.size();
}

void NameBuffer::AppendNumber(uint64_t number, unsigned width) {
  const auto end = fmt::format_to_n(bytes_.data() + size_, bytes_.size() - size_, "{:0{}}", number,
                                    static_cast<int>(width));
  size_ += end.size;
}

std::optional<uint64_t> TakeNumber(std::string_view& text, unsigned width) {
  size_t size = 0;
  while (size < text.size() && IsDigit(text[size])) ++size;
  if (size < width || size > kMaxNumberWidth || (size > width && text[0] == '0'))
    return std::nullopt;
  uint64_t number = 0;
  for (const char c : text.substr(0, size)) number = number * 10 + static_cast<uint64_t>(c - '0');
  if (number > kMaxCount) return std::nullopt;
  text.remove_prefix(size);
  return number;
}

void TemplateComponent::Append(NameBuffer& name, uint64_t number) const {
  name.Append(before);
  if (width) name.AppendNumber(number, *width);
  name.Append(after);
}

std::optional<uint64_t> TemplateComponent::Take(std::string_view& name) const {
  if (!name.starts_with(before)) return std::nullopt;
  std::string_view rest = name.substr(before.size());
  const auto number = width ? TakeNumber(rest, *width) : uint64_t{0};
  if (!number || !rest.starts_with(after)) return std::nullopt;
  name = rest.substr(after.size());
  return number;
}

size_t TemplateComponent::LongestName() const {
  return before.size() + (width ? kMaxNumberWidth : 0) + after.size();
}

ViewTemplate ViewTemplate::Parse(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) Fail("", "a NUL byte");
  ViewTemplate result;
  std::string_view rest = text;
  for (size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    AddDirectory(text, result, ParseComponent(text, rest.substr(0, slash)));
    rest.remove_prefix(slash + 1);
  }
  ParsedComponent key = ParseComponent(text, rest);
  if (key.field != "number") Fail(text, "the part behind the last '/' must hold {number}");
  result.key = std::move(key.component);
  for (const TemplateComponent& directory : result.directories) {
    if (directory.LongestName() > kMaxNameSize) Fail(text, "a directory name is over 255 bytes");
  }
  return result;
}

}  // namespace ulhff
