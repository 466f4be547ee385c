// The view with each media once, all its texts beside it: SHARD/KEY.jpg, KEY.0.txt, KEY.1.txt ...
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "numbered_view.h"

namespace ulhff {

namespace {

constexpr size_t kMaxSlotDigits = 14;  // of any number up to kMaxCount

class ObjectsView final : public NumberedView {
 public:
  ObjectsView(const Reader& reader, const TreeOptions& options)
      : NumberedView(reader, options, {{"", reader.info().objects}}),
        omit_(options.absent_text == AbsentText::kOmit),
        fields_(reader.info().fields.size()),
        units_(std::max<uint64_t>(fields_, 1)) {
    for (const std::string& media : suffixes().media()) {
      if (suffixes().ParseTextPart(media))
        throw std::invalid_argument(
            fmt::format("a media and a text would both be called KEY{} in the objects view: choose "
                        "another media_ext or text_ext, or the source view",
                        media));
    }
    CheckNames(suffixes().media());
    std::vector<std::string> texts = suffixes().texts();
    for (std::string& text : texts) text.insert(0, "." + std::string(kMaxSlotDigits, '9'));
    CheckNames(texts);
  }

  NodeKind own_kind() const override { return NodeKind::kObjectsDir; }

  uint64_t MediaLinks(uint64_t, const ObjectLayout&) const override { return 1; }
  uint64_t TextLinks(uint64_t, const TextLayout& layout) const override {
    return omit_ && layout.absent ? 0 : 1;
  }
  uint64_t FileCount() const override {
    return reader().info().objects + reader().info().pairs * fields_;
  }

 protected:
  std::optional<Node> FindFile(uint64_t, uint64_t object, std::string_view suffix) const override {
    if (const auto part = suffixes().ParseTextPart(suffix)) {
      const ObjectLayout layout = reader().Object(object);
      if (part->slot >= layout.pairs) return std::nullopt;
      const uint64_t text = (layout.first_pair + part->slot) * fields_ + part->field;
      if (IsLeftOut(layout, text)) return std::nullopt;
      return Node(NodeKind::kText, text);
    }
    if (!suffixes().IsMedia(suffix, reader().Extension(object))) return std::nullopt;
    return Node(NodeKind::kMedia, object);
  }

  // Cookies grow along the listing and need no search. Where texts are the file's units of
  // counting (pairs, if it has no texts), 2 * u + 1 continues with text u, and 2 * u with the media
  // of the object whose first text is u.
  void ListFiles(const Leaf& leaf, uint64_t cookie, Tree::Visitor visit,
                 void* context) const override {
    if (leaf.first == leaf.end) return;
    uint64_t unit = cookie / 2;
    uint64_t object = leaf.first;
    if (cookie == 0) {
      unit = reader().Object(object).first_pair * units_;
    } else if (unit / units_ >= reader().info().pairs) {
      return;
    } else {
      object = reader().Locate(unit / units_).object;
    }
    bool media_next = cookie % 2 == 0;
    for (; object >= leaf.first && object < leaf.end; ++object, media_next = true) {
      const ObjectLayout layout = reader().Object(object);
      if (media_next) unit = layout.first_pair * units_;
      if (media_next && !VisitMedia(object, layout, visit, context)) return;
      if (fields_ > 0 && !VisitTexts(object, layout, unit, visit, context)) return;
    }
  }

  uint64_t CountFiles(const Leaf& leaf) const override {
    if (leaf.first == leaf.end) return 0;
    const ObjectLayout last = reader().Object(leaf.end - 1);
    const uint64_t pairs = last.first_pair + last.pairs - reader().Object(leaf.first).first_pair;
    return leaf.end - leaf.first + pairs * fields_;
  }

  std::optional<FileName> NameOf(Node file) const override {
    if (file.kind() == NodeKind::kMedia) return NameOfMedia(0, file.number());
    if (file.kind() != NodeKind::kText || fields_ == 0) return std::nullopt;
    const PairLocation place = reader().Locate(file.number() / fields_);
    if (IsLeftOut(reader().Object(place.object), file.number())) return std::nullopt;
    return FileName{0, place.object,
                    fmt::format(".{}{}", place.slot, suffixes().text(file.number() % fields_))};
  }

  FileName NameOfMedia(uint64_t, uint64_t object) const override {
    NameBuffer suffix;
    suffixes().AppendMedia(suffix, reader().Extension(object));
    return {0, object, std::string(suffix.view())};
  }

 private:
  bool IsLeftOut(const ObjectLayout& layout, uint64_t text) const {
    return omit_ && reader().Text(layout, text).absent;
  }

  bool VisitMedia(uint64_t object, const ObjectLayout& layout, Tree::Visitor visit,
                  void* context) const {
    NameBuffer name;
    AppendKey(name, object);
    suffixes().AppendMedia(name, reader().Extension(object));
    const uint64_t first = layout.first_pair * units_;
    const uint64_t next = fields_ > 0 ? 2 * first + 1 : 2 * (first + layout.pairs);
    return visit(context, name.view(), Node(NodeKind::kMedia, object), next);
  }

  // The object's texts from number `text` on.
  bool VisitTexts(uint64_t object, const ObjectLayout& layout, uint64_t text, Tree::Visitor visit,
                  void* context) const {
    const uint64_t first = layout.first_pair * fields_;
    const uint64_t end = first + layout.pairs * fields_;
    NameBuffer name;
    for (; text < end; ++text) {
      if (IsLeftOut(layout, text)) continue;
      name.Clear();
      AppendKey(name, object);
      name.Append(".");
      name.AppendNumber((text - first) / fields_, 1);
      name.Append(suffixes().text(text % fields_));
      const uint64_t next = text + 1 == end ? 2 * end : 2 * (text + 1) + 1;
      if (!visit(context, name.view(), Node(NodeKind::kText, text), next)) return false;
    }
    return true;
  }

  bool omit_;  // absent texts have no name
  uint64_t fields_;
  uint64_t units_;  // numbers in cookies that a pair takes: its texts, or 1
};

}  // namespace

std::unique_ptr<View> MakeObjectsView(const Reader& reader, const TreeOptions& options) {
  return std::make_unique<ObjectsView>(reader, options);
}

}  // namespace ulhff
