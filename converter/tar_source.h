// Tar archives as sources, beyond what recognition opens.
#ifndef ULHFF_CONVERTER_TAR_SOURCE_H_
#define ULHFF_CONVERTER_TAR_SOURCE_H_

#include <memory>

#include "converter/options.h"
#include "converter/record.h"
#include "converter/source.h"

namespace ulhff {

// One archive, whatever it is called. `needed` is what its path needs.
std::unique_ptr<Source> MakeTarSource(const Shard& shard, std::shared_ptr<const void> needed,
                                      const ConvertOptions& options);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TAR_SOURCE_H_
