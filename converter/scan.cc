// Applies the rules that hold for every source to what a source says.
#include "converter/scan.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

#include "converter/input_error.h"
#include "converter/interrupt.h"
#include "converter/name_check.h"
#include "converter/name_rules.h"
#include "converter/output.h"
#include "converter/printable.h"
#include "converter/sort_key.h"
#include "converter/spooled_file.h"
#include "converter/ulhff_file.h"
#include "ulhff/checksum.h"
#include "ulhff/error.h"
#include "ulhff/format.h"

namespace ulhff {

namespace {

FileRecord ToRecord(const std::string& name, const Locator& bytes, const FileState& state) {
  return {.name = name,
          .path = bytes.path,
          .offset = bytes.offset,
          .size = bytes.size.value_or(state.size - std::min(bytes.offset, state.size)),
          .to_end = !bytes.size.has_value(),
          .mtime_ns = bytes.mtime_ns.value_or(state.mtime_ns),
          .device = state.device,
          .inode = state.inode,
          .stamp = SpooledFile::IsSpooled(bytes.path) ? FileStamp()
                                                      : FileStamp{state.mtime_ns, state.ctime_ns},
          .origin = {},
          .dropped = false,
          .part = bytes.part};
}

}  // namespace

std::optional<FileState> StatFile(const std::string& path) {
  // The system would take what stands before a NUL.
  if (path.find('\0') != std::string::npos) return std::nullopt;
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0) {
    if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG) {
      return std::nullopt;
    }
    ThrowErrno(path);
  }
  return FileState{.size = static_cast<uint64_t>(st.st_size),
                   .mtime_ns = int64_t{st.st_mtim.tv_sec} * 1'000'000'000 + st.st_mtim.tv_nsec,
                   .device = st.st_dev,
                   .inode = st.st_ino,
                   .ctime_ns = int64_t{st.st_ctim.tv_sec} * 1'000'000'000 + st.st_ctim.tv_nsec,
                   .regular = S_ISREG(st.st_mode)};
}

Scan::Scan(const ConvertOptions& options, Catalogue& catalogue, Report& report, Progress& progress)
    : options_(&options),
      catalogue_(&catalogue),
      report_(&report),
      progress_(&progress),
      index_(catalogue.media),
      spelling_(options),
      output_(StatFile(options.output)),
      report_file_(StatFile(options.report)) {
  output_is_ulhff_ = output_ && IsUlhffFile(options.output);
  if (options.shards > 1) digest_.emplace();
}

void Scan::BeginOperand(std::string_view operand, std::string_view prefix) {
  split_nowhere_ = split_nowhere_ || (!operand_.empty() && !split_here_);
  split_here_ = false;
  operand_ = operand;
  prefix_ = spelling_.Directory(prefix);
  first_sequence_ = options_->whole_shards ? 0 : catalogue_->sequence;
  catalogue_->directory_parts.push_back(catalogue_->directories.size());
  last_media_.reset();
}

void Scan::Finish() {
  split_nowhere_ = split_nowhere_ || !split_here_;
  if (split_nowhere_ && !catalogue_->splits.empty()) {
    throw InputError("some sources have splits and others have none; convert them on their own");
  }
  FindNamesUsedTwice(*catalogue_, *options_, *report_);
  if (catalogue_->texts_present == 0 && report_->count(Odd::kNoText) == 0) {
    Note(Odd::kNoText, "", {operand_});
  }
  report_->ThrowErrors();
  if (digest_) catalogue_->digest = digest_->Halves();
  if (catalogue_->sequence == 0) {
    const uint64_t links = report_->count(Odd::kSkippedLink) + report_->count(Odd::kOutsideLink);
    throw InputError(fmt::format(
        "{}: no media found, so there is nothing to convert{}", Printable(operand_),
        links == 0 ? ""
                   : fmt::format("; --symlinks leaves out {}", Counted(links, "link", "links"))));
  }
}

