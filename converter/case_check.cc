// Folds the case of names and compares them by hash first, so that huge directories fit in memory.
#include "case_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <clocale>
#include <cwchar>
#include <cwctype>
#include <map>

#include "tree_files.h"
#include "ulhff/checksum.h"

namespace ulhff {

namespace {

// Folds in UTF-8, whatever the user's locale is. One at a time: it is this thread's locale.
class CaseFolder {
 public:
  CaseFolder()
      : utf8_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)),
        before_(utf8_ != nullptr ? ::uselocale(utf8_) : nullptr) {}
  ~CaseFolder() {
    if (utf8_ == nullptr) return;
    ::uselocale(before_);
    ::freelocale(utf8_);
  }
  CaseFolder(const CaseFolder&) = delete;
  CaseFolder& operator=(const CaseFolder&) = delete;

  // Up, then down: letters that share a capital are the same to file systems.
  std::wstring Fold(std::string_view name) const {
    std::wstring folded;
    std::mbstate_t state{};
    while (!name.empty()) {
      wchar_t wide = 0;
      size_t size = std::mbrtowc(&wide, name.data(), name.size(), &state);
      if (size == 0 || size > name.size()) {
        // No character, but a byte that must stay different from all characters.
        wide = static_cast<wchar_t>(0x110000 + static_cast<unsigned char>(name[0]));
        size = 1;
        state = {};
      } else {
        wide = static_cast<wchar_t>(std::towlower(std::towupper(static_cast<wint_t>(wide))));
      }
      folded += wide;
      name.remove_prefix(size);
    }
    return folded;
  }

  uint64_t Hash(std::string_view name) const {
    const std::wstring folded = Fold(name);
    return Checksum64(std::as_bytes(std::span(folded)));
  }

 private:
  locale_t utf8_;
  locale_t before_;
};

class Check {
 public:
  Check(const Tree& tree, const std::function<void(const std::vector<std::string>&)>& report)
      : tree_(tree), report_(report) {}

  void Visit(Node directory, const std::string& prefix) {
    std::vector<uint64_t> hashes;
    ForEachEntry(tree_, directory,
                 [&](std::string_view name, Node) { hashes.push_back(folder_.Hash(name)); });
    std::sort(hashes.begin(), hashes.end());
    if (std::adjacent_find(hashes.begin(), hashes.end()) != hashes.end())
      ReportTwins(directory, prefix, hashes);
    hashes = {};
    ForEachEntry(tree_, directory, [&](std::string_view name, Node node) {
      if (node.is_directory()) Visit(node, fmt::format("{}{}/", prefix, name));
    });
  }

 private:
  void ReportTwins(Node directory, const std::string& prefix, const std::vector<uint64_t>& hashes) {
    std::map<std::wstring, std::vector<std::string>> groups;
    ForEachEntry(tree_, directory, [&](std::string_view name, Node) {
      const auto [first, last] = std::equal_range(hashes.begin(), hashes.end(), folder_.Hash(name));
      if (last - first > 1) groups[folder_.Fold(name)].push_back(fmt::format("{}{}", prefix, name));
    });
    for (const auto& [folded, paths] : groups) {
      if (paths.size() > 1) report_(paths);
    }
  }

  const Tree& tree_;
  const std::function<void(const std::vector<std::string>&)>& report_;
  CaseFolder folder_;
};

}  // namespace

void CheckCase(const Tree& tree,
               const std::function<void(const std::vector<std::string>& paths)>& report) {
  Check(tree, report).Visit(kRootNode, "");
}

}  // namespace ulhff
