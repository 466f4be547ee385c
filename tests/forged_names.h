// A file whose sums are right, with names that no directory can hold.
#ifndef ULHFF_TESTS_FORGED_NAMES_H_
#define ULHFF_TESTS_FORGED_NAMES_H_

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/dataset.h"
#include "tests/file_image.h"

namespace ulhff {

// What is to be shown in the root, and the media that stands behind it. Stored are, in this order,
// "", "..", "e%2Fk", "e/f", "e/k", "g<NUL>h", a name of 255 bytes, half of them '/', and
// "valid.jpg".
inline std::map<std::string, std::string> WriteForgedNames(const std::string& path) {
  const std::string longest = "l" + std::string(253, 'x') + "m";
  const std::string stored[] = {"a", "bc", "e%2Fk", "e_f", "e_k", "g_h", longest, "valid.jpg"};
  Dataset dataset;
  for (const std::string& name : stored) {
    dataset.names[name] = {TargetKind::kMedia, dataset.objects.size()};
    dataset.objects.push_back({"jpg", "media of " + name, std::vector<DatasetPair>(1), {}});
  }
  dataset.Write(path);
  FileImage image(path);
  const auto block = image.Block(SectionType::kNames);
  const auto replace = [&block](const std::string& from, const std::string& to) {
    const auto as_byte = [](char a) { return static_cast<std::byte>(a); };
    const auto at = std::search(block.begin(), block.end(), from.begin(), from.end(),
                                [&](std::byte a, char b) { return a == as_byte(b); });
    if (at == block.end()) throw std::logic_error(from);
    std::transform(to.begin(), to.end(), at, as_byte);
  };
  // shared 0, 1 byte, "a", target 1; then a longer way to spell the same target.
  replace(std::string("\x00\x01"
                      "a\x01",
                      4),
          std::string("\x00\x00\x81\x00", 4));
  replace("bc", "..");
  replace("_f", "/f");
  replace("g_h", std::string("g\0h", 3));
  replace(longest, "l" + std::string(253, '/') + "m");
  image.Reseal();
  image.Write(path);
  return {{"%0", "media of a"},          {"%2E%2E", "media of bc"},
          {"e%2Fk", "media of e%2Fk"},   {"e%2Ff", "media of e_f"},
          {"%4", "media of e_k"},        {"g%00h", "media of g_h"},
          {"%6", "media of " + longest}, {"valid.jpg", "media of valid.jpg"}};
}

}  // namespace ulhff

#endif  // ULHFF_TESTS_FORGED_NAMES_H_
