// LibriTTS: plain files whose texts have extensions of two words, x.normalized.txt and
// x.original.txt.
#include <algorithm>

#include "converter/overview.h"
#include "converter/source_kinds.h"

namespace ulhff {
namespace {

ConvertOptions WithItsTexts(ConvertOptions options) {
  options.text_extensions = {"normalized.txt", "original.txt"};
  return options;
}

// Only where the media have no other texts: elsewhere x.original.txt is the text of x.original.jpg.
bool CanBe(const Overview& operand, const ConvertOptions& options) {
  if (!operand.is_directory || !options.text_extensions.empty()) return false;
  const auto& pairs = operand.text_pairs;
  const bool none = std::all_of(pairs.begin(), pairs.end(), [](uint64_t n) { return n == 0; });
  return none && operand.media > 0;
}

std::vector<Reading> RecogniseLibriTts(const Overview& operand, const ConvertOptions& options) {
  if (!CanBe(operand, options)) return {};
  const ConvertOptions its_options = WithItsTexts(options);
  std::vector<Reading> readings =
      FilesKind().recognise(LookAt(operand.path, its_options), its_options);
  if (readings.empty() || readings[0].pairs == 0) return {};
  readings[0].from = "libritts";
  return readings;
}

std::unique_ptr<Source> OpenLibriTts(const std::string& operand, const Reading& reading,
                                     const ConvertOptions& options) {
  return FilesKind().open(operand, reading, WithItsTexts(options));
}

}  // namespace

SourceKind LibriTtsKind() {
  return {"libritts", "LibriTTS: sounds with .normalized.txt and .original.txt", RecogniseLibriTts,
          OpenLibriTts};
}

}  // namespace ulhff
