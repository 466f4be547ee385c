// `ulhff info`: what a file holds, for a person or as JSON.
#include <fmt/format.h>

#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>

#include "command_line.h"
#include "commands.h"
#include "index_text.h"
#include "json_output.h"
#include "output.h"
#include "printable.h"
#include "ulhff/reader.h"

namespace ulhff {

namespace {

constexpr CommandHelp kHelp = {
    "info",
    "[OPTIONS] FILE",
    "Tell what a ULHFF file holds.",
    "Examples:  ulhff info photos.ulhff\n"
    "           ulhff info --json photos.ulhff | jq .pairs\n"
    "Exit status: 0 done, 1 cannot read FILE, 2 usage, 3 FILE is no ULHFF file or is damaged.",
    1,
    1};

constexpr std::array kTypes = {"one-to-one", "fixed one-to-many", "hybrid one-to-many",
                               "uni-modal"};
constexpr std::array kIndexes = {"Identity", "FixedRatio", "AvlPlus"};
constexpr std::array kViews = {"source", "pairs", "objects", "all"};

template <typename Names, typename Enum>
const char* NameOf(const Names& names, Enum value) {
  return names.at(static_cast<size_t>(value));
}

std::string VersionOf(const Info& info) { return fmt::format("{}.{}", info.major, info.minor); }

// "2.1 GiB (2,254,857,830 bytes)"
std::string SizeAndBytes(uint64_t size) {
  if (size < 1024) return ReadableSize(size);
  return fmt::format("{} ({} bytes)", ReadableSize(size), GroupedNumber(size));
}

std::string Join(size_t count, const std::function<std::string(size_t)>& item) {
  std::string joined;
  for (size_t i = 0; i < count; ++i) joined += (i == 0 ? "" : ", ") + item(i);
  return joined;
}

std::string DescribeType(const Info& info) {
  if (info.ratio > 1)
    return fmt::format("{} (1:{})", NameOf(kTypes, info.type), GroupedNumber(info.ratio));
  if (info.type == PairingType::kHybridOneToMany && info.objects > 0)
    return fmt::format("{} (1:{:.2f} on average)", NameOf(kTypes, info.type),
                       static_cast<double>(info.pairs) / static_cast<double>(info.objects));
  return NameOf(kTypes, info.type);
}

std::string DescribeField(const FieldInfo& field) {
  if (field.name.empty() || field.name == field.extension) return "." + Printable(field.extension);
  return fmt::format("{} (.{})", Printable(field.name), Printable(field.extension));
}

std::string DescribeSource(const Info& info) {
  std::string text = fmt::format("{}, {}", Counted(info.source_files, "file", "files"),
                                 SizeAndBytes(info.source_bytes));
  if (info.duplicates_merged > 0)
    text += fmt::format("; {} duplicate media merged", GroupedNumber(info.duplicates_merged));
  return text;
}

// "source (others: --view pairs, objects, all)"
std::string DescribeMount(const Info& info) {
  std::string others;
  for (const std::string_view view : kViews) {
    if (view != NameOf(kViews, info.default_view))
      others += fmt::format("{}{}", others.empty() ? "" : ", ", view);
  }
  return fmt::format("{} (others: --view {})", NameOf(kViews, info.default_view), others);
}

// Label, count and what there is to say of it, in columns.
class Summary {
 public:
  void Line(const char* label, const std::string& value) {
    out_.Write(fmt::format("  {:<8} {}\n", label, value));
  }
  void Count(const char* label, uint64_t count, const std::string& detail) {
    Line(label, fmt::format("{:<15} {}", GroupedNumber(count), detail));
  }
  void Write(const std::string& text) { out_.Write(text); }
  void Finish() { out_.Flush(); }

