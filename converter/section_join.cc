// External join of two JSON sections.
#include "converter/section_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "converter/input_error.h"
#include "ulhff/bytes.h"

namespace ulhff {
namespace {

constexpr uint64_t kSortMemory = uint64_t{8} << 20;
constexpr char kOwner = '\0';  // sorts before its parts
constexpr char kPart = '\1';

// What is carried through both sorts.
struct Fact {
  uint64_t number = 0;  // its place in the order of reading
  uint64_t line = 0;
  uint64_t offset = 0;
  bool absent = false;
  std::string_view kept;
};

// Most significant byte first, so that bytes sort as numbers do.
void Append(std::string& to, uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) to += static_cast<char>((value >> shift) & 0xff);
}

uint64_t Take(std::string_view& from) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i) value = (value << 8) | static_cast<unsigned char>(from[i]);
  from.remove_prefix(8);
  return value;
}

std::string Pack(const Fact& fact) {
  std::string bytes;
  for (const uint64_t value : {fact.number, fact.line, fact.offset}) Append(bytes, value);
  bytes += fact.absent ? '\1' : '\0';
  return bytes.append(fact.kept);
}

Fact Unpack(std::string_view bytes) {
  Fact fact;
  fact.number = Take(bytes);
  fact.line = Take(bytes);
  fact.offset = Take(bytes);
  fact.absent = bytes[0] == '\1';
  fact.kept = bytes.substr(1);
  return fact;
}

std::string_view Need(const SectionJoin::Side& side, const JsonRecord& record,
                      std::string_view key) {
  const auto value = record.value.Find(key);
  if (!value || value->is_null()) {
    throw InputError(side.path, record.line, record.offset,
                     fmt::format("an entry of \"{}\" without {}", side.section, key));
  }
  return value->text();
}

// The owner of one id, on its way to the sort by owners. Its own record is held back until its
// first part, because a later one of the same id may take its place.
class Owner {
 public:
  explicit Owner(Sorter& out) : out_(out) {}

  bool Is(std::string_view id) const { return number_ && id_ == id; }
  uint64_t line() const { return line_; }

  void Begin(std::string_view id, const Fact& fact, std::string_view record) {
    Put();
    id_ = id;
    Hold(fact, record);
  }
  // Another owner of the same id.
  void Repeat(const Fact& fact, std::string_view record, OnDuplicate policy) {
    if (policy == OnDuplicate::kRename) {
      Put();  // the parts, which come later, are those of the first one
      Add(fact.number, kOwner, {}, record);
    } else if (policy == OnDuplicate::kLast) {
      Hold(fact, record);
    }
  }
  void AddPart(const Fact& fact, std::string_view record) {
    Put();
    Add(*number_, kPart, fact.number, record);
  }
  void Put() {
    if (record_.empty()) return;
    Add(*number_, kOwner, {}, record_);
    record_.clear();
  }

 private:
  void Hold(const Fact& fact, std::string_view record) {
    number_ = fact.number;
    line_ = fact.line;
    record_ = record;
  }
  void Add(uint64_t owner, char kind, std::optional<uint64_t> part, std::string_view record) {
    std::string order;
    Append(order, owner);
    order += kind;
    if (part) Append(order, *part);
    out_.Add(AsBytes(order), AsBytes(record));
  }

  Sorter& out_;
  std::string id_;
  std::optional<uint64_t> number_;
  uint64_t line_ = 0;
  std::string record_;
};

}  // namespace

std::string CanonicalId(std::string_view id) {
  std::string_view digits = id;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const size_t dot = digits.find('.');
  if (dot != std::string_view::npos) {
    if (dot + 1 == digits.size() ||
        digits.find_first_not_of('0', dot + 1) != std::string_view::npos) {
      return std::string(id);
    }
    digits = digits.substr(0, dot);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::string(id);
  }
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return (negative && digits != "0" ? "-" : "") + std::string(digits);
}

