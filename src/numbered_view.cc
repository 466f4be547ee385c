// Directories of the generated views: packed into node numbers, named by the template.
#include "numbered_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ulhff {

namespace {

// A directory's number: depth 5 bits, split 8 bits, shard 31 bits.
constexpr unsigned kShardBits = 31;
constexpr unsigned kSplitBits = 8;
constexpr uint64_t kMaxShards = uint64_t{1} << kShardBits;
static_assert(kMaxSplits <= (uint64_t{1} << kSplitBits));

std::string WithDot(std::string_view extension) {
  return extension.empty() ? std::string() : fmt::format(".{}", extension);
}

std::string TextSuffix(const FieldInfo& field, bool primary, const std::string& text_extension) {
  if (primary) return WithDot(text_extension.empty() ? field.extension : text_extension);
  if (field.name.empty() || field.name == field.extension) return WithDot(field.extension);
  return WithDot(field.name) + WithDot(field.extension);
}

void CheckExtension(std::string_view option, std::string_view extension) {
  if (extension.find('/') != std::string_view::npos ||
      extension.find('\0') != std::string_view::npos)
    throw std::invalid_argument(fmt::format("{}: an extension holds no '/' and no NUL", option));
}

ViewTemplate MakeTemplate(const TreeOptions& options) {
  if (options.fan_out == 0u) throw std::invalid_argument("fan_out: must be at least 1");
  if (options.width && !options.pair_template.empty())
    throw std::invalid_argument("width: not with template, which says {number:WIDTH} itself");
  if (options.flat && options.fan_out)
    throw std::invalid_argument("fan_out: not with flat, which has no directories of keys");
  const std::string number =
      fmt::format("{{number:{}}}", options.width.value_or(TreeOptions::kWidth));
  std::string text = options.pair_template;
  if (text.empty()) text = options.flat ? number : "{shard:05}/" + number;
  ViewTemplate result = ViewTemplate::Parse(text);
  if (options.flat && result.shard_level)
    throw std::invalid_argument(fmt::format("flat contradicts {{shard}} in template '{}'", text));
  if (options.fan_out && !result.shard_level)
    throw std::invalid_argument(
        fmt::format("fan_out: there is no {{shard}} in template '{}' that it could count", text));
  return result;
}

std::vector<std::string> TextSuffixes(const Info& info, const TreeOptions& options) {
  std::vector<std::string> texts;
  for (const FieldInfo& field : info.fields)
    texts.push_back(TextSuffix(field, texts.empty(), options.text_extension));
  return texts;
}

// Empty: all differ.
std::string EqualFields(const std::vector<std::string>& texts) {
  for (auto text = texts.begin(); text != texts.end(); ++text) {
    const auto twin = std::find(texts.begin(), text, *text);
    if (twin == text) continue;
    return fmt::format("fields {} and {} would both be called KEY{}", twin - texts.begin(),
                       text - texts.begin(), *text);
  }
  return {};
}

}  // namespace

Suffixes::Suffixes(const Info& info, const TreeOptions& options)
    : keep_(options.media_extension == "keep") {
  CheckExtension("media_ext", options.media_extension);
  CheckExtension("text_ext", options.text_extension);
  if (keep_) {
    for (const std::string& extension : info.extensions) media_.push_back(WithDot(extension));
  } else {
    media_.push_back(WithDot(options.media_extension));
  }
  texts_ = TextSuffixes(info, options);
  if (const std::string equal = EqualFields(texts_); !equal.empty())
    throw std::invalid_argument(
        fmt::format("{}: choose another text_ext or the source view", equal));
}

std::optional<TextPart> Suffixes::ParseTextPart(std::string_view suffix) const {
  if (!suffix.starts_with('.')) return std::nullopt;
  suffix.remove_prefix(1);
  const auto slot = TakeNumber(suffix, 1);
  if (!slot) return std::nullopt;
  const auto field = FindText(suffix);
  if (!field) return std::nullopt;
  return TextPart{*slot, *field};
}

std::optional<std::string> FindCollision(const Info& planned) {
  if (std::string equal = EqualFields(TextSuffixes(planned, {})); !equal.empty()) return equal;
  if (planned.default_view == ViewKind::kSource) return std::nullopt;
  const Suffixes suffixes(planned, {});
  for (const std::string& text : suffixes.texts()) {
    if (text.size() > kMaxNameSize / 2) return fmt::format("names KEY{} would be too long", text);
  }
  const bool pairs = planned.default_view != ViewKind::kObjects;
  const bool objects = planned.default_view != ViewKind::kPairs;
  for (const std::string& media : suffixes.media()) {
    if ((pairs && suffixes.FindText(media)) || (objects && suffixes.ParseTextPart(media)))
      return fmt::format("a media and a text would both be called KEY{}", media);
  }
  return std::nullopt;
}

