// Reads one shard's entry after the other; an index of a large set has a hundred thousand.
#include "converter/mds_index.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "converter/input_error.h"
#include "converter/json_stream.h"
#include "converter/name_rules.h"

namespace ulhff {
namespace {

// What the writers of all versions of MDS have written so far.
constexpr std::string_view kVersion = "2";

class IndexReader {
 public:
  IndexReader(const std::string& path, const ConvertOptions& options)
      : path_(path), options_(options) {}

  std::vector<MdsShard> Read() {
    JsonStream json(path_, {.sections = {"shards"}});
    while (const JsonRecord* record = json.Next()) {
      record_ = record;
      if (record->section == "shards") shards_.push_back(ShardOf(record->value));
    }
    return std::move(shards_);
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw InputError(
        fmt::format("{}:{}: shard {}: {}", path_, record_->line, shards_.size(), what));
  }

  static std::string TextOf(const JsonValue& object, std::string_view key) {
    const std::optional<JsonValue> value = object.Find(key);
    return value && !value->is_null() ? std::string(value->text()) : std::string();
  }

  uint64_t NumberOf(const JsonValue& object, std::string_view key) const {
    const std::string text = TextOf(object, key);
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    if (text.empty() || std::from_chars(text.data(), end, number).ptr != end) {
      Fail(fmt::format("\"{}\" is no number: {}", key, text));
    }
    return number;
  }

  // In the index's directory or below it.
  std::string NameOf(const JsonValue& file) const {
    std::string name = TextOf(file, "basename");
    const TreeName tree = MakeTreeName(name);
    if (name.empty() || (!options_.allow_outside && (tree.outside || name.starts_with('/')))) {
      Fail(fmt::format("basename \"{}\" leads outside of the dataset (--allow-outside)", name));
    }
    return name;
  }

  MdsShard ShardOf(const JsonValue& value) {
    if (TextOf(value, "format") != "mds") {
      Fail(fmt::format("format \"{}\" is not \"mds\"", TextOf(value, "format")));
    }
    if (TextOf(value, "version") != kVersion) {
      Fail(fmt::format("version \"{}\" is not \"{}\"", TextOf(value, "version"), kVersion));
    }
    MdsShard shard;
    shard.samples = NumberOf(value, "samples");
    const std::optional<JsonValue> raw = value.Find("raw_data");
    if (!raw || !raw->is_object()) Fail("has no \"raw_data\"");
    shard.raw_name = NameOf(*raw);
    shard.raw_bytes = NumberOf(*raw, "bytes");
    const std::optional<JsonValue> zip = value.Find("zip_data");
    if (zip && zip->is_object()) shard.zip_name = NameOf(*zip);
    shard.compression = TextOf(value, "compression");
    shard.columns = ColumnsOf(value);
    return shard;
  }

  std::shared_ptr<const std::vector<MdsColumn>> ColumnsOf(const JsonValue& value) {
    const auto names = value.Find("column_names");
    const auto encodings = value.Find("column_encodings");
    const auto sizes = value.Find("column_sizes");
    if (!names || !encodings || !sizes || !names->is_array() || !encodings->is_array() ||
        !sizes->is_array() || names->size() != encodings->size() ||
        names->size() != sizes->size()) {
      Fail("column_names, column_encodings and column_sizes are not lists of one length");
    }
    std::string key = std::string(names->raw()) + std::string(encodings->raw());
    key += sizes->raw();
    if (columns_ && key == columns_key_) return columns_;
    auto columns = std::make_shared<std::vector<MdsColumn>>();
    for (const JsonValue name : names->elements())
      columns->push_back({std::string(name.text()), {}});
    size_t i = 0;
    for (const JsonValue encoding : encodings->elements()) {
      (*columns)[i++].encoding = encoding.text();
    }
    i = 0;
    for (const JsonValue size : sizes->elements()) {
      const std::string_view text = size.is_null() ? "0" : size.text();
      const char* end = text.data() + text.size();
      if (std::from_chars(text.data(), end, (*columns)[i++].size).ptr != end) {
        Fail(fmt::format("column size {} is no number", text));
      }
    }
    columns_key_ = std::move(key);
    return columns_ = std::move(columns);
  }

  const std::string& path_;
  const ConvertOptions& options_;
  const JsonRecord* record_ = nullptr;
  std::vector<MdsShard> shards_;
  std::string columns_key_;
  std::shared_ptr<const std::vector<MdsColumn>> columns_;
};

}  // namespace

std::string_view MdsName(std::string_view setting) { return setting.substr(0, setting.find(':')); }

std::vector<MdsShard> ReadMdsIndex(const std::string& path, const ConvertOptions& options) {
  return IndexReader(path, options).Read();
}

bool IsMdsIndex(const std::string& path) {
  try {
    JsonStream json(path, {.sections = {"shards"}});
    const JsonRecord* record = json.Next();
    if (record == nullptr || record->section != "shards") return false;
    const std::optional<JsonValue> format = record->value.Find("format");
    return format && format->text() == "mds";
  } catch (const InputError&) {
    return false;  // other JSON
  }
}

}  // namespace ulhff
