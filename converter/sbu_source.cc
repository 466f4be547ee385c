// SBU: a file of URLs and a file of captions; line n of one belongs to line n of the other.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "converter/annotation_source.h"
#include "converter/entry_count.h"
#include "converter/input_error.h"
#include "converter/media_types.h"
#include "converter/source_kinds.h"
#include "converter/text_file.h"

namespace ulhff {
namespace {

constexpr uint64_t kMaxLineBytes = uint64_t{1} << 20;
constexpr size_t kChunkBytes = size_t{64} << 10;

// "x_urls.txt" and "x_captions.txt" name each other; empty: neither.
std::string Other(const std::string& path, std::string_view from, std::string_view to) {
  const std::string base(BaseName(path));
  const size_t at = base.rfind(from);
  if (at == std::string::npos) return "";
  const std::string parent = path.substr(0, path.size() - base.size());
  return parent + base.substr(0, at) + std::string(to) + base.substr(at + from.size());
}

// torchvision calls a picture by the last part of its URL; mindspore by all behind the host with
// '_' for '/', and with the last letter of the host before it.
void NameMedia(std::string_view url, std::vector<std::string>& names) {
  const size_t scheme = url.find("://");
  const size_t host = scheme == std::string_view::npos ? 0 : scheme + 3;
  const size_t slash = url.find('/', host);
  names.emplace_back(BaseName(url));
  if (slash == std::string_view::npos || slash + 1 == url.size()) return;
  std::string path(url.substr(slash - 1));
  std::replace(path.begin(), path.end(), '/', '_');
  names.push_back(path.substr(2));
  names.push_back(std::move(path));
}

void Peek(const std::string& path, AnnotationPeek& peek) {
  if (Other(path, "captions", "urls").empty() && Other(path, "urls", "captions").empty()) return;
  const std::string captions = Other(path, "urls", "captions");
  if (captions.empty() || !std::filesystem::exists(captions)) {
    peek.problem = "it is the file of URLs that is named, with that of the captions beside it";
    return;
  }
  LineReader lines(path, kMaxLineBytes, kChunkBytes);
  EntryCount count;
  const TextLine* line = lines.Next();
  for (; line != nullptr && !count.enough(); line = lines.Next()) {
    if (!line->bytes.starts_with("http://") && !line->bytes.starts_with("https://")) return;
    NameMedia(line->bytes, peek.media);
    count.Add(line->offset);
  }
  peek.fits = count.any();
  count.Tell(path, line == nullptr, peek);
}

class SbuReader : public AnnotationReader {
 public:
  SbuReader(const std::string& name, const std::string& path, const AnnotationContext& context)
      : name_(name),
        lenient_(context.options.lenient),
        report_(context.report),
        urls_(path, kMaxLineBytes, kChunkBytes),
        captions_(Other(path, "urls", "captions"), kMaxLineBytes, kChunkBytes) {}

  bool Next(Annotation& next) override {
    const TextLine* url = urls_.Next();
    const TextLine* caption = captions_.Next();
    if (url == nullptr && caption != nullptr) TellOfMore(captions_.file(), *caption, urls_.file());
    if (url != nullptr && caption == nullptr) TellOfMore(urls_.file(), *url, captions_.file());
    if (url == nullptr || caption == nullptr) return false;
    next = {};
    NameMedia(url->bytes, next.media);
    next.texts.emplace_back(caption->bytes);
    next.line = url->number;
    next.offset = url->offset;
    return true;
  }

 private:
  void TellOfMore(const TextFile& longer, const TextLine& line, const TextFile& shorter) const {
    const InputError error(longer.path(), line.number, line.offset,
                           fmt::format("{} has no such line; line by line they belong together, so "
                                       "one of them is not whole",
                                       shorter.path()));
    if (!lenient_) throw InputError(error);
    report_(Odd::kTruncated, error.fault(), {name_, line.number, line.offset});
  }

  const std::string name_;
  const bool lenient_;
  const std::function<void(Odd, const std::string&, const Origin&)> report_;
  LineReader urls_, captions_;
};

std::unique_ptr<AnnotationReader> Read(const AnnotationUnit& unit,
                                       const std::vector<std::string>& paths,
                                       const AnnotationContext& context) {
  return std::make_unique<SbuReader>(unit.names[0], paths[0], context);
}

constexpr AnnotationFormat kSbu{
    "sbu",          "SBU: a file of URLs and, line by line, one of captions",
    "SBU captions", "lines",
    "txt",          AnnotationFormat::Media::kNotLookedFor,
    Peek,           nullptr,
    nullptr,        Read};

}  // namespace

SourceKind SbuKind() { return AnnotationKind<kSbu>(); }

}  // namespace ulhff
