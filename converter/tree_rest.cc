// Extras of a directory with tables or annotations.
#include "converter/tree_rest.h"

#include "converter/walk.h"

namespace ulhff {

void EmitRest(const std::string& operand, const MediaPlace& place, const ConvertOptions& options,
              SourceSink& sink) {
  // With a media root elsewhere, equal names are different files.
  const bool same_root = place.root == operand;
  EmitRest(operand, options, sink,
           [&](const std::string& name) { return !same_root || !sink.KnowsMedia(name); });
}

void EmitRest(const std::string& operand, const ConvertOptions& options, SourceSink& sink,
              const std::function<bool(const std::string& name)>& keep) {
  const Walker walker(operand, options);
  const auto extra = [&](const DirectoryListing& listing, std::string_view file) {
    const std::string name = JoinPath(listing.path, file);
    if (!keep(name)) return;
    if (!options.extras) return sink.Note(Odd::kDroppedExtra, name, {name});
    sink.Extra(name, {walker.FullPath(name), 0, std::nullopt}, {name});
  };
  walker.Walk(
      [&](const DirectoryListing& listing) {
        if (!listing.path.empty()) sink.Directory(listing.path, listing.mtime_ns);
        for (size_t i = 0; i < listing.files.size(); ++i) extra(listing, listing.files[i]);
        for (size_t i = 0; i < listing.hidden.size(); ++i) extra(listing, listing.hidden[i]);
      },
      [&](Odd kind, std::string_view path) { sink.Note(kind, path, {path}); });
}

}  // namespace ulhff
