// Options of `ulhff convert`, as parsed; each is documented in `ulhff convert --help` and
// docs/sources.md.
#ifndef ULHFF_CONVERTER_OPTIONS_H_
#define ULHFF_CONVERTER_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ulhff {

enum class OnMissingMedia : uint8_t { kError, kSkip };
enum class OnUnpairedMedia : uint8_t { kKeep, kSkip, kError };
enum class OnUnpairedText : uint8_t { kExtra, kSkip, kError };
enum class OnEmpty : uint8_t { kKeep, kSkip, kError };
enum class OnDuplicate : uint8_t { kError, kFirst, kLast, kRename };
enum class OnSymlink : uint8_t { kFollow, kInside, kSkip };
enum class OnMultiMedia : uint8_t { kError, kEach, kFirst, kSkip };
enum class TextsMode : uint8_t { kWhole, kLines };
enum class KeyRule : uint8_t { kFirstDot, kLastDot };

struct ConvertOptions {
  std::vector<std::string> sources;
  std::string output;

  // recognition
  std::string from;  // empty: recognise

  // tables
  std::string media_column;
  std::vector<std::string> text_columns;                    // names or globs
  std::vector<std::pair<std::string, std::string>> fields;  // --field NAME=COLUMN
  bool keep_columns = false;
  std::string id_column, split_column;
  std::string media_root, strip_prefix;
  std::vector<std::string> media_templates;  // tried in order
  bool no_header = false;
  std::vector<std::string> columns;
  std::optional<char> delimiter;
  std::optional<bool> quoting;  // --quote none | '"'
  bool last_column_rest = false;

  // tar
  KeyRule key_rule = KeyRule::kFirstDot;

  // files
  std::vector<std::string> media_extensions, text_extensions;  // empty: the defaults
  std::vector<std::pair<std::string, std::string>> pair_dirs;
  TextsMode texts = TextsMode::kWhole;
  bool split_dirs = false;  // shards too
  bool extras = true;       // --extras none
  bool drop_hidden = false;

  // names
  std::string name_encoding;  // of names that are no UTF-8; empty: they stay as they are
  bool lower_ext = false;

  // policies
  OnMissingMedia missing_media = OnMissingMedia::kError;
  OnUnpairedMedia unpaired_media = OnUnpairedMedia::kKeep;
  OnUnpairedText unpaired_text = OnUnpairedText::kExtra;
  OnEmpty empty = OnEmpty::kKeep;
  OnDuplicate duplicates = OnDuplicate::kError;
  OnSymlink symlinks = OnSymlink::kFollow;
  OnMultiMedia multi_media = OnMultiMedia::kError;
  bool allow_outside = false;
  bool strict = false;
  bool lenient = false;

  // the run
  unsigned threads = 0;  // 0: as many as processors
  unsigned alignment = 64;
  uint64_t shard = 1, shards = 1;  // --shard I/N
  bool whole_shards = false;       // the sources are all shards of one conversion
  bool force = false, dry_run = false, json = false, quiet = false;
  std::string report, tmp_dir;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_OPTIONS_H_
