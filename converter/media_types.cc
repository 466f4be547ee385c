// Extension lists of media and texts.
#include "converter/media_types.h"

#include <algorithm>

namespace ulhff {
namespace {

// The commonest first: where an id stands without its extension, this is the order of trying.
constexpr const char* kMediaExtensions[] = {
    "jpg",  "png",  "jpeg", "webp", "wav",  "flac", "mp3",  "mp4",  "webm", "ogg", "mkv",  "avi",
    "mov",  "gif",  "bmp",  "tif",  "tiff", "m4a",  "opus", "jpe",  "jfif", "dib", "avif", "heic",
    "heif", "jp2",  "jxl",  "ppm",  "pgm",  "pbm",  "pnm",  "tga",  "exr",  "hdr", "svg",  "m4v",
    "mpg",  "mpeg", "wmv",  "flv",  "ogv",  "3gp",  "mts",  "m2ts", "vob",  "y4m", "oga",  "aac",
    "aif",  "aiff", "aifc", "au",   "sph",  "wma",  "amr",  "caf",  "w64"};
constexpr const char* kTextExtensions[] = {"txt", "text", "caption", "captions", "json", "lab"};

std::vector<std::string> Normalised(const std::vector<std::string>& given) {
  std::vector<std::string> result;
  result.reserve(given.size());
  for (const std::string& extension : given) {
    result.push_back(LowerAscii(extension.starts_with('.') ? extension.substr(1) : extension));
  }
  return result;
}

}  // namespace

NameParts SplitName(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {name, {}};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

std::string LowerAscii(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string_view BaseName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view ParentPath(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string JoinPath(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && !name.empty() && !path.ends_with('/')) path += '/';
  return path += name;
}

MediaTypes::MediaTypes(const ConvertOptions& options)
    : media_(
          options.media_extensions.empty()
              ? std::vector<std::string>(std::begin(kMediaExtensions), std::end(kMediaExtensions))
              : Normalised(options.media_extensions)),
      sorted_media_(media_),
      texts_(options.text_extensions.empty()
                 ? std::vector<std::string>(std::begin(kTextExtensions), std::end(kTextExtensions))
                 : Normalised(options.text_extensions)) {
  std::sort(sorted_media_.begin(), sorted_media_.end());
  for (size_t i = 0; i < texts_.size(); ++i) {
    if (texts_[i].find('.') != std::string::npos) dotted_.push_back(i);
  }
}

bool MediaTypes::IsMedia(std::string_view name) const {
  const std::string extension = LowerAscii(SplitName(name).extension);
  // An extension that the user calls a text is one, also if it stands among the defaults here.
  return !extension.empty() &&
         std::binary_search(sorted_media_.begin(), sorted_media_.end(), extension) &&
         std::find(texts_.begin(), texts_.end(), extension) == texts_.end();
}

std::optional<size_t> MediaTypes::DottedRank(std::string_view name) const {
  if (dotted_.empty()) return std::nullopt;
  const std::string lower = LowerAscii(name);
  for (const size_t rank : dotted_) {
    if (lower.size() > texts_[rank].size() + 1 && lower.ends_with("." + texts_[rank])) return rank;
  }
  return std::nullopt;
}

std::string_view MediaTypes::StemOf(std::string_view name) const {
  const auto dotted = DottedRank(name);
  if (dotted) return name.substr(0, name.size() - texts_[*dotted].size() - 1);
  return SplitName(name).stem;
}

std::optional<size_t> MediaTypes::TextRank(std::string_view name) const {
  if (const auto dotted = DottedRank(name)) return dotted;
  const std::string extension = LowerAscii(SplitName(name).extension);
  if (extension.empty()) return std::nullopt;
  const auto found = std::find(texts_.begin(), texts_.end(), extension);
  if (found == texts_.end()) return std::nullopt;
  return static_cast<size_t>(found - texts_.begin());
}

}  // namespace ulhff
