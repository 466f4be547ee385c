// A table of signatures, and one of extensions.
#include "converter/magic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ulhff {

namespace {

struct Signature {
  std::string_view type;
  std::string_view extension;  // the commonest
  std::string_view bytes;
  size_t at = 0;
  std::string_view more = {};  // a second part
  size_t more_at = 0;
};

using namespace std::string_view_literals;

constexpr std::array kSignatures = {
    Signature{"JPEG", "jpg", "\xff\xd8\xff"sv},
    Signature{"PNG", "png", "\x89PNG\r\n\x1a\n"sv},
    Signature{"GIF", "gif", "GIF8"sv},
    Signature{"WebP", "webp", "RIFF"sv, 0, "WEBP"sv, 8},
    Signature{"WAV", "wav", "RIFF"sv, 0, "WAVE"sv, 8},
    Signature{"WAV", "wav", "RF64"sv, 0, "WAVE"sv, 8},
    Signature{"AVI", "avi", "RIFF"sv, 0, "AVI "sv, 8},
    Signature{"TIFF", "tif", "II*\0"sv},
    Signature{"TIFF", "tif", "MM\0*"sv},
    Signature{"BMP", "bmp", "BM"sv, 0, "\0\0\0\0"sv, 6},
    Signature{"FLAC", "flac", "fLaC"sv},
    Signature{"Ogg", "ogg", "OggS"sv},
    Signature{"MP3", "mp3", "ID3"sv},
    Signature{"MP4 or HEIF", "heic", "ftyphei"sv, 4},
    Signature{"MP4 or HEIF", "heic", "ftypmif1"sv, 4},
    Signature{"MP4 or HEIF", "avif", "ftypavif"sv, 4},
    Signature{"MP4 or HEIF", "m4a", "ftypM4A"sv, 4},
    Signature{"MP4 or HEIF", "mov", "ftypqt"sv, 4},
    Signature{"MP4 or HEIF", "mp4", "ftyp"sv, 4},
    Signature{"MP4 or HEIF", "mp4", "moov"sv, 4},
    Signature{"MP4 or HEIF", "mp4", "mdat"sv, 4},
    Signature{"MP4 or HEIF", "mp4", "wide"sv, 4},
    Signature{"MP4 or HEIF", "mp4", "free"sv, 4},
    Signature{"MP4 or HEIF", "mp4", "skip"sv, 4},
    Signature{"Matroska", "mkv", "\x1a\x45\xdf\xa3"sv},
    Signature{"an HTML page", "", "<!doctype html"sv},
    Signature{"an HTML page", "", "<html"sv},
    Signature{"a Git LFS pointer (`git lfs pull` replaces it)", "",
              "version https://git-lfs.github.com/spec/"sv},
};

struct Extension {
  std::string_view name;
  std::string_view type;
};

constexpr std::array kExtensions = {
    Extension{"jpg", "JPEG"},        Extension{"jpeg", "JPEG"},
    Extension{"jpe", "JPEG"},        Extension{"jfif", "JPEG"},
    Extension{"png", "PNG"},         Extension{"gif", "GIF"},
    Extension{"webp", "WebP"},       Extension{"bmp", "BMP"},
    Extension{"tif", "TIFF"},        Extension{"tiff", "TIFF"},
    Extension{"wav", "WAV"},         Extension{"flac", "FLAC"},
    Extension{"ogg", "Ogg"},         Extension{"oga", "Ogg"},
    Extension{"ogv", "Ogg"},         Extension{"opus", "Ogg"},
    Extension{"mp3", "MP3"},         Extension{"mp4", "MP4 or HEIF"},
    Extension{"m4a", "MP4 or HEIF"}, Extension{"m4v", "MP4 or HEIF"},
    Extension{"mov", "MP4 or HEIF"}, Extension{"webm", "Matroska"},
    Extension{"mkv", "Matroska"},    Extension{"mka", "Matroska"},
    Extension{"avi", "AVI"},
};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool Matches(std::string_view head, std::string_view bytes, size_t at, bool any_case) {
  if (bytes.size() > head.size() || at > head.size() - bytes.size()) return false;
  return std::equal(bytes.begin(), bytes.end(), head.begin() + static_cast<ptrdiff_t>(at),
                    [any_case](char a, char b) { return a == b || (any_case && a == Lower(b)); });
}

bool IsText(const Signature& signature) {
  return signature.type.starts_with("an ") || signature.type.starts_with("a ");
}

// MPEG audio has no signature but 11 set bits, a version and a layer that are not reserved. FF FE
// (layer I) is rather UTF-16.
bool IsMpegAudioFrame(std::string_view head) {
  if (head.size() < 2 || head.starts_with("\xff\xfe")) return false;
  const auto second = static_cast<unsigned char>(head[1]);
  return head[0] == '\xff' && (second & 0xe0) == 0xe0 && (second & 0x18) != 0x08 &&
         (second & 0x06) != 0;
}

const Signature* FindSignature(std::string_view head) {
  std::string_view text = head;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  for (const Signature& signature : kSignatures) {
    const bool is_text = IsText(signature);
    if (Matches(is_text ? text : head, signature.bytes, signature.at, is_text) &&
        Matches(head, signature.more, signature.more_at, false)) {
      return &signature;
    }
  }
  return nullptr;
}

std::string_view TypeOfExtension(std::string_view extension) {
  for (const Extension& known : kExtensions) {
    if (known.name.size() == extension.size() && Matches(extension, known.name, 0, true)) {
      return known.type;
    }
  }
  return {};
}

}  // namespace

std::optional<MagicFinding> CheckMagic(ByteSpan head, std::string_view extension) {
  if (head.empty()) return std::nullopt;
  const std::string_view bytes = AsText(head);
  const Signature* found = FindSignature(bytes);
  if (found != nullptr && IsText(*found)) {
    return MagicFinding{true, fmt::format("content is {}", found->type)};
  }
  const std::string_view expected = TypeOfExtension(extension);
  if (expected.empty() || (found != nullptr && found->type == expected)) return std::nullopt;
  if (expected == "MP3" && IsMpegAudioFrame(bytes)) return std::nullopt;
  if (found == nullptr) return MagicFinding{false, fmt::format("content is no {}", expected)};
  return MagicFinding{false, fmt::format("content is {}, extension is {}", found->type, extension)};
}

std::string_view SniffExtension(ByteSpan head) {
  const std::string_view bytes = AsText(head);
  const Signature* found = FindSignature(bytes);
  if (found == nullptr) return IsMpegAudioFrame(bytes) ? "mp3" : "";
  // These containers say in their first header what they hold.
  const auto holds = [bytes](std::string_view word) {
    return bytes.find(word) != std::string_view::npos;
  };
  if (found->type == "Matroska" && holds("webm")) return "webm";
  if (found->type == "Ogg" && holds("OpusHead")) return "opus";
  if (found->type == "Ogg" && holds("\x80theora")) return "ogv";
  return found->extension;
}

}  // namespace ulhff
