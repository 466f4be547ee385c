// What a directory operand holds beside the media that its tables or annotations name.
#ifndef ULHFF_CONVERTER_TREE_REST_H_
#define ULHFF_CONVERTER_TREE_REST_H_

#include "converter/media_finder.h"
#include "converter/options.h"
#include "converter/source.h"

namespace ulhff {

// Hands directories and all files that are no media of a pair to the sink, after the pairs.
void EmitRest(const std::string& operand, const MediaPlace& place, const ConvertOptions& options,
              SourceSink& sink);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TREE_REST_H_
