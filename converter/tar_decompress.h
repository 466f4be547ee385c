// Decompresses tar archives as a whole: gzip, zstd, bzip2, xz, lz4, lzip.
#ifndef ULHFF_CONVERTER_TAR_DECOMPRESS_H_
#define ULHFF_CONVERTER_TAR_DECOMPRESS_H_

#include <cstddef>
#include <optional>
#include <string>

#include "converter/decompress.h"
#include "converter/file_window.h"
#include "converter/record.h"

namespace ulhff {

// Into the context's spool. nullopt: it is not compressed.
std::optional<Decompressed> DecompressTar(FileWindow& file, const RecordContext& context);

// The first `size` bytes, decompressed if need be, or fewer.
std::string DecompressTarHead(FileWindow& file, size_t size);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TAR_DECOMPRESS_H_