void Scan::DeclareFields(std::vector<std::pair<std::string, std::string>> fields) {
  if (declared_ && fields != catalogue_->fields) {
    throw InputError(
        fmt::format("{}: has other text fields than the sources before; convert it on its own",
                    Printable(operand_)));
  }
  if (fields.size() > kMaxFields) {
    throw InputError(fmt::format("{}: {} text fields; at most {} are possible", Printable(operand_),
                                 fields.size(), kMaxFields));
  }
  declared_ = true;
  catalogue_->fields = std::move(fields);
}

uint64_t Scan::Split(std::string_view given) {
  split_here_ = true;
  const std::string name = spelling_.Directory(given);
  std::vector<std::string>& splits = catalogue_->splits;
  const auto known = std::find(splits.begin(), splits.end(), name);
  if (known != splits.end()) return static_cast<uint64_t>(known - splits.begin());
  if (name.empty() || name.find('/') != std::string::npos || MakeTreeName(name).path != name) {
    throw InputError(fmt::format("{}: \"{}\" cannot be the name of a split, which is a directory",
                                 Printable(operand_), Printable(name)));
  }
  if (splits.size() == kMaxSplits) {
    throw InputError(fmt::format("{}: more than {} splits; is \"{}\" really one?",
                                 Printable(operand_), kMaxSplits, Printable(name)));
  }
  splits.push_back(name);
  return splits.size() - 1;
}

// nullopt: not there, not a file, or empty and unwanted; noted.
std::optional<FileRecord> Scan::Look(std::string_view name, const Locator& bytes,
                                     const Origin& origin) {
  const std::optional<FileState> state = StatFile(bytes.path);
  if (!state || !state->regular) {
    const std::string what = name.empty() ? bytes.path : std::string(name);
    Note(Odd::kMissingMedia, state ? what + " (not a regular file)" : what, origin);
    return std::nullopt;
  }
  if (bytes.offset > state->size || bytes.size.value_or(0) > state->size - bytes.offset) {
    throw InputError(fmt::format("{}: {} bytes at {} are wanted by {}, but the file has {}",
                                 Printable(bytes.path), bytes.size.value_or(0), bytes.offset,
                                 DescribeOrigin(origin), state->size));
  }
  return ToRecord({}, bytes, *state);
}

bool Scan::IsOutput(const FileRecord& record) const {
  const auto is = [&record](const std::optional<FileState>& file) {
    return file && record.device == file->device && record.inode == file->inode;
  };
  if (is(report_file_)) {
    throw UsageError(fmt::format("--report {}: lies in the source, whose part it would become",
                                 Printable(record.path)));
  }
  if (!is(output_)) return false;
  if (output_is_ulhff_) return true;
  throw UsageError(fmt::format("{} is a file of the source: {}", Printable(options_->output),
                               Printable(record.path)));
}

std::optional<MediaId> Scan::Media(std::string_view name, const Locator& bytes,
                                   const Origin& origin) {
  if (last_media_ && name == last_name_ && bytes.path == last_path_ && !name.empty() &&
      bytes.offset == last_offset_) {
    return last_media_;
  }
  const std::optional<std::string> path = NameInTree(name, origin);
  if (!path) return std::nullopt;
  if (digest_) digest_->Add(*path);
  std::optional<MediaId> media;
  const std::optional<uint64_t> known = path->empty() ? std::nullopt : index_.Find(*path);
  if (known) {
    media = KnownMedia(*known, *path, bytes, origin);
  } else if (auto record = Look(name, bytes, origin); record && !IsOutput(*record)) {
    record->name = *path;
    media = AddMedia(std::move(*record), name, origin);
  }
  last_name_ = name;
  last_path_ = bytes.path;
  last_offset_ = bytes.offset;
  return last_media_ = media;
}

std::optional<MediaId> Scan::KnownMedia(uint64_t position, const std::string& name,
                                        const Locator& bytes, const Origin& origin) {
  const FileRecord known = catalogue_->media.Read(position);
  const auto same_part = [&](uint64_t offset, std::optional<uint64_t> size) {
    return offset == known.offset && (size ? *size == known.size : known.to_end);
  };
  if (known.path == bytes.path && same_part(bytes.offset, bytes.size)) return position;
  std::optional<FileRecord> record = Look(name, bytes, origin);
  if (!record) return std::nullopt;
  if (record->device == known.device && record->inode == known.inode &&
      same_part(bytes.offset, bytes.size)) {
    return position;
  }
  record->name = name;
  return NameIsTaken(position, known, std::move(*record), origin);
}

