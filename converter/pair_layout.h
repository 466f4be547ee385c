// What `ulhff export --as` writes: the pairs in the order of the source, in one of several layouts.
#ifndef ULHFF_CONVERTER_PAIR_LAYOUT_H_
#define ULHFF_CONVERTER_PAIR_LAYOUT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "converter/pair_walk.h"
#include "converter/target_directory.h"
#include "ulhff/bytes.h"
#include "ulhff/reader.h"

namespace ulhff {

struct ExportTotals {
  uint64_t files = 0;
  uint64_t bytes = 0;
  uint64_t links = 0;
  uint64_t damaged = 0;
  uint64_t removed = 0;  // of an older export
};

struct LayoutOptions {
  bool force = false;       // replace files
  bool hard_links = false;  // of plain files
  bool json_lines = false;  // the table of media and table, else CSV
  uint64_t shard_bytes = uint64_t{1} << 30;
  uint64_t shard_pairs = ~uint64_t{0};
  std::string tmp_dir;
};

class PairLayout {
 public:
  virtual ~PairLayout() = default;
  // Writes the pair. Throws FormatError if it is damaged; then nothing of it is left.
  virtual void Add(PairWalk& pair) = 0;
  virtual void Finish() {}
  // Of the shard or pair that it gives such a path, directories of splits aside; nullopt where it
  // does not, or paths tell nothing.
  virtual std::optional<uint64_t> NumberOf(std::string_view path) const = 0;
  // How `ulhff convert` reads the result back: its options, "" for none.
  virtual std::string ConvertOptions() const { return {}; }
};

// What a layout writes with, all of which outlives it.
struct LayoutContext {
  const Reader& reader;
  const TargetDirectory& root;
  const LayoutOptions& options;
  ExportTotals& totals;
};

// [SPLIT/]00000/000000000.jpg, .txt (files_layout.cc).
std::unique_ptr<PairLayout> MakeFilesLayout(const LayoutContext& context);
// Each media once, and one table of the pairs (table_layout.cc).
std::unique_ptr<PairLayout> MakeTableLayout(const LayoutContext& context);
// [SPLIT/]00000.tar, a sample a pair (tar_layout.cc).
std::unique_ptr<PairLayout> MakeTarLayout(const LayoutContext& context);

// The bytes of a media in order, in pieces that are valid during the call.
void ReadWholeMedia(const Reader& reader, uint64_t object, std::vector<std::byte>& buffer,
                    const std::function<void(ByteSpan)>& take);

// A directory of the target, the last one kept open.
class OpenDirectory {
 public:
  explicit OpenDirectory(const TargetDirectory& root) : root_(root) {}
  // By path below the root, made if it is not there; "" is the root. Valid until the next call.
  const TargetDirectory& At(const std::string& path);

 private:
  const TargetDirectory& root_;
  std::string path_;
  std::unique_ptr<TargetDirectory> directory_;
};

// Of digits alone, else nullopt.
std::optional<uint64_t> ParseNumber(std::string_view text);

// A whole file. Throws std::runtime_error if it exists and is not to be replaced.
void WriteTarget(const LayoutContext& context, const TargetDirectory& directory,
                 std::string_view name, std::string_view bytes, int64_t mtime_ns);
// Throws std::runtime_error: `path` would be read together with the export.
[[noreturn]] void RefuseMixing(const std::string& path);
void CheckFree(const LayoutContext& context, const TargetDirectory& directory,
               std::string_view name);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PAIR_LAYOUT_H_
