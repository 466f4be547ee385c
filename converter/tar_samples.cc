// Groups members as they come; a directory, a hidden file or a link to nowhere ends no run.
#include "converter/tar_samples.h"

#include <fmt/format.h>

#include <algorithm>

#include "converter/printable.h"
#include "converter/walk.h"

namespace ulhff {
namespace {

using Kind = TarMember::Kind;

// More are no sample but a wrong rule: the frames of a video, called v.0001.jpg, v.0002.jpg.
constexpr size_t kMaxEntries = 10'000;

}  // namespace

std::optional<size_t> KeySize(std::string_view name, KeyRule rule) {
  const size_t base = name.rfind('/') + 1;  // 0 if there is none
  const size_t dot = rule == KeyRule::kFirstDot ? name.find('.', base) : name.rfind('.');
  if (dot == std::string_view::npos || dot <= base) return std::nullopt;
  return dot;
}

TarSamples::TarSamples(const RecordContext& context, const ConvertOptions& options, TarAside& aside)
    : context_(context),
      options_(options),
      aside_(aside),
      bytes_(OpenTarBytes(context_)),
      file_(bytes_, context_) {}

const TarSample* TarSamples::Next() {
  sample_.entries.clear();
  if (!next_ && !NextEntry()) return nullptr;
  sample_.key = next_->name.substr(0, next_key_);
  do {
    if (sample_.entries.size() == kMaxEntries) {
      context_.damage.Refuse(next_->offset,
                             fmt::format("more than {} members have the key '{}'; --key-rule "
                                         "last-dot tells them apart",
                                         kMaxEntries, Printable(sample_.key)));
    }
    sample_.entries.push_back(std::move(*next_));
    next_.reset();
  } while (NextEntry() && BelongsToSample());
  return &sample_;
}

// A name that comes again begins a new sample, as a key does that comes again later.
bool TarSamples::BelongsToSample() const {
  if (std::string_view{next_->name}.substr(0, next_key_) != sample_.key) return false;
  return std::none_of(sample_.entries.begin(), sample_.entries.end(),
                      [&](const TarEntry& entry) { return entry.name == next_->name; });
}

// Fills next_ with the next member that has a key.
bool TarSamples::NextEntry() {
  while (const TarMember* member = file_.Next()) {
    if (member->kind == Kind::kDirectory) aside_.Directory(*member);
    std::optional<Locator> data = DataOf(*member);
    if (!data) continue;
    data->mtime_ns = member->mtime_ns;
    TarEntry entry{member->name, {}, std::move(*data), member->offset};
    const std::optional<size_t> key = KeySize(member->name, options_.key_rule);
    if (!key || IsHiddenPath(member->name)) {
      aside_.File(entry);
      continue;
    }
    entry.column = entry.name.substr(*key + 1);
    next_ = std::move(entry);
    next_key_ = *key;
    return true;
  }
  return false;
}

// nullopt: it has none, and that was told.
std::optional<Locator> TarSamples::DataOf(const TarMember& member) {
  if (member.kind == Kind::kFile) return file_.Data();
  if (member.kind == Kind::kDirectory) return std::nullopt;
  std::variant<Locator, Odd> found = Odd::kSpecialFile;
  if (member.kind == Kind::kSymlink && options_.symlinks == OnSymlink::kSkip) {
    found = Odd::kSkippedLink;
  } else if (member.kind != Kind::kSpecial) {
    if (!links_) links_ = std::make_unique<TarLinks>(bytes_, context_);
    found = links_->Resolve(member);
  }
  if (const auto* data = std::get_if<Locator>(&found)) return *data;
  aside_.LeftOut(std::get<Odd>(found), member);
  return std::nullopt;
}

}  // namespace ulhff
