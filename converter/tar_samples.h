// The samples of a tar archive, as WebDataset forms them: runs of members with the same key.
#ifndef ULHFF_CONVERTER_TAR_SAMPLES_H_
#define ULHFF_CONVERTER_TAR_SAMPLES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "converter/options.h"
#include "converter/record.h"
#include "converter/source.h"
#include "converter/tar_file.h"
#include "converter/tar_links.h"

namespace ulhff {

// A file of the archive, or a link to one.
struct TarEntry {
  std::string name;    // as stored
  std::string column;  // what follows the key and its dot, as spelled; empty: it has no key
  Locator data;
  uint64_t offset;  // of its header in the archive
};

struct TarSample {
  std::string key;  // with its directories
  std::vector<TarEntry> entries;
};

// What belongs to no sample, told as it is met.
class TarAside {
 public:
  virtual ~TarAside() = default;
  virtual void File(const TarEntry& entry) = 0;  // without a key: README, a hidden file
  virtual void Directory(const TarMember& member) = 0;
  virtual void LeftOut(Odd kind, const TarMember& member) = 0;
};

// Where the key ends in a name: at its first or its last dot behind the last '/'. nullopt: it has
// no key, because there is no such dot or nothing before it.
std::optional<size_t> KeySize(std::string_view name, KeyRule rule);

class TarSamples {
 public:
  // What the context refers to, and the others, must outlive it.
  TarSamples(const RecordContext& context, const ConvertOptions& options, TarAside& aside);

  // nullptr at the end. Valid until the next call.
  const TarSample* Next();

 private:
  bool NextEntry();
  std::optional<Locator> DataOf(const TarMember& member);
  bool BelongsToSample() const;

  const RecordContext context_;
  const ConvertOptions& options_;
  TarAside& aside_;
  const TarBytes bytes_;
  TarFile file_;
  std::unique_ptr<TarLinks> links_;  // made when the first link is met
  TarSample sample_;
  std::optional<TarEntry> next_;  // with a key; the first of the next sample
  size_t next_key_ = 0;           // bytes of its name
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TAR_SAMPLES_H_
