// The bytes of one pickle, taken from the front; every failure names the opcode that needed more.
#ifndef ULHFF_CONVERTER_PICKLE_INPUT_H_
#define ULHFF_CONVERTER_PICKLE_INPUT_H_

#include <cstdint>
#include <functional>
#include <string>

#include "converter/file_window.h"
#include "converter/pickle_opcodes.h"

namespace ulhff {

class PickleInput {
 public:
  // Told the offset in the file and what is wrong there; must throw.
  using Fail = std::function<void(uint64_t offset, const std::string& what)>;

  PickleInput(FileWindow& file, Fail fail) : file_(&file), fail_(std::move(fail)) {}

  void Begin(uint64_t offset, uint64_t size);
  uint64_t position() const { return pos_; }
  uint64_t left() const { return end_ - pos_; }

  Opcode TakeOpcode();
  // Of the opcode that was taken last.
  uint8_t opcode() const { return op_; }
  std::string name() const { return OpcodeName(op_); }
  // "pickle: " and `what`, at the last opcode.
  [[noreturn]] void FailHere(const std::string& what) const;

  void Need(uint64_t bytes) const;
  // A number, or a Le of one.
  template <typename T>
  T Take() {
    Need(sizeof(T));
    const T value = file_->Load<T>(pos_);
    pos_ += sizeof(T);
    return value;
  }
  std::string TakeText(uint64_t size);
  // Without the end of the line.
  std::string TakeLine();
  void Skip(uint64_t bytes);

 private:
  FileWindow* file_;
  Fail fail_;
  uint8_t op_ = 0;
  uint64_t op_offset_ = 0;
  uint64_t pos_ = 0;
  uint64_t end_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_PICKLE_INPUT_H_
