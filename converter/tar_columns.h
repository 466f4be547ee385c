// What the members of a sample are: media, texts, fields, or none of these.
#ifndef ULHFF_CONVERTER_TAR_COLUMNS_H_
#define ULHFF_CONVERTER_TAR_COLUMNS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converter/media_types.h"
#include "converter/options.h"
#include "converter/tar_samples.h"

namespace ulhff {

// Pointers into a TarSample.
struct TarRoles {
  std::vector<const TarEntry*> media;   // in the order of the archive
  std::vector<const TarEntry*> texts;   // the first field of a pair each
  std::vector<const TarEntry*> fields;  // the further ones; nullptr: absent
  std::vector<const TarEntry*> others;
};

class TarColumns {
 public:
  explicit TarColumns(const ConvertOptions& options);

  // Learns from one of the first samples.
  void Look(const TarSample& sample);
  bool has_media() const { return has_media_; }
  bool has_texts() const { return has_texts_ || !json_keys_.empty(); }
  // Of the member KEY.json, whose texts --text-column json.KEY asks for.
  const std::vector<std::string>& json_keys() const { return json_keys_; }
  std::vector<std::string> seen() const { return {seen_.begin(), seen_.end()}; }

  // Names and extensions, the text itself first, those of the options last. After the last Look.
  std::vector<std::pair<std::string, std::string>> Fields() const;
  // Media: what --media-column matches, or else all that are called like media (in columns that
  // hold such bytes where none is). Texts: what --text-column matches, or else the members with the
  // first text extension that there is: KEY.txt, then KEY.0.txt, KEY.1.txt ... Members with another
  // text extension are fields of its name.
  TarRoles RolesOf(const TarSample& sample) const;

 private:
  struct Field {
    std::string name, column;
  };
  bool IsMedia(const TarEntry& entry) const;
  bool IsTextExtension(const TarEntry& entry, size_t rank) const;
  std::vector<Field> AllFields() const;
  void FindTexts(TarRoles& roles) const;
  void FindFields(const TarSample& sample, TarRoles& roles) const;

  const ConvertOptions& options_;
  const MediaTypes types_;
  std::vector<std::string> json_keys_;
  std::set<std::string> seen_;
  std::set<std::string> sniffed_;           // columns of media by content
  std::map<size_t, uint64_t> first_ranks_;  // of text extensions, how often they are the first
  std::set<size_t> further_ranks_;          // and which ones stand beside another
  bool has_media_ = false;
  bool has_texts_ = false;
};

// "json.caption" is the key "caption" of the member KEY.json. Empty: it is a column.
std::string_view JsonKeyOf(std::string_view column);

// As columns are compared: in any case.
bool IsColumn(const TarEntry& entry, std::string_view name);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TAR_COLUMNS_H_
