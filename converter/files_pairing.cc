// Pairing rules of plain files.
#include "converter/files_pairing.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

namespace ulhff {
namespace {

// The last two are those of Flickr30k Entities.
constexpr const char* kMediaDirs[] = {
    "images", "imgs", "media", "videos", "audio", "wavs", "flickr30k-images", "flickr30k_images"};
constexpr const char* kTextDirs[] = {"captions", "texts", "txt", "sentences", "transcripts"};
// Never the text of the one media beside it.
constexpr const char* kNoTexts[] = {"readme",  "license", "licence",  "notice",
                                    "copying", "authors", "changelog"};

template <typename Names>
bool IsOneOf(const std::string& name, const Names& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

enum class Role { kMedia, kTexts };

// What a directory called `name` on one side can be called on the other.
std::vector<std::string> NamesOf(Role role, std::string_view name, const FilesContext& context) {
  std::vector<std::string> result;
  for (const auto& [media, texts] : context.pair_dirs) {
    if (role == Role::kTexts && name == media) result.push_back(texts);
    if (role == Role::kMedia && name == texts) result.push_back(media);
  }
  const auto add = [&](const auto& from, const auto& to) {
    if (!IsOneOf(LowerAscii(name), from)) return;
    for (std::string other : to) {
      result.push_back(other);
      other[0] = static_cast<char>(other[0] - 'a' + 'A');
      result.push_back(other);
    }
  };
  if (role == Role::kTexts) {
    add(kMediaDirs, kTextDirs);
  } else {
    add(kTextDirs, kMediaDirs);
  }
  return result;
}

std::vector<std::string> Counterparts(Role role, const std::string& path,
                                      const FilesContext& context) {
  std::vector<std::string> result;
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    for (const std::string& other :
         NamesOf(role, std::string_view{path}.substr(begin, end - begin), context)) {
      const std::string candidate = path.substr(0, begin) + other + path.substr(end);
      if (candidate != path && !IsOneOf(candidate, result) &&
          context.walker.IsDirectory(candidate)) {
        result.push_back(candidate);
      }
    }
    begin = end + 1;
  }
  return result;
}

// Texts of one media, sorted, become groups: a new one where the stem changes or an extension comes
// again.
void AppendGroups(std::span<const StemIndex::TextEntry> texts, const StemIndex& index,
                  const std::string& directory, FilesRule rule, std::vector<TextGroup>& groups) {
  std::optional<std::string_view> last_stem;
  for (const StemIndex::TextEntry& text : texts) {
    const std::string_view stem = index.stem(text.file);
    if (stem != last_stem || groups.back().files.back().rank == text.rank) {
      groups.push_back({rule, {}});
    }
    last_stem = stem;
    groups.back().files.push_back({JoinPath(directory, index.name(text.file)), text.rank});
  }
}

bool IsEmpty(const MediaDirectory& directory, uint32_t media, const FilesContext& context) {
  const std::string path = JoinPath(directory.listing().path, directory.index().name(media));
  std::error_code failed;  // the sink will tell of it
  return std::filesystem::file_size(context.walker.FullPath(path), failed) == 0 && !failed;
}

}  // namespace

MediaDirectory::MediaDirectory(DirectoryListing listing, const FilesContext& context)
    : own_(std::make_unique<Side>(std::move(listing), context.types)) {
  if (index().media().empty()) return;
  for (const std::string& path : Counterparts(Role::kTexts, own_->listing.path, context)) {
    text_sides_.push_back(std::make_unique<Side>(context.walker.List(path), context.types));
  }
}

std::vector<TextGroup> MediaDirectory::TextsIn(const Side& side, std::string_view stem) const {
  const FilesRule exact = &side == own_.get() ? FilesRule::kSameStem : FilesRule::kParallel;
  const FilesRule number = &side == own_.get() ? FilesRule::kNumbered : FilesRule::kParallel;
  std::vector<TextGroup> groups;
  AppendGroups(side.index.Exact(stem), side.index, side.listing.path, exact, groups);
  std::vector<StemIndex::TextEntry> numbered;
  for (const StemIndex::TextEntry& text : side.index.Numbered(stem)) {
    if (!index().HasMedia(side.index.stem(text.file))) numbered.push_back(text);
  }
  AppendGroups(numbered, side.index, side.listing.path, number, groups);
  return groups;
}

std::vector<TextGroup> MediaDirectory::TextsOf(std::string_view stem) const {
  std::vector<TextGroup> groups = TextsIn(*own_, stem);
  for (size_t i = 0; groups.empty() && i < text_sides_.size(); ++i) {
    groups = TextsIn(*text_sides_[i], stem);
  }
  if (groups.empty() && IsAlone()) {
    AppendGroups(index().texts(), index(), own_->listing.path, FilesRule::kAlone, groups);
  }
  return groups;
}

bool MediaDirectory::IsAlone() const {
  if (index().media().size() != 1 || index().texts().empty()) return false;
  const auto texts = index().texts();
  const std::string_view stem = index().stem(texts.front().file);
  return stem == index().stem(texts.back().file) && !IsOneOf(LowerAscii(stem), kNoTexts);
}

std::string_view MediaDirectory::Claims(std::string_view text_stem) const {
  if (index().HasMedia(text_stem)) return text_stem;
  const std::string_view unnumbered = UnnumberedStem(text_stem);
  return !unnumbered.empty() && index().HasMedia(unnumbered) ? unnumbered : std::string_view();
}

TextDirectory::TextDirectory(const MediaDirectory& own, const FilesContext& context) : own_(own) {
  if (own.index().texts().empty()) return;
  media_.resize(own.listing().files.size());
  CountPairsOf(own, context);
  for (const std::string& path : Counterparts(Role::kMedia, own.listing().path, context)) {
    CountPairsOf(MediaDirectory(context.walker.List(path), context), context);
  }
}

void TextDirectory::CountPairsOf(const MediaDirectory& directory, const FilesContext& context) {
  for (const uint32_t media : directory.index().media()) {
    if (context.skips_empty && IsEmpty(directory, media, context)) continue;
    for (const TextGroup& group : directory.TextsOf(directory.index().stem(media))) {
      for (const TextGroup::File& text : group.files) {
        if (ParentPath(text.path) != own_.listing().path) continue;
        if (const auto file = own_.listing().files.Find(BaseName(text.path))) ++media_[*file];
      }
    }
  }
}

}  // namespace ulhff
