// Names are bytes; UTF-8 matters only where one must be cut.
#include "converter/name_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "converter/printable.h"
#include "ulhff/checksum.h"
#include "ulhff/format.h"

namespace ulhff {

namespace {

// Longer ones are no extensions ("Mr. Smith and his dog").
constexpr size_t kMaxExtension = 10;

bool IsAlphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Where the name's ".ext" begins; its end if it has none.
size_t ExtensionStart(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return name.size();
  const std::string_view extension = name.substr(dot + 1);
  const bool plain = !extension.empty() && extension.size() <= kMaxExtension &&
                     std::all_of(extension.begin(), extension.end(), IsAlphanumeric);
  return plain ? dot : name.size();
}

// Names of one stem keep one stem, whatever their extensions: it is what pairs them.
std::string Shortened(std::string_view component) {
  const std::string_view stem = component.substr(0, ExtensionStart(component));
  const std::string hash = fmt::format("~{:016x}", Checksum64(AsBytes(stem)));
  const size_t max_head = kMaxNameSize - hash.size() - (1 + kMaxExtension);
  std::string head;
  std::string_view rest = stem;
  while (!rest.empty()) {
    const size_t size = std::max<size_t>(1, Utf8Length(rest));
    if (head.size() + size > max_head) break;
    head += rest.substr(0, size);
    rest.remove_prefix(size);
  }
  std::replace(head.begin(), head.end(), '\0', '_');
  return head.append(hash).append(component.substr(stem.size()));
}

}  // namespace

TreeName MakeTreeName(std::string_view path) {
  TreeName name;
  name.outside = path.starts_with('/');
  while (!path.empty()) {
    const std::string_view component = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), component.size() + 1));
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      name.outside = true;
      continue;
    }
    if (!name.path.empty()) name.path += '/';
    if (component.size() > kMaxNameSize || component.find('\0') != std::string_view::npos) {
      name.shortened = true;
      name.path += Shortened(component);
    } else {
      name.path += component;
    }
  }
  return name;
}

std::string Renamed(std::string_view path, uint64_t number) {
  const size_t name = path.rfind('/') + 1;  // 0 if there is none
  const size_t dot = name + ExtensionStart(path.substr(name));
  const std::string renamed = fmt::format("{}~{}{}", path.substr(0, dot), number, path.substr(dot));
  return MakeTreeName(renamed).path;  // it may be too long now
}

std::string BeforeRenamed(std::string_view path) {
  const size_t name = path.rfind('/') + 1;
  const size_t dot = name + ExtensionStart(path.substr(name));
  const size_t tilde = path.substr(0, dot).rfind('~');
  if (tilde == std::string_view::npos || tilde < name) return std::string(path);
  const std::string_view number = path.substr(tilde + 1, dot - tilde - 1);
  if (number.find_first_not_of("0123456789") != std::string_view::npos) return std::string(path);
  return std::string(path.substr(0, tilde)).append(path.substr(dot));
}

std::string_view ObjectExtension(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const size_t dot = ExtensionStart(name);
  return dot == name.size() ? std::string_view() : name.substr(dot + 1);
}

}  // namespace ulhff
