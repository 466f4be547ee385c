// Verifies the source tree: names, their order, what they stand for, and how often.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "json_text.h"
#include "reader_names.h"
#include "reader_sections.h"
#include "reader_superblock.h"
#include "verify_report.h"

namespace ulhff {

namespace {

using Subject = Finding::Subject;

// One pass over all entries in their order, which is that of the directories. A block that cannot
// be read leaves a gap: what can be known only by counting is not checked behind it.
class NameVerifier {
 public:
  NameVerifier(const Reader& reader, VerifyReport& report)
      : info_(reader.info()),
        superblock_(reader.superblock()),
        sections_(reader.sections()),
        names_(reader.names()),
        report_(report),
        children_(info_.directories),
        depths_(info_.directories),
        media_links_(info_.objects),
        text_links_(info_.pairs * info_.fields.size()),
        blob_links_(info_.blobs) {}

  void Run();

 private:
  void VerifyBlock(uint64_t block);
  void VerifyEntry(const NameCursor& cursor);
  void VerifyChild(const NameCursor& cursor);
  void EnterDirectoryOf(uint64_t entry);
  void CountLink(const NameTarget& target, const NameCursor& cursor);
  void VerifyDirectories();
  template <typename Counts>
  void VerifyLinks(Subject subject, SectionType section, uint64_t otherwise, const Counts& counts);

  const Info& info_;
  const Superblock& superblock_;
  const Sections& sections_;
  const NameTable& names_;
  VerifyReport& report_;

  uint64_t directory_ = 0;                  // of the entry looked at
  NameTable::Range range_;                  // its entries
  std::optional<std::string> previous_;     // name in this directory
  std::optional<uint64_t> next_child_ = 1;  // number of the next subdirectory; unknown behind gaps
  bool gaps_ = false;
  bool directories_ended_ = false;  // directories end before the names do
  std::vector<uint32_t> children_;  // subdirectories seen, by directory
  std::vector<uint8_t> depths_;     // by directory
  std::vector<uint32_t> media_links_;
  std::vector<uint8_t> text_links_;  // 0, 1, or more
  std::vector<uint32_t> blob_links_;
};

void NameVerifier::Run() {
  range_ = names_.EntriesOfDirectory(0);
  for (uint64_t block = 0; block < sections_.entry(SectionType::kNames).blocks; ++block) {
    const bool whole = report_.Try(Subject::kFile, 0, 0, [&] { VerifyBlock(block); });
    if (whole) continue;
    gaps_ = true;
    next_child_.reset();
    previous_.reset();
    if (directories_ended_) break;  // no name behind it has a directory
  }
  VerifyDirectories();
  if (gaps_) return;
  VerifyLinks(Subject::kMedia, SectionType::kObjectLinks, superblock_.object_links, media_links_);
  VerifyLinks(Subject::kText, SectionType::kTextLinks, superblock_.text_links, text_links_);
  VerifyLinks(Subject::kBlob, SectionType::kBlobLinks, superblock_.blob_links, blob_links_);
}

void NameVerifier::VerifyBlock(uint64_t block) {
  const NameTable::Range held = names_.EntriesOfBlock(block);
  std::array<std::byte, kBlockSize> bytes;
  names_.CopyBlock(block, bytes);
  NameCursor cursor(sections_, block, bytes, held.end - held.begin);
  for (uint64_t entry = held.begin; entry < held.end; ++entry) {
    cursor.Next();
    EnterDirectoryOf(entry);
    report_.Try(Subject::kDirectory, directory_, 0, [&cursor] {
      if (IsValidName(cursor.name())) return;
      cursor.Fail("a name that cannot stand in a directory: " + JsonString(cursor.name()));
    });
    report_.Try(Subject::kDirectory, directory_, 0, [&] { VerifyEntry(cursor); });
    previous_ = cursor.name();
  }
}

void NameVerifier::EnterDirectoryOf(uint64_t entry) {
  while (entry >= range_.end) {
    if (directory_ + 1 == info_.directories) {
      directories_ended_ = true;
      sections_[SectionType::kDirectoryStarts].ThrowMalformed(
          info_.directories, fmt::format("the last directory ends before name {}", entry));
    }
    range_ = names_.EntriesOfDirectory(directory_ + 1);
    ++directory_;
    previous_.reset();
  }
}

void NameVerifier::VerifyEntry(const NameCursor& cursor) {
  if (previous_ && cursor.name() <= *previous_) cursor.Fail("names out of order");
  if (depths_[directory_] >= kMaxDepth) cursor.Fail("a path of more than 255 names");
  const NameTarget target = cursor.target();
  if (target.kind == TargetKind::kDirectory) {
    VerifyChild(cursor);
  } else {
    names_.CheckTarget(cursor, directory_);
    CountLink(target, cursor);
  }
}

void NameVerifier::VerifyChild(const NameCursor& cursor) {
  ++children_[directory_];
  const uint64_t number = cursor.target().number;
  const bool expected = !next_child_ || number == *next_child_;
  next_child_ = number + 1;
  names_.CheckTarget(cursor, directory_);
  if (!expected) cursor.Fail("directories are not numbered in their order");
  depths_[number] = static_cast<uint8_t>(depths_[directory_] + 1);
}

void NameVerifier::CountLink(const NameTarget& target, const NameCursor& cursor) {
  if (target.kind == TargetKind::kMedia) ++media_links_[target.number];
  if (target.kind == TargetKind::kBlob) ++blob_links_[target.number];
  if (target.kind == TargetKind::kText && text_links_[target.number]++ > 0) {
    text_links_[target.number] = 2;
    cursor.Fail("a second name of a text");
  }
}

void NameVerifier::VerifyDirectories() {
  for (uint64_t directory = 0; directory < info_.directories; ++directory) {
    report_.Try(Subject::kDirectory, directory, 0, [&] {
      const DirectoryInfo info = names_.Directory(directory);
      if (!gaps_ && info.children != children_[directory]) {
        sections_[SectionType::kDirectoryChildren].ThrowMalformed(
            directory,
            fmt::format("{} subdirectories, {} stored", children_[directory], info.children));
      }
    });
  }
  if (!gaps_ && next_child_ != info_.directories) {
    report_.Add(Subject::kFile, 0, sections_[SectionType::kDirectoryStarts].OffsetOf(0),
                fmt::format("{} directories have names, {} expected", *next_child_ - 1,
                            info_.directories - 1));
  }
}

template <typename Counts>
void NameVerifier::VerifyLinks(Subject subject, SectionType section, uint64_t otherwise,
                               const Counts& counts) {
  const PackedSequence& links = sections_[section];
  const auto compare = [&](uint64_t i, uint64_t stored, uint64_t offset) {
    if (stored == counts[i]) return;
    report_.Add(subject, i, offset, fmt::format("{} names, {} stored", counts[i], stored));
  };
  if (links.present()) {
    report_.Scan(links, [&](uint64_t i, const PackedValue& element) {
      compare(i, element.value, links.OffsetOf(i));
    });
  } else {
    for (uint64_t i = 0; i < counts.size(); ++i) compare(i, otherwise, 0);
  }
}

}  // namespace

void VerifyNames(const Reader& reader, VerifyReport& report) {
  const size_t before = report.size();
  NameVerifier verifier(reader, report);
  report.Try(Subject::kFile, 0, 0, [&] { verifier.Run(); });
  report.Sort(before);
}

}  // namespace ulhff
