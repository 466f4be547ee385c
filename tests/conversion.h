// Runs conversions of a source that a test makes up, and looks into the result.
#ifndef ULHFF_TESTS_CONVERSION_H_
#define ULHFF_TESTS_CONVERSION_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converter/pipeline.h"
#include "converter/source.h"
#include "tests/dataset.h"
#include "tests/temp_dir.h"
#include "tests/temp_tree.h"
#include "ulhff/reader.h"

namespace ulhff {

// Says what a function says.
class FakeSource : public Source {
 public:
  using Function = std::function<void(SourceSink&)>;
  explicit FakeSource(Function scan) : scan_(std::move(scan)) {}
  void Scan(SourceSink& sink) override { scan_(sink); }

 private:
  Function scan_;
};

class ConversionTest : public testing::Test {
 protected:
  ConversionTest() { options.output = out / "x.ulhff"; }

  // Emits the media `name` of `tree` with an inline text, or with none.
  void Pair(SourceSink& sink, const std::string& name, std::optional<std::string_view> text,
            uint64_t line = 0) const {
    const Origin origin{"table.csv", line, std::nullopt};
    const auto media = sink.Media(name, {tree(name), 0, std::nullopt}, origin);
    if (!media) return;
    const Text field = text ? Text(InlineText{*text}) : Text(Absent{});
    sink.Pair(*media, {&field, 1}, 0, origin);
  }
  // Emits the media `name` with the text file `text_name`.
  void FilePair(SourceSink& sink, const std::string& name, const std::string& text_name) const {
    const auto media = sink.Media(name, {tree(name), 0, std::nullopt}, {name});
    if (!media) return;
    const Text field = FileText{text_name, {tree(text_name), 0, std::nullopt}};
    sink.Pair(*media, {&field, 1}, 0, {name});
  }
  void Extra(SourceSink& sink, const std::string& name) const {
    sink.Extra(name, {tree(name), 0, std::nullopt}, {name});
  }

  ConversionResult Convert(FakeSource::Function scan) {
    std::vector<NamedSource> operands;
    operands.push_back(
        {std::make_unique<FakeSource>(std::move(scan)), tree.root(), "", ViewKind::kSource});
    return Convert(std::move(operands));
  }
  ConversionResult Convert(std::vector<NamedSource> operands) {
    report = std::make_unique<Report>(options);
    Progress progress(Progress::Mode::kBar, {[](std::string_view) {}, [] { return 80u; },
                                             [this] {
                                               if (on_progress) on_progress();
                                               return Progress::Clock::now();
                                             }});
    return RunConversion(std::move(operands), options, *report, progress);
  }

  Reader Open() const { return Reader::Open(options.output); }
  static std::optional<Reader::Name> Find(const Reader& reader, std::string_view path) {
    uint64_t directory = 0;
    for (;;) {
      const size_t slash = path.find('/');
      const auto name = reader.FindName(directory, path.substr(0, slash));
      if (!name || slash == std::string_view::npos) return name;
      directory = name->number;
      path.remove_prefix(slash + 1);
    }
  }
  // The bytes that a path shows, "(none)" without one, "(absent)" for an absent text.
  static std::string Show(const Reader& reader, std::string_view path) {
    const auto name = Find(reader, path);
    if (!name) return "(none)";
    if (name->kind == TargetKind::kMedia) return MediaOf(reader, name->number);
    if (name->kind == TargetKind::kText) return TextOf(reader, name->number);
    if (name->kind == TargetKind::kBlob) return BlobOf(reader, name->number);
    return "(directory)";
  }
  // "media: text, text | media: text" by object; absent texts are "-".
  static std::string Outline(const Reader& reader) {
    std::string outline;
    for (uint64_t object = 0; object < reader.info().objects; ++object) {
      const ObjectLayout layout = reader.Object(object);
      outline += (object > 0 ? " | " : "") + MediaOf(reader, object) + ":";
      const uint64_t texts = layout.pairs * reader.info().fields.size();
      for (uint64_t i = 0; i < texts; ++i) {
        const bool absent = reader.Text(layout, layout.first_text + i).absent;
        outline += (i > 0 ? ", " : " ") + (absent ? "-" : TextOf(reader, layout.first_text + i));
      }
    }
    return outline;
  }
  static std::vector<uint64_t> Order(const Reader& reader) {
    std::vector<uint64_t> order;
    for (uint64_t i = 0; i < reader.info().pairs; ++i) {
      order.push_back(reader.PairAtSourcePosition(i));
    }
    return order;
  }

  TempTree tree;
  TempDir out;
  ConvertOptions options;
  std::unique_ptr<Report> report;
  std::function<void()> on_progress;  // called for every pair and every file
};

}  // namespace ulhff

#endif  // ULHFF_TESTS_CONVERSION_H_
