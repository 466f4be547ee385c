// Writes the ULHFF file of the scale check: many pairs of tiny media. Usage: scale_make OBJECTS OUT
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>

#include "tests/scale/scale_set.h"
#include "ulhff/writer.h"

namespace {

void Make(uint64_t objects, const std::string& path) {
  ulhff::WriterOptions options;
  options.overwrite = true;
  options.default_view = ulhff::ViewKind::kAll;
  options.fields = {{"caption", "txt"}};
  ulhff::Writer writer(path, options);
  uint64_t pair = 0;
  for (uint64_t object = 0; object < objects; ++object) {
    writer.BeginObject("jpg");
    writer.AppendMedia(ulhff::AsBytes(ulhff::MediaBytes(object)));
    for (uint64_t slot = 0; slot < ulhff::PairsOf(object); ++slot, ++pair) {
      const std::string bytes = ulhff::TextBytes(pair);
      const std::array<std::optional<ulhff::ByteSpan>, 1> texts{ulhff::AsBytes(bytes)};
      writer.AddPair(texts);
    }
    writer.EndObject();
    writer.AddName(ulhff::MediaPath(object), {ulhff::TargetKind::kMedia, object});
  }
  writer.Finish();
  fmt::print("{}: {} objects, {} pairs\n", path, objects, pair);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "Usage: scale_make OBJECTS OUT\n");
    return 2;
  }
  try {
    Make(std::strtoull(argv[1], nullptr, 10), argv[2]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "scale_make: {}\n", error.what());
    return 1;
  }
}
