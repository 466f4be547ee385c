// Parses one tree option at a time.
#include "tree_options.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <string>

#include "view_template.h"

namespace ulhff {

namespace {

constexpr std::array<TreeOptionHelp, 9> kOptions = {{
    {"view", "VIEW", "source, pairs, objects or all (default: as the source was)"},
    {"fan_out", "N", "keys in a directory (10000)"},
    {"flat", nullptr, "no directories of N keys"},
    {"width", "W", "digits of a key (9)"},
    {"template", "T", "path of a key ({shard:05}/{number:09})"},
    {"media_ext", "EXT", "extension of every media, or keep (keep)"},
    {"text_ext", "EXT", "extension of the first text (that of the file, e.g. txt)"},
    {"absent_text", "HOW", "of an absent text: omit (no file) or empty (an empty one) (omit)"},
    {"hf_metadata", nullptr, "a metadata.jsonl in pairs and objects, for Hugging Face datasets"},
}};

uint64_t ParseCount(std::string_view key, std::string_view value, uint64_t max) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < 1 || number > max)
    throw std::invalid_argument(fmt::format("{}: '{}' is not a number 1..{}", key, value, max));
  return number;
}

ViewKind ParseView(std::string_view value) {
  if (value == "source") return ViewKind::kSource;
  if (value == "pairs") return ViewKind::kPairs;
  if (value == "objects") return ViewKind::kObjects;
  if (value == "all") return ViewKind::kAll;
  throw std::invalid_argument(
      fmt::format("view: '{}' is none of source, pairs, objects, all", value));
}

AbsentText ParseAbsentText(std::string_view value) {
  if (value == "omit") return AbsentText::kOmit;
  if (value == "empty") return AbsentText::kEmpty;
  throw std::invalid_argument(fmt::format("absent_text: '{}' is neither omit nor empty", value));
}

// "jpg" and ".jpg" mean the same.
std::string ParseExtension(std::string_view key, std::string_view value) {
  if (value.starts_with('.')) value.remove_prefix(1);
  if (value.empty()) throw std::invalid_argument(fmt::format("{}: no extension given", key));
  return std::string(value);
}

}  // namespace

std::span<const TreeOptionHelp> TreeOptionList() { return kOptions; }

bool ParseTreeOption(TreeOptions& options, std::string_view key, std::string_view value) {
  if (key == "view") {
    options.view = ParseView(value);
  } else if (key == "fan_out") {
    options.fan_out = ParseCount(key, value, std::numeric_limits<uint64_t>::max());
  } else if (key == "flat") {
    if (!value.empty()) throw std::invalid_argument("flat: takes no value");
    options.flat = true;
  } else if (key == "width") {
    options.width = static_cast<unsigned>(ParseCount(key, value, kMaxNumberWidth));
  } else if (key == "template") {
    ViewTemplate::Parse(value);
    options.pair_template = value;
  } else if (key == "media_ext") {
    options.media_extension = ParseExtension(key, value);
  } else if (key == "text_ext") {
    options.text_extension = ParseExtension(key, value);
  } else if (key == "absent_text") {
    options.absent_text = ParseAbsentText(value);
  } else if (key == "hf_metadata") {
    if (!value.empty()) throw std::invalid_argument("hf_metadata: takes no value");
    options.hf_metadata = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace ulhff
