// By magic numbers; saved Arrow datasets by the names of their files.
#include "converter/foreign.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "converter/file_window.h"
#include "converter/media_types.h"
#include "converter/walk.h"

namespace ulhff {
namespace {

constexpr size_t kHead = 4096;
constexpr size_t kFilesPeeked = 16;

struct Format {
  const char* what = "";
  const char* command = "";
};
constexpr Format kParquet{"Parquet", "parquet_to_tar.py FILE..."};
constexpr Format kArrow{"an Arrow dataset of the library `datasets`",
                        "datasets_to_tar.py DIRECTORY"};
// Which is read, but by its index.
constexpr Format kMds{};
constexpr Format kMindRecord{"MindRecord", "mindrecord_to_tar.py FILE..."};

bool IsCalledMds(std::string_view name) {
  const auto called = {".mds", ".mds.zstd", ".mds.zst", ".mds.gz"};
  return std::any_of(called.begin(), called.end(),
                     [name](std::string_view end) { return name.ends_with(end); });
}

const Format* FormatOfFile(const std::string& path) {
  if (IsCalledMds(path)) return &kMds;
  FileWindow file(path, kHead);
  const std::string_view head = AsText(file.Read(0, std::min<uint64_t>(file.size(), kHead)));
  if (head.starts_with("PAR1")) return &kParquet;
  if (head.starts_with("ARROW1") || path.ends_with(".arrow")) return &kArrow;
  // A length, then the header in JSON, which has these keys in some order.
  const std::string_view json = head.substr(std::min<size_t>(head.size(), 8));
  const auto has = [json](std::string_view key) {
    return json.find(key) != std::string_view::npos;
  };
  return json.starts_with('{') && has("\"header_size\":") && has("\"page\":") ? &kMindRecord
                                                                              : nullptr;
}

const Format* FormatOfFiles(const Walker& walker, const MediaTypes& types,
                            const std::string& directory) {
  const DirectoryListing listing = walker.List(directory);
  const auto has = [&](std::string_view name) {
    for (size_t i = 0; i < listing.files.size(); ++i) {
      if (listing.files[i] == name) return true;
    }
    return false;
  };
  if (has("dataset_dict.json") || (has("dataset_info.json") && has("state.json"))) return &kArrow;
  for (size_t i = 0, peeked = 0; i < listing.files.size() && peeked < kFilesPeeked; ++i) {
    if (types.IsMedia(listing.files[i])) continue;
    ++peeked;
    const std::string path = walker.FullPath(JoinPath(directory, listing.files[i]));
    if (const Format* format = FormatOfFile(path)) return format;
  }
  return nullptr;
}

const Format* FormatOfDirectory(const std::string& path, const ConvertOptions& options) {
  const Walker walker(path, options);
  const MediaTypes types(options);
  if (const Format* format = FormatOfFiles(walker, types, "")) return format;
  const DirectoryListing top = walker.List("");
  for (size_t i = 0; i < std::min(top.children.size(), kFilesPeeked); ++i) {
    if (const Format* format = FormatOfFiles(walker, types, std::string(top.children[i])))
      return format;
  }
  return nullptr;
}

}  // namespace

std::string ForeignFormat(const std::string& path, bool is_directory,
                          const ConvertOptions& options) {
  const Format* format = is_directory ? FormatOfDirectory(path, options) : FormatOfFile(path);
  if (format == nullptr) return "";
  if (format == &kMds) {
    return is_directory ? "has shards of MosaicML Streaming (MDS), but no index.json of theirs, "
                          "without which they cannot be read"
                        : "is a shard of MosaicML Streaming (MDS): name its directory, which has "
                          "their index.json";
  }
  return fmt::format("{} {}, which only a library reads: examples/{} | ulhff convert - OUT.ulhff",
                     is_directory && format != &kArrow ? "holds" : "is", format->what,
                     format->command);
}

}  // namespace ulhff
