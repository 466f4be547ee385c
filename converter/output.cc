// Checked writes to standard output, escapes for names, readable numbers.
#include "output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cwchar>
#include <cwctype>

#include "ulhff/error.h"

namespace ulhff {

namespace {

void CheckOutput(bool succeeded) {
  if (succeeded) return;
  if (errno == EPIPE) throw OutputClosed();
  ThrowErrno("standard output");
}

void AppendEscapedByte(std::string& out, char c) {
  static constexpr std::string_view kFrom = "\a\b\t\n\v\f\r\\ ";
  static constexpr std::string_view kTo = "abtnvfr\\ ";
  const size_t at = kFrom.find(c);
  if (at != std::string_view::npos) {
    out += '\\';
    out += kTo[at];
  } else {
    out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
}

}  // namespace

void Output::Write(std::string_view bytes) {
  CheckOutput(std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size());
}

void Output::Flush() { CheckOutput(std::fflush(stdout) == 0); }

bool IsTerminal(int fd) { return ::isatty(fd) == 1; }

std::string EscapeName(std::string_view name) {
  std::string out;
  std::mbstate_t state{};
  while (!name.empty()) {
    wchar_t wide = 0;
    const size_t size = std::mbrtowc(&wide, name.data(), name.size(), &state);
    const bool whole = size != 0 && size <= name.size();
    if (whole && std::iswprint(static_cast<wint_t>(wide)) != 0 && wide != L' ' && wide != L'\\') {
      out += name.substr(0, size);
      name.remove_prefix(size);
    } else {
      AppendEscapedByte(out, name[0]);
      name.remove_prefix(1);
      state = {};
    }
  }
  return out;
}

std::string GroupedNumber(uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string_view NounFor(uint64_t count, std::string_view one, std::string_view many) {
  return count == 1 ? one : many;
}

std::string Counted(uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", GroupedNumber(count), NounFor(count, one, many));
}

std::string ReadableSize(uint64_t size_bytes) {
  static constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (size_bytes < 1024)
    return fmt::format("{} {}", size_bytes, NounFor(size_bytes, "byte", "bytes"));
  double size = static_cast<double>(size_bytes) / 1024;
  size_t unit = 0;
  for (; size >= 1023.95; ++unit) size /= 1024;
  return fmt::format("{:.1f} {}", size, kUnits.at(unit));
}

}  // namespace ulhff
