// The index.json of a MosaicML Streaming (MDS) dataset.
#ifndef ULHFF_CONVERTER_MDS_INDEX_H_
#define ULHFF_CONVERTER_MDS_INDEX_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "converter/options.h"

namespace ulhff {

struct MdsColumn {
  std::string name;
  std::string encoding;
  uint64_t size = 0;  // of each value; 0: they differ, and each sample says
};

// "jpeg" of "jpeg:90": the name before its settings.
std::string_view MdsName(std::string_view setting);

struct MdsShard {
  std::string raw_name;  // from the index's directory
  uint64_t raw_bytes = 0;
  std::string zip_name;  // empty: none
  std::string compression;
  uint64_t samples = 0;
  std::shared_ptr<const std::vector<MdsColumn>> columns;  // shards mostly have the same
};

// Throws InputError: no such JSON, another version than 2, another format than "mds", names that
// lead outside (unless options.allow_outside).
std::vector<MdsShard> ReadMdsIndex(const std::string& path, const ConvertOptions& options);

// For recognition: does the file begin like such an index?
bool IsMdsIndex(const std::string& path);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_MDS_INDEX_H_
