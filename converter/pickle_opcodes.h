// The opcodes of Python's pickle format, protocols 0 to 5.
#ifndef ULHFF_CONVERTER_PICKLE_OPCODES_H_
#define ULHFF_CONVERTER_PICKLE_OPCODES_H_

#include <cstdint>
#include <string>

namespace ulhff {

// Those that PickleReader takes; names as in Python's pickletools.
enum class Opcode : uint8_t {
  kMark = '(',
  kStop = '.',
  kFloat = 'F',
  kInt = 'I',
  kBinInt = 'J',
  kBinInt1 = 'K',
  kLong = 'L',
  kBinInt2 = 'M',
  kNone = 'N',
  kReduce = 'R',
  kUnicode = 'V',
  kBinUnicode = 'X',
  kAppend = 'a',
  kGlobal = 'c',
  kDict = 'd',
  kEmptyDict = '}',
  kAppends = 'e',
  kGet = 'g',
  kBinGet = 'h',
  kLongBinGet = 'j',
  kList = 'l',
  kEmptyList = ']',
  kPut = 'p',
  kBinPut = 'q',
  kLongBinPut = 'r',
  kSetItem = 's',
  kTuple = 't',
  kEmptyTuple = ')',
  kSetItems = 'u',
  kBinFloat = 'G',
  kBinBytes = 'B',
  kShortBinBytes = 'C',
  kProto = 0x80,
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kLong1 = 0x8a,
  kLong4 = 0x8b,
  kShortBinUnicode = 0x8c,
  kBinUnicode8 = 0x8d,
  kBinBytes8 = 0x8e,
  kStackGlobal = 0x93,
  kMemoize = 0x94,
  kFrame = 0x95,
  kByteArray8 = 0x96,
};

// "BINUNICODE"; "opcode 0xff" if there is none.
std::string OpcodeName(uint8_t byte);
// Whether Python may run code for it that the pickle chooses.
bool MayRunCode(uint8_t byte);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PICKLE_OPCODES_H_
