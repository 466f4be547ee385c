// Counts what is odd in a source and keeps examples; --report gets every occurrence as it is found.
#ifndef ULHFF_CONVERTER_REPORT_H_
#define ULHFF_CONVERTER_REPORT_H_

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converter/odd.h"
#include "converter/options.h"
#include "converter/source.h"

namespace ulhff {

class Report {
 public:
  // `options` must outlive it. Opens options.report; std::system_error.
  explicit Report(const ConvertOptions& options);

  void Note(Odd kind, std::string_view what, const Origin& origin);
  void Rule(std::string_view rule, uint64_t pairs);

  // Throws an InputError that shows the first 20 of each kind that the options make an error.
  void ThrowErrors() const;
  // Throws if the report file could not be written.
  void Close();

  uint64_t count(Odd kind) const { return Seen(kind).count; }
  // "captions.csv:12: img/a.jpg", at most 20, ready to be printed.
  const std::vector<std::string>& examples(Odd kind) const { return Seen(kind).examples; }
  // In the order of their first call.
  const std::vector<std::pair<std::string, uint64_t>>& rules() const { return rules_; }

 private:
  struct Kind {
    uint64_t count = 0;
    std::vector<std::string> examples;
  };
  std::string DescribeAll(Odd kind) const;
  const Kind& Seen(Odd kind) const { return seen_[static_cast<size_t>(kind)]; }
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  const ConvertOptions* options_;
  std::array<Kind, kOddKinds> seen_;
  bool errors_ = false;
  std::vector<std::pair<std::string, uint64_t>> rules_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_REPORT_H_
