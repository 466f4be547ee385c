// What a source of `ulhff convert` is: it names its media, texts and other files in source order;
// the pipeline does the rest.
#ifndef ULHFF_CONVERTER_SOURCE_H_
#define ULHFF_CONVERTER_SOURCE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "converter/options.h"
#include "ulhff/format.h"
#include "ulhff/source_facts.h"

namespace ulhff {

class UlhffFile;

// A media, text or blob of a ULHFF file (converter/ulhff_file.h), which checks what it reads and
// knows times and extensions.
struct UlhffPart {
  const UlhffFile* file = nullptr;  // must live until the conversion ends: SourceSink::Hold
  TargetKind kind = TargetKind::kMedia;
  uint64_t number = 0;
};

// Bytes in a file on disk: all of it, or a part (a record of a container, a spooled stream).
struct Locator {
  std::string path;
  uint64_t offset = 0;
  std::optional<uint64_t> size = std::nullopt;     // nullopt: to the end of the file
  std::optional<int64_t> mtime_ns = std::nullopt;  // if it is not that of the file
  UlhffPart part = {};                             // if part.file is set, it reads the bytes
};

// One field of a pair. Absent and empty differ.
struct Absent {};
struct InlineText {
  std::string_view bytes;  // valid during the call
};
struct FileText {
  std::string_view name;  // its path in the source tree; empty if it has none there
  Locator bytes;
};
using Text = std::variant<Absent, InlineText, FileText>;

// Where something was said, for messages: "captions.csv", line 12 (0: no line), byte offset (if
// known).
struct Origin {
  std::string_view file;
  uint64_t line = 0;
  std::optional<uint64_t> offset = std::nullopt;
};

using MediaId = uint64_t;

// What the header of a ULHFF file says.
struct UlhffFacts {
  // What was merged there under another's name or none, and so is not seen among its names.
  SourceFacts unseen;
  int64_t default_mtime_ns = 0;
  bool has_fields = false;  // even if all of its texts are absent
};

// Everything odd has one kind, one policy option and one counter (converter docs: docs/sources.md).
enum class Odd : uint8_t {
  kMissingMedia,     // --missing-media; the row names a media that is not there
  kUnpairedMedia,    // --unpaired-media
  kUnpairedText,     // --unpaired-text
  kNoText,           // nothing but media
  kEmptyMedia,       // --empty
  kEmptyText,        // --empty
  kDuplicateName,    // --duplicates
  kRowWithoutMedia,  // skipped, counted
  kMultiMediaRow,    // --multi-media
  kSharedText,       // one text, several media of its stem
  kDanglingLink,     // left out
  kLoopingLink,
  kOutsideLink,    // --symlinks inside
  kSkippedLink,    // --symlinks skip
  kSpecialFile,    // socket, device, fifo: left out
  kHiddenFile,     // kept, never paired; or dropped by --drop-hidden
  kOutsidePath,    // --allow-outside
  kShortenedName,  // name over 255 bytes, or with '/' or NUL
  kMagicMismatch,  // content and extension disagree
  kNotMedia,       // HTML page or Git LFS pointer where a media should be
  kUnicodeForm,    // matched by NFC/NFD
  kBackslashPath,  // matched after '\' -> '/'
  kSharedTime,     // names of one media with different mtimes: the first is shown
  kTruncated,      // --lenient kept what is whole
  kHeaderLooksLikeData,
  kNanText,       // where a text should be stands the NaN that some libraries make of an empty cell
  kNoChecksum,    // a file that could have checksums of its records has none
  kLeftColumn,    // of a container's records, that no option took
  kAbsoluteName,  // of a member of an archive: read without its '/'
  kRepeatedKey,   // of a sample: it is another one, under other names
  kLoneMember,    // samples of one member, which may be a wrong --key-rule
};

// Receives a source in its own order. Implemented by the pipeline; calls may throw InputError or
// I/O errors. Paths in the tree ("names") are relative, '/'-separated bytes; the pipeline
// normalises "./" and "//", enforces name rules, and puts a directory operand that is one of
// several under its own base name (as `cp -r` does). Every media gets at least one Pair: one of
// absent texts where the source has none.
//
// Policies "error" are collected: the scan goes on, and the pipeline reports all of a kind together
// after it, before any media is read. The output file itself, met in a source directory, is
// ignored.
class SourceSink {
 public:
  virtual ~SourceSink() = default;

