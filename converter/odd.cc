// One table, in the order of the enum.
#include "converter/odd.h"

#include <array>

namespace ulhff {

namespace {

constexpr bool kWarning = true;
constexpr bool kNote = false;

constexpr std::array<OddKind, kOddKinds> kKinds = {{
    {"missing_media", "row names a media that is not there", "rows name media that are not there",
     "--missing-media skip leaves the rows out; --media-root, --strip-prefix say where to look",
     kWarning},
    {"unpaired_media", "media without text", "media without text", "--unpaired-media", kWarning},
    {"unpaired_text", "text without media", "texts without media", "--unpaired-text", kWarning},
    {"no_text", "source without any text", "sources without any text",
     "--text-ext, --text-column name the texts", kWarning},
    {"empty_media", "empty media", "empty media", "--empty", kWarning},
    {"empty_text", "empty text", "empty texts", "--empty", kWarning},
    {"duplicate_name", "path or id that was used twice", "paths or ids that were used twice",
     "--duplicates first|last|rename", kNote},
    {"row_without_media", "row without media, left out", "rows without media, left out", "",
     kWarning},
    {"multi_media_row", "row with several media", "rows with several media",
     "--multi-media each|first|skip", kNote},
    {"shared_text", "text shared by media of its stem", "texts shared by media of their stem", "",
     kNote},
    {"dangling_link", "dangling link, left out", "dangling links, left out", "", kWarning},
    {"looping_link", "link that loops or leads through more than 40, left out",
     "links that loop or lead through more than 40, left out", "", kWarning},
    {"outside_link", "link that leads outside, left out", "links that lead outside, left out", "",
     kNote},
    {"skipped_link", "link, left out", "links, left out", "", kNote},
    {"special_file", "socket, device or fifo, left out", "sockets, devices and fifos, left out", "",
     kWarning},
    {"hidden_file", "hidden file, never paired", "hidden files, never paired",
     "--drop-hidden leaves them out", kNote},
    {"outside_path", "path with '..' or outside the source",
     "paths with '..' or outside the source",
     "--allow-outside takes them; of tables and annotations, --media-root and --strip-prefix say "
     "where they begin",
     kNote},
    {"shortened_name", "name shortened", "names shortened", "", kWarning},
    {"respelled_name", "name respelled", "names respelled", "", kNote},
    {"magic_mismatch", "media whose content and extension disagree, kept",
     "media whose content and extension disagree, kept", "", kWarning},
    {"not_media", "media that is an HTML page or a Git LFS pointer, kept",
     "media that are HTML pages or Git LFS pointers, kept", "", kWarning},
    {"unicode_form", "name matched in another Unicode form",
     "names matched in another Unicode form", "", kWarning},
    {"backslash_path", "path matched with '\\' read as '/'", "paths matched with '\\' read as '/'",
     "", kWarning},
    {"shared_time", "name of a merged media with another mtime, the first is shown",
     "names of merged media with another mtime, the first is shown", "", kNote},
    {"truncated", "cut or malformed part, left out", "cut or malformed parts, left out", "",
     kWarning},
    {"lost_rest", "file whose rest is left out", "files whose rest is left out", "", kWarning},
    {"header_looks_like_data", "table with a doubtful header", "tables with a doubtful header",
     "--no-header --columns", kWarning},
    {"null_text", "text that is null or missing, taken as absent",
     "texts that are null or missing, taken as absent", "--unpaired-media", kWarning},
    {"nan_text", "NaN instead of a text, taken as absent", "NaN instead of texts, taken as absent",
     "", kNote},
    {"no_checksum", "file without checksums, not verified", "files without checksums, not verified",
     "", kWarning},
    {"left_column", "column left out", "columns left out", "--field NAME=COLUMN, --keep-columns",
     kNote},
    {"absolute_name", "absolute name in an archive, read without its '/'",
     "absolute names in an archive, read without their '/'", "", kWarning},
    {"repeated_key", "sample whose key came before, kept under another name",
     "samples whose key came before, kept under other names", "--duplicates first|last", kWarning},
    {"replaced", "escape that is no character, replaced",
     "escapes that are no characters, replaced", "", kWarning},
    {"lone_member", "archive with samples of one member", "archives with samples of one member",
     "--key-rule last-dot", kNote},
    {"lost_extension", "media with one extension too many, shown without it in pairs and objects",
     "media with more different extensions than there is room for, shown without in pairs and "
     "objects",
     "", kWarning},
    {"no_key", "record without a key, not in the source tree",
     "records without a key, not in the source tree", "", kWarning},
    {"dropped_extra", "file that no pair uses, left out", "files that no pair uses, left out", "",
     kNote},
    {"ulhff_extra", "ULHFF file among the files of a source, kept with them",
     "ULHFF files among the files of a source, kept with them",
     "if it is an older conversion, move it away; --extras none leaves out all that no pair uses",
     kWarning},
    {"output_inside", "output that lies in its source", "outputs that lie in their source",
     "a conversion of the source to another name would keep it as one more file", kNote},
    {"malformed_json", "malformed JSON file that nothing was read from",
     "malformed JSON files that nothing was read from", "--from KIND:FILE reads one", kWarning},
    {"missing_shard", "set of shards that are not all there",
     "sets of shards that are not all there", "", kWarning},
    {"no_name", "member of an archive without a name, left out",
     "members of an archive without a name, left out", "", kWarning},
    {"empty_shard", "shard without any record", "shards without any record", "", kNote},
}};

}  // namespace

const OddKind& Describe(Odd kind) { return kKinds[static_cast<size_t>(kind)]; }

std::string RemedyOf(Odd kind, const ConvertOptions& options) {
  const ConvertOptions unset;
  std::string remedy(Describe(kind).remedy);
  switch (kind) {
    case Odd::kMissingMedia:
      return options.missing_media == unset.missing_media
                 ? remedy
                 : "--media-root, --strip-prefix say where to look";
    case Odd::kUnpairedMedia:
    case Odd::kNullText:
      return options.unpaired_media == unset.unpaired_media ? remedy : "";
    case Odd::kUnpairedText:
      return options.unpaired_text == unset.unpaired_text ? remedy : "";
    case Odd::kEmptyMedia:
    case Odd::kEmptyText:
      return options.empty == unset.empty ? remedy : "";
    case Odd::kDuplicateName:
    case Odd::kRepeatedKey:
      return options.duplicates == unset.duplicates ? remedy : "";
    case Odd::kMultiMediaRow:
      return options.multi_media == unset.multi_media ? remedy : "";
    case Odd::kHiddenFile:
      return options.drop_hidden ? "" : remedy;
    case Odd::kOutsidePath:
      return options.allow_outside ? "" : remedy;
    case Odd::kHeaderLooksLikeData:
      return options.no_header ? "without --no-header it is one" : remedy;
    case Odd::kLoneMember:
      return options.key_rule == unset.key_rule ? remedy : "";
    default:
      return remedy;
  }
}

bool IsError(Odd kind, const ConvertOptions& options) {
  if (options.strict && Describe(kind).warning) return true;
  switch (kind) {
    case Odd::kMissingMedia:
      return options.missing_media == OnMissingMedia::kError;
    case Odd::kUnpairedMedia:
    case Odd::kNullText:
      return options.unpaired_media == OnUnpairedMedia::kError;
    case Odd::kUnpairedText:
      return options.unpaired_text == OnUnpairedText::kError;
    case Odd::kEmptyMedia:
    case Odd::kEmptyText:
      return options.empty == OnEmpty::kError;
    case Odd::kDuplicateName:
      return options.duplicates == OnDuplicate::kError;
    case Odd::kMultiMediaRow:
      return options.multi_media == OnMultiMedia::kError;
    case Odd::kOutsidePath:
      return !options.allow_outside;
    default:
      return false;
  }
}

}  // namespace ulhff
