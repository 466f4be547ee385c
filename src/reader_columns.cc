// Names of columns, each once.
#include "reader_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ulhff {

std::vector<std::string> ColumnNames(const Info& info, const std::string& media,
                                     const std::string& text, const std::string& reserved) {
  std::vector<std::string> names{media};
  for (const FieldInfo& field : info.fields) {
    const bool first = names.size() == 1;
    names.push_back(first ? text : field.name.empty() ? field.extension : field.name);
  }
  if (!reserved.empty()) names.push_back(reserved);
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name)
      throw std::invalid_argument(fmt::format("two columns would be called '{}'", *name));
  }
  if (!reserved.empty()) names.pop_back();
  return names;
}

}  // namespace ulhff
