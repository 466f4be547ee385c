// External join of COCO images and captions.
#include "converter/coco_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "converter/input_error.h"
#include "converter/json_stream.h"
#include "ulhff/bytes.h"

namespace ulhff {
namespace {

constexpr uint64_t kSortMemory = uint64_t{8} << 20;
constexpr char kImage = '\0';  // sorts before its captions
constexpr char kCaption = '\1';

// What is carried through both sorts.
struct Fact {
  uint64_t number = 0;  // place among the images, or among the captions
  uint64_t line = 0;
  uint64_t offset = 0;
  bool absent = false;
  std::string_view text;
};

// Most significant byte first, so that bytes sort as numbers do.
void Append(std::string& to, uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) to += static_cast<char>((value >> shift) & 0xff);
}

uint64_t Take(std::string_view& from) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i) value = (value << 8) | static_cast<unsigned char>(from[i]);
  from.remove_prefix(8);
  return value;
}

std::string Pack(const Fact& fact) {
  std::string bytes;
  for (const uint64_t value : {fact.number, fact.line, fact.offset}) Append(bytes, value);
  bytes += fact.absent ? '\1' : '\0';
  return bytes.append(fact.text);
}

Fact Unpack(std::string_view bytes) {
  Fact fact;
  fact.number = Take(bytes);
  fact.line = Take(bytes);
  fact.offset = Take(bytes);
  fact.absent = bytes[0] == '\1';
  fact.text = bytes.substr(1);
  return fact;
}

JsonValue Need(const std::string& path, const JsonRecord& record, std::string_view key) {
  const auto value = record.value.Find(key);
  if (!value || value->is_null()) {
    throw InputError(fmt::format("{}:{}: byte {}: an entry of \"{}\" without {}", path, record.line,
                                 record.offset, record.section, key));
  }
  return *value;
}

}  // namespace

std::string CanonicalId(std::string_view id) {
  std::string_view digits = id;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const size_t dot = digits.find('.');
  if (dot != std::string_view::npos) {
    if (dot + 1 == digits.size() ||
        digits.find_first_not_of('0', dot + 1) != std::string_view::npos) {
      return std::string(id);
    }
    digits = digits.substr(0, dot);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::string(id);
  }
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return (negative && digits != "0" ? "-" : "") + std::string(digits);
}

namespace {

// The first entries of both sections; the rest of each is skipped without building trees.
class CocoPeeker {
 public:
  explicit CocoPeeker(CocoPeek& peek) : peek_(peek) {}

  void Look(const std::string& path) {
    JsonStream json(path);
    if (json.shape() != JsonShape::kObject) return;
    while (const JsonRecord* record = json.Next()) {
      if (record->section == "images" && peek_.file_names.size() < kSample) {
        if (!TakeImage(record->value)) return;
      } else if (record->section == "annotations" && captions_ < kSample) {
        if (!TakeCaption(*record)) return;
      } else if (!record->section.empty()) {
        if (captions_ == kSample && peek_.images) break;
        json.SkipSection();
      } else if (++members_ > kMaxMembers) {
        return;
      }
    }
    if (captions_ < kSample) return;
    peek_.estimated = true;
    const uint64_t each = std::max<uint64_t>((last_offset_ - first_offset_) / (kSample - 1), 1);
    peek_.captions_expected = (std::filesystem::file_size(path) - first_offset_) / each;
  }

 private:
  static constexpr uint64_t kSample = 100;
  static constexpr int kMaxMembers = 64;  // beside the sections; more of them are another format

  // False: the section is not what its name says here.
  bool TakeImage(const JsonValue& image) {
    const auto name = image.Find("file_name");
    if (peek_.file_names.empty() && !(name && image.Find("id"))) return false;
    peek_.images = true;
    peek_.file_names.emplace_back(name ? name->text() : "");
    return true;
  }

  bool TakeCaption(const JsonRecord& record) {
    if (captions_ == 0 && !(record.value.Find("image_id") && record.value.Find("caption"))) {
      return false;
    }
    peek_.captions = true;
    if (captions_++ == 0) first_offset_ = record.offset;
    last_offset_ = record.offset;
    peek_.captions_expected = captions_;
    return true;
  }

  CocoPeek& peek_;
  uint64_t captions_ = 0, first_offset_ = 0, last_offset_ = 0;
  int members_ = 0;
};

}  // namespace

CocoPeek PeekCoco(const std::string& path) {
  CocoPeek peek;
  try {
    CocoPeeker(peek).Look(path);
  } catch (const InputError& error) {
    peek.error = error.what();
  }
  return peek;
}

CocoJoin::CocoJoin(const std::string& path, const Options& options, const Report& report)
    : by_id_(options.tmp_dir, kSortMemory), by_image_(options.tmp_dir, kSortMemory) {
  try {
    Read(path, options);
  } catch (const TruncatedError& error) {
    if (!options.lenient) throw;
    report(Odd::kTruncated, error.what(), 0, 0);
  }
  Join(report);
}

void CocoJoin::Read(const std::string& path, const Options& options) {
  JsonStream json(path, {.sections = {"images", "annotations"}, .lenient = options.lenient});
  uint64_t images = 0, captions = 0;
  std::string key;
  while (const JsonRecord* record = json.Next()) {
    Fact fact;
    fact.line = record->line;
    fact.offset = record->offset;
    const bool is_image = record->section == "images";
    if (!is_image && record->section != "annotations") continue;
    key = CanonicalId(Need(path, *record, is_image ? "id" : "image_id").text());
    key += '\0';
    key += is_image ? kImage : kCaption;
    if (is_image) {
      fact.number = images++;
      fact.text = Need(path, *record, "file_name").text();
    } else {
      fact.number = captions++;
      const auto caption = record->value.Find("caption");
      fact.absent = !caption || caption->is_null();
      if (!fact.absent) fact.text = caption->text();
    }
    by_id_.Add(AsBytes(key), AsBytes(Pack(fact)));
  }
}

void CocoJoin::Join(const Report& report) {
  std::string image_id;
  std::optional<uint64_t> image;
  while (const auto record = by_id_.Next()) {
    const std::string_view key = AsText(record->key);
    const std::string_view id = key.substr(0, key.size() - 2);
    const Fact fact = Unpack(AsText(record->payload));
    const bool known = image && image_id == id;
    std::string order;
    if (key.back() == kImage) {
      if (known) {
        report(Odd::kDuplicateName, fmt::format("image id {}", id), fact.line, fact.offset);
        continue;
      }
      image = fact.number;
      image_id = id;
      Append(order, *image);
      order += kImage;
    } else if (!known) {
      report(Odd::kMissingMedia, fmt::format("image_id {}, which \"images\" has not", id),
             fact.line, fact.offset);
      continue;
    } else {
      Append(order, *image);
      order += kCaption;
      Append(order, fact.number);
    }
    by_image_.Add(AsBytes(order), record->payload);
  }
}

std::optional<CocoJoin::Entry> CocoJoin::Next() {
  const auto record = by_image_.Next();
  if (!record) return std::nullopt;
  const Fact fact = Unpack(AsText(record->payload));
  return Entry{record->key[8] == std::byte{kImage}, fact.absent, fact.text, fact.line, fact.offset};
}

}  // namespace ulhff
