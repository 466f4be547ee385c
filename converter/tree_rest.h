// What a directory operand holds beside what its tables, annotations or containers name.
#ifndef ULHFF_CONVERTER_TREE_REST_H_
#define ULHFF_CONVERTER_TREE_REST_H_

#include <functional>
#include <string>

#include "converter/media_finder.h"
#include "converter/options.h"
#include "converter/source.h"

namespace ulhff {

// Hands directories and all files that are no media of a pair to the sink, after the pairs.
void EmitRest(const std::string& operand, const MediaPlace& place, const ConvertOptions& options,
              SourceSink& sink);

// The same, with all files that `keep` says by their path from the operand.
void EmitRest(const std::string& operand, const ConvertOptions& options, SourceSink& sink,
              const std::function<bool(const std::string& name)>& keep);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TREE_REST_H_
