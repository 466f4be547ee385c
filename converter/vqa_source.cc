// VQA: questions in one JSON file, their answers in another, joined on question_id.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "converter/entry_peek.h"
#include "converter/input_error.h"
#include "converter/joined_reader.h"
#include "converter/json_line.h"
#include "converter/media_types.h"
#include "converter/source_kinds.h"
#include "converter/split_names.h"
#include "converter/walk.h"

namespace ulhff {
namespace {

// A text is these members, in this order.
constexpr std::string_view kQuestionKeys[] = {"question_id", "image_id", "question"};
constexpr std::string_view kAnswerKeys[] = {"question_type", "answer_type",
                                            "multiple_choice_answer", "answers"};

enum class Role : uint8_t { kNone, kQuestions, kAnswers };

// What an entry says that its section is.
Role RoleOf(const JsonRecord& record) {
  if (!record.value.Find("question_id")) return Role::kNone;
  if (record.section == "questions" && record.value.Find("question")) return Role::kQuestions;
  const bool answers = record.value.Find("answers") || record.value.Find("multiple_choice_answer");
  return record.section == "annotations" && answers ? Role::kAnswers : Role::kNone;
}

// The pictures that a file is about: {"mscoco", "train2014"}.
struct Pictures {
  std::string type, subtype;
  bool damaged = false;  // so that what is empty may only not be there any more
};

Pictures PicturesOf(const std::string& path) {
  Pictures pictures;
  // What is wrong is told when all is read.
  JsonStream json(path, {.left_out = [&](const JsonLeftOut&) { pictures.damaged = true; },
                         .sections = {"data_type", "data_subtype"},
                         .lenient = true});
  while (pictures.type.empty() || pictures.subtype.empty()) {
    const JsonRecord* record = json.Next();
    if (record == nullptr) break;
    (record->key == "data_type" ? pictures.type : pictures.subtype) = record->value.text();
  }
  return pictures;
}

// VQA names no files: COCO_train2014_000000000009.jpg, abstract_v002_train2015_000000000009.png,
// and the names that COCO has since 2017.
void NameMedia(std::string_view image_id, const Pictures& pictures,
               std::vector<std::string>& names) {
  const std::string number = fmt::format("{:0>12}", CanonicalId(image_id));
  if (pictures.type.starts_with("abstract")) {
    names.push_back(fmt::format("{}_{}_{}.png", pictures.type, pictures.subtype, number));
    return;
  }
  if (!pictures.subtype.empty()) {
    names.push_back(fmt::format("COCO_{}_{}.jpg", pictures.subtype, number));
  }
  names.push_back(number + ".jpg");
}

Role PeekRole(const std::string& path, AnnotationPeek& peek) {
  EntryPeek entries(path, peek);
  if (!entries.is_object()) return Role::kNone;
  constexpr int kMaxMembers = 16;
  EntryCount count;
  std::vector<std::string> images;
  Role role = Role::kNone;
  const JsonRecord* record = entries.Next();
  for (int members = 0; record != nullptr && members < kMaxMembers && !count.enough();
       record = entries.Next()) {
    const bool wanted = record->section == "questions" || record->section == "annotations";
    if (!wanted) {
      ++members;
      entries.SkipSection();
      continue;
    }
    const Role own = RoleOf(*record);
    if (own == Role::kNone) {
      count.AddOther();
      continue;
    }
    role = own;
    const auto image = record->value.Find("image_id");
    if (image) images.emplace_back(image->text());
    count.Add(record->offset);
  }
  if (!count.tells()) return Role::kNone;
  peek.fits = true;
  if (role != Role::kQuestions) return role;  // answers are no pairs of their own
  count.Tell(path, record == nullptr, peek);
  const Pictures pictures = PicturesOf(path);
  for (const std::string& image : images) NameMedia(image, pictures, peek.media);
  return role;
}

void Peek(const std::string& path, AnnotationPeek& peek) { PeekRole(path, peek); }

Role RoleOfFile(const std::string& path) {
  AnnotationPeek peek;
  try {
    return PeekRole(path, peek);
  } catch (const InputError&) {
    return Role::kNone;
  }
}

std::set<std::string> WordsOf(std::string_view name) {
  std::set<std::string> words;
  std::string_view stem = SplitName(BaseName(name)).stem;
  while (!stem.empty()) {
    const size_t end = std::min(stem.find('_'), stem.size());
    words.emplace(stem.substr(0, end));
    stem.remove_prefix(std::min(end + 1, stem.size()));
  }
  return words;
}

// How much alike two names are: "v2_mscoco_train2014_annotations" goes with
// "v2_OpenEnded_mscoco_train2014_questions" rather than with the questions of version 1.
int Likeness(std::string_view a, std::string_view b) {
  const std::set<std::string> first = WordsOf(a), second = WordsOf(b);
  const auto shared = std::count_if(
      first.begin(), first.end(), [&](const std::string& word) { return second.count(word) > 0; });
  return static_cast<int>(2 * shared) - static_cast<int>(second.size());
}

// Answers that stand beside a file of questions.
std::vector<std::string> AnswersBeside(const std::string& name, const std::string& directory) {
  const std::string parent(ParentPath(name));
  const std::string path = JoinPath(directory, parent);
  const DirectoryListing listing = Walker(path.empty() ? "." : path, ConvertOptions()).List("");
  std::vector<std::string> found;
  for (size_t i = 0; i < listing.files.size(); ++i) {
    const std::string file = JoinPath(parent, listing.files[i]);
    if (LowerAscii(SplitName(file).extension) != "json") continue;
    if (RoleOfFile(JoinPath(directory, file)) == Role::kAnswers) found.push_back(file);
  }
  return found;
}

// The answers to the questions of `name` among `candidates`.
std::optional<std::string> AnswersOf(const std::string& name,
                                     const std::vector<std::string>& candidates,
                                     const std::string& directory) {
  const Pictures questions = PicturesOf(JoinPath(directory, name));
  std::optional<std::string> best;
  for (const std::string& candidate : candidates) {
    const Pictures answers = PicturesOf(JoinPath(directory, candidate));
    const bool is_lost = (questions.damaged && questions.subtype.empty()) ||
                         (answers.damaged && answers.subtype.empty());
    const bool fits =
        is_lost ? Likeness(name, candidate) > 0 : answers.subtype == questions.subtype;
    if (!fits) continue;
    if (!best || Likeness(name, candidate) > Likeness(name, *best)) best = candidate;
  }
  return best;
}

std::vector<AnnotationUnit> Arrange(const std::vector<std::string>& names,
                                    const std::string& directory) {
  std::vector<std::string> questions, answers;
  for (const std::string& name : names) {
    const Role role = RoleOfFile(JoinPath(directory, name));
    (role == Role::kAnswers ? answers : questions).push_back(name);
  }
  if (questions.empty()) {
    throw UsageError(fmt::format(
        "{}: these are answers; name the questions that belong to them, or the directory of both",
        JoinPath(directory, names[0])));
  }
  const std::vector<std::string> splits = SplitNamesOf(questions);
  std::vector<AnnotationUnit> units;
  for (size_t i = 0; i < questions.size(); ++i) {
    const std::string& name = questions[i];
    auto found = AnswersOf(name, answers, directory);
    if (!found) found = AnswersOf(name, AnswersBeside(name, directory), directory);
    units.push_back({{name}, splits[i]});
    if (found) units.back().names.push_back(*found);
  }
  return units;
}

std::unique_ptr<AnnotationReader> Read(const AnnotationUnit& unit,
                                       const std::vector<std::string>& paths,
                                       const AnnotationContext& context) {
  // The image's id, and the first half of the text.
  const auto keep_question = [](const JsonValue& question, std::string& kept) {
    const auto image = question.Find("image_id");
    kept += image ? CanonicalId(image->text()) : "";
    kept += '\0';
    kept += JsonLine(question, kQuestionKeys);
    return true;
  };
  const auto keep_answer = [](const JsonValue& answer, std::string& kept) {
    kept += JsonLine(answer, kAnswerKeys);
    return true;
  };
  const auto take = [pictures = PicturesOf(paths[0])](std::string_view kept, Annotation& question) {
    const size_t end = kept.find('\0');
    NameMedia(kept.substr(0, end), pictures, question.media);
    question.texts.emplace_back(kept.substr(end + 1));
  };
  const bool answered = paths.size() > 1;
  return std::make_unique<JoinedReader>(
      SectionJoin::Side{unit.names[0], paths[0], "questions", "question_id", "image_id",
                        keep_question},
      SectionJoin::Side{answered ? unit.names[1] : "", answered ? paths[1] : "", "annotations",
                        "question_id", "", keep_answer},
      false, take, context);
}

constexpr AnnotationFormat kVqa{"vqa",
                                "VQA: JSON of questions, and of annotations with the answers",
                                "VQA questions and answers",
                                "questions",
                                "json",
                                AnnotationFormat::Media::kNotLookedFor,
                                Peek,
                                Arrange,
                                nullptr,
                                Read};

}  // namespace

SourceKind VqaKind() { return AnnotationKind<kVqa>(); }

}  // namespace ulhff
