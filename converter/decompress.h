// Decompresses whole files: gzip, zlib, zstd.
#ifndef ULHFF_CONVERTER_DECOMPRESS_H_
#define ULHFF_CONVERTER_DECOMPRESS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "converter/file_window.h"
#include "converter/spooled_file.h"
#include "ulhff/bytes.h"

namespace ulhff {

enum class Compression : uint8_t { kNone, kGzip, kZlib, kZstd };

// By the first bytes of a file, four at least; two bytes are all that zlib has, so kZlib is a
// guess.
Compression CompressionOf(ByteSpan head);

struct Decompressed {
  uint64_t offset = 0;  // in the spooled file
  uint64_t size = 0;
  // Empty, or why this is not all, with the place in the compressed file: "byte 17: ends early".
  std::string damage = {};
};

// Into a spooled file. Members or frames that follow each other are one stream, as the tools write
// them. Stops after `limit` bytes or somewhat more. Memory does not grow with the file. Throws
// std::system_error.
Decompressed Decompress(FileWindow& file, Compression compression, SpooledFile& spool,
                        uint64_t limit = ~uint64_t{0});

// The first `size` bytes, or fewer if there are no more or they are damaged.
std::string DecompressHead(FileWindow& file, Compression compression, size_t size);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_DECOMPRESS_H_
