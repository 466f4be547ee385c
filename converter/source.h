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
#include <vector>

#include "converter/locator.h"
#include "converter/odd_kind.h"
#include "converter/options.h"
#include "ulhff/format.h"
#include "ulhff/source_facts.h"

namespace ulhff {

using MediaId = uint64_t;

// What the header of a ULHFF file says.
struct UlhffFacts {
  // What was merged there under another's name or none, and so is not seen among its names.
  SourceFacts unseen;
  int64_t default_mtime_ns = 0;
  bool has_fields = false;  // even if all of its texts are absent
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
  // The next pair in source order; one Text per declared field (none if media only). False: its
  // text is empty and unwanted, which the pipeline has counted.
  virtual bool Pair(MediaId media, std::span<const Text> texts, uint64_t split,
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
  // "same-stem pairs: 155070", told to the user in the report. Of pairs that were taken.
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
  // Of a directory: JSON files that are none of these and are malformed, with the fault.
  std::vector<std::string> malformed = {};
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