void Suffixes::AppendMedia(NameBuffer& name, std::string_view extension) const {
  if (!keep_) {
    name.Append(media_[0]);
  } else if (!extension.empty()) {
    name.Append(".");
    name.Append(extension);
  }
}

bool Suffixes::IsMedia(std::string_view suffix, std::string_view extension) const {
  if (!keep_) return suffix == media_[0];
  if (extension.empty()) return suffix.empty();
  return !suffix.empty() && suffix[0] == '.' && suffix.substr(1) == extension;
}

std::optional<uint64_t> Suffixes::FindText(std::string_view suffix) const {
  const auto it = std::find(texts_.begin(), texts_.end(), suffix);
  if (it == texts_.end()) return std::nullopt;
  return static_cast<uint64_t>(it - texts_.begin());
}

NumberedView::NumberedView(const Reader& reader, const TreeOptions& options,
                           std::vector<Split> splits)
    : reader_(reader),
      suffixes_(reader.info(), options),
      template_(MakeTemplate(options)),
      fan_out_(options.fan_out.value_or(TreeOptions::kFanOut)),
      splits_(std::move(splits)) {
  for (uint64_t s = 0; s < splits_.size(); ++s) {
    if (Shards(s) > kMaxShards)
      throw std::invalid_argument(
          fmt::format("fan_out: {} keys in directories of {} are more than "
                      "{} directories",
                      splits_[s].keys, fan_out_, kMaxShards));
    for (uint64_t other = 0; other < s; ++other) {
      if (splits_[other].name == splits_[s].name)
        throw std::invalid_argument(fmt::format("two splits are called '{}'", splits_[s].name));
    }
  }
}

void NumberedView::CheckNames(const std::vector<std::string>& suffixes) const {
  for (const std::string& suffix : suffixes) {
    if (template_.key.LongestName() + suffix.size() > kMaxNameSize)
      throw std::invalid_argument(
          fmt::format("names KEY{} would exceed {} bytes: choose a shorter template or extension",
                      suffix, kMaxNameSize));
  }
}

uint64_t NumberedView::Encode(const Directory& directory) {
  return directory.depth << (kShardBits + kSplitBits) | directory.split << kShardBits |
         directory.shard;
}

// nullopt unless the directory exists: each number stands for one directory at most.
std::optional<NumberedView::Directory> NumberedView::Decode(uint64_t number) const {
  const Directory d{number >> (kShardBits + kSplitBits),
                    number >> kShardBits & ((uint64_t{1} << kSplitBits) - 1),
                    number & (kMaxShards - 1)};
  if (d.depth > leaf_depth()) return std::nullopt;
  const uint64_t splits = has_split_level() && d.depth > 0 ? splits_.size() : 1;
  if (d.split >= splits) return std::nullopt;
  const uint64_t shards = IsBelowShard(d) ? Shards(d.split) : 1;
  if (d.shard >= shards) return std::nullopt;
  return d;
}

bool NumberedView::IsBelowShard(const Directory& directory) const {
  const uint64_t split_levels = has_split_level() ? 1 : 0;
  return template_.shard_level && directory.depth > split_levels + *template_.shard_level;
}

uint64_t NumberedView::Shards(uint64_t split) const {
  const uint64_t keys = splits_[split].keys;
  return keys / fan_out_ + (keys % fan_out_ != 0 ? 1 : 0);
}

NumberedView::Leaf NumberedView::LeafOf(const Directory& directory) const {
  const uint64_t keys = splits_[directory.split].keys;
  if (!template_.shard_level) return {directory.split, 0, keys};
  const uint64_t first = directory.shard * fan_out_;
  return {directory.split, first, first + std::min(fan_out_, keys - first)};
}

const TemplateComponent& NumberedView::Component(uint64_t depth) const {
  return template_.directories[depth - (has_split_level() ? 2 : 1)];
}

uint64_t NumberedView::Children(const Directory& directory) const {
  const Directory child{directory.depth + 1, directory.split, directory.shard};
  if (has_split_level() && child.depth == 1) return splits_.size();
  return IsBelowShard(child) && !IsBelowShard(directory) ? Shards(directory.split) : 1;
}

