// Keeps the strings of the superblock within their room.
#include "writer_strings.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "writer_names.h"

namespace ulhff {

namespace {

void CheckCount(uint64_t count, uint64_t limit, std::string_view what) {
  if (count > limit) {
    throw std::invalid_argument(fmt::format("{} {}, the limit is {}", count, what, limit));
  }
}

void CheckString(std::string_view text, std::string_view what) {
  if (text.size() > UINT8_MAX || text.find('/') != std::string_view::npos ||
      text.find('\0') != std::string_view::npos) {
    throw std::invalid_argument(fmt::format(
        "{} \"{}\": more than {} bytes, or one of them '/' or NUL", what, text, UINT8_MAX));
  }
}

}  // namespace

StringArea::StringArea(const std::vector<FieldSpec>& fields, const std::vector<std::string>& splits)
    : splits_(splits) {
  CheckCount(fields.size(), kMaxFields, "fields");
  CheckCount(splits.size(), kMaxSplits, "splits");
  for (const FieldSpec& field : fields) {
    for (const std::string& text : {field.name, field.extension}) {
      CheckString(text, "field");
      TakeRoom(text);
      field_strings_.push_back(text);
    }
  }
  for (auto split = splits_.begin(); split != splits_.end(); ++split) {
    CheckName(*split, fmt::format("split \"{}\"", *split));
    if (std::find(splits_.begin(), split, *split) != split) {
      throw std::invalid_argument(fmt::format("split \"{}\" given twice", *split));
    }
    TakeRoom(*split);
  }
}

void StringArea::TakeRoom(std::string_view text) {
  size_ += 1 + text.size();
  if (size_ > kStringAreaSize) {
    throw std::invalid_argument(
        fmt::format("\"{}\": names of fields, media extensions and splits take more than {} bytes",
                    text, kStringAreaSize));
  }
}

uint64_t StringArea::ExtensionNumber(std::string_view extension) {
  std::string key(extension);
  const auto known = extension_numbers_.find(key);
  if (known != extension_numbers_.end()) return known->second;
  CheckString(extension, "media extension");
  CheckCount(extensions_.size() + 1, kMaxExtensions, "different media extensions");
  TakeRoom(extension);
  extensions_.push_back(key);
  return extension_numbers_[std::move(key)] = extensions_.size() - 1;
}

void StringArea::Write(Superblock& superblock) const {
  size_t used = 0;
  for (const auto* strings : {&field_strings_, &extensions_, &splits_}) {
    for (const std::string& text : *strings) {
      superblock.strings.at(used++) = static_cast<std::byte>(text.size());
      std::ranges::copy(AsBytes(text), superblock.strings.begin() + static_cast<ptrdiff_t>(used));
      used += text.size();
    }
  }
  superblock.fields = static_cast<uint16_t>(fields());
  superblock.extensions = static_cast<uint16_t>(extensions());
  superblock.splits = static_cast<uint16_t>(splits());
  superblock.strings_size = static_cast<uint32_t>(used);
}

}  // namespace ulhff
