// FFRecord files that hold a folder (ffrecord's pack_folder): a record for each file, the names
// last.
#ifndef ULHFF_CONVERTER_PACKED_FOLDER_H_
#define ULHFF_CONVERTER_PACKED_FOLDER_H_

#include <memory>
#include <string>

#include "converter/options.h"
#include "converter/source.h"

namespace ulhff {

bool IsPackedFolder(const std::string& path);

// Its files are paired as plain files of the same stem are; all names are kept.
std::unique_ptr<Source> MakePackedFolderSource(const std::string& path,
                                               const ConvertOptions& options);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PACKED_FOLDER_H_
