// The sections that lead from pairs to bytes: objects, texts and the pair index (docs/format.md
// §6.3, §6.4, §7).
#ifndef ULHFF_SRC_WRITER_PAIRS_H_
#define ULHFF_SRC_WRITER_PAIRS_H_

#include <cstdint>
#include <string>

#include "format.h"
#include "writer_index.h"
#include "writer_spool.h"

namespace ulhff {

// OBJECTS or BLOBS, of objects laid out one after another; `sizes` without padding.
void WriteObjects(IndexWriter& index, SectionType type, const Column& sizes,
                  unsigned alignment_log2);

// A text's size and whether it is absent, as one number of a column.
inline uint64_t TextCode(uint64_t size, bool absent) {
  return size << 1 | static_cast<uint64_t>(absent);
}
void WriteTexts(IndexWriter& index, const Column& text_codes);

// Chooses pairing type and index by the number of pairs of each object, sets `type`, `index`,
// `ratio` of the superblock (whose `fields` is set) and writes PAIR_STARTS and PAIR_TREE if needed.
void WritePairIndex(IndexWriter& index, const Column& pair_counts, const std::string& tmp_dir,
                    Superblock& superblock);

}  // namespace ulhff

#endif  // ULHFF_SRC_WRITER_PAIRS_H_
