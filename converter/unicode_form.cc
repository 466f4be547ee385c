// Unicode normal forms, by utf8proc.
#include "converter/unicode_form.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace ulhff {
namespace {

std::string Map(std::string_view text, int form) {
  const bool ascii = std::all_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii) return std::string(text);
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &mapped,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | form));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (size < 0) return std::string(text);
  return {reinterpret_cast<const char*>(mapped), static_cast<size_t>(size)};
}

}  // namespace

std::string ToNfc(std::string_view text) { return Map(text, UTF8PROC_COMPOSE); }
std::string ToNfd(std::string_view text) { return Map(text, UTF8PROC_DECOMPOSE); }

}  // namespace ulhff
