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

constexpr size_t kMaxForms = 8;  // of a path, each component in UTF-8 or in the encoding

// What must be the same bytes in an encoding for paths in it to be paths at all.
constexpr std::string_view kAscii =
    "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

constexpr auto kFailed = static_cast<size_t>(-1);

iconv_t Open(const std::string& to, const std::string& from) {
  iconv_t converter = iconv_open(to.c_str(), from.c_str());
  // NOLINTNEXTLINE(performance-no-int-to-ptr): how iconv says it
  return converter == reinterpret_cast<iconv_t>(-1) ? nullptr : converter;
}

// nullopt: some bytes are not of the encoding, or it has no such character.
std::optional<std::string> Convert(iconv_t converter, std::string_view text) {
  for (size_t room = 4 * text.size() + 16;; room *= 2) {  // TSCII's bytes become up to 12 each
    iconv(converter, nullptr, nullptr, nullptr, nullptr);
    std::string result(room, '\0');
    char* in = const_cast<char*>(text.data());  // only read
    size_t in_left = text.size();
    char* out = result.data();
    size_t out_left = result.size();
    size_t inexact = iconv(converter, &in, &in_left, &out, &out_left);
    if (inexact == 0) inexact = iconv(converter, nullptr, nullptr, &out, &out_left);
    if (inexact == kFailed && errno == E2BIG) continue;
    if (inexact != 0) return std::nullopt;
    result.resize(result.size() - out_left);
    return result;
  }
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Whether what is no ASCII is told from ASCII by its bytes; in UTF-7 and ISO-2022-JP it is not.
bool CanBeTold(iconv_t from_utf8) {
  for (const char* sample : {"\u00e9", "\u0436", "\u3042", "\u4e2d", "\ud55c"}) {
    const auto encoded = Convert(from_utf8, sample);
    if (encoded && IsAscii(*encoded)) return false;
  }
  return true;
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
  if (Convert(to_utf8_.get(), kAscii) != kAscii || Convert(from_utf8_.get(), kAscii) != kAscii ||
      !CanBeTold(from_utf8_.get())) {
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

std::vector<std::string> NameSpelling::Encoded(std::string_view path) const {
  std::vector<std::string> forms{""};
  while (true) {
    const size_t slash = path.find('/');
    const std::string_view component = path.substr(0, slash);
    std::optional<std::string> encoded;
    if (!IsAscii(component)) encoded = Convert(from_utf8_.get(), component);
    const size_t before = forms.size();
    const bool both = encoded && before < kMaxForms;
    for (size_t i = 0; i < before; ++i) {
      if (both) forms.push_back(forms[i] + std::string(component));
      forms[i] += encoded ? *encoded : component;
    }
    if (slash == std::string_view::npos) return forms;
    for (std::string& form : forms) form += '/';
    path.remove_prefix(slash + 1);
  }
}

std::vector<std::string> NameSpelling::OtherForms(std::string_view value) const {
  const std::string nfc = ToNfc(value);
  std::vector<std::string> forms{nfc, ToNfd(value)};
  if (to_utf8_ && IsUtf8(value)) {
    for (const std::string_view name : {value, std::string_view{nfc}}) {
      for (std::string& form : Encoded(name)) forms.push_back(std::move(form));
    }
  } else if (to_utf8_) {
    if (auto decoded = Convert(to_utf8_.get(), value)) forms.push_back(*std::move(decoded));
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
