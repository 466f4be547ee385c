// The pickle machine, without its dangerous half.
#include "converter/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "converter/pickle_text.h"

namespace ulhff {
namespace {

// All that one pickle may take: a million captions, or the names of a large packed folder.
constexpr uint64_t kMaxMemory = uint64_t{1} << 30;
// With what allocators and the containers around them add.
constexpr uint64_t kValueCost = sizeof(PickleValue) + 32;
constexpr uint64_t kMemoCost = 64;
constexpr uint64_t kItemCost = 8;  // a reference from a container or the stack
constexpr unsigned kMaxProtocol = 5;

constexpr std::string_view kEncode = "_codecs.encode";
constexpr std::string_view kOrderedDict = "collections.OrderedDict";
constexpr std::string_view kBytes2 = "__builtin__.bytes";
constexpr std::string_view kBytes3 = "builtins.bytes";

}  // namespace

const PickleValue* PickleValue::Find(std::string_view key) const {
  const PickleValue* found = nullptr;
  for (size_t i = 0; type == Type::kDict && i < items.size(); i += 2) {
    if (items[i]->type == Type::kText && items[i]->text == key) found = items[i + 1];
  }
  return found;
}

const PickleValue& PickleReader::Read(uint64_t offset, uint64_t size) {
  in_.Begin(offset, size);
  memory_ = 0;
  values_.clear();
  stack_.clear();
  marks_.clear();
  memo_.clear();
  while (true) {
    const Opcode op = in_.TakeOpcode();
    if (op == Opcode::kStop) break;
    if (RunBytes(op) || RunMemo(op) || RunContainer(op) || RunNumber(op) || RunFraming(op) ||
        RunCall(op)) {
      continue;
    }
    in_.FailHere(in_.name() + (MayRunCode(in_.opcode())
                                   ? " could run code and is refused"
                                   : " is none of the data opcodes read here"));
  }
  if (stack_.size() != 1 || !marks_.empty()) in_.FailHere("STOP with more or less than one value");
  if (in_.left() > 0) in_.FailHere(fmt::format("{} bytes follow the STOP", in_.left()));
  return *stack_.front();
}

void PickleReader::Charge(uint64_t bytes) {
  if (bytes > kMaxMemory - memory_) {
    in_.FailHere(fmt::format("its values need more than {} MiB", kMaxMemory >> 20));
  }
  memory_ += bytes;
}

// --- the stack

void PickleReader::Push(PickleValue value) {
  Charge(kValueCost + value.text.size() + value.items.size() * kItemCost);
  values_.push_back(std::move(value));
  stack_.push_back(&values_.back());
}

const PickleValue* PickleReader::Pop() {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) {
    in_.FailHere(fmt::format("{} finds no value", in_.name()));
  }
  const PickleValue* value = stack_.back();
  stack_.pop_back();
  return value;
}

PickleValue& PickleReader::Top(Type type) {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()) || stack_.back()->type != type) {
    in_.FailHere(fmt::format("{} finds no {}", in_.name(), type == Type::kDict ? "dict" : "list"));
  }
  return *stack_.back();
}

// Returns the number of values above it.
size_t PickleReader::PopMark() {
  if (marks_.empty()) in_.FailHere(fmt::format("{} finds no MARK", in_.name()));
  const size_t size = stack_.size() - marks_.back();
  marks_.pop_back();
  return size;
}

// --- strings and bytes

bool PickleReader::RunBytes(Opcode op) {
  switch (op) {
    case Opcode::kShortBinUnicode:
      PushText(in_.Take<uint8_t>());
      return true;
    case Opcode::kBinUnicode:
      PushText(in_.Take<Le<uint32_t>>());
      return true;
    case Opcode::kBinUnicode8:
      PushText(in_.Take<Le<uint64_t>>());
      return true;
    case Opcode::kShortBinBytes:
      PushBytes(in_.Take<uint8_t>());
      return true;
    case Opcode::kBinBytes:
      PushBytes(in_.Take<Le<uint32_t>>());
      return true;
    case Opcode::kBinBytes8:
    case Opcode::kByteArray8:
      PushBytes(in_.Take<Le<uint64_t>>());
      return true;
    case Opcode::kUnicode: {
      std::optional<std::string> text = DecodeRawUnicodeEscape(in_.TakeLine());
      if (!text) in_.FailHere("UNICODE with a bad escape");
      Push({.type = Type::kText, .text = std::move(*text)});
      return true;
    }
    default:
      return false;
  }
}

void PickleReader::PushText(uint64_t size) {
  in_.Need(size);
  Charge(size);  // before it is taken into memory
  memory_ -= size;
  Push({.type = Type::kText, .text = in_.TakeText(size)});
}

void PickleReader::PushBytes(uint64_t size) {
  in_.Need(size);
  Push({.type = Type::kBytes, .offset = in_.position(), .size = size});
  in_.Skip(size);
}

// --- containers

