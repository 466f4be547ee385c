// A small source that is described once and written in the form of any kind.
#ifndef ULHFF_TESTS_SMALL_SOURCE_H_
#define ULHFF_TESTS_SMALL_SOURCE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/temp_tree.h"

namespace ulhff {

// One media with one text. Items of one name are one media, where names are those of files.
struct Item {
  std::string name;                  // without what its kind puts around it; a number fits all
  std::optional<std::string> media;  // none: no such file
  std::optional<std::string> text;   // none: absent
};
using Items = std::vector<Item>;

// What the items of a kind may be.
enum Can : unsigned {
  kNamesFiles = 1,  // a table or an annotation says which file is the media
  kHasAnyName = 2,  // not only numbers
  kHasEmptyTexts = 4,
  kHasAbsentTexts = 8,
  kHasNoTexts = 16,     // none of all
  kHasMediaNames = 32,  // in its containers, or of its files
  kIsDirectory = 64,    // other files may stand beside
  kHasSamples = 128,    // of containers, whose names may come again
  kHasKeys = 256,       // --id-column "key"
  kHasTextNames = 512,  // texts are files as well, and may stand without a media
  kMayLeadOut = 1024,   // names may be paths with ".."
  kTextsApart = 2048,   // where the texts end early, media without are left
  kCanBeCut = 4096,     // and what stands before is whole
  kJoinsIds = 8192,     // of its own, which are not those of files
  kIsJson = 16384,      // one value
};

struct SmallKind {
  const char* name;
  const char* media;                                  // how the media of an item is called
  const char* part;                                   // what holds the items, below "d"
  void (*write)(TempTree& tree, const Items& items);  // as "d"
  unsigned can;

  bool Is(unsigned all) const { return (can & all) == all; }
  std::string MediaName(const std::string& item) const;
  // What convert is to read.
  std::string Operand(const TempTree& tree) const;
};

// 0: all of them.
std::vector<SmallKind> SmallKindsThat(unsigned can);

// Media that nothing is wrong with: a JPEG, for which kinds of videos write an MP4.
std::string Jpg(std::string_view end);

// An outline of a container without what kinds differ in: heads of media, and the members of JSON
// beside the questions of VQA and GQA.
std::string PlainOutline(std::string outline);

}  // namespace ulhff

#endif  // ULHFF_TESTS_SMALL_SOURCE_H_
