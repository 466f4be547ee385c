// One JSON value in memory: a flat tree over the exact source bytes of one record.
#ifndef ULHFF_CONVERTER_JSON_VALUE_H_
#define ULHFF_CONVERTER_JSON_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ulhff {

enum class JsonType : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

// The storage behind JsonValue, refilled for each record. Children follow their parent; in an
// object a key (kString) and its value alternate.
struct JsonTree {
  // All positions are bytes from the start of the record, which is shorter than 4 GiB.
  struct Node {
    JsonType type = JsonType::kNull;
    bool escaped = false;    // the string's bytes stand in `unescaped`, not in `record`
    uint32_t raw_begin = 0;  // the value's source bytes are record[raw_begin, raw_end)
    uint32_t raw_end = 0;
    uint32_t text_begin = 0;  // a string's decoded bytes
    uint32_t text_size = 0;
    uint32_t size = 0;  // elements of an array, members of an object
    uint32_t next = 0;  // index of the node that follows the whole sub-tree
  };
  std::vector<Node> nodes;
  std::string unescaped;
  std::string_view record;
};

// A value inside a JsonTree: two words, copied freely, valid as long as the record is (until the
// next call of JsonStream::Next). Accessors have no side effects and do not throw.
class JsonValue {
 public:
  template <typename Item>
  class Range;
  using Member = std::pair<std::string_view, JsonValue>;
  using Elements = Range<JsonValue>;
  using Members = Range<Member>;

  JsonValue(const JsonTree* tree, uint32_t index) : tree_(tree), index_(index) {}

  JsonType type() const { return node().type; }
  bool is_null() const { return type() == JsonType::kNull; }
  bool is_string() const { return type() == JsonType::kString; }
  bool is_number() const { return type() == JsonType::kNumber; }
  bool is_array() const { return type() == JsonType::kArray; }
  bool is_object() const { return type() == JsonType::kObject; }

  // The exact source bytes: `1e3` stays `1e3`, an object keeps its spaces.
  std::string_view raw() const;
  // A string's decoded bytes (NUL and invalid UTF-8 included); raw() of any other type. So the ids
  // 42 and "42" have equal texts.
  std::string_view text() const;

  size_t size() const { return node().size; }
  // In file order; empty unless this is an array (elements) or an object (members). Equal keys are
  // all delivered.
  Elements elements() const;
  Members members() const;
  // Of equal keys the last one counts, as in Python's json and most others. nullopt: no such key,
  // or not an object.
  std::optional<JsonValue> Find(std::string_view key) const;

 private:
  const JsonTree::Node& node() const { return tree_->nodes[index_]; }

  const JsonTree* tree_;
  uint32_t index_;
};

// What a range-for over elements() or members() needs, and no more.
template <typename Item>
class JsonValue::Range {
 public:
  class Iterator {
   public:
    Iterator(const JsonTree* tree, uint32_t index) : tree_(tree), index_(index) {}
    Item operator*() const {
      if constexpr (std::is_same_v<Item, Member>) {
        return {JsonValue(tree_, index_).text(), JsonValue(tree_, index_ + 1)};
      } else {
        return JsonValue(tree_, index_);
      }
    }
    Iterator& operator++() {
      if constexpr (std::is_same_v<Item, Member>) ++index_;
      index_ = tree_->nodes[index_].next;
      return *this;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const JsonTree* tree_;
    uint32_t index_;
  };

  Range(const JsonTree* tree, uint32_t begin, uint32_t end)
      : begin_(tree, begin), end_(tree, end) {}
  Iterator begin() const { return begin_; }
  Iterator end() const { return end_; }

 private:
  Iterator begin_;
  Iterator end_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_JSON_VALUE_H_
