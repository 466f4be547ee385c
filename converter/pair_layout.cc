// What the layouts share in writing.
#include "converter/pair_layout.h"

#include <fmt/format.h>

#include <charconv>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "converter/interrupt.h"

namespace ulhff {

namespace {

constexpr size_t kPieceSize = size_t{1} << 20;

}  // namespace

void ReadWholeMedia(const Reader& reader, uint64_t object, std::vector<std::byte>& buffer,
                    const std::function<void(ByteSpan)>& take) {
  buffer.resize(kPieceSize);
  uint64_t position = 0;
  for (size_t size = kPieceSize; size == kPieceSize; position += size) {
    CheckInterrupt();
    size = reader.ReadMedia(object, position, buffer);
    if (size > 0) take(ByteSpan(buffer).first(size));
  }
}

const TargetDirectory& OpenDirectory::At(const std::string& path) {
  if (path.empty()) return root_;
  if (directory_ && path == path_) return *directory_;
  directory_.reset();
  std::string_view rest = path;
  while (!rest.empty()) {
    const size_t slash = rest.find('/');
    const TargetDirectory& parent = directory_ ? *directory_ : root_;
    directory_ = std::make_unique<TargetDirectory>(parent.Open(rest.substr(0, slash), true));
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  }
  path_ = path;
  return *directory_;
}

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

void RefuseMixing(const std::string& path) {
  throw std::runtime_error(
      path +
      ": would be taken for a part of the export, and is not known to be of an older one; "
      "remove it, or export elsewhere");
}

void CheckFree(const LayoutContext& context, const TargetDirectory& directory,
               std::string_view name) {
  if (!context.options.force && directory.Has(name))
    throw std::runtime_error(directory.PathOf(name) + ": exists; --force replaces files");
}

void WriteTarget(const LayoutContext& context, const TargetDirectory& directory,
                 std::string_view name, std::string_view bytes, int64_t mtime_ns) {
  CheckFree(context, directory, name);
  TargetFile file(directory);
  file.Write(std::as_bytes(std::span(bytes)));
  file.SetTime(mtime_ns);
  file.Publish(name, context.options.force);
  ++context.totals.files;
  context.totals.bytes += bytes.size();
}

}  // namespace ulhff
