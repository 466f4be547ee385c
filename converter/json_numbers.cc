// Follows strings and numbers, byte by byte; the rest of JSON does not matter here.
#include "converter/json_numbers.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace ulhff {
namespace {

// The largest double has 309 digits before its point, and its exponent has three.
constexpr size_t kLongNumber = 300;
constexpr size_t kLongExponent = 3;

constexpr std::string_view kDigits = "0123456789";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool EndsString(char c) { return c == '"' || c == '\\' || c == '\n'; }
bool BeginsToken(char c) { return c == '"' || c == '-' || IsDigit(c); }
bool IsOfNumber(char c) {
  return IsDigit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
}

bool TakeDigits(std::string_view& rest) {
  const size_t count = std::min(rest.find_first_not_of(kDigits), rest.size());
  rest.remove_prefix(count);
  return count > 0;
}

bool TakeOneOf(std::string_view& rest, std::string_view bytes) {
  if (rest.empty() || bytes.find(rest[0]) == std::string_view::npos) return false;
  rest.remove_prefix(1);
  return true;
}

bool IsNumber(std::string_view token) {
  TakeOneOf(token, "-");
  if (!TakeOneOf(token, "0") && !TakeDigits(token)) return false;
  if (TakeOneOf(token, ".") && !TakeDigits(token)) return false;
  if (TakeOneOf(token, "eE")) {
    TakeOneOf(token, "+-");
    if (!TakeDigits(token)) return false;
  }
  return token.empty();
}

bool CanBeTooBig(std::string_view token) {
  const size_t e = token.find_first_of("eE");
  const size_t exponent = e == std::string_view::npos ? 0 : token.size() - e - 1;
  return token.size() > kLongNumber || exponent >= kLongExponent;
}

}  // namespace

size_t NumberMask::Cover(char* data, uint64_t base, size_t size, bool last) {
  seen_ = std::max(seen_, base);  // a BOM is never given
  char* const end = data + size;
  char* c = data + (seen_ - base);
  while (c != end) {
    switch (at_) {
      case At::kString:
        c = std::find_if(c, end, EndsString);
        if (c == end) break;
        if (*c == '\\' && c + 1 != end && c[1] != '\n') {
          c += 2;
          break;
        }
        // A string with a line end is an error, and --lenient goes on in the next line.
        if (*c != '\\') at_ = At::kOther;
        ++c;
        break;
      case At::kNumber: {
        c = std::find_if_not(c, end, IsOfNumber);
        if (c == end) break;
        char* const begin = data + (number_ - base);
        Mask(begin, static_cast<size_t>(c - begin), number_);
        at_ = At::kOther;
        break;
      }
      case At::kOther:
        c = std::find_if(c, end, BeginsToken);
        if (c == end) break;
        at_ = *c == '"' ? At::kString : At::kNumber;
        number_ = base + static_cast<uint64_t>(c - data);
        ++c;
        break;
    }
  }
  seen_ = base + size;
  if (at_ != At::kNumber) return size;
  const auto begin = static_cast<size_t>(number_ - base);
  if (!last) return begin;
  Mask(data + begin, size - begin, number_);
  at_ = At::kOther;
  return size;
}

void NumberMask::Mask(char* token, size_t size, uint64_t offset) {
  const std::string_view text(token, size);
  if (!CanBeTooBig(text) || !IsNumber(text)) return;
  masked_.push_back({offset, std::string(text)});
  const size_t sign = text[0] == '-' ? 1 : 0;
  std::memset(token + sign, '0', size - sign);
  token[sign + 1] = '.';
}

void NumberMask::Restore(char* data, uint64_t base, uint64_t until) {
  for (; !masked_.empty() && masked_.front().offset < until; masked_.pop_front()) {
    const auto& [offset, token] = masked_.front();
    std::copy(token.begin(), token.end(), data + (offset - base));
  }
}

void NumberMask::Forget(uint64_t until) {
  while (!masked_.empty() && masked_.front().offset < until) masked_.pop_front();
}

}  // namespace ulhff
