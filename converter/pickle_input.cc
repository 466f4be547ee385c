// Nothing is read that the pickle does not have.
#include "converter/pickle_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace ulhff {
namespace {

constexpr uint64_t kMaxLine = uint64_t{256} << 20;

}  // namespace

void PickleInput::Begin(uint64_t offset, uint64_t size) {
  pos_ = op_offset_ = offset;
  end_ = offset + size;
}

Opcode PickleInput::TakeOpcode() {
  op_offset_ = pos_;
  if (left() == 0) FailHere("ends without STOP");
  op_ = Take<uint8_t>();
  return static_cast<Opcode>(op_);
}

void PickleInput::FailHere(const std::string& what) const {
  fail_(op_offset_, "pickle: " + what);
  throw std::logic_error("a failed pickle was to be read on");
}

void PickleInput::Need(uint64_t bytes) const {
  if (bytes > left()) {
    FailHere(fmt::format("{} needs {} bytes, {} are left", name(), bytes, left()));
  }
}

std::string PickleInput::TakeText(uint64_t size) {
  Need(size);
  std::string text = file_->ReadText(pos_, size);
  pos_ += size;
  return text;
}

std::string PickleInput::TakeLine() {
  std::string line;
  while (line.size() <= kMaxLine) {
    Need(1);
    const size_t piece = static_cast<size_t>(std::min<uint64_t>(left(), 4096));
    const std::string_view bytes = AsText(file_->Read(pos_, piece));
    const size_t end = bytes.find('\n');
    line += bytes.substr(0, end);
    pos_ += end == std::string_view::npos ? piece : end + 1;
    if (end != std::string_view::npos) return line;
  }
  FailHere(fmt::format("{} has more than {} MiB", name(), kMaxLine >> 20));
}

void PickleInput::Skip(uint64_t bytes) {
  Need(bytes);
  pos_ += bytes;
}

}  // namespace ulhff
