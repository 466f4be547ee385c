// Joins the entries of two JSON sections on an id, whatever their order, number and size.
#ifndef ULHFF_CONVERTER_SECTION_JOIN_H_
#define ULHFF_CONVERTER_SECTION_JOIN_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "converter/json_stream.h"
#include "converter/source.h"
#include "ulhff/sorter.h"

namespace ulhff {

// 42, "42", "0042" and 42.0 are one id; what is no whole number is itself.
std::string CanonicalId(std::string_view id);

// Reads each file once and sorts what is kept of it twice, outside of memory: by id to join, then
// by owner.
class SectionJoin {
 public:
  // Images, questions or videos (owners), and what they have several of (parts).
  struct Side {
    std::string name;  // of the file, for messages
    std::string path;
    std::string section;  // of its top-level object: an array of objects
    std::string id;       // the key that is joined on
    // The key without which an entry means nothing; empty: none.
    std::string need;
    // Appends what is to be carried of an entry; false: it has nothing (a caption that is null).
    std::function<bool(const JsonValue& entry, std::string& kept)> keep;
  };
  struct Options {
    std::string tmp_dir;
    bool lenient = false;
    // There are no owners (their path is empty): the ids of the parts are, as they first come.
    bool owners_are_ids = false;
    // Of owners of one id kLast takes the last, kRename also keeps the later ones, without parts.
    OnDuplicate duplicates = OnDuplicate::kError;
  };
  // Told of an id that comes twice, of a part without its owner, and of a file that is cut.
  using Report = std::function<void(Odd, const std::string& what, const Origin& origin)>;

  // Both may be in one file. A path that is empty: there are none.
  SectionJoin(const Side& owners, const Side& parts, const Options& options, const Report& report);

  struct Entry {
    bool is_owner = false;  // else a part of the owner before
    bool absent = false;    // keep() said so
    std::string_view kept;  // valid until the next call
    uint64_t line = 0;
    uint64_t offset = 0;
  };
  // Each owner in file order, followed by its parts in file order; nullopt at the end.
  std::optional<Entry> Next();

 private:
  void Read(const std::vector<const Side*>& sides, const Options& options, const Report& report);
  void Add(const Side& side, bool is_owner, const JsonRecord& record);
  void Join(const Side& owners, const Side& parts, const Options& options, const Report& report);

  Sorter by_id_;
  Sorter by_owner_;
  uint64_t read_ = 0;
  bool lost_owners_ = false;  // some may have been among what was left out
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_SECTION_JOIN_H_
