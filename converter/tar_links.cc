// A link costs memory only for what it points at.
#include "converter/tar_links.h"

#include <algorithm>
#include <tuple>

#include "converter/media_types.h"
#include "converter/name_rules.h"

namespace ulhff {
namespace {

using Kind = TarMember::Kind;

constexpr int kMaxHops = 40;  // as Linux has it

Digest128 HashOf(std::string_view path) { return Checksum128(AsBytes(path)); }

bool IsLink(const TarMember& member) {
  return member.kind == Kind::kHardLink || member.kind == Kind::kSymlink;
}

}  // namespace

std::optional<std::string> TargetOfLink(const TarMember& link) {
  // A hard link names a member as members are named, a symbolic one goes from where it stands.
  std::string_view rest = link.target;
  std::string path;
  if (link.kind == Kind::kSymlink) {
    if (rest.starts_with('/')) return std::nullopt;
    path = ParentPath(MakeTreeName(link.name).path);
  }
  while (!rest.empty()) {
    const std::string_view component = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(rest.size(), component.size() + 1));
    if (component.empty() || component == ".") continue;
    if (component != "..") {
      path = JoinPath(path, component);
    } else if (path.empty()) {
      return std::nullopt;
    } else {
      path = ParentPath(path);
    }
  }
  return MakeTreeName(path).path;  // as the names of members, which may be shortened
}

TarLinks::TarLinks(const TarBytes& bytes, const RecordContext& context)
    : bytes_(bytes), spool_(context.spool) {
  // What is damaged is told by who reads the members.
  const Damage quiet(context.damage.shard(), [](const std::string&, uint64_t) {});
  const RecordContext silent{.damage = quiet, .spool = context.spool, .note = {}};
  std::vector<Digest128> wanted;
  TarFile file(bytes, silent);
  while (const TarMember* member = file.Next()) {
    if (!IsLink(*member)) continue;
    if (const auto target = TargetOfLink(*member)) wanted.push_back(HashOf(*target));
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  FindTargets(silent, wanted);
}

void TarLinks::FindTargets(const RecordContext& context, const std::vector<Digest128>& wanted) {
  TarFile file(bytes_, context);
  while (const TarMember* member = file.Next()) {
    Target target{.name = HashOf(MakeTreeName(member->name).path), .number = member->number};
    if (!std::binary_search(wanted.begin(), wanted.end(), target.name)) continue;
    if (IsLink(*member)) {
      const auto next = TargetOfLink(*member);
      if (!next) continue;
      target.next = HashOf(*next);
    } else if (member->kind == Kind::kFile) {
      const auto data = file.Data();
      if (!data) break;
      const bool expanded = data->path != bytes_.path;
      target.place = expanded ? Target::Place::kSpool : Target::Place::kArchive;
      target.offset = data->offset;
      target.size = data->size.value_or(0);
    } else {
      continue;
    }
    targets_.push_back(target);
  }
  std::sort(targets_.begin(), targets_.end(), [](const Target& a, const Target& b) {
    return std::tie(a.name, a.number) < std::tie(b.name, b.number);
  });
}

Locator TarLinks::At(const Target& target) const {
  return {target.place == Target::Place::kSpool ? spool_.path() : bytes_.path, target.offset,
          target.size};
}

const TarLinks::Target* TarLinks::Find(const Digest128& name, uint64_t number) const {
  const auto after = std::lower_bound(targets_.begin(), targets_.end(), std::tie(name, number),
                                      [](const Target& target, const auto& at) {
                                        return std::tie(target.name, target.number) < at;
                                      });
  if (after != targets_.begin() && std::prev(after)->name == name) return &*std::prev(after);
  return after != targets_.end() && after->name == name ? &*after : nullptr;
}

std::variant<Locator, Odd> TarLinks::Resolve(const TarMember& link) const {
  const std::optional<std::string> path = TargetOfLink(link);
  if (!path) return Odd::kOutsideLink;
  if (*path == MakeTreeName(link.name).path) return Odd::kLoopingLink;
  Digest128 name = HashOf(*path);
  uint64_t number = link.number;
  for (int hop = 0; hop < kMaxHops; ++hop) {
    const Target* target = Find(name, number);
    if (target == nullptr) return Odd::kDanglingLink;
    if (target->place != Target::Place::kLink) return At(*target);
    name = target->next;
    number = target->number;
  }
  return Odd::kLoopingLink;
}

}  // namespace ulhff
