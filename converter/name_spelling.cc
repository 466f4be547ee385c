// Encodings by iconv(3), Unicode forms by utf8proc.
#include "converter/name_spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "converter/input_error.h"
#include "converter/media_types.h"
#include "converter/name_rules.h"
#include "converter/printable.h"
#include "converter/unicode_form.h"
#include "ulhff/json_text.h"

namespace ulhff {
namespace {

// What must be the same bytes in an encoding for paths in it to be paths at all.
constexpr std::string_view kAscii =
    "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

iconv_t Open(const std::string& to, const std::string& from) {
  const iconv_t converter = iconv_open(to.c_str(), from.c_str());
  // NOLINTNEXTLINE(performance-no-int-to-ptr): how iconv says it
  return converter == reinterpret_cast<iconv_t>(-1) ? nullptr : converter;
}

// nullopt: some bytes are not of the encoding, or it has no such character.
std::optional<std::string> Convert(iconv_t converter, std::string_view text) {
  iconv(converter, nullptr, nullptr, nullptr, nullptr);
  std::string result(4 * text.size() + 16, '\0');  // no character takes more, in either
  char* in = const_cast<char*>(text.data());       // only read
  size_t in_left = text.size();
  char* out = result.data();
  size_t out_left = result.size();
  const size_t inexact = iconv(converter, &in, &in_left, &out, &out_left);
  if (inexact != 0 || iconv(converter, nullptr, nullptr, &out, &out_left) != 0) return std::nullopt;
  result.resize(result.size() - out_left);
  return result;
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t size = Utf8Length(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace

NameSpelling::NameSpelling(const ConvertOptions& options)
    : encoding_(options.name_encoding), lower_extensions_(options.lower_ext) {
  if (encoding_.empty()) return;
  to_utf8_.reset(Open("UTF-8", encoding_));
  from_utf8_.reset(Open(encoding_, "UTF-8"));
  if (!to_utf8_ || !from_utf8_) {
    throw UsageError(fmt::format("--name-encoding {}: no such encoding; `iconv --list` shows all",
                                 Printable(encoding_)));
  }
  if (Convert(to_utf8_.get(), kAscii) != kAscii || Convert(from_utf8_.get(), kAscii) != kAscii) {
    throw UsageError(fmt::format("--name-encoding {}: names of files cannot be in this encoding",
                                 Printable(encoding_)));
  }
}

std::string NameSpelling::Component(std::string_view component) const {
  if (IsUtf8(component)) return std::string(component);
  std::optional<std::string> converted = Convert(to_utf8_.get(), component);
  if (converted) return *std::move(converted);
  throw InputError(fmt::format("{}: this name is neither UTF-8 nor {} (--name-encoding)",
                               Printable(component), encoding_));
}

std::string NameSpelling::Directory(std::string_view path) const {
  if (!to_utf8_) return std::string(path);
  std::string spelled;
  while (true) {
    const size_t slash = path.find('/');
    spelled += Component(path.substr(0, slash));
    if (slash == std::string_view::npos) return spelled;
    spelled += '/';
    path.remove_prefix(slash + 1);
  }
}

std::string NameSpelling::File(std::string_view path) const {
  std::string spelled = Directory(path);
  if (!lower_extensions_) return spelled;
  const size_t begin = spelled.size() - ObjectExtension(spelled).size();
  return spelled.replace(begin, std::string::npos,
                         LowerAscii(std::string_view{spelled}.substr(begin)));
}

std::vector<std::string> NameSpelling::OtherForms(std::string_view value) const {
  std::vector<std::string> forms{ToNfc(value), ToNfd(value)};
  const auto add = [&forms](std::optional<std::string> form) {
    if (form) forms.push_back(*std::move(form));
  };
  if (to_utf8_ && IsUtf8(value)) {
    add(Convert(from_utf8_.get(), value));
    add(Convert(from_utf8_.get(), forms[0]));
  } else if (to_utf8_) {
    add(Convert(to_utf8_.get(), value));
  }
  std::vector<std::string> others;
  for (std::string& form : forms) {
    const bool known =
        form == value || std::find(others.begin(), others.end(), form) != others.end();
    if (!known) others.push_back(std::move(form));
  }
  return others;
}

}  // namespace ulhff
