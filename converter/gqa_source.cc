// GQA: JSON objects of questions by their ids, in one file or in the numbered files of a directory.
#include <algorithm>
#include <map>

#include "converter/entry_peek.h"
#include "converter/json_line.h"
#include "converter/media_types.h"
#include "converter/record_annotations.h"
#include "converter/source_kinds.h"
#include "converter/split_names.h"
#include "ulhff/json_text.h"

namespace ulhff {
namespace {

// A text is these members, in this order, after the question's id.
constexpr std::string_view kKeys[] = {"imageId", "question", "answer", "fullAnswer"};

void Peek(const std::string& path, AnnotationPeek& peek) {
  EntryPeek entries(path, peek);
  if (!entries.is_object()) return;
  EntryCount count;
  const JsonRecord* record = entries.Next();
  for (; record != nullptr && !count.enough(); record = entries.Next()) {
    if (!record->section.empty()) return;
    const auto image = record->value.Find("imageId");
    if (image && record->value.Find("question")) {
      peek.media.push_back(std::string(image->text()) + ".jpg");
      count.Add(record->offset);
    } else {
      count.AddOther();
    }
  }
  peek.fits = count.tells();
  count.Tell(path, record == nullptr, peek);
}

bool Take(const JsonRecord& record, const std::string& path, Annotation& next) {
  next.media.push_back(std::string(NeedMember(record, "imageId", path).text()) + ".jpg");
  const std::string line = JsonLine(record.value, kKeys);
  next.texts.emplace_back("{\"questionId\":" + JsonString(record.key) + "," + line.substr(1));
  return true;
}

std::unique_ptr<AnnotationReader> Read(const AnnotationUnit& unit,
                                       const std::vector<std::string>& paths,
                                       const AnnotationContext& context) {
  return ReadRecords(unit, paths, {.whole_members = true}, Take, context);
}

// "train_all_questions/train_all_questions_10.json": the directory, and 10.
struct Part {
  std::string whole;  // what it is a part of; else the file itself
  uint64_t number = 0;
};
Part PartOf(const std::string& name) {
  const std::string_view stem = SplitName(BaseName(name)).stem;
  const size_t underscore = stem.rfind('_');
  if (underscore == std::string_view::npos || underscore + 1 == stem.size() ||
      stem.size() - underscore > 10 ||
      stem.find_first_not_of("0123456789", underscore + 1) != std::string_view::npos) {
    return {name, 0};
  }
  const std::string_view parent = ParentPath(name), own = stem.substr(0, underscore);
  const std::string whole = BaseName(parent) == own ? std::string(parent) : JoinPath(parent, own);
  return {whole + ".json", std::stoull(std::string(stem.substr(underscore + 1)))};
}

std::vector<AnnotationUnit> Arrange(const std::vector<std::string>& names, const std::string&) {
  std::vector<std::string> wholes;
  std::map<std::string, std::vector<std::string>> parts;
  for (const std::string& name : names) {
    const std::string whole = PartOf(name).whole;
    if (parts.find(whole) == parts.end()) wholes.push_back(whole);
    parts[whole].push_back(name);
  }
  const std::vector<std::string> splits = SplitNamesOf(wholes);
  std::vector<AnnotationUnit> units;
  for (size_t i = 0; i < wholes.size(); ++i) {
    auto& files = parts[wholes[i]];
    std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
      return PartOf(a).number < PartOf(b).number;
    });
    units.push_back({files, splits[i]});
  }
  return units;
}

// train_balanced_questions.json holds a part of what train_all_questions holds.
std::string VariantOf(const std::string& name) {
  return name.find("balanced") == std::string::npos ? "all" : "balanced";
}

constexpr AnnotationFormat kGqa{"gqa",
                                "GQA: JSON objects of questions with their imageId",
                                "GQA questions",
                                "questions",
                                "json",
                                AnnotationFormat::Media::kNotLookedFor,
                                Peek,
                                Arrange,
                                VariantOf,
                                Read};

}  // namespace

SourceKind GqaKind() { return AnnotationKind<kGqa>(); }

}  // namespace ulhff
