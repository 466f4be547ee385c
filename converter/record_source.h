// What all containers of records share: shards are looked at, and their records become pairs.
#ifndef ULHFF_CONVERTER_RECORD_SOURCE_H_
#define ULHFF_CONVERTER_RECORD_SOURCE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "converter/options.h"
#include "converter/record.h"
#include "converter/source.h"

namespace ulhff {

struct RecordSet {
  std::vector<Shard> shards = {};
  std::function<std::unique_ptr<RecordReader>(size_t shard, const RecordContext& context)> open =
      {};
  std::string operand;
  bool is_directory = false;  // what lies beside the shards is kept
  // Paths from the operand of files that belong to the container, beside the shards themselves.
  std::vector<std::string> own_files = {};
};

std::unique_ptr<Source> MakeRecordSource(RecordSet set, const ConvertOptions& options);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_RECORD_SOURCE_H_
