// Media without text: --unpaired-media.
#ifndef ULHFF_CONVERTER_UNPAIRED_MEDIA_H_
#define ULHFF_CONVERTER_UNPAIRED_MEDIA_H_

#include <string_view>

#include "converter/source.h"

namespace ulhff {

// Counts one, and says whether it makes a pair. `has_texts`: some media of the source has a text;
// where none has and all are kept, to have none is nothing odd.
bool KeepsUnpaired(std::string_view media, const Origin& origin, bool has_texts,
                   const ConvertOptions& options, SourceSink& sink);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_UNPAIRED_MEDIA_H_
