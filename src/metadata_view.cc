// A generated view with one file more in some directories: metadata.jsonl, as Hugging Face's folder
// loaders look for it.
#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reader_columns.h"
#include "view.h"
#include "view_metadata.h"

namespace ulhff {

namespace {

constexpr std::string_view kFileName = "metadata.jsonl";
constexpr unsigned kIndexBits = 8;
static_assert(kMaxSplits <= (uint64_t{1} << kIndexBits));
// Behind the cookies of all other names.
constexpr uint64_t kLastCookie = uint64_t{1} << 62;

// One metadata.jsonl, made when it is asked for first.
struct Metadata {
  uint64_t directory = 0;
  std::optional<uint64_t> split;

  std::mutex making{};
  std::atomic<bool> made = false;  // `contents` stays as it is from then on
  MetadataWriter::Contents contents{};
};

class MetadataView final : public View {
 public:
  MetadataView(const Reader& reader, std::unique_ptr<View> view)
      : reader_(reader), view_(std::move(view)) {
    ColumnNames(reader.info());  // refuses here what could not be written later
    const std::vector<std::string>& splits = reader.info().splits;
    if (own_kind() == NodeKind::kObjectsDir || splits.size() < 2) {
      Add(0, std::nullopt);
    } else {
      for (uint64_t split = 0; split < splits.size(); ++split) {
        // Hugging Face's loaders refuse an empty one.
        if (reader.SplitPairs(split) > 0)
          Add(view_->Lookup(0, splits[split]).value_or(root()).number(), split);
      }
    }
  }

  NodeKind own_kind() const override { return view_->own_kind(); }
  std::optional<Attributes> OwnAttributes(uint64_t number) const override {
    return view_->OwnAttributes(number);
  }
  uint64_t Parent(uint64_t directory) const override { return view_->Parent(directory); }
  uint64_t MediaLinks(uint64_t object, const ObjectLayout& layout) const override {
    return view_->MediaLinks(object, layout);
  }
  uint64_t TextLinks(uint64_t text, const TextLayout& layout) const override {
    return view_->TextLinks(text, layout);
  }
  uint64_t BlobLinks(uint64_t blob) const override { return view_->BlobLinks(blob); }
  std::optional<std::string> PathOfPair(uint64_t pair, uint64_t object) const override {
    return view_->PathOfPair(pair, object);
  }

  std::optional<Node> Lookup(uint64_t directory, std::string_view name) const override {
    if (name == kFileName) {
      if (const auto index = IndexOf(directory)) return NodeOf(*index);
    }
    return view_->Lookup(directory, name);
  }

  // The file comes last, so that all other cookies are the view's own.
  void List(uint64_t directory, uint64_t cookie, Tree::Visitor visit,
            void* context) const override {
    const auto index = IndexOf(directory);
    if (!index) return view_->List(directory, cookie, visit, context);
    if (cookie >= kLastCookie) return;
    struct Listing {
      Tree::Visitor visit;
      void* context;
      bool stopped;
    } listing{visit, context, false};
    const auto pass_on = [](void* to, std::string_view name, Node node, uint64_t next) {
      auto* listing = static_cast<Listing*>(to);
      listing->stopped = !listing->visit(listing->context, name, node, next);
      return !listing->stopped;
    };
    view_->List(directory, cookie, pass_on, &listing);
    if (!listing.stopped) visit(context, kFileName, NodeOf(*index), kLastCookie);
  }

  uint64_t FileCount() const override { return view_->FileCount() + files_.size(); }

  std::optional<std::string> PathOf(Node node) const override {
    if (node.kind() != NodeKind::kMade) return view_->PathOf(node);
    const Metadata* const file = Find(node.number());
    if (file == nullptr) return std::nullopt;
    const auto directory = view_->PathOf(Node(own_kind(), file->directory));
    if (!directory) return std::nullopt;
    return fmt::format("{}{}{}", *directory, directory->empty() ? "" : "/", kFileName);
  }

  std::optional<Attributes> MadeAttributes(uint64_t number) const override {
    Metadata* const file = Find(number);
    if (file == nullptr) return std::nullopt;
    Make(*file);
    return Attributes{Node(NodeKind::kMade, number), false, file->contents.size, 1,
                      reader_.info().default_mtime_ns};
  }

  size_t ReadMade(uint64_t number, uint64_t position, std::span<std::byte> out) const override {
    Metadata* const file = Find(number);
    if (file == nullptr) return 0;
    Make(*file);
    return PreadFull(file->contents.file.get(), out, position, std::string(kFileName));
  }

 private:
  void Add(uint64_t directory, std::optional<uint64_t> split) {
    if (view_->Lookup(directory, kFileName))
      throw std::invalid_argument(fmt::format(
          "hf_metadata: a file of the view is called {} already; choose another template",
          kFileName));
    files_.push_back(std::make_unique<Metadata>());
    files_.back()->directory = directory;
    files_.back()->split = split;
  }

  Node NodeOf(uint64_t index) const {
    return Node(NodeKind::kMade, static_cast<uint64_t>(own_kind()) << kIndexBits | index);
  }
  std::optional<uint64_t> IndexOf(uint64_t directory) const {
    for (uint64_t index = 0; index < files_.size(); ++index) {
      if (files_[index]->directory == directory) return index;
    }
    return std::nullopt;
  }
  Metadata* Find(uint64_t number) const {
    const uint64_t index = number & ((uint64_t{1} << kIndexBits) - 1);
    const bool mine = number >> kIndexBits == static_cast<uint64_t>(own_kind());
    return mine && index < files_.size() ? files_[index].get() : nullptr;
  }

  // Who comes while it is made waits; who comes after a failure tries again.
  void Make(Metadata& file) const {
    if (file.made.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(file.making);
    if (file.made.load(std::memory_order_relaxed)) return;
    const auto directory = view_->PathOf(Node(own_kind(), file.directory));
    const size_t prefix = !directory || directory->empty() ? 0 : directory->size() + 1;
    MetadataWriter writer(reader_, *view_, prefix);
    if (own_kind() == NodeKind::kObjectsDir) {
      writer.AddObjects();
    } else {
      writer.AddPairs(file.split);
    }
    file.contents = writer.Finish();
    file.made.store(true, std::memory_order_release);
  }

  const Reader& reader_;
  const std::unique_ptr<View> view_;
  std::vector<std::unique_ptr<Metadata>> files_;
};

}  // namespace

std::unique_ptr<View> AddMetadata(const Reader& reader, std::unique_ptr<View> view) {
  return std::make_unique<MetadataView>(reader, std::move(view));
}

}  // namespace ulhff