bool PickleReader::RunContainer(Opcode op) {
  switch (op) {
    case Opcode::kMark:
      Charge(sizeof(size_t));
      marks_.push_back(stack_.size());
      return true;
    case Opcode::kEmptyDict:
      Push({.type = Type::kDict});
      return true;
    case Opcode::kEmptyList:
      Push({.type = Type::kList});
      return true;
    case Opcode::kDict:
    case Opcode::kList: {
      const size_t size = PopMark();
      const Type type = op == Opcode::kDict ? Type::kDict : Type::kList;
      PushTuple(size);
      stack_.back()->type = type;
      if (type == Type::kDict && size % 2 != 0) in_.FailHere("DICT with a key without a value");
      return true;
    }
    case Opcode::kEmptyTuple:
    case Opcode::kTuple1:
    case Opcode::kTuple2:
    case Opcode::kTuple3:
      PushTuple(op == Opcode::kEmptyTuple ? 0 : in_.opcode() - size_t{0x84});
      return true;
    case Opcode::kTuple:
      PushTuple(PopMark());
      return true;
    case Opcode::kAppend:
      AddItems(Type::kList, 1);
      return true;
    case Opcode::kAppends:
      AddItems(Type::kList, PopMark());
      return true;
    case Opcode::kSetItem:
      AddItems(Type::kDict, 2);
      return true;
    case Opcode::kSetItems:
      AddItems(Type::kDict, PopMark());
      return true;
    default:
      return false;
  }
}

void PickleReader::PushTuple(size_t size) {
  PickleValue tuple{.type = Type::kList};
  for (size_t i = 0; i < size; ++i) tuple.items.push_back(Pop());
  std::reverse(tuple.items.begin(), tuple.items.end());
  Push(std::move(tuple));
}

void PickleReader::AddItems(Type type, size_t size) {
  if (type == Type::kDict && size % 2 != 0) in_.FailHere("SETITEMS with a key without a value");
  std::vector<const PickleValue*> items(size);
  for (size_t i = size; i > 0; --i) items[i - 1] = Pop();
  Charge(size * kItemCost);
  PickleValue& container = Top(type);
  container.items.insert(container.items.end(), items.begin(), items.end());
}

// --- the memo

bool PickleReader::RunMemo(Opcode op) {
  const auto line_index = [this] {
    const std::string line = in_.TakeLine();
    uint64_t index = 0;
    const char* end = line.data() + line.size();
    if (line.empty() || std::from_chars(line.data(), end, index).ptr != end) {
      in_.FailHere(fmt::format("{} with a bad number", in_.name()));
    }
    return index;
  };
  switch (op) {
    case Opcode::kMemoize:
      Remember(memo_.size());
      return true;
    case Opcode::kBinPut:
      Remember(in_.Take<uint8_t>());
      return true;
    case Opcode::kLongBinPut:
      Remember(in_.Take<Le<uint32_t>>());
      return true;
    case Opcode::kPut:
      Remember(line_index());
      return true;
    case Opcode::kBinGet:
      Recall(in_.Take<uint8_t>());
      return true;
    case Opcode::kLongBinGet:
      Recall(in_.Take<Le<uint32_t>>());
      return true;
    case Opcode::kGet:
      Recall(line_index());
      return true;
    default:
      return false;
  }
}

void PickleReader::Remember(uint64_t index) {
  if (stack_.empty()) in_.FailHere(fmt::format("{} finds no value", in_.name()));
  Charge(kMemoCost);
  memo_[index] = stack_.back();
}

void PickleReader::Recall(uint64_t index) {
  const auto at = memo_.find(index);
  if (at == memo_.end()) {
    in_.FailHere(fmt::format("{} of {}, which was never put", in_.name(), index));
  }
  Charge(kItemCost);
  stack_.push_back(at->second);
}

// --- calls and frames

bool PickleReader::RunFraming(Opcode op) {
  if (op == Opcode::kProto) {
    const unsigned protocol = in_.Take<uint8_t>();
    if (protocol > kMaxProtocol) in_.FailHere(fmt::format("protocol {} is not known", protocol));
    return true;
  }
  if (op == Opcode::kFrame) {
    in_.Need(in_.Take<Le<uint64_t>>());
    return true;
  }
  return false;
}

bool PickleReader::RunCall(Opcode op) {
  if (op == Opcode::kGlobal) {
    std::string name = in_.TakeLine();
    name += '.';
    name += in_.TakeLine();
    PushCallable(std::move(name));
    return true;
  }
  if (op == Opcode::kStackGlobal) {
    const PickleValue* name = Pop();
    const PickleValue* module = Pop();
    PushCallable(module->text + "." + name->text);
    return true;
  }
  if (op != Opcode::kReduce) return false;
  Call();
  return true;
}

void PickleReader::PushCallable(std::string name) {
  if (name != kEncode && name != kOrderedDict && name != kBytes2 && name != kBytes3) {
    in_.FailHere(fmt::format("{} of {} could run code and is refused", in_.name(), name));
  }
  Push({.type = Type::kCallable, .text = std::move(name)});
}

// What Python would make of the few calls that are known, without calling anything.
void PickleReader::Call() {
  const PickleValue* arguments = Pop();
  const PickleValue* callable = Pop();
  const bool known = callable->type == Type::kCallable && arguments->type == Type::kList;
  const size_t count = arguments->items.size();
  if (known && count == 0 && callable->text == kOrderedDict) {
    Push({.type = Type::kDict});
  } else if (known && count == 0 && callable->text != kEncode) {
    Push({.type = Type::kBytes});
  } else if (known && count == 2 && callable->text == kEncode &&
             arguments->items[1]->text == "latin1") {
    const std::optional<std::string> bytes = EncodeLatin1(arguments->items[0]->text);
    if (!bytes) in_.FailHere("_codecs.encode of a text that is not Latin-1");
    Push({.type = Type::kBytes,
          .spooled = true,
          .offset = spool_->Append(AsBytes(*bytes)),
          .size = bytes->size()});
  } else {
    in_.FailHere("REDUCE could run code and is refused");
  }
}

}  // namespace ulhff
