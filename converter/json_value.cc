// Walks the flat tree behind a JsonValue.
#include "converter/json_value.h"

namespace ulhff {

std::string_view JsonValue::raw() const {
  return tree_->record.substr(node().raw_begin, node().raw_end - node().raw_begin);
}

std::string_view JsonValue::text() const {
  if (!is_string()) return raw();
  const std::string_view from = node().escaped ? std::string_view{tree_->unescaped} : tree_->record;
  return from.substr(node().text_begin, node().text_size);
}

JsonValue::Elements JsonValue::elements() const {
  return {tree_, index_ + 1, is_array() ? node().next : index_ + 1};
}

JsonValue::Members JsonValue::members() const {
  return {tree_, index_ + 1, is_object() ? node().next : index_ + 1};
}

std::optional<JsonValue> JsonValue::Find(std::string_view key) const {
  std::optional<JsonValue> found;
  for (const auto& [name, value] : members()) {
    if (name == key) found = value;
  }
  return found;
}

}  // namespace ulhff
