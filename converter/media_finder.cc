// Resolution of media paths said by tables and annotations.
#include "converter/media_finder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "converter/input_error.h"
#include "converter/unicode_form.h"

namespace ulhff {
namespace {

constexpr const char* kNearbyDirs[] = {"images", "imgs",  "img",    "image", "media", "videos",
                                       "video",  "audio", "audios", "wavs",  "wav",   "clips"};

std::string RealPath(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real ? std::string(real.get()) : std::string();
}

// `path` from `root`, both without links; nullopt: not below it.
std::optional<std::string> Below(std::string_view path, std::string_view root) {
  if (path == root) return "";
  if (!path.starts_with(root)) return std::nullopt;
  path.remove_prefix(root.size());
  if (!root.ends_with('/')) {
    if (!path.starts_with('/')) return std::nullopt;
    path.remove_prefix(1);
  }
  return std::string(path);
}

// Without ".", ".." and empty components; `leads_out`: there were more ".." than there was to
// leave.
std::string Clean(std::string_view path, bool& leads_out) {
  std::string result;
  leads_out = false;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part == "..") {
      leads_out = leads_out || result.empty();
      result = ParentPath(result);
    } else if (!part.empty() && part != ".") {
      result = JoinPath(result, part);
    }
  }
  return result;
}

// The prefix of a path ends where a component does: the '/' behind it goes with it.
std::string_view WithoutPrefix(std::string_view value, std::string_view prefix) {
  if (prefix.empty() || !value.starts_with(prefix)) return value;
  value.remove_prefix(prefix.size());
  while (!prefix.ends_with('/') && value.starts_with('/')) value.remove_prefix(1);
  return value;
}

bool EndsWithPath(std::string_view path, std::string_view end) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

bool IsDirectory(const std::string& path) {
  struct stat st;
  return stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

bool IsFile(const std::string& path) {
  struct stat st;
  return stat(path.c_str(), &st) == 0 && S_ISREG(st.st_mode);
}

}  // namespace

MediaPlace PlaceOf(const std::string& operand, bool is_directory, const ConvertOptions& options) {
  std::string own = operand;
  if (!is_directory)
    own = operand.find('/') == std::string::npos ? "." : operand.substr(0, operand.rfind('/') + 1);
  if (options.media_root.empty()) return {own, ""};
  std::string media_root = options.media_root;
  if (!IsDirectory(media_root) && IsDirectory(JoinPath(own, media_root))) {
    media_root = JoinPath(own, media_root);
  }
  if (!IsDirectory(media_root)) {
    throw UsageError(fmt::format("--media-root {}: no such directory", options.media_root));
  }
  if (!is_directory) return {media_root, ""};
  const auto inside = Below(RealPath(media_root), RealPath(own));
  return inside ? MediaPlace{own, *inside} : MediaPlace{media_root, ""};
}

MediaPlace PlaceNear(const std::string& file, const std::vector<std::string>& names,
                     const ConvertOptions& options) {
  MediaPlace own = PlaceOf(file, false, options);
  if (!options.media_root.empty()) return own;
  MediaFinder finder(own, options, MediaFinder::Nearby::kNo);
  for (const std::string& name : names) {
    if (finder.Find(name, "").found()) return own;
  }
  // Only the directories beside are looked at, not all that lies below them.
  const std::string above = JoinPath(own.root, "..");
  const DirectoryListing listing = Walker(above, options).List("");
  for (size_t i = 0; i < listing.children.size(); ++i) {
    const std::string beside = JoinPath(above, listing.children[i]);
    for (const std::string& name : names) {
      if (access(JoinPath(beside, name).c_str(), F_OK) == 0) return {above, ""};
    }
  }
  return own;
}

MediaFinder::MediaFinder(MediaPlace place, const ConvertOptions& options, Nearby nearby)
    : place_(std::move(place)),
      nearby_(nearby),
      options_(options),
      types_(options),
      spelling_(options),
      real_root_(RealPath(place_.root)) {}

const FoundMedia& MediaFinder::Find(std::string_view value, std::string_view base) {
  if (!last_ || last_value_ != value || last_base_ != base) {
    last_ = Look(value, base);
    last_value_ = value;
    last_base_ = base;
  }
  return *last_;
}