 private:
  Output out_;
};

void PrintContents(const Reader& reader, Summary& summary) {
  const Info& info = reader.info();
  const auto extension = [&](size_t i) { return "." + Printable(info.extensions[i]); };
  const auto field = [&](size_t i) { return DescribeField(info.fields[i]); };
  summary.Line("pairs", GroupedNumber(info.pairs));
  summary.Count("media", info.objects,
                fmt::format("{:<36} {}", SizeAndBytes(info.media_bytes),
                            Join(info.extensions.size(), extension)));
  if (!info.fields.empty())
    summary.Count(
        "texts", info.pairs * info.fields.size(),
        fmt::format("{:<36} {}", SizeAndBytes(info.text_bytes), Join(info.fields.size(), field)));
  for (size_t s = 0; s < info.splits.size(); ++s)
    summary.Count(s == 0 ? "splits" : "", reader.SplitPairs(s), Printable(info.splits[s]));
  if (info.blobs > 0)
    summary.Count("others", info.blobs, "different files besides media and texts");
}

int PrintForPerson(const Reader& reader) {
  const Info& info = reader.info();
  Summary summary;
  summary.Write(Printable(info.path) + "\n");
  summary.Line("format", fmt::format("ULHFF {}", VersionOf(info)));
  summary.Line("uuid", info.uuid);
  summary.Line("type",
               fmt::format("{}, {} index", DescribeType(info), NameOf(kIndexes, info.index)));
  PrintContents(reader, summary);
  summary.Line("file", SizeAndBytes(info.file_bytes));
  summary.Line("index", DescribeIndex(info));
  if (const auto shard = reader.Shard()) {
    summary.Line("shard",
                 fmt::format("{} of {}; ulhff merge joins them", shard->number, shard->count));
  }
  summary.Line("source", DescribeSource(info));
  summary.Line("mount", DescribeMount(info));
  summary.Finish();
  return kExitDone;
}

void WriteNames(JsonOutput& json, const Reader& reader) {
  const Info& info = reader.info();
  json.Key("splits");
  json.StartArray();
  for (size_t s = 0; s < info.splits.size(); ++s) {
    json.StartObject();
    json.Key("name");
    json.Bytes(info.splits[s]);
    json.Key("pairs");
    json.Uint64(reader.SplitPairs(s));
    json.EndObject();
  }
  json.EndArray();
  json.Key("fields");
  json.StartArray();
  for (const FieldInfo& field : info.fields) {
    json.StartObject();
    json.Key("name");
    json.Bytes(field.name);
    json.Key("extension");
    json.Bytes(field.extension);
    json.EndObject();
  }
  json.EndArray();
  json.Key("extensions");
  json.StartArray();
  for (const std::string& extension : info.extensions) json.Bytes(extension);
  json.EndArray();
  json.Key("views");
  json.StartArray();
  for (const char* view : kViews) json.String(view);
  json.EndArray();
  json.Key("default_view");
  json.String(NameOf(kViews, info.default_view));
}

void WriteNumbers(JsonOutput& json, const Info& info) {
  const std::initializer_list<std::pair<const char*, uint64_t>> numbers = {
      {"pairs", info.pairs},
      {"objects", info.objects},
      {"ratio", info.ratio},
      {"blobs", info.blobs},
      {"directories", info.directories},
      {"names", info.entries},
      {"media_bytes", info.media_bytes},
      {"text_bytes", info.text_bytes},
      {"file_bytes", info.file_bytes},
      {"index_bytes", info.index_bytes},
      {"order_bytes", info.order_bytes},
      {"text_index_bytes", info.text_index_bytes},
      {"name_bytes", info.name_bytes},
      {"table_bytes", info.table_bytes},
      {"alignment", info.alignment},
      {"duplicates_merged", info.duplicates_merged},
      {"source_files", info.source_files},
      {"source_bytes", info.source_bytes},
  };
  for (const auto& [key, value] : numbers) {
    json.Key(key);
    json.Uint64(value);
  }
}

void WriteShard(JsonOutput& json, const Reader& reader) {
  const auto shard = reader.Shard();
  if (!shard) return;
  json.Key("shard");
  json.Uint64(shard->number);
  json.Key("shards");
  json.Uint64(shard->count);
}

int PrintJson(const Reader& reader) {
  const Info& info = reader.info();
  JsonOutput json;
  json.StartObject();
  json.Key("path");
  json.Bytes(info.path);
  json.Key("version");
  json.String(VersionOf(info).c_str());
  json.Key("uuid");
  json.String(info.uuid.c_str());
  json.Key("type");
  json.String(NameOf(kTypes, info.type));
  json.Key("index");
  json.String(NameOf(kIndexes, info.index));
  WriteNumbers(json, info);
  WriteShard(json, reader);
  WriteNames(json, reader);
  json.EndObject();
  json.Print();
  return kExitDone;
}

}  // namespace

int InfoMain(int argc, char** argv) {
  auto options = CommandOptions();
  options.add_options()("json", Switch(), "for a program: one JSON object");
  const auto arguments = ParseCommandLine(argc, argv, kHelp, options);
  if (!arguments) return kExitDone;
  const Reader reader = Reader::Open(arguments->operands[0]);
  return arguments->values["json"].as<bool>() ? PrintJson(reader) : PrintForPerson(reader);
}

}  // namespace ulhff
