// The kinds of odd input, as sources note them.
#ifndef ULHFF_CONVERTER_ODD_KIND_H_
#define ULHFF_CONVERTER_ODD_KIND_H_

#include <cstdint>

namespace ulhff {

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
  kRespelledName,  // --name-encoding, --lower-ext
  kMagicMismatch,  // content and extension disagree
  kNotMedia,       // HTML page or Git LFS pointer where a media should be
  kUnicodeForm,    // matched by NFC/NFD
  kBackslashPath,  // matched after '\' -> '/'
  kSharedTime,     // names of one media with different mtimes: the first is shown
  kTruncated,      // --lenient kept what is whole
  kLostRest,       // the same, but what follows could not be told, or the file is cut
  kHeaderLooksLikeData,
  kNullText,    // --unpaired-media; a null, or nothing, where an entry or a list should have a text
  kNanText,     // where a text should be stands the NaN that some libraries make of an empty cell
  kNoChecksum,  // a file that could have checksums of its records has none
  kLeftColumn,  // of a container's records, that no option took
  kAbsoluteName,   // of a member of an archive: read without its '/'
  kRepeatedKey,    // of a sample: it is another one, under other names
  kReplaced,       // half a surrogate pair, read as U+FFFD by --lenient
  kLoneMember,     // samples of one member, which may be a wrong --key-rule
  kLostExtension,  // of a media: the format has room for so many different ones
  kNoKey,          // a record without the value of --id-column
  kDroppedExtra,   // --extras none
  kUlhffExtra,     // which may be an older OUT; kept
  kOutputInside,   // OUT in a SOURCE, where the next conversion finds it
  kMalformedJson,  // a file beside the media, that may have been meant for something
  kMissingShard,   // the names of the others count it
  kNoName,         // of a member of an archive: left out
  kEmptyShard,     // no records, or none that is whole
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_ODD_KIND_H_
