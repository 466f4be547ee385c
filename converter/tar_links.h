// Links in a tar archive: which member's data they stand for.
#ifndef ULHFF_CONVERTER_TAR_LINKS_H_
#define ULHFF_CONVERTER_TAR_LINKS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "converter/record.h"
#include "converter/source.h"
#include "converter/tar_file.h"
#include "ulhff/checksum.h"

namespace ulhff {

// Reads the headers of the archive twice when it is made: once for what links point at, once for
// where that stands. Holds 64 bytes for each member that a link points at.
class TarLinks {
 public:
  // Both must outlive it.
  TarLinks(const TarBytes& bytes, const RecordContext& context);

  // Of members of one name, the last before the link counts, or else the first after it. The data,
  // or why there are none.
  std::variant<Locator, Odd> Resolve(const TarMember& link) const;

 private:
  struct Target {
    enum class Place : uint8_t { kArchive, kSpool, kLink };
    Digest128 name{};  // its hash: two names of one hash would only be one link gone wrong
    Digest128 next{};  // of a link: what it points at
    uint64_t number = 0;
    uint64_t offset = 0;
    uint64_t size = 0;
    Place place = Place::kLink;
  };

  void FindTargets(const RecordContext& context, const std::vector<Digest128>& wanted);
  const Target* Find(const Digest128& name, uint64_t number) const;
  Locator At(const Target& target) const;

  const TarBytes& bytes_;
  const SpooledFile& spool_;
  std::vector<Target> targets_;  // by name and number
};

// The path from the archive's root that a link names. nullopt: it leads outside.
std::optional<std::string> TargetOfLink(const TarMember& link);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TAR_LINKS_H_