SectionJoin::SectionJoin(const Side& owners, const Side& parts, const Options& options,
                         const Report& report)
    : by_id_(options.tmp_dir, kSortMemory), by_owner_(options.tmp_dir, kSortMemory) {
  if (owners.path == parts.path) {
    Read({&owners, &parts}, options, report);
  } else {
    if (!owners.path.empty()) Read({&owners, nullptr}, options, report);
    if (!parts.path.empty()) Read({nullptr, &parts}, options, report);
  }
  Join(owners, parts, options, report);
}

// `sides`: the owners and the parts, of one file.
void SectionJoin::Read(const std::vector<const Side*>& sides, const Options& options,
                       const Report& report) {
  JsonOptions json_options{.lenient = options.lenient};
  const Side* any = nullptr;
  json_options.replaced = [&](const std::string& what, uint64_t line, uint64_t offset) {
    report(Odd::kReplaced, what, {any->name, line, offset});
  };
  const auto left_out = [&](Odd kind, const std::string& what, const Origin& origin) {
    lost_owners_ = lost_owners_ || sides[0] != nullptr;
    report(kind, what, origin);
  };
  if (options.lenient) {
    json_options.left_out = [&](const JsonLeftOut& part) {
      left_out(part.kind, part.what, {any->name, part.fault.line()});
    };
  }
  for (const Side* side : sides) {
    if (side == nullptr) continue;
    any = side;
    json_options.sections.push_back(side->section);
  }
  JsonStream json(any->path, json_options);
  while (const JsonRecord* record = json.Next()) {
    for (const Side* side : sides) {
      if (side == nullptr || record->section != side->section) continue;
      try {
        Add(*side, side == sides[0], *record);
      } catch (const InputError& error) {
        if (!options.lenient) throw;
        left_out(Odd::kTruncated, error.fault(), {any->name, record->line, record->offset});
      }
    }
  }
}

void SectionJoin::Add(const Side& side, bool is_owner, const JsonRecord& record) {
  Fact fact;
  fact.number = read_;
  fact.line = record.line;
  fact.offset = record.offset;
  std::string key = CanonicalId(Need(side, record, side.id));
  key += '\0';
  key += is_owner ? kOwner : kPart;
  if (!side.need.empty()) Need(side, record, side.need);
  std::string kept;
  fact.absent = !side.keep(record.value, kept);
  fact.kept = kept;
  ++read_;
  by_id_.Add(AsBytes(key), AsBytes(Pack(fact)));
}

void SectionJoin::Join(const Side& owners, const Side& parts, const Options& options,
                       const Report& report) {
  Owner owner(by_owner_);
  while (const auto record = by_id_.Next()) {
    const std::string_view key = AsText(record->key);
    const std::string_view id = key.substr(0, key.size() - 2);
    const std::string_view payload = AsText(record->payload);
    const bool known = owner.Is(id);
    const bool is_owner = key.back() == kOwner;
    const Fact fact = Unpack(payload);
    if (is_owner && known) {
      report(Odd::kDuplicateName,
             fmt::format("\"{}\" has {} {} twice (first: {}:{})", owners.section, owners.id, id,
                         owners.name, owner.line()),
             {owners.name, fact.line, fact.offset});
      owner.Repeat(fact, payload, options.duplicates);
    } else if (is_owner) {
      owner.Begin(id, fact, payload);
    } else if (known) {
      owner.AddPart(fact, payload);
    } else if (options.owners_are_ids) {
      owner.Begin(id, fact, Pack({fact.number, fact.line, fact.offset, false, id}));
      owner.AddPart(fact, payload);
    } else {
      report(lost_owners_ ? Odd::kTruncated : Odd::kMissingMedia,
             fmt::format("{} {}, which \"{}\" has not", parts.id, id, owners.section),
             {parts.name, fact.line, fact.offset});
    }
  }
  owner.Put();
}

std::optional<SectionJoin::Entry> SectionJoin::Next() {
  const auto record = by_owner_.Next();
  if (!record) return std::nullopt;
  const Fact fact = Unpack(AsText(record->payload));
  return Entry{record->key[8] == std::byte{kOwner}, fact.absent, fact.kept, fact.line, fact.offset};
}

}  // namespace ulhff
