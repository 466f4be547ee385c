// The view with one media name and its texts for every pair: [SPLIT/]SHARD/KEY.jpg, KEY.txt.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "numbered_view.h"

namespace ulhff {

namespace {

std::vector<NumberedView::Split> PairSplits(const Reader& reader) {
  const Info& info = reader.info();
  if (info.splits.size() < 2) return {{"", info.pairs}};
  std::vector<NumberedView::Split> splits;
  for (uint64_t s = 0; s < info.splits.size(); ++s)
    splits.push_back({info.splits[s], reader.SplitPairs(s)});
  return splits;
}

// A pair whose object is known from the one before it, where they share it.
class PairCursor {
 public:
  explicit PairCursor(const Reader& reader) : reader_(reader) {}
  void MoveTo(uint64_t pair) {
    if (pair - layout_.first_pair < layout_.pairs) return;
    object_ = reader_.Locate(pair).object;
    layout_ = reader_.Object(object_);
  }
  uint64_t object() const { return object_; }
  bool IsAbsent(uint64_t text) const { return reader_.Text(layout_, text).absent; }

 private:
  const Reader& reader_;
  uint64_t object_ = 0;
  ObjectLayout layout_;
};

class PairsView final : public NumberedView {
 public:
  PairsView(const Reader& reader, const TreeOptions& options)
      : NumberedView(reader, options, PairSplits(reader)),
        omit_(options.absent_text == AbsentText::kOmit),
        fields_(reader.info().fields.size()) {
    for (const std::string& media : suffixes().media()) {
      if (suffixes().FindText(media))
        throw std::invalid_argument(
            fmt::format("a media and a text would both be called KEY{} in the pairs view: choose "
                        "another media_ext or text_ext, or the source view",
                        media));
    }
    CheckNames(suffixes().media());
    CheckNames(suffixes().texts());
  }

  NodeKind own_kind() const override { return NodeKind::kPairsDir; }

  uint64_t MediaLinks(uint64_t, const ObjectLayout& layout) const override { return layout.pairs; }
  uint64_t TextLinks(uint64_t, const TextLayout& layout) const override {
    return omit_ && layout.absent ? 0 : 1;
  }
  uint64_t FileCount() const override { return reader().info().pairs * (1 + fields_); }

 protected:
  std::optional<Node> FindFile(uint64_t split, uint64_t key,
                               std::string_view suffix) const override {
    const uint64_t pair = PairOf(split, key);
    PairCursor cursor(reader());
    cursor.MoveTo(pair);
    if (const auto field = suffixes().FindText(suffix)) {
      const uint64_t text = pair * fields_ + *field;
      if (omit_ && cursor.IsAbsent(text)) return std::nullopt;
      return Node(NodeKind::kText, text);
    }
    if (!suffixes().IsMedia(suffix, reader().Extension(cursor.object()))) return std::nullopt;
    return Node(NodeKind::kMedia, cursor.object());
  }

  // Entry e of a leaf is part e % (1 + F) of its key e / (1 + F): the media, then each field.
  void ListFiles(const Leaf& leaf, uint64_t cookie, Tree::Visitor visit,
                 void* context) const override {
    NameBuffer name;
    PairCursor cursor(reader());
    for (uint64_t entry = cookie; entry < CountFiles(leaf); ++entry) {
      const uint64_t key = leaf.first + entry / (1 + fields_);
      const uint64_t part = entry % (1 + fields_);
      const uint64_t pair = PairOf(leaf.split, key);
      cursor.MoveTo(pair);
      const uint64_t text = pair * fields_ + part - 1;
      if (part > 0 && omit_ && cursor.IsAbsent(text)) continue;
      name.Clear();
      AppendKey(name, key);
      if (part == 0) {
        suffixes().AppendMedia(name, reader().Extension(cursor.object()));
      } else {
        name.Append(suffixes().text(part - 1));
      }
      const Node node =
          part == 0 ? Node(NodeKind::kMedia, cursor.object()) : Node(NodeKind::kText, text);
      if (!visit(context, name.view(), node, entry + 1)) return;
    }
  }

  uint64_t CountFiles(const Leaf& leaf) const override {
    return (leaf.end - leaf.first) * (1 + fields_);
  }

  std::optional<FileName> NameOf(Node file) const override {
    if (file.kind() == NodeKind::kMedia)
      return NameOfMedia(reader().Object(file.number()).first_pair, file.number());
    if (file.kind() != NodeKind::kText || fields_ == 0) return std::nullopt;
    const uint64_t pair = file.number() / fields_;
    PairCursor cursor(reader());
    cursor.MoveTo(pair);
    if (omit_ && cursor.IsAbsent(file.number())) return std::nullopt;
    return NameOfPair(pair, suffixes().text(file.number() % fields_));
  }

  FileName NameOfMedia(uint64_t pair, uint64_t object) const override {
    NameBuffer suffix;
    suffixes().AppendMedia(suffix, reader().Extension(object));
    return NameOfPair(pair, suffix.view());
  }

 private:
  uint64_t PairOf(uint64_t split, uint64_t key) const {
    return splits().size() > 1 ? reader().PairInSplit(split, key) : key;
  }

  FileName NameOfPair(uint64_t pair, std::string_view suffix) const {
    if (splits().size() < 2) return {0, pair, std::string(suffix)};
    const auto place = reader().SplitOf(pair);
    return {place.split, place.number, std::string(suffix)};
  }

  bool omit_;  // absent texts have no name
  uint64_t fields_;
};

}  // namespace

std::unique_ptr<View> MakePairsView(const Reader& reader, const TreeOptions& options) {
  return std::make_unique<PairsView>(reader, options);
}

}  // namespace ulhff
