// Reads pickles that hold nothing but data, and refuses all that could run code.
#ifndef ULHFF_CONVERTER_PICKLE_H_
#define ULHFF_CONVERTER_PICKLE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "converter/file_window.h"
#include "converter/pickle_input.h"
#include "converter/pickle_opcodes.h"
#include "converter/spooled_file.h"

namespace ulhff {

struct PickleValue {
  enum class Type : uint8_t {
    kNone,
    kNumber,  // `text` is its JSON token; also true and false
    kNan,
    kText,
    kBytes,
    kList,      // also a tuple
    kDict,      // items: key, value, key, value ...; also an OrderedDict
    kCallable,  // one of the harmless ones, waiting to be called
    kOther,     // an integer of more than 64 bits
  };
  Type type = Type::kNone;
  bool spooled = false;  // kBytes: they stand in the spooled file, not in the pickle's
  uint64_t offset = 0;   // kBytes: of their first byte in that file
  uint64_t size = 0;
  std::string text = {};  // kText: as UTF-8, the way it stands there
  // May repeat, and may lead back to their own container.
  std::vector<const PickleValue*> items = {};

  // Of equal keys the last one counts. nullptr: no such key, or no dict.
  const PickleValue* Find(std::string_view key) const;
};

// Knows the data opcodes that dicts of strings, bytes, numbers and lists need, protocols 0 to 5.
// Bytes are never copied, but for those of protocols 0 to 2, which write a string and a call of
// _codecs.encode; this pattern, bytes() and OrderedDict() are the only calls taken, and nothing is
// ever run. Memory is needed for texts and values, and bounded.
class PickleReader {
 public:
  // All must outlive it.
  PickleReader(FileWindow& file, SpooledFile& spool, PickleInput::Fail fail)
      : in_(file, std::move(fail)), spool_(&spool) {}

  // The pickle that is exactly these bytes. Valid until the next call.
  const PickleValue& Read(uint64_t offset, uint64_t size);

 private:
  using Type = PickleValue::Type;

  void Charge(uint64_t bytes);

  void Push(PickleValue value);
  const PickleValue* Pop();
  PickleValue& Top(Type type);
  size_t PopMark();

  // Each knows the opcodes of one kind; false: it is none of them.
  bool RunNumber(Opcode op);
  bool RunBytes(Opcode op);
  bool RunContainer(Opcode op);
  bool RunMemo(Opcode op);
  bool RunCall(Opcode op);
  bool RunFraming(Opcode op);

  void PushNumberLine(std::string line);
  void PushFloat(double value);
  void PushLong(uint64_t size);
  void PushText(uint64_t size);
  void PushBytes(uint64_t size);
  void PushTuple(size_t size);
  void AddItems(Type type, size_t size);
  void Remember(uint64_t index);
  void Recall(uint64_t index);
  void PushCallable(std::string name);
  void Call();

  PickleInput in_;
  SpooledFile* spool_;
  uint64_t memory_ = 0;  // of all values
  std::deque<PickleValue> values_;
  std::vector<PickleValue*> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint64_t, PickleValue*> memo_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PICKLE_H_
