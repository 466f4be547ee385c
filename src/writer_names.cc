// Sorts names into the order of the tree; finds duplicates and directories that nobody named.
#include "writer_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>

#include "writer_tree.h"

namespace ulhff {

namespace {

// Payload of a sorted name.
struct NameRecord {
  uint8_t kind = 0;      // TargetKind
  uint8_t has_time = 0;  // of a directory
  Le<uint64_t> number;   // of a directory its mtime
  Le<uint64_t> origin = kNoOrigin;

  TargetKind target_kind() const { return static_cast<TargetKind>(kind); }
  bool is_directory() const { return target_kind() == TargetKind::kDirectory; }
};
static_assert(alignof(NameRecord) == 1);

ByteSpan BytesOf(const NameRecord& record) { return std::as_bytes(std::span(&record, 1)); }

void CheckPath(std::string_view path) {
  uint64_t depth = 0;
  for (size_t start = 0; start <= path.size(); ++depth) {
    const size_t end = std::min(path.find('/', start), path.size());
    CheckName(path.substr(start, end - start), path);
    start = end + 1;
  }
  if (depth > kMaxDepth) {
    throw std::invalid_argument(fmt::format("{}: more than {} components", path, kMaxDepth));
  }
}

std::string_view ParentOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// Takes up another record of the same path.
void Merge(std::string_view key, NameRecord& record, const NameRecord& other) {
  const bool same_file = record.kind == other.kind && record.number == other.number;
  if (!record.is_directory() && same_file) return;
  if (!record.is_directory() || !other.is_directory()) {
    throw DuplicateName(PathOfKey(key), record.origin, other.origin);
  }
  if (other.has_time != 0) record = other;
}

void CheckTarget(std::string_view key, const NameRecord& record, const TargetCounts& counts) {
  const std::array<uint64_t, 4> limits = {std::numeric_limits<uint64_t>::max(), counts.objects,
                                          counts.texts, counts.blobs};
  if (record.number < limits.at(record.kind)) return;
  throw std::invalid_argument(fmt::format("{}: stands for number {}, there are {}", PathOfKey(key),
                                          static_cast<uint64_t>(record.number),
                                          limits.at(record.kind)));
}

// Calls visit(key, record) for each path once.
template <typename Visit>
void ForEachPath(Sorter& sorter, Visit visit) {
  std::string key;  // never empty once set
  NameRecord record;
  while (const auto next = sorter.Next()) {
    const auto next_record = LoadAt<NameRecord>(next->payload, 0);
    if (AsText(next->key) == key) {
      Merge(key, record, next_record);
      continue;
    }
    if (!key.empty()) visit(key, record);
    key = AsText(next->key);
    record = next_record;
  }
  if (!key.empty()) visit(key, record);
}

}  // namespace

void CheckName(std::string_view name, std::string_view what) {
  const auto reject = [&](std::string_view why) {
    std::string shown(what);
    std::replace(shown.begin(), shown.end(), '\0', '?');  // what() would end there
    throw std::invalid_argument(fmt::format("{}: {}", shown, why));
  };
  if (name.empty()) reject("empty name");
  if (name.size() > kMaxNameSize) reject(fmt::format("name of more than {} bytes", kMaxNameSize));
  if (name == "." || name == "..") reject("\".\" and \"..\" are not names");
  if (name.find('/') != std::string_view::npos) reject("name with '/'");
  if (name.find('\0') != std::string_view::npos) reject("name with NUL");
}

NameTable::NameTable(const std::string& tmp_dir, uint64_t memory)
    : tmp_dir_(tmp_dir), sorter_(tmp_dir, memory) {}

void NameTable::AddFile(std::string_view path, const Target& target, uint64_t origin) {
  if (target.kind == TargetKind::kDirectory) {
    throw std::invalid_argument(fmt::format("{}: AddName of a directory", path));
  }
  CheckPath(path);
  NameRecord record;
  record.kind = static_cast<uint8_t>(target.kind);
  record.number = target.number;
  record.origin = origin;
  sorter_.Add(AsBytes(PathKey(path)), BytesOf(record));
  AddParents(path);
}

void NameTable::AddDirectory(std::string_view path, std::optional<int64_t> mtime_ns) {
  if (path.empty()) {
    if (mtime_ns) root_mtime_ns_ = mtime_ns;
    return;
  }
  CheckPath(path);
  NameRecord record;
  record.has_time = static_cast<uint8_t>(mtime_ns.has_value());
  record.number = static_cast<uint64_t>(mtime_ns.value_or(0));
  sorter_.Add(AsBytes(PathKey(path)), BytesOf(record));
  AddParents(path);
}

void NameTable::AddParents(std::string_view path) {
  for (path = ParentOf(path); !path.empty(); path = ParentOf(path)) {
    std::string& known = implied_.at(std::hash<std::string_view>()(path) % implied_.size());
    if (known == path) return;
    known = path;
    sorter_.Add(AsBytes(PathKey(path)), BytesOf(NameRecord()));
  }
}

void NameTable::Write(IndexWriter& index, const TargetCounts& counts, int64_t default_mtime_ns,
                      LinkCounter& links, Superblock& superblock) {
  SourceTreeWriter tree(index, tmp_dir_, root_mtime_ns_.value_or(default_mtime_ns));
  ForEachPath(sorter_, [&](std::string_view key, const NameRecord& record) {
    if (record.is_directory()) {
      const auto mtime = static_cast<int64_t>(static_cast<uint64_t>(record.number));
      tree.AddDirectory(key, record.has_time != 0 ? mtime : default_mtime_ns);
      return;
    }
    CheckTarget(key, record, counts);
    links.Add(record.target_kind(), record.number);
    tree.AddFile(key, record.target_kind(), record.number);
  });
  tree.Finish(default_mtime_ns, superblock);
}

}  // namespace ulhff
