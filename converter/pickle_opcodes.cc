// Names of all opcodes, for messages.
#include "converter/pickle_opcodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ulhff {
namespace {

struct Named {
  uint8_t byte;
  const char* name;
  bool may_run_code = false;
};

constexpr std::array kOpcodes = {
    Named{'(', "MARK"},
    Named{'.', "STOP"},
    Named{'0', "POP"},
    Named{'1', "POP_MARK"},
    Named{'2', "DUP"},
    Named{'B', "BINBYTES"},
    Named{'C', "SHORT_BINBYTES"},
    Named{'F', "FLOAT"},
    Named{'G', "BINFLOAT"},
    Named{'I', "INT"},
    Named{'J', "BININT"},
    Named{'K', "BININT1"},
    Named{'L', "LONG"},
    Named{'M', "BININT2"},
    Named{'N', "NONE"},
    Named{'P', "PERSID", true},
    Named{'Q', "BINPERSID", true},
    Named{'R', "REDUCE", true},
    Named{'S', "STRING"},
    Named{'T', "BINSTRING"},
    Named{'U', "SHORT_BINSTRING"},
    Named{'V', "UNICODE"},
    Named{'X', "BINUNICODE"},
    Named{']', "EMPTY_LIST"},
    Named{'a', "APPEND"},
    Named{'b', "BUILD", true},
    Named{'c', "GLOBAL", true},
    Named{'d', "DICT"},
    Named{'e', "APPENDS"},
    Named{'g', "GET"},
    Named{'h', "BINGET"},
    Named{'i', "INST", true},
    Named{'j', "LONG_BINGET"},
    Named{'l', "LIST"},
    Named{'o', "OBJ", true},
    Named{'p', "PUT"},
    Named{'q', "BINPUT"},
    Named{'r', "LONG_BINPUT"},
    Named{'s', "SETITEM"},
    Named{'t', "TUPLE"},
    Named{'u', "SETITEMS"},
    Named{'}', "EMPTY_DICT"},
    Named{')', "EMPTY_TUPLE"},
    Named{0x80, "PROTO"},
    Named{0x81, "NEWOBJ", true},
    Named{0x82, "EXT1", true},
    Named{0x83, "EXT2", true},
    Named{0x84, "EXT4", true},
    Named{0x85, "TUPLE1"},
    Named{0x86, "TUPLE2"},
    Named{0x87, "TUPLE3"},
    Named{0x88, "NEWTRUE"},
    Named{0x89, "NEWFALSE"},
    Named{0x8a, "LONG1"},
    Named{0x8b, "LONG4"},
    Named{0x8c, "SHORT_BINUNICODE"},
    Named{0x8d, "BINUNICODE8"},
    Named{0x8e, "BINBYTES8"},
    Named{0x8f, "EMPTY_SET"},
    Named{0x90, "ADDITEMS"},
    Named{0x91, "FROZENSET"},
    Named{0x92, "NEWOBJ_EX", true},
    Named{0x93, "STACK_GLOBAL", true},
    Named{0x94, "MEMOIZE"},
    Named{0x95, "FRAME"},
    Named{0x96, "BYTEARRAY8"},
    Named{0x97, "NEXT_BUFFER"},
    Named{0x98, "READONLY_BUFFER"},
};

const Named* Find(uint8_t byte) {
  const auto* at = std::find_if(kOpcodes.begin(), kOpcodes.end(),
                                [byte](const Named& known) { return known.byte == byte; });
  return at == kOpcodes.end() ? nullptr : at;
}

}  // namespace

std::string OpcodeName(uint8_t byte) {
  const Named* known = Find(byte);
  return known != nullptr ? known->name : fmt::format("opcode {:#04x}", byte);
}

bool MayRunCode(uint8_t byte) {
  const Named* known = Find(byte);
  return known != nullptr && known->may_run_code;
}

}  // namespace ulhff
