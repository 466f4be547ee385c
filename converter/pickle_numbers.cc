// The opcodes of PickleReader that push a number, None, True or False.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>

#include "converter/float_token.h"
#include "converter/pickle.h"

namespace ulhff {

bool PickleReader::RunNumber(Opcode op) {
  const auto push = [this](auto number) {
    Push({.type = Type::kNumber, .text = fmt::format("{}", number)});
  };
  switch (op) {
    case Opcode::kNone:
      Push({.type = Type::kNone});
      return true;
    case Opcode::kNewTrue:
      push(true);
      return true;
    case Opcode::kNewFalse:
      push(false);
      return true;
    case Opcode::kBinInt:
      push(static_cast<int32_t>(uint32_t{in_.Take<Le<uint32_t>>()}));
      return true;
    case Opcode::kBinInt1:
      push(unsigned{in_.Take<uint8_t>()});
      return true;
    case Opcode::kBinInt2:
      push(uint16_t{in_.Take<Le<uint16_t>>()});
      return true;
    case Opcode::kLong1:
      PushLong(in_.Take<uint8_t>());
      return true;
    case Opcode::kLong4:
      PushLong(in_.Take<Le<uint32_t>>());
      return true;
    case Opcode::kBinFloat: {
      in_.Need(sizeof(uint64_t));
      // The one big-endian number of the format.
      PushFloat(std::bit_cast<double>(__builtin_bswap64(in_.Take<Le<uint64_t>>())));
      return true;
    }
    case Opcode::kInt:
    case Opcode::kLong:
    case Opcode::kFloat:
      PushNumberLine(in_.TakeLine());
      return true;
    default:
      return false;
  }
}

void PickleReader::PushFloat(double value) {
  if (std::isnan(value)) {
    Push({.type = Type::kNan});
  } else {
    Push({.type = Type::kNumber, .text = FloatToken(value)});
  }
}

// Little-endian two's complement of any length.
void PickleReader::PushLong(uint64_t size) {
  in_.Need(size);
  if (size > sizeof(uint64_t)) {
    in_.Skip(size);
    Push({.type = Type::kOther, .text = "an integer of more than 64 bits"});
    return;
  }
  uint64_t bits = 0;
  for (uint64_t i = 0; i < size; ++i) bits |= uint64_t{in_.Take<uint8_t>()} << (8 * i);
  const auto unused = static_cast<unsigned>(64 - 8 * size);
  const int64_t value = size == 0 ? 0 : static_cast<int64_t>(bits << unused) >> unused;
  Push({.type = Type::kNumber, .text = fmt::format("{}", value)});
}

// "12", "12L", "1.5", "nan"; "00" and "01" are False and True.
void PickleReader::PushNumberLine(std::string line) {
  if (in_.opcode() == 'I' && (line == "00" || line == "01")) {
    Push({.type = Type::kNumber, .text = line == "01" ? "true" : "false"});
    return;
  }
  if (in_.opcode() == 'L' && line.ends_with('L')) line.pop_back();
  double value = 0;
  const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  const bool is_float = in_.opcode() == 'F';
  if (stop != line.data() + line.size() || error == std::errc::invalid_argument ||
      (!is_float && line.find_first_not_of("-0123456789") != std::string::npos)) {
    in_.FailHere(fmt::format("{} with a bad number", in_.name()));
  }
  if (is_float) return PushFloat(value);
  Push({.type = Type::kNumber, .text = std::move(line)});
}

}  // namespace ulhff