NumberedView::Directory NumberedView::Child(const Directory& directory, uint64_t index) const {
  Directory child{directory.depth + 1, directory.split, directory.shard};
  if (has_split_level() && child.depth == 1) {
    child.split = index;
  } else if (IsBelowShard(child) && !IsBelowShard(directory)) {
    child.shard = index;
  }
  return child;
}

void NumberedView::AppendName(const Directory& directory, NameBuffer& name) const {
  if (has_split_level() && directory.depth == 1) {
    name.Append(splits_[directory.split].name);
  } else {
    Component(directory.depth).Append(name, directory.shard);
  }
}

std::optional<uint64_t> NumberedView::FindChild(const Directory& directory,
                                                std::string_view name) const {
  if (has_split_level() && directory.depth == 0) {
    const auto it = std::find_if(splits_.begin(), splits_.end(),
                                 [&](const Split& split) { return split.name == name; });
    if (it == splits_.end()) return std::nullopt;
    return static_cast<uint64_t>(it - splits_.begin());
  }
  const auto index = Component(directory.depth + 1).Take(name);
  if (!index || !name.empty() || *index >= Children(directory)) return std::nullopt;
  return index;
}

std::optional<Attributes> NumberedView::OwnAttributes(uint64_t number) const {
  const auto directory = Decode(number);
  if (!directory) return std::nullopt;
  const uint64_t subdirectories = IsLeaf(*directory) ? 0 : Children(*directory);
  return Attributes{Node(own_kind(), number), true, kDirectorySize, 2 + subdirectories,
                    reader_.info().default_mtime_ns};
}

uint64_t NumberedView::Parent(uint64_t number) const {
  Directory directory = Decode(number).value_or(Directory{});
  if (directory.depth == 0) return 0;
  --directory.depth;
  if (directory.depth == 0) directory.split = 0;
  if (!IsBelowShard(directory)) directory.shard = 0;
  return Encode(directory);
}

std::optional<Node> NumberedView::Lookup(uint64_t number, std::string_view name) const {
  const auto directory = Decode(number);
  if (!directory) return std::nullopt;
  if (!IsLeaf(*directory)) {
    const auto index = FindChild(*directory, name);
    if (!index) return std::nullopt;
    return Node(own_kind(), Encode(Child(*directory, *index)));
  }
  const Leaf leaf = LeafOf(*directory);
  const auto key = template_.key.Take(name);
  if (!key || *key < leaf.first || *key >= leaf.end) return std::nullopt;
  return FindFile(leaf.split, *key, name);
}

void NumberedView::List(uint64_t number, uint64_t cookie, Tree::Visitor visit,
                        void* context) const {
  const auto directory = Decode(number);
  if (!directory) return;
  if (IsLeaf(*directory)) return ListFiles(LeafOf(*directory), cookie, visit, context);
  NameBuffer name;
  for (uint64_t index = cookie; index < Children(*directory); ++index) {
    const Directory child = Child(*directory, index);
    name.Clear();
    AppendName(child, name);
    if (!visit(context, name.view(), Node(own_kind(), Encode(child)), index + 1)) return;
  }
}

std::string NumberedView::PathOfDirectory(Directory directory) const {
  std::string path;
  for (; directory.depth > 0; --directory.depth) {
    NameBuffer name;
    AppendName(directory, name);
    path = path.empty() ? std::string(name.view()) : fmt::format("{}/{}", name.view(), path);
  }
  return path;
}

std::string NumberedView::PathOfFile(const FileName& file) const {
  NameBuffer name;
  AppendKey(name, file.key);
  const uint64_t shard = template_.shard_level ? file.key / fan_out_ : 0;
  const std::string directory = PathOfDirectory({leaf_depth(), file.split, shard});
  return fmt::format("{}{}{}{}", directory, directory.empty() ? "" : "/", name.view(), file.suffix);
}

std::optional<std::string> NumberedView::PathOf(Node node) const {
  if (node.kind() == own_kind()) {
    const auto directory = Decode(node.number());
    if (!directory) return std::nullopt;
    return PathOfDirectory(*directory);
  }
  const auto file = NameOf(node);
  if (!file) return std::nullopt;
  return PathOfFile(*file);
}

std::optional<std::string> NumberedView::PathOfPair(uint64_t pair, uint64_t object) const {
  return PathOfFile(NameOfMedia(pair, object));
}

}  // namespace ulhff
