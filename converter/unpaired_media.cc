// One policy for all kinds of source.
#include "converter/unpaired_media.h"

namespace ulhff {

bool KeepsUnpaired(std::string_view media, const Origin& origin, bool has_texts,
                   const ConvertOptions& options, SourceSink& sink) {
  const OnUnpairedMedia policy = options.unpaired_media;
  if (!has_texts && policy == OnUnpairedMedia::kKeep) return true;
  sink.Note(Odd::kUnpairedMedia, media, origin);
  return policy != OnUnpairedMedia::kSkip;
}

}  // namespace ulhff
