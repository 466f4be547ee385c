// Records as annotations.
#include "converter/record_annotations.h"

#include <fmt/format.h>

#include <utility>

#include "converter/input_error.h"

namespace ulhff {
namespace {

class RecordReader : public AnnotationReader {
 public:
  RecordReader(AnnotationUnit unit, std::vector<std::string> paths, JsonOptions json,
               TakeRecord take, const AnnotationContext& context)
      : unit_(std::move(unit)),
        paths_(std::move(paths)),
        options_(std::move(json)),
        take_(take),
        lenient_(context.options.lenient),
        report_(context.report) {
    options_.lenient = lenient_;
    options_.replaced = [this](const std::string& what, uint64_t line, uint64_t offset) {
      report_(Odd::kReplaced, what, {unit_.names[file_], line, offset});
    };
    if (!lenient_) return;
    options_.left_out = [this](const JsonLeftOut& part) {
      report_(part.kind, part.what, {unit_.names[file_], part.fault.line()});
    };
  }

  bool Next(Annotation& next) override {
    while (file_ < paths_.size()) {
      if (!json_) json_.emplace(paths_[file_], options_);
      const JsonRecord* record = json_->Next();
      if (record == nullptr) {
        json_.reset();
        ++file_;
        continue;
      }
      next = {};
      next.file = unit_.names[file_];
      next.line = record->line;
      next.offset = record->offset;
      if (Take(*record, next)) return true;
    }
    return false;
  }

 private:
  bool Take(const JsonRecord& record, Annotation& next) {
    try {
      return take_(record, paths_[file_], next);
    } catch (const InputError& error) {
      if (!lenient_) throw;
      report_(Odd::kTruncated, error.fault(), {unit_.names[file_], record.line, record.offset});
      return false;
    }
  }

  const AnnotationUnit unit_;
  const std::vector<std::string> paths_;
  JsonOptions options_;
  const TakeRecord take_;
  const bool lenient_;
  const std::function<void(Odd, const std::string&, const Origin&)> report_;
  std::optional<JsonStream> json_;
  size_t file_ = 0;
};

}  // namespace

std::unique_ptr<AnnotationReader> ReadRecords(const AnnotationUnit& unit,
                                              const std::vector<std::string>& paths,
                                              JsonOptions json, TakeRecord take,
                                              const AnnotationContext& context) {
  return std::make_unique<RecordReader>(unit, paths, std::move(json), take, context);
}

JsonValue NeedMember(const JsonRecord& record, std::string_view key, const std::string& path) {
  const auto value = record.value.Find(key);
  if (!value || value->is_null()) {
    throw InputError(path, record.line, record.offset, fmt::format("an entry without {}", key));
  }
  return *value;
}

}  // namespace ulhff