// By another media.
std::optional<MediaId> Scan::NameIsTaken(uint64_t position, const FileRecord& known,
                                         FileRecord record, const Origin& origin) {
  const bool both_parts = known.part.file != nullptr && record.part.file != nullptr;
  if (both_parts && SameSums(known.part, record.part)) {
    return AddTwin(position, known, std::move(record), origin);
  }
  const std::string name = record.name;
  if (catalogue_->renamed.contains(position)) {
    MakeWay(position, known);
    return AddMedia(std::move(record), name, origin);
  }
  const OwnedOrigin first = catalogue_->origins.Read(known.origin);
  Note(Odd::kDuplicateName,
       fmt::format("{} (first: {})", name, DescribeOrigin(PlaceOf(known.path, first.view()))),
       PlaceOf(record.path, origin));
  switch (options_->duplicates) {
    case OnDuplicate::kError:
    case OnDuplicate::kFirst:
      return std::nullopt;
    case OnDuplicate::kLast:
      TakeNameFrom(position);
      return AddMedia(std::move(record), name, origin);
    case OnDuplicate::kRename:
      return RenamedMedia(std::move(record), origin);
  }
  return std::nullopt;
}

std::optional<MediaId> Scan::RenamedMedia(FileRecord record, const Origin& origin) {
  const std::array<uint64_t, 5> bytes{Checksum64(AsBytes(record.name)), record.device, record.inode,
                                      record.offset, record.size};
  const auto [before, is_new] = renamed_.try_emplace(Checksum64(Raw(bytes)), 0);
  if (!is_new) {
    const FileRecord other = catalogue_->media.Read(before->second);
    if (other.device == record.device && other.inode == record.inode &&
        other.offset == record.offset && other.size == record.size) {
      return before->second;
    }
  }
  const std::string renamed = record.name = FreeName(record.name);
  const std::optional<MediaId> media = AddMedia(std::move(record), renamed, origin);
  if (!media) {
    renamed_.erase(before);
    return media;
  }
  catalogue_->renamed.insert(*media);
  if (is_new) before->second = *media;
  return media;
}

std::optional<MediaId> Scan::AddMedia(FileRecord record, std::string_view given,
                                      const Origin& origin) {
  if (record.size == 0) {
    Note(Odd::kEmptyMedia, given, origin);
    if (options_->empty == OnEmpty::kSkip) return std::nullopt;
  }
  NoteSpelling(given, record.name, origin);
  record.origin = catalogue_->origins.Put(origin);
  catalogue_->SawTime(record.mtime_ns);
  if (digest_) digest_->Add(record.size);
  const uint64_t position = catalogue_->media.Add(record);
  if (record.name.empty()) return position;
  index_.Insert(record.name, position);
  AddName(record.name, {NameRef::Kind::kMedia, position}, record.origin);
  return position;
}

bool Scan::IsEmptyText(const Text& text) const {
  if (const auto* bytes = std::get_if<InlineText>(&text)) return bytes->bytes.empty();
  const auto* file = std::get_if<FileText>(&text);
  // Files that are kept in any case are looked at when they are read.
  if (file == nullptr || options_->empty == OnEmpty::kKeep) return false;
  if (file->bytes.size) return *file->bytes.size == 0;
  const std::optional<FileState> state = StatFile(file->bytes.path);
  return state && state->size <= file->bytes.offset;
}

