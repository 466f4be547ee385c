// Chooses the superblock slot, checks its numbers against each other, and takes its strings apart.
#include "reader_superblock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "checksum.h"
#include "error.h"
#include "index.h"

namespace ulhff {

void ThrowMalformed(const InputFile& file, uint64_t offset, const std::string& what) {
  throw FormatError(file.path(), offset, what);
}

bool IsValidName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameSize && name != "." && name != ".." &&
         name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

namespace {

constexpr std::array<uint64_t, 2> kSlotOffsets = {0, kSlotSize};

ByteSpan SlotBytes(const Superblock& slot) { return std::as_bytes(std::span(&slot, 1)); }

bool HasMagic(const Superblock& slot) { return slot.magic == kMagic; }
bool HasChecksum(const Superblock& slot) {
  return Checksum64(SlotBytes(slot).first(kChecksumStart)) == slot.checksum;
}

// A file that is too short for a superblock: cut off, or something else altogether?
[[noreturn]] void ThrowTooShort(const InputFile& file, uint64_t size) {
  AlignedBuffer buffer;
  const auto head = file.Read(0, std::min<size_t>(size, kMagic.size()), buffer);
  const auto magic = std::as_bytes(std::span(kMagic)).first(head.size());
  if (!std::equal(head.begin(), head.end(), magic.begin())) {
    ThrowMalformed(file, 0, "not a ULHFF file");
  }
  ThrowMalformed(file, size,
                 fmt::format("truncated: {} bytes, at least {} expected", size, kSuperblockSize));
}

// §9, steps 1 and 2.
CheckedSuperblock ChooseSlot(const InputFile& file) {
  AlignedBuffer buffer;
  const ByteSpan bytes = file.Read(0, kSuperblockSize, buffer);
  std::optional<CheckedSuperblock> best;
  bool magic_seen = false;
  std::optional<uint16_t> other_major;
  for (const uint64_t offset : kSlotOffsets) {
    const auto slot = LoadAt<Superblock>(bytes, offset);
    if (!HasMagic(slot)) continue;
    magic_seen = true;
    if (!HasChecksum(slot)) continue;
    if (slot.major != kMajorVersion) {
      other_major = slot.major;
    } else if (!best || slot.generation > best->fields.generation) {
      best = CheckedSuperblock{slot, offset, {}};
    }
  }
  if (best) return std::move(*best);
  if (!magic_seen) ThrowMalformed(file, 0, "not a ULHFF file");
  if (other_major) {
    ThrowMalformed(
        file, offsetof(Superblock, major),
        fmt::format("major version {}, this reader knows {}", *other_major, kMajorVersion));
  }
  ThrowMalformed(file, kChecksumStart, "superblock checksum: both slots are damaged");
}

// Checks one slot; every failure names the field's offset in the file.
class Checker {
 public:
  Checker(const InputFile& file, const CheckedSuperblock& slot)
      : file_(file), sb_(slot.fields), slot_offset_(slot.offset) {}

  void CheckNumbers(uint64_t file_size) const {
    CheckVersion();
    CheckCounts();
    CheckEnums();
    CheckIndexKind();
    CheckOffsets(file_size);
  }

  // Fills the strings of `info`.
  void TakeStrings(Info& info) const;

 private:
  template <typename... Args>
  void Require(bool ok, size_t field, fmt::format_string<Args...> text, Args&&... args) const {
    if (!ok) Fail(field, fmt::format(text, std::forward<Args>(args)...));
  }
  [[noreturn]] void Fail(size_t field, const std::string& what) const {
    ThrowMalformed(file_, slot_offset_ + field, what);
  }

  void CheckVersion() const;
  void CheckCounts() const;
  void CheckEnums() const;
  void CheckIndexKind() const;
  void CheckOffsets(uint64_t file_size) const;

