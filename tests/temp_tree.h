// A directory tree made by a test, removed with the object.
#ifndef ULHFF_TESTS_TEMP_TREE_H_
#define ULHFF_TESTS_TEMP_TREE_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

namespace ulhff {

class TempTree {
 public:
  TempTree() : root_(testing::TempDir() + "ulhff-tree-XXXXXX") {
    if (mkdtemp(root_.data()) == nullptr) throw std::runtime_error("mkdtemp " + root_);
  }
  // Files whose content is their own name.
  TempTree(std::initializer_list<const char*> names) : TempTree() {
    for (const char* name : names) Write(name, name);
  }
  ~TempTree() { std::filesystem::remove_all(root_); }
  TempTree(const TempTree&) = delete;
  TempTree& operator=(const TempTree&) = delete;

  const std::string& root() const { return root_; }
  std::string operator()(std::string_view path) const { return root_ + "/" + std::string(path); }

  void Write(std::string_view path, std::string_view bytes) {
    const std::filesystem::path full = (*this)(path);
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  void MakeDir(std::string_view path) { std::filesystem::create_directories((*this)(path)); }
  void Link(std::string_view path, const std::string& target) {
    std::filesystem::create_directories(std::filesystem::path((*this)(path)).parent_path());
    std::filesystem::create_symlink(target, (*this)(path));
  }

 private:
  std::string root_;
};

}  // namespace ulhff

#endif  // ULHFF_TESTS_TEMP_TREE_H_
