// Computes layouts from the OBJECTS, BLOBS, PAIR_STARTS and TEXTS sections, trusting none of them.
#include "reader_objects.h"

#include <fmt/format.h>

#include "error.h"

namespace ulhff {

namespace {

std::unique_ptr<const PairIndex> MakePairIndex(const Sections& sections, const Superblock& sb) {
  switch (static_cast<IndexKind>(sb.index)) {
    case IndexKind::kFixedRatio:
      return std::make_unique<FixedRatioIndex>(sb.ratio);
    case IndexKind::kAvlPlus:
      return std::make_unique<AvlPlusIndex>(sections.blocks(), sections[SectionType::kPairStarts],
                                            sections.entry(SectionType::kPairTree).first_block);
    case IndexKind::kIdentity:
      break;
  }
  return std::make_unique<IdentityIndex>();
}

}  // namespace

ObjectTable::ObjectTable(const Sections& sections, const Superblock& sb)
    : sections_(sections),
      objects_(sections[SectionType::kObjects]),
      blobs_(sections[SectionType::kBlobs]),
      texts_(sections[SectionType::kTexts]),
      pair_count_(sb.pairs),
      object_count_(sb.objects),
      fields_(sb.fields),
      alignment_(sb.alignment),
      body_offset_(sb.body_offset),
      blobs_offset_(sb.blobs_offset),
      index_offset_(sb.index_offset),
      pairs_(MakePairIndex(sections, sb)) {}

ObjectLayout ObjectTable::Object(uint64_t object) const {
  ObjectLayout layout;
  Place(objects_, object, body_offset_, blobs_offset_, layout);
  PlaceTexts(pairs_->Pairs(object), layout);
  DeriveMediaSize(objects_, object, layout);
  return layout;
}

ObjectLayout ObjectTable::Blob(uint64_t blob) const {
  ObjectLayout layout;
  Place(blobs_, blob, blobs_offset_, index_offset_, layout);
  DeriveMediaSize(blobs_, blob, layout);
  return layout;
}

void ObjectTable::Place(const PackedSequence& table, uint64_t i, uint64_t begin, uint64_t end,
                        ObjectLayout& layout) const {
  const PackedSequence::Step step = table.StepAt(i);
  const uint64_t limit = (end - begin) >> alignment_;
  if (step.to.value > limit) {
    table.ThrowMalformed(
        i + 1, fmt::format("object ends behind the body: {} units of {}", step.to.value, limit));
  }
  const uint64_t room = step.length() << alignment_;
  if (step.from.extra > room) {
    table.ThrowMalformed(
        i, fmt::format("padding {}, more than the {} bytes of the object", step.from.extra, room));
  }
  layout.offset = begin + (step.from.value << alignment_);
  layout.size = room - step.from.extra;
}

void ObjectTable::PlaceTexts(const PairRange& range, ObjectLayout& layout) const {
  if (range.first >= pair_count_ || range.count > pair_count_ - range.first) {
    // Only AvlPlus can err: the other kinds were checked against the counts when opening.
    throw FormatError(sections_.blocks().file().path(),
                      sections_[SectionType::kPairStarts].OffsetOf(0),
                      fmt::format("pairs {}+{} of an object, the file has {}", range.first,
                                  range.count, pair_count_));
  }
  layout.first_pair = range.first;
  layout.pairs = range.count;
  layout.first_text = range.first * fields_;
  layout.texts = range.count * fields_;
  if (layout.texts == 0) return;
  layout.text_base = texts_.at(layout.first_text).value;
  const uint64_t end = texts_.at(layout.first_text + layout.texts).value;
  if (end < layout.text_base) {
    texts_.ThrowMalformed(layout.first_text + layout.texts, "text positions decrease");
  }
  layout.texts_size = end - layout.text_base;
}

void ObjectTable::DeriveMediaSize(const PackedSequence& table, uint64_t i,
                                  ObjectLayout& layout) const {
  const uint64_t text_sums = layout.texts * kSumSize;
  if (layout.texts_size > layout.size || text_sums > layout.size - layout.texts_size) {
    table.ThrowMalformed(i, fmt::format("size {}, less than its texts ({}) and their sums ({})",
                                        layout.size, layout.texts_size, text_sums));
  }
  const uint64_t rest = layout.size - layout.texts_size - text_sums;
  constexpr uint64_t kUnit = kChunkSize + kSumSize;
  const uint64_t sums = (rest / kUnit + (rest % kUnit != 0)) * kSumSize;
  layout.media_size = rest - sums;
  if (sums > rest || layout.chunks() * kSumSize != sums) {
    table.ThrowMalformed(i, fmt::format("no media has {} bytes with its sums", rest));
  }
}

ObjectLayout ObjectTable::ObjectOfText(uint64_t text) const {
  const PairLocation location = Locate(text / fields_);
  const ObjectLayout layout = Object(location.object);
  if (location.slot >= layout.pairs) {
    sections_[SectionType::kPairStarts].ThrowMalformed(
        location.object, fmt::format("its pairs do not include {}", text / fields_));
  }
  return layout;
}

TextLayout ObjectTable::Text(const ObjectLayout& object, uint64_t text) const {
  const PackedSequence::Step step = texts_.StepAt(text);
  if (step.from.value < object.text_base ||
      step.from.value - object.text_base > object.texts_size ||
      step.length() > object.texts_size - (step.from.value - object.text_base)) {
    texts_.ThrowMalformed(text, "a text lies outside of its object");
  }
  TextLayout layout;
  layout.number = text;
  layout.position = object.media_size + (step.from.value - object.text_base);
  layout.size = step.length();
  layout.absent = step.from.extra != 0;
  if (layout.absent && layout.size != 0) {
    texts_.ThrowMalformed(text, fmt::format("an absent text of {} bytes", layout.size));
  }
  return layout;
}

}  // namespace ulhff