  const InputFile& file_;
  const Superblock& sb_;
  uint64_t slot_offset_;
};

#define ULHFF_FIELD(name) offsetof(Superblock, name), #name

void Checker::CheckVersion() const {
  Require(sb_.incompat == 0, offsetof(Superblock, incompat),
          "incompatible feature: bits {:#x} are unknown", uint64_t{sb_.incompat});
  Require(sb_.slot_size == kSlotSize, offsetof(Superblock, slot_size), "slot_size {}, {} expected",
          uint16_t{sb_.slot_size}, kSlotSize);
  Require(sb_.generation >= 1, offsetof(Superblock, generation),
          "generation 0, at least 1 expected");
}

void Checker::CheckCounts() const {
  auto at_most = [&](uint64_t value, uint64_t limit, size_t field, const char* name) {
    Require(value <= limit, field, "{} {}, at most {} allowed", name, value, limit);
  };
  at_most(sb_.pairs, kMaxCount, ULHFF_FIELD(pairs));
  at_most(sb_.objects, kMaxCount, ULHFF_FIELD(objects));
  at_most(sb_.blobs, kMaxCount, ULHFF_FIELD(blobs));
  at_most(sb_.directories, kMaxCount, ULHFF_FIELD(directories));
  at_most(sb_.fields, kMaxFields, ULHFF_FIELD(fields));
  at_most(sb_.extensions, kMaxExtensions, ULHFF_FIELD(extensions));
  at_most(sb_.splits, kMaxSplits, ULHFF_FIELD(splits));
  at_most(sb_.sections, kMaxSections, ULHFF_FIELD(sections));
  at_most(sb_.strings_size, kStringAreaSize, ULHFF_FIELD(strings_size));
  at_most(uint64_t{sb_.pairs} * sb_.fields, kMaxCount, offsetof(Superblock, fields), "texts");
  Require(sb_.pairs >= sb_.objects, offsetof(Superblock, pairs), "{} pairs, but {} objects",
          uint64_t{sb_.pairs}, uint64_t{sb_.objects});
  Require((sb_.pairs == 0) == (sb_.objects == 0), offsetof(Superblock, objects),
          "{} pairs, but no objects", uint64_t{sb_.pairs});
  Require(sb_.directories >= 1, offsetof(Superblock, directories), "no root directory");
  Require(sb_.entries >= sb_.directories - 1, offsetof(Superblock, entries),
          "{} entries, but {} directories", uint64_t{sb_.entries}, uint64_t{sb_.directories});
}

void Checker::CheckEnums() const {
  auto known = [&](unsigned value, auto last, size_t field, const char* name) {
    Require(value <= static_cast<unsigned>(last), field, "{} {} is unknown", name, value);
  };
  known(sb_.type, PairingType::kUniModal, ULHFF_FIELD(type));
  known(sb_.index, IndexKind::kAvlPlus, ULHFF_FIELD(index));
  known(sb_.default_view, ViewKind::kAll, ULHFF_FIELD(default_view));
  Require(sb_.alignment >= kMinAlignmentLog2 && sb_.alignment <= kMaxAlignmentLog2,
          offsetof(Superblock, alignment), "alignment 2^{}, 2^{}..2^{} allowed", sb_.alignment,
          kMinAlignmentLog2, kMaxAlignmentLog2);
  const bool uni_modal = sb_.type == static_cast<uint8_t>(PairingType::kUniModal);
  Require((sb_.fields == 0) == uni_modal, offsetof(Superblock, fields),
          "fields {} with pairing type {}", uint16_t{sb_.fields}, sb_.type);
}

void Checker::CheckIndexKind() const {
  const uint64_t ratio = sb_.ratio;
  const uint64_t pairs = sb_.pairs;
  const uint64_t objects = sb_.objects;
  constexpr size_t kField = offsetof(Superblock, ratio);
  switch (static_cast<IndexKind>(sb_.index)) {
    case IndexKind::kIdentity:
      Require(ratio == 1, kField, "ratio {}, 1 expected", ratio);
      Require(pairs == objects, kField, "{} pairs of {} objects, but an identity index", pairs,
              objects);
      break;
    case IndexKind::kFixedRatio:
      Require(ratio >= 2, kField, "ratio {}, at least 2 expected", ratio);
      // Not objects * ratio, which may overflow.
      Require(pairs % ratio == 0 && pairs / ratio == objects, kField,
              "ratio {}, but {} pairs of {} objects", ratio, pairs, objects);
      break;
    case IndexKind::kAvlPlus:
      Require(ratio == 0, kField, "ratio {}, 0 expected", ratio);
      break;
  }
}

void Checker::CheckOffsets(uint64_t file_size) const {
  const uint64_t align = uint64_t{1} << sb_.alignment;
  auto check = [&](uint64_t value, uint64_t low, uint64_t multiple, size_t field,
                   const char* name) {
    Require(value >= low && value <= kMaxFileSize, field, "{} {}, {}..{} allowed", name, value, low,
            kMaxFileSize);
    Require(value % multiple == 0, field, "{} {} is no multiple of {}", name, value, multiple);
  };
  check(sb_.body_offset, kSuperblockSize, align, ULHFF_FIELD(body_offset));
  check(sb_.blobs_offset, sb_.body_offset, align, ULHFF_FIELD(blobs_offset));
  check(sb_.index_offset, sb_.blobs_offset, kBlockSize, ULHFF_FIELD(index_offset));
  check(sb_.file_length, sb_.index_offset, 1, ULHFF_FIELD(file_length));
  const uint64_t left = (sb_.file_length - sb_.index_offset) / kBlockSize;
  Require(sb_.index_blocks >= 1 && sb_.index_blocks <= left, offsetof(Superblock, index_blocks),
          "index_blocks {}, 1..{} allowed", uint64_t{sb_.index_blocks}, left);
  const uint64_t blocks = sb_.index_blocks + IndexBlocks::SumBlocks(sb_.index_blocks);
  Require(sb_.file_length == sb_.index_offset + blocks * kBlockSize,
          offsetof(Superblock, file_length),
          "file_length {} is not the end of the {} blocks of the index", uint64_t{sb_.file_length},
          blocks);
  if (file_size < sb_.file_length) {
    ThrowMalformed(
        file_, file_size,
        fmt::format("truncated: {} bytes, {} expected", file_size, uint64_t{sb_.file_length}));
  }
}

#undef ULHFF_FIELD

void Checker::TakeStrings(Info& info) const {
  std::string_view left =
      AsText(SlotBytes(sb_).subspan(offsetof(Superblock, strings))).substr(0, sb_.strings_size);
  const auto at = [&] { return offsetof(Superblock, strings) + sb_.strings_size - left.size(); };
  auto take = [&](const char* what) {
    const size_t size = left.empty() ? 0 : static_cast<uint8_t>(left[0]);
    Require(size < left.size(), at(), "string area: it ends within the {}", what);
    const std::string_view taken = left.substr(1, size);
    left.remove_prefix(1 + size);
    return std::string(taken);
  };
  auto take_component = [&](const char* what) {
    const size_t offset = at();
    std::string taken = take(what);
    Require(taken.find('/') == std::string::npos && taken.find('\0') == std::string::npos, offset,
            "string area: the {} holds '/' or NUL", what);
    return taken;
  };
  for (unsigned i = 0; i < sb_.fields; ++i) {
    std::string name = take_component("name of a field");
    info.fields.push_back({std::move(name), take_component("extension of a field")});
  }
  for (unsigned i = 0; i < sb_.extensions; ++i) {
    info.extensions.push_back(take_component("extension of a media"));
  }
  for (unsigned i = 0; i < sb_.splits; ++i) {
    const size_t offset = at();
    info.splits.push_back(take("name of a split"));
    Require(IsValidName(info.splits.back()), offset, "string area: a split's name is invalid");
  }
  Require(left.empty(), at(), "strings_size {} is {} more than the strings take",
          uint32_t{sb_.strings_size}, left.size());
}

// XXH3-128 of what identifies the dataset, as 8-4-4-4-12 hexadecimal digits.
std::string UuidOf(const Superblock& sb) {
  const Digest128 digest =
      Checksum128(SlotBytes(sb).subspan(kUuidStart, kChecksumStart - kUuidStart));
  std::string text;
  for (size_t i = 0; i < digest.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", digest[i]);
  }
  return text;
}

Info NumbersOf(const Superblock& sb) {
  Info info;
  info.uuid = UuidOf(sb);
  info.major = sb.major;
  info.minor = sb.minor;
  info.type = static_cast<PairingType>(sb.type);
  info.index = static_cast<IndexKind>(sb.index);
  info.default_view = static_cast<ViewKind>(sb.default_view);
  info.alignment = uint64_t{1} << sb.alignment;
  info.pairs = sb.pairs;
  info.objects = sb.objects;
  info.ratio = sb.ratio;
  info.blobs = sb.blobs;
  info.directories = sb.directories;
  info.entries = sb.entries;
  info.media_bytes = sb.media_bytes;
  info.text_bytes = sb.text_bytes;
  info.file_bytes = sb.file_length;
  info.table_bytes = sb.file_length - sb.index_offset;
  info.duplicates_merged = sb.duplicates_merged;
  info.source_files = sb.source_files;
  info.source_bytes = sb.source_bytes;
  info.default_mtime_ns = static_cast<int64_t>(uint64_t{sb.default_mtime});
  return info;
}

}  // namespace

CheckedSuperblock ReadSuperblock(const InputFile& file) {
  const uint64_t size = file.Size();
  if (size < kSuperblockSize) ThrowTooShort(file, size);
  CheckedSuperblock slot = ChooseSlot(file);
  const Checker checker(file, slot);
  checker.CheckNumbers(size);
  slot.info = NumbersOf(slot.fields);
  slot.info.path = file.path();
  checker.TakeStrings(slot.info);
  return slot;
}

}  // namespace ulhff
