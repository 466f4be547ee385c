// Names with equal hashes come out of the sorter side by side; only those are looked at.
#include "converter/name_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "converter/name_rules.h"
#include "converter/sort_key.h"
#include "converter/source_file.h"
#include "converter/temp_store.h"
#include "converter/ulhff_file.h"
#include "ulhff/checksum.h"

namespace ulhff {

namespace {

// One use of a name, with what its kind makes necessary.
struct Use {
  NameRef ref;
  StoredOrigin origin;
  Locator file;
};

class NameCheck {
 public:
  NameCheck(Catalogue& catalogue, const ConvertOptions& options, Report& report)
      : catalogue_(&catalogue),
        options_(&options),
        report_(&report),
        hashes_(catalogue.tmp_dir),
        losers_(catalogue.tmp_dir) {}

  // References with equal hashes, in source order; the hashes grow from call to call.
  void Check(uint64_t hash, const std::vector<NameRef>& refs) {
    if (renames()) hashes_.Append(Raw(hash));
    if (refs.size() < 2) return;
    const bool only_directories = std::all_of(refs.begin(), refs.end(), [](const NameRef& ref) {
      return ref.kind == NameRef::Kind::kDirectory;
    });
    if (only_directories) return;
    std::map<std::string, std::vector<Use>> by_name;
    for (const NameRef& ref : refs) Collect(ref, by_name);
    for (auto& [name, uses] : by_name) {
      if (uses.size() > 1) Settle(name, uses);
    }
  }

  // After all: gives those that lost their name another one, which no one has.
  void Rename() {
    std::string last;
    uint64_t number = 2;
    TempStoreCursor losers(losers_);
    while (!losers.at_end()) {
      uint64_t packed = 0;
      losers.Read(RawOut(packed));
      const NameRef ref = NameRef::Unpack(packed);
      const std::string name = IsRenamed(ref) ? BeforeRenamed(NameOf(ref)) : NameOf(ref);
      if (name != last) number = 2;
      last = name;
      std::string free;
      do {
        free = Renamed(name, number++);
      } while (IsTaken(free));
      given_.insert(Checksum64(AsBytes(free)));
      SetName(ref, free);
    }
  }

 private:
  // With the policy "error" nothing will be written.
  bool renames() const { return options_->duplicates != OnDuplicate::kError; }

  bool IsRenamed(const NameRef& ref) const {
    return ref.kind == NameRef::Kind::kMedia && catalogue_->renamed.contains(ref.position);
  }

  std::string NameOf(const NameRef& ref) const {
    if (ref.kind == NameRef::Kind::kText) {
      return catalogue_->texts.Read(ref.position).texts[ref.field].name;
    }
    const bool media = ref.kind == NameRef::Kind::kMedia;
    return (media ? catalogue_->media : catalogue_->extras).Read(ref.position).name;
  }

  void SetName(const NameRef& ref, const std::string& name) {
    if (ref.kind == NameRef::Kind::kMedia) {
      catalogue_->media.Rename(ref.position, name);
    } else if (ref.kind == NameRef::Kind::kText) {
      catalogue_->texts.Rename(ref.position, ref.field, name);
    } else {
      catalogue_->extras.Rename(ref.position, name);
    }
  }

