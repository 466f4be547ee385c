// Writes ULHFF files of any number of pairs with tiny media, for what depends on counts and not on
// bytes.
#include "sample_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "ulhff/writer.h"

namespace bench {
namespace {

constexpr uint64_t kMeanTexts = 5;

uint64_t TextsOf(Pairing pairing, uint64_t object) {
  switch (pairing) {
    case Pairing::kOneToOne:
      return 1;
    case Pairing::kFixed:
      return kMeanTexts;
    case Pairing::kHybrid:
      return 1 + object * 7 % (2 * kMeanTexts - 1);
  }
  return 1;
}

}  // namespace

void WriteSampleFile(const std::string& path, Pairing pairing, uint64_t pairs) {
  ulhff::WriterOptions options;
  options.overwrite = true;
  options.fields = {{"caption", "txt"}};
  ulhff::Writer writer(path, options);
  const std::array text{std::optional(ulhff::AsBytes("a text"))};
  while (writer.pairs() < pairs) {
    const uint64_t object = writer.BeginObject("jpg");
    writer.AppendMedia(ulhff::AsBytes(fmt::format("{}", object)));
    const uint64_t texts = std::min(TextsOf(pairing, object), pairs - writer.pairs());
    for (uint64_t i = 0; i < texts; ++i) writer.AddPair(text);
    writer.EndObject();
    writer.AddName(fmt::format("media/{:09}.jpg", object), {ulhff::TargetKind::kMedia, object});
  }
  writer.Finish();
}

}  // namespace bench
