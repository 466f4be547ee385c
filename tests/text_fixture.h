// What the tests of the text parsers share: files with given bytes, and the fixtures of real data.
#ifndef ULHFF_TESTS_TEXT_FIXTURE_H_
#define ULHFF_TESTS_TEXT_FIXTURE_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace ulhff {

// A file of a given name and content in a directory of its own; both go with the object.
class TempText {
 public:
  TempText(std::string_view name, std::string_view bytes)
      : dir_(testing::TempDir() + "ulhff-text-XXXXXX") {
    if (mkdtemp(dir_.data()) == nullptr) throw std::runtime_error("mkdtemp " + dir_);
    path_ = dir_ + "/" + std::string(name);
    std::ofstream(path_, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  ~TempText() { std::filesystem::remove_all(dir_); }
  TempText(const TempText&) = delete;
  TempText& operator=(const TempText&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string dir_;
  std::string path_;
};

// Where the real samples lie, "" if they are not on this machine.
inline std::string FixturePath(const std::string& relative) {
  const char* shared = std::getenv("ULHFF_SHARED");
  const std::string root =
      shared != nullptr ? shared : std::string(ULHFF_SOURCE_DIR) + "/../shared";
  const std::string path = root + "/fixtures/" + relative;
  return std::filesystem::exists(path) ? path : "";
}

// A literal with NUL bytes inside: Bytes("a\0b").
template <size_t n>
std::string Bytes(const char (&literal)[n]) {
  return std::string(literal, n - 1);
}

}  // namespace ulhff

#endif  // ULHFF_TESTS_TEXT_FIXTURE_H_
