// Annotation files that say all of a media in one JSON record.
#ifndef ULHFF_CONVERTER_RECORD_ANNOTATIONS_H_
#define ULHFF_CONVERTER_RECORD_ANNOTATIONS_H_

#include <memory>
#include <string>
#include <vector>

#include "converter/annotation_source.h"
#include "converter/json_stream.h"

namespace ulhff {

// Fills in an annotation from a record; its place is known already. False: it is none. `path`: of
// the file, for messages.
using TakeRecord = bool (*)(const JsonRecord& record, const std::string& path, Annotation& next);

// The annotations of one file after the other.
std::unique_ptr<AnnotationReader> ReadRecords(const AnnotationUnit& unit,
                                              const std::vector<std::string>& paths,
                                              JsonOptions json, TakeRecord take,
                                              const AnnotationContext& context);

// A value that must be there. Throws InputError.
JsonValue NeedMember(const JsonRecord& record, std::string_view key, const std::string& path);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_RECORD_ANNOTATIONS_H_