const std::string& MediaFinder::FirstFound(const std::vector<std::string>& values,
                                           std::string_view base) {
  if (values.size() == 1) return values[0];
  for (const std::string& value : values) {
    if (Find(value, base).found()) return value;
  }
  return values[0];
}

std::optional<MediaId> MediaFinder::Emit(std::string_view value, std::string_view base,
                                         const Origin& origin, SourceSink& sink) {
  const FoundMedia& media = Find(value, base);
  if (!media.other.empty()) {
    throw InputError(fmt::format(
        "{}:{}: '{}' is both {} and {}: name the right directory with --media-root, or the path "
        "with --media-template",
        origin.file, origin.line, value, media.name, media.other));
  }
  if (media.how == FoundMedia::How::kOutside) {
    sink.Note(Odd::kOutsidePath, WithoutPrefix(value, options_.strip_prefix), origin);
    return std::nullopt;
  }
  if (!media.found() && value.find("://") != std::string_view::npos) {
    sink.Note(Odd::kMissingMedia, fmt::format("{} (a URL; nothing is downloaded)", value), origin);
    return std::nullopt;
  }
  if (!media.found() && IsHidden(media.path)) {
    sink.Note(Odd::kMissingMedia, fmt::format("{} (a link, --symlinks)", value), origin);
    return std::nullopt;
  }
  if (media.odd) sink.Note(*media.odd, value, origin);
  return sink.Media(media.name, {media.path, 0, std::nullopt}, origin);
}

FoundMedia MediaFinder::Look(std::string_view value, std::string_view base) {
  const std::string spelled(WithoutPrefix(value, options_.strip_prefix));
  FoundMedia first = LookAsSpelled(spelled, base);
  if (first.how != FoundMedia::How::kMissing) return first;

  std::vector<FoundMedia> others;
  for (const std::string& form : spelling_.OtherForms(spelled)) {
    FoundMedia media = LookAsSpelled(form, base);
    if (!media.found()) continue;
    // What is in another encoding is told where it is respelled.
    if (ToNfc(form) == ToNfc(spelled)) media.odd = Odd::kUnicodeForm;
    others.push_back(std::move(media));
  }
  if (others.size() == 1) return others[0];
  if (spelled.find('\\') != std::string::npos) {
    std::string slashed = spelled;
    std::replace(slashed.begin(), slashed.end(), '\\', '/');
    FoundMedia media = LookAsSpelled(slashed, base);
    if (media.found()) {
      media.odd = Odd::kBackslashPath;
      return media;
    }
  }
  return first;
}

FoundMedia MediaFinder::LookAsSpelled(const std::string& value, std::string_view base) {
  if (value.find('\0') != std::string::npos) return Missing(value);  // no file is called so
  if (value.starts_with('/')) {
    const auto inside = Below(value, real_root_);
    return inside ? LookAsSpelled(*inside, "") : LookOutside(value, value);
  }
  std::vector<std::string> starts{place_.search};
  if (!base.empty() && base != place_.search && options_.media_root.empty()) {
    starts.insert(starts.begin(), std::string(base));
  }
  bool leads_out = false;
  const std::string first = Clean(JoinPath(starts.front(), value), leads_out);
  if (leads_out) {
    // It may lead back in: what is above the root decides.
    const std::string whole =
        Clean(JoinPath(JoinPath(real_root_.substr(1), starts.front()), value), leads_out);
    const auto inside = Below("/" + whole, real_root_);
    if (!leads_out && inside && !inside->empty()) return LookAsSpelled(*inside, "");
    return LookOutside(JoinPath(JoinPath(place_.root, starts.front()), value), value);
  }
  for (const std::string& start : starts) {
    const std::string path = Clean(JoinPath(start, value), leads_out);
    if (!leads_out && Exists(path)) return Choose({path}, FoundMedia::How::kByPath);
  }
  const std::string plain = Clean(value, leads_out);
  if (leads_out || plain.empty()) return Missing(first);
  for (const std::string& start : starts) {
    if (nearby_ == Nearby::kNo) break;
    FoundMedia media = Choose(NearbyPaths(plain, start), FoundMedia::How::kByPath);
    if (media.found()) return media;
  }
  if (reach_ == Reach::kNear) return Missing(first);
  FoundMedia media = LookInTree(plain);
  return media.found() ? media : Missing(first);
}

