// Records as JSON, for the fields of pairs.
#ifndef ULHFF_CONVERTER_RECORD_JSON_H_
#define ULHFF_CONVERTER_RECORD_JSON_H_

#include <functional>
#include <string>
#include <vector>

#include "converter/record.h"

namespace ulhff {

using BytesOfValue = std::function<std::string(const RecordValue&)>;

// An array, or one value. What has no form in JSON (bytes that are no UTF-8, values that are
// neither texts nor numbers) becomes null.
std::string ColumnToJson(const RecordColumn& column, const BytesOfValue& bytes_of);
// An object of all columns but `without`.
std::string RecordToJson(const Record& record, const std::vector<const RecordColumn*>& without,
                         const BytesOfValue& bytes_of);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_RECORD_JSON_H_
