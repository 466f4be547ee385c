// The samples of one MDS shard.
#ifndef ULHFF_CONVERTER_MDS_READER_H_
#define ULHFF_CONVERTER_MDS_READER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "converter/mds_index.h"
#include "converter/record.h"

namespace ulhff {

enum class MdsForm : uint8_t { kNotThere, kRaw, kZip };

// The file of context.damage.shard() is the shard in this form; a compressed one is decompressed
// into the spool. A sample has a column for each of the index's. What needs Python to
// be understood ("pkl", arrays, raw pixels) is no value; nothing is ever unpickled.
std::unique_ptr<RecordReader> ReadMds(const RecordContext& context, const MdsShard& shard,
                                      MdsForm form);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_MDS_READER_H_