  // The text fields of every pair, before the first pair. Default: one field {"", "txt"}.
  virtual void DeclareFields(
      std::vector<std::pair<std::string, std::string>> name_and_extension) = 0;
  // Number of the split of this name, made on first use. Never called: the source has no splits.
  virtual uint64_t Split(std::string_view name) = 0;

  // A media under its name (empty: a record without one). The same name and bytes again give the
  // same id (a table's further rows). nullopt: the row is to be skipped, because the media is not
  // there, is empty, or its name is not allowed or was already used for other bytes, whatever the
  // policy; the pipeline has counted it.
  virtual std::optional<MediaId> Media(std::string_view name, const Locator& bytes,
                                       const Origin& origin) = 0;
  // True if Media was called with this name.
  virtual bool KnowsMedia(std::string_view name) const = 0;
  // The next pair in source order; one Text per declared field (none if media only).
  virtual void Pair(MediaId media, std::span<const Text> texts, uint64_t split,
                    const Origin& origin) = 0;

  // Other files and directories (those with an mtime to keep, the empty ones at least) of the
  // source tree.
  virtual void Extra(std::string_view name, const Locator& bytes, const Origin& origin) = 0;
  virtual void Directory(std::string_view name, int64_t mtime_ns) = 0;

  // --- what only a ULHFF file has to say
  virtual void Facts(const UlhffFacts& facts) = 0;
  // Instead of DeclareFields: adds those that are new. Returns the number of each.
  virtual std::vector<size_t> UniteFields(
      const std::vector<std::pair<std::string, std::string>>& fields) = 0;
  // A further name of a media.
  virtual void AlsoNamed(MediaId media, std::string_view name, const Origin& origin) = 0;
  // Pair, at a position of its own in the source order, counted within the operand. The last fields
  // may be left out.
  virtual void PairAt(uint64_t position, MediaId media, std::span<const Text> texts, uint64_t split,
                      const Origin& origin) = 0;

  // Keeps something that Locators point into, such as a temporary file, until the conversion has
  // ended: a Source may be gone after its Scan.
  virtual void Hold(std::shared_ptr<const void> needed) = 0;

  // Counts something odd and keeps examples for the report; an error after the scan if the kind's
  // policy or --strict says so. What Media, Pair and Extra find themselves (missing and empty
  // media, empty texts, names) they note themselves.
  virtual void Note(Odd kind, std::string_view what, const Origin& origin) = 0;
  // "same-stem pairs: 155070", told to the user in the report.
  virtual void Rule(std::string_view rule, uint64_t pairs) = 0;
};

// One kind of source, opened on one operand. One file each: converter/<kind>_source.cc.
class Source {
 public:
  virtual ~Source() = default;
  virtual void Scan(SourceSink& sink) = 0;
};

// What recognition says about one reading of a source.
struct Reading {
  std::string from;    // value of --from that forces it: "files", "table", "coco", "token" ...
  std::string why;     // one line: what was seen
  uint64_t pairs = 0;  // as counted or estimated from what was peeked
  bool estimated = false;
  std::vector<std::string> files;  // the tables or annotation files it is about, from the operand
  std::string problem;  // not empty: why it cannot be opened as it is, and which option helps
  bool broken = false;  // the problem is in the bytes of the file, not in the options
  // A bare file that names its media: `source` has no place for it, but it was part of the set.
  bool is_table = false;
  // What a mount shows unless told otherwise: kSource for Files, kAll for a directory with tables
  // or annotations, kPairs for records or a bare table file.
  ViewKind view = ViewKind::kSource;
};

// What stands on the command line, looked at once (converter/overview.h).
struct Overview;

struct SourceKind {
  const char* from;     // "coco"
  const char* summary;  // one line for --help
  // Cheap look at the operand (first rows only); empty if it does not apply.
  std::vector<Reading> (*recognise)(const Overview& operand, const ConvertOptions& options);
  std::unique_ptr<Source> (*open)(const std::string& operand, const Reading& reading,
                                  const ConvertOptions& options);
  // Of kinds whose files are shards: all operands, files of this kind, as one set.
  std::unique_ptr<Source> (*open_set)(const std::vector<std::string>& operands,
                                      const ConvertOptions& options) = nullptr;
};

// All kinds in the order of recognition (converter/recognise.cc).
std::span<const SourceKind> SourceKinds();
// Picks the reading or throws UsageError (none, or several that give pairs: lists each with its
// --from).
struct Choice {
  const SourceKind* kind;
  Reading reading;
};
Choice Recognise(const std::string& operand, const ConvertOptions& options);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_SOURCE_H_