// Fills texts_. False if the pair is to be left out.
bool Scan::TakeTexts(std::span<const Text> texts, const Origin& origin) {
  if (!texts.empty() && IsEmptyText(texts[0])) {
    const auto* file = std::get_if<FileText>(&texts[0]);
    Note(Odd::kEmptyText, file == nullptr ? std::string_view() : file->name, origin);
    if (options_->empty == OnEmpty::kSkip) return false;
  }
  texts_.assign(texts.begin(), texts.end());
  text_names_.resize(texts.size());
  for (size_t field = 0; field < texts.size(); ++field) {
    if (!std::holds_alternative<Absent>(texts_[field])) ++catalogue_->texts_present;
    auto* file = std::get_if<FileText>(&texts_[field]);
    if (file == nullptr) continue;
    ++catalogue_->text_files;
    text_names_[field] = NameInTree(file->name, origin).value_or("");
    NoteSpelling(file->name, text_names_[field], origin);
    file->name = text_names_[field];
  }
  return true;
}

bool Scan::Pair(MediaId media, std::span<const Text> texts, uint64_t split, const Origin& origin) {
  if (texts.size() != catalogue_->fields.size()) {
    throw std::logic_error(fmt::format("{} texts for {} fields at {}", texts.size(),
                                       catalogue_->fields.size(), DescribeOrigin(origin)));
  }
  default_used_ = default_used_ || !declared_;
  return AddPair(catalogue_->sequence, media, texts, split, origin);
}

bool Scan::AddPair(uint64_t sequence, MediaId media, std::span<const Text> texts, uint64_t split,
                   const Origin& origin) {
  CheckInterrupt();
  progress_->Advance(1);
  if (!TakeTexts(texts, origin)) return false;
  if (digest_) digest_->AddPair(texts_, split);
  const StoredOrigin stored = catalogue_->origins.Put(origin);
  const uint64_t position = catalogue_->texts.Add(media, texts_, split, stored);
  for (size_t field = 0; field < texts_.size(); ++field) {
    const auto* file = std::get_if<FileText>(&texts_[field]);
    if (file != nullptr && !file->name.empty()) {
      AddName(file->name, {NameRef::Kind::kText, position, field}, stored);
    }
  }
  catalogue_->pairs.Add(SortKey(media, sequence), Raw(position));
  catalogue_->sequence = std::max(catalogue_->sequence, sequence + 1);
  return true;
}

void Scan::Extra(std::string_view name, const Locator& bytes, const Origin& origin) {
  CheckInterrupt();
  const std::optional<std::string> path = NameInTree(name, origin);
  if (!path || path->empty()) return;
  const std::optional<FileState> state = StatFile(bytes.path);
  if (!state || !state->regular) ThrowErrno(ENOENT, bytes.path);
  FileRecord record = ToRecord(*path, bytes, *state);
  if (IsOutput(record)) return;
  NoteSpelling(name, record.name, origin);
  const bool whole = record.offset == 0 && record.to_end;
  if (whole && record.size >= kSuperblockSize && IsUlhffFile(record.path)) {
    Note(Odd::kUlhffExtra, ReadableSize(record.size), origin);
  }
  record.origin = catalogue_->origins.Put(origin);
  catalogue_->SawTime(record.mtime_ns);
  if (digest_) digest_->Add(record.name).Add(record.size);
  AddName(record.name, {NameRef::Kind::kExtra, catalogue_->extras.Add(record)}, record.origin);
}

void Scan::Directory(std::string_view name, int64_t mtime_ns) {
  const std::string spelled = spelling_.Directory(name);
  const std::string path = Prefixed(MakeTreeName(spelled).path);
  if (spelled != name) {
    Note(Odd::kRespelledName, fmt::format("{} -> {}", name, path), {operand_});
  }
  const uint64_t size = path.size();
  if (digest_) digest_->Add(path);
  if (!path.empty()) AddParent(path, catalogue_->origins.Put({operand_}));
  catalogue_->directories.Append(Raw(mtime_ns));
  catalogue_->directories.Append(Raw(size));
  catalogue_->directories.Append(AsBytes(path));
  catalogue_->SawTime(mtime_ns);
}

void Scan::Note(Odd kind, std::string_view what, const Origin& origin) {
  report_->Note(kind, what, origin);
}

void Scan::Rule(std::string_view rule, uint64_t pairs) { report_->Rule(rule, pairs); }

}  // namespace ulhff
