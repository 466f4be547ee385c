// The first look at an operand.
#include "converter/overview.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <deque>
#include <set>

#include "converter/input_error.h"
#include "converter/option_values.h"
#include "ulhff/error.h"

namespace ulhff {
namespace {

constexpr size_t kMaxPairedMedia = 20'000;
// More documents than this in one directory are side files of samples, not tables.
constexpr size_t kMaxDocuments = 256;
// No one looks into more than this, if each sample has a directory of its own.
constexpr size_t kMaxDocumentsOfTree = 4096;

void AddDocuments(const MediaDirectory& directory, Overview& operand) {
  const DirectoryListing& listing = directory.listing();
  constexpr std::string_view kParquet = "metadata.parquet";
  for (size_t i = 0; i < listing.files.size() && operand.parquet.empty(); ++i) {
    if (listing.files[i] == kParquet) operand.parquet = JoinPath(listing.path, kParquet);
  }
  std::vector<std::string> found;
  for (size_t i = 0; i < listing.files.size() && found.size() <= kMaxDocuments; ++i) {
    const std::string_view name = listing.files[i];
    if (CanBeDocument(name) && directory.Claims(SplitName(name).stem).empty()) {
      found.push_back(JoinPath(listing.path, name));
    }
  }
  if (found.size() > kMaxDocuments || operand.documents.size() > kMaxDocumentsOfTree) return;
  operand.documents.insert(operand.documents.end(), found.begin(), found.end());
}

void AddPairs(const MediaDirectory& directory, Overview& operand) {
  // A count of what is typical is enough for a directory of two million names.
  const auto media_here = directory.index().media();
  operand.media += media_here.size();
  operand.complete = operand.complete && media_here.size() <= kMaxPairedMedia;
  for (const uint32_t media : media_here.first(std::min(media_here.size(), kMaxPairedMedia))) {
    for (const TextGroup& group : directory.TextsOf(directory.index().stem(media))) {
      ++operand.text_pairs[static_cast<size_t>(group.rule)];
      if (group.rule != FilesRule::kAlone || operand.alone_texts.size() > kMaxDocuments) continue;
      operand.alone_texts.push_back(group.files.front().path);
    }
  }
}

// Breadth first: tables and annotations stand near the top, whatever lies below.
void LookInto(const FilesContext& context, Overview& operand) {
  std::deque<std::string> waiting{""};
  std::set<std::pair<uint64_t, uint64_t>> seen;
  uint64_t names = 0;
  for (; !waiting.empty() && names < Overview::kMaxNames; waiting.pop_front()) {
    const MediaDirectory directory(context.walker.List(waiting.front()), context);
    const DirectoryListing& listing = directory.listing();
    if (!seen.insert(listing.id).second) continue;
    names += listing.files.size() + listing.children.size();
    if (!listing.path.empty()) operand.directories.push_back(listing.path);
    AddDocuments(directory, operand);
    AddPairs(directory, operand);
    for (size_t i = 0; i < listing.children.size(); ++i) {
      if (IsHiddenName(listing.children[i])) continue;
      waiting.push_back(JoinPath(listing.path, listing.children[i]));
    }
  }
  operand.complete = operand.complete && waiting.empty();
}

// Whatever they are called, and wherever they are.
void AddAskedFor(const ConvertOptions& options, Overview& operand) {
  std::vector<std::string>& documents = operand.documents;
  for (const std::string& name : FilesAskedFor(operand.path, options)) {
    if (std::find(documents.begin(), documents.end(), name) != documents.end()) continue;
    struct stat st {};
    const bool file = stat(JoinPath(operand.path, name).c_str(), &st) == 0 && S_ISREG(st.st_mode);
    if (file) documents.push_back(name);
  }
}

}  // namespace

bool CanBeDocument(std::string_view name) {
  const std::string extension = LowerAscii(SplitName(name).extension);
  for (const char* known : {"csv", "tsv", "json", "jsonl", "ndjson", "txt", "token", "manifest"}) {
    if (extension == known) return true;
  }
  return false;
}

std::string KindAsked(const ConvertOptions& options) {
  return options.from.substr(0, options.from.find(':'));
}

bool AsksForFiles(const ConvertOptions& options) {
  return options.from.find(':') != std::string::npos;
}

bool AsksForFile(const ConvertOptions& options, std::string_view name) {
  if (!AsksForFiles(options)) return false;
  const std::string list = options.from.substr(options.from.find(':') + 1);
  return list == name || ("," + list + ",").find(fmt::format(",{},", name)) != std::string::npos;
}

std::vector<std::string> FilesAskedFor(const std::string& directory,
                                       const ConvertOptions& options) {
  const std::string list = options.from.substr(options.from.find(':') + 1);
  struct stat st {};
  if (stat(JoinPath(directory, list).c_str(), &st) == 0) return {list};
  return SplitAtCommas(list);
}

bool AsksForColumns(const ConvertOptions& options) {
  return !options.media_column.empty() || !options.id_column.empty() ||
         !options.media_templates.empty() || !options.text_columns.empty() ||
         !options.fields.empty() || !options.columns.empty() || options.keep_columns ||
         options.no_header;
}

Overview LookAt(const std::string& path, const ConvertOptions& options) {
  struct stat st;
  if (stat(path.c_str(), &st) != 0) ThrowErrno(path);
  Overview operand;
  operand.path = path;
  operand.is_directory = S_ISDIR(st.st_mode);
  if (!operand.is_directory && !S_ISREG(st.st_mode)) {
    throw UsageError(fmt::format("{}: neither a file nor a directory", path));
  }
  if (!operand.is_directory) return operand;
  const Walker walker(path, options);
  const MediaTypes types(options);
  LookInto({walker, types, options.pair_dirs}, operand);
  if (AsksForFiles(options)) AddAskedFor(options, operand);
  return operand;
}

}  // namespace ulhff
