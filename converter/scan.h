// The first stage of a conversion: receives a source into a Catalogue, applying names and policies.
#ifndef ULHFF_CONVERTER_SCAN_H_
#define ULHFF_CONVERTER_SCAN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "converter/catalogue.h"
#include "converter/conversion_digest.h"
#include "converter/name_spelling.h"
#include "converter/options.h"
#include "converter/path_index.h"
#include "converter/progress.h"
#include "converter/report.h"
#include "converter/source.h"

namespace ulhff {

// What stat() says of a file that can be a media.
struct FileState {
  uint64_t size = 0;
  int64_t mtime_ns = 0;
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t ctime_ns = 0;
  bool regular = false;
};
// nullopt: there is no such file. Other failures: std::system_error.
std::optional<FileState> StatFile(const std::string& path);

class Scan : public SourceSink {
 public:
  // All must outlive it. A file that is the one at options.output is ignored if it
  // is a ULHFF file, and else refused.
  Scan(const ConvertOptions& options, Catalogue& catalogue, Report& report, Progress& progress);

  // Before each operand; its names go below `prefix` (empty: none).
  void BeginOperand(std::string_view operand, std::string_view prefix);
  // After the last: finds names used twice, then throws an InputError if the policies or the
  // limits of the format forbid what was found.
  void Finish();

  void DeclareFields(std::vector<std::pair<std::string, std::string>> fields) override;
  uint64_t Split(std::string_view given) override;
  std::optional<MediaId> Media(std::string_view name, const Locator& bytes,
                               const Origin& origin) override;
  bool KnowsMedia(std::string_view name) const override;
  bool Pair(MediaId media, std::span<const Text> texts, uint64_t split,
            const Origin& origin) override;
  void Extra(std::string_view name, const Locator& bytes, const Origin& origin) override;
  void Directory(std::string_view name, int64_t mtime_ns) override;
  void Hold(std::shared_ptr<const void> needed) override {
    catalogue_->held.push_back(std::move(needed));
  }
  void Facts(const UlhffFacts& facts) override;
  std::vector<size_t> UniteFields(
      const std::vector<std::pair<std::string, std::string>>& fields) override;
  void AlsoNamed(MediaId media, std::string_view name, const Origin& origin) override;
  void PairAt(uint64_t position, MediaId media, std::span<const Text> texts, uint64_t split,
              const Origin& origin) override;
  void Note(Odd kind, std::string_view what, const Origin& origin) override;
  void Rule(std::string_view rule, uint64_t pairs) override;

 private:
  std::optional<std::string> NameInTree(std::string_view name, const Origin& origin);
  std::string Prefixed(std::string_view path) const;
  void NoteSpelling(std::string_view given, std::string_view in_tree, const Origin& origin);
  std::optional<FileRecord> Look(std::string_view name, const Locator& bytes, const Origin& origin);
  std::optional<MediaId> KnownMedia(uint64_t position, const std::string& name,
                                    const Locator& bytes, const Origin& origin);
  std::optional<MediaId> NameIsTaken(uint64_t position, const FileRecord& known, FileRecord record,
                                     const Origin& origin);
  MediaId AddTwin(uint64_t position, const FileRecord& known, FileRecord record,
                  const Origin& origin);
  void TakeNameFrom(uint64_t position);
  std::optional<MediaId> AddMedia(FileRecord record, std::string_view given, const Origin& origin);
  std::string FreeName(const std::string& name);
  void MakeWay(uint64_t position, const FileRecord& renamed);
  std::optional<MediaId> RenamedMedia(FileRecord record, const Origin& origin);
  bool TakeTexts(std::span<const Text> texts, const Origin& origin);
  bool AddPair(uint64_t sequence, MediaId media, std::span<const Text> texts, uint64_t split,
               const Origin& origin);
  bool IsEmptyText(const Text& text) const;
  bool IsOutput(const FileRecord& record) const;
  void AddName(std::string_view name, NameRef ref, const StoredOrigin& origin);
  void AddParent(std::string_view directory, const StoredOrigin& origin);

  const ConvertOptions* options_;
  Catalogue* catalogue_;
  Report* report_;
  Progress* progress_;
  PathIndex index_;
  const NameSpelling spelling_;
  // Of --duplicates rename, by hashes: how far the numbers of a name are used, and which media has
  // the new name of which bytes.
  std::unordered_map<uint64_t, uint64_t> next_number_;
  std::unordered_map<uint64_t, uint64_t> renamed_;
  std::optional<FileState> output_, report_file_;
  bool output_is_ulhff_ = false;

  std::string operand_;
  std::string prefix_;
  uint64_t first_sequence_ = 0;  // of the operand
  bool declared_ = false;        // some operand declared fields
  bool default_used_ = false;    // a pair has the fields that nobody declared
  bool split_here_ = false;      // the operand has splits
  bool split_nowhere_ = false;   // an operand before had none

  std::string last_parent_;  // it and all above are in `parents`
  // The last media, since rows of one media are often neighbours.
  std::string last_name_, last_path_;
  uint64_t last_offset_ = 0;
  std::optional<MediaId> last_media_;

  std::optional<ConversionDigest> digest_;  // of a shard

  std::vector<Text> texts_;  // of the current pair, with names of the tree
  std::vector<std::string> text_names_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_SCAN_H_