FoundMedia MediaFinder::Missing(const std::string& name) const {
  FoundMedia media;
  media.name = name;
  media.path = JoinPath(place_.root, name);
  return media;
}

FoundMedia MediaFinder::LookOutside(const std::string& path, const std::string& value) const {
  bool ignored = false;
  FoundMedia media = Missing(Clean(value, ignored));
  media.path = path;
  if (!options_.allow_outside) {
    media.how = FoundMedia::How::kOutside;
  } else if (IsFile(path)) {
    media.how = FoundMedia::How::kByPath;
    media.odd = Odd::kOutsidePath;
  }
  return media;
}

// By the end of the path; without its extension if it has none of a media.
FoundMedia MediaFinder::LookInTree(const std::string& value) {
  if (!index_) {
    index_ = std::make_unique<MediaIndex>(Walker(JoinPath(place_.root, place_.search), options_),
                                          types_);
  }
  std::vector<std::string> paths;
  for (const std::string& path : index_->EndingIn(value)) {
    const std::string from_root = JoinPath(place_.search, path);
    if (EndsWithPath(path, value) && Exists(from_root)) paths.push_back(from_root);
  }
  if (!paths.empty() || types_.IsMedia(value)) return Choose(paths, FoundMedia::How::kByPath);
  for (const std::string& path : index_->EndingInStem(value)) {
    const std::string from_root = JoinPath(place_.search, path);
    const std::string_view stem = std::string_view{path}.substr(0, path.rfind('.'));
    if (EndsWithPath(stem, value) && Exists(from_root)) paths.push_back(from_root);
  }
  return Choose(paths, FoundMedia::How::kByStem);
}

void MediaFinder::SetReach(Reach reach) {
  reach_ = reach;
  last_.reset();
}

void MediaFinder::Prefer(const std::string& directory) {
  preferred_ = directory;
  last_.reset();
}

FoundMedia MediaFinder::Choose(std::vector<std::string> paths, FoundMedia::How how) const {
  FoundMedia media;
  if (paths.empty()) return media;
  if (paths.size() > 1 && !preferred_.empty()) {
    const auto others =
        std::stable_partition(paths.begin(), paths.end(), [&](const std::string& path) {
          return ("/" + std::string(ParentPath(path)) + "/").find("/" + preferred_ + "/") !=
                 std::string::npos;
        });
    if (others != paths.begin()) paths.erase(others, paths.end());
  }
  media.how = how;
  media.name = paths[0];
  media.path = JoinPath(place_.root, paths[0]);
  if (paths.size() > 1) media.other = paths[1];
  return media;
}

std::vector<std::string> MediaFinder::NearbyPaths(const std::string& value,
                                                  const std::string& base) {
  const auto [directories, added] = nearby_dirs_.try_emplace(base);
  for (const char* name : kNearbyDirs) {
    if (!added) break;
    std::string directory = JoinPath(base, name);
    if (IsDirectory(JoinPath(place_.root, directory))) {
      directories->second.push_back(std::move(directory));
    }
  }
  std::vector<std::string> paths;
  for (const std::string& directory : directories->second) {
    std::string path = JoinPath(directory, value);
    if (Exists(path)) paths.push_back(std::move(path));
  }
  return paths;
}

bool MediaFinder::Exists(const std::string& path_from_root) const {
  const std::string path = JoinPath(place_.root, path_from_root);
  if (!IsFile(path)) return false;
  if (options_.symlinks == OnSymlink::kFollow) return true;
  const auto real = Below(RealPath(path), real_root_);
  return options_.symlinks == OnSymlink::kSkip ? real == path_from_root : real.has_value();
}

bool MediaFinder::IsHidden(const std::string& path) const {
  return options_.symlinks != OnSymlink::kFollow && IsFile(path);
}

}  // namespace ulhff