  // Other names may have the same hash; then one that is free is passed over.
  bool IsTaken(const std::string& name) const {
    const uint64_t wanted = Checksum64(AsBytes(name));
    if (given_.contains(wanted)) return true;
    uint64_t begin = 0;
    for (uint64_t end = hashes_.size() / sizeof(wanted); begin < end;) {
      const uint64_t middle = begin + (end - begin) / 2;
      uint64_t hash = 0;
      hashes_.Read(middle * sizeof(hash), RawOut(hash));
      if (hash == wanted) return true;
      if (hash < wanted) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return false;
  }

  void Collect(const NameRef& ref, std::map<std::string, std::vector<Use>>& by_name) const {
    if (ref.kind == NameRef::Kind::kDirectory) return CollectDirectory(ref, by_name);
    if (ref.kind == NameRef::Kind::kText) {
      StoredPair pair = catalogue_->texts.Read(ref.position);
      StoredText& text = pair.texts[ref.field];
      if (text.name.empty() || catalogue_->media.Read(pair.media).dropped) return;
      by_name[text.name].push_back({ref, text.origin, std::move(text.file)});
      return;
    }
    const FileList& list =
        ref.kind == NameRef::Kind::kMedia ? catalogue_->media : catalogue_->extras;
    const FileRecord record = list.Read(ref.position);
    if (record.dropped || record.name.empty()) return;
    by_name[record.name].push_back(
        {ref, record.origin, {record.path, record.offset, record.size, {}, record.part}});
  }

  // Once of each name: what lies in it is not asked.
  void CollectDirectory(const NameRef& ref,
                        std::map<std::string, std::vector<Use>>& by_name) const {
    StoredOrigin origin;
    uint64_t size = 0;
    const TempStore& parents = catalogue_->parents;
    parents.Read(ref.position, RawOut(origin));
    parents.Read(ref.position + sizeof(origin), RawOut(size));
    std::string name(size, '\0');
    parents.Read(ref.position + sizeof(origin) + sizeof(size),
                 std::as_writable_bytes(std::span(name)));
    std::vector<Use>& uses = by_name[name];
    const bool known = !uses.empty() && IsDirectory(uses.front());
    if (!known) uses.insert(uses.begin(), {ref, origin, {}});
  }

  static bool IsDirectory(const Use& use) { return use.ref.kind == NameRef::Kind::kDirectory; }

  void Settle(const std::string& name, std::vector<Use>& uses) {
    std::optional<Use> directory;
    if (IsDirectory(uses.front())) {
      directory = uses.front();
      uses.erase(uses.begin());
    }
    // A media gives way to a directory only.
    std::stable_partition(uses.begin(), uses.end(),
                          [](const Use& use) { return use.ref.kind == NameRef::Kind::kMedia; });
    std::vector<Use> rivals;
    std::multimap<uint64_t, size_t> known;  // the rivals by what equal bytes have in common
    for (const Use& use : uses) {
      const uint64_t common = CommonHash(use);
      const auto [first, last] = known.equal_range(common);
      const bool shared = std::any_of(
          first, last, [&](const auto& other) { return IsShared(use, rivals[other.second]); });
      if (shared) {
        GiveUp(use);
      } else {
        known.emplace(common, rivals.size());
        rivals.push_back(use);
      }
    }
    if (directory) {
      for (const Use& rival : rivals) Lose(name, rival, *directory);
      return;
    }
    const size_t winner = Winner(rivals);
    for (size_t i = 0; i < rivals.size(); ++i) {
      if (i != winner) Lose(name, rivals[i], rivals[winner]);
    }
  }

  // The same text file again, in another pair; or the same bytes in another ULHFF file.
  static bool IsShared(const Use& use, const Use& other) {
    const bool parts = use.file.part.file != nullptr && other.file.part.file != nullptr;
    if (parts) return use.ref.kind != NameRef::Kind::kMedia && SameBytes(use.file, other.file);
    return use.ref.kind == NameRef::Kind::kText && other.ref.kind == NameRef::Kind::kText &&
           other.file.path == use.file.path && other.file.offset == use.file.offset;
  }

  // Equal for uses of which IsShared.
  static uint64_t CommonHash(const Use& use) {
    const UlhffPart& part = use.file.part;
    if (part.file != nullptr) return part.file->SumOfSums(part);
    return Checksum64(AsBytes(use.file.path)) + use.file.offset;
  }

  void GiveUp(const Use& use) {
    if (use.ref.kind == NameRef::Kind::kText) {
      catalogue_->texts.Rename(use.ref.position, use.ref.field, "");
    } else {
      catalogue_->extras.Drop(use.ref.position);
    }
  }

  size_t Winner(const std::vector<Use>& rivals) const {
    const auto media = std::find_if(rivals.begin(), rivals.end(), [&](const Use& use) {
      return use.ref.kind == NameRef::Kind::kMedia && !IsRenamed(use.ref);
    });
    if (media != rivals.end()) return static_cast<size_t>(media - rivals.begin());
    if (IsRenamed(rivals[0].ref)) return rivals.size() > 1 ? 1 : 0;
    return options_->duplicates == OnDuplicate::kLast ? rivals.size() - 1 : 0;
  }

  void Lose(const std::string& name, const Use& use, const Use& winner) {
    const uint64_t packed = use.ref.Pack();
    if (IsRenamed(use.ref)) {  // which was told
      losers_.Append(Raw(packed));
      return;
    }
    const OwnedOrigin origin = catalogue_->origins.Read(use.origin);
    const OwnedOrigin other = catalogue_->origins.Read(winner.origin);
    report_->Note(
        Odd::kDuplicateName,
        fmt::format("{} (also: {}{})", name, IsDirectory(winner) ? "a directory by " : "",
                    DescribeOrigin(IsDirectory(winner) ? other.view()
                                                       : PlaceOf(winner.file.path, other.view()))),
        PlaceOf(use.file.path, origin.view()));
    // A directory cannot be left out for a file, nor a file for a directory.
    const bool rename = options_->duplicates == OnDuplicate::kRename || IsDirectory(winner);
    if (!rename) return GiveUp(use);
    if (renames()) losers_.Append(Raw(packed));
  }

  Catalogue* catalogue_;
  const ConvertOptions* options_;
  Report* report_;
  TempStore hashes_;                    // of all names, sorted
  TempStore losers_;                    // NameRef, those of one name together
  std::unordered_set<uint64_t> given_;  // hashes of new names
};

}  // namespace

void FindNamesUsedTwice(Catalogue& catalogue, const ConvertOptions& options, Report& report) {
  NameCheck check(catalogue, options, report);
  std::vector<NameRef> refs;
  std::optional<uint64_t> hash;
  while (const auto record = catalogue.names.Next()) {
    const uint64_t this_hash = KeyNumber(record->key, 0);
    if (hash != this_hash) {
      if (hash) check.Check(*hash, refs);
      refs.clear();
      hash = this_hash;
    }
    refs.push_back(NameRef::Unpack(LoadAt<uint64_t>(record->payload, 0)));
  }
  if (hash) check.Check(*hash, refs);
  check.Rename();
  catalogue.names = Sorter(catalogue.tmp_dir, kSortMemory);
}

}  // namespace ulhff
