// What a record is shows in its first bytes: nothing in the file says it.
#include "converter/ffrecord_reader.h"

#include <fmt/format.h>

#include "converter/ffrecord_file.h"
#include "converter/pickle.h"

namespace ulhff {
namespace {

using namespace std::string_view_literals;

// More than any record has; equal keys are found by comparing each with all others.
constexpr size_t kMaxKeys = 1024;

// Protocols 2 to 5 begin with PROTO; dicts of protocol 0 and 1 with the opcodes that make an empty
// one, and end with STOP.
bool IsPickle(FileWindow& file, const FfrecordFile::Slot& slot) {
  if (slot.size < 3) return false;
  const std::string head(AsText(file.Read(slot.offset, 3)));
  if (head[0] == '\x80') return head[1] >= 2 && head[1] <= 5;
  if (!head.starts_with("(dp"sv) && !head.starts_with("}q"sv)) return false;
  return file.Load<uint8_t>(slot.offset + slot.size - 1) == '.';
}

RecordValue ToValue(const PickleValue& value) {
  using Kind = RecordValue::Kind;
  switch (value.type) {
    case PickleValue::Type::kNone:
      return {};
    case PickleValue::Type::kNan:
      return {.kind = Kind::kNan};
    case PickleValue::Type::kNumber:
      return {.kind = Kind::kToken, .text = value.text};
    case PickleValue::Type::kText:
      return {.kind = Kind::kText, .text = value.text};
    case PickleValue::Type::kBytes:
      return {.kind = Kind::kBytes,
              .place = value.spooled ? RecordValue::Place::kSpool : RecordValue::Place::kShard,
              .offset = value.offset,
              .size = value.size};
    case PickleValue::Type::kList:
      return {.kind = Kind::kOther, .text = "a list"};
    case PickleValue::Type::kDict:
      return {.kind = Kind::kOther, .text = "a dict"};
    case PickleValue::Type::kCallable:
    case PickleValue::Type::kOther:
      break;
  }
  return {.kind = Kind::kOther, .text = value.text};
}

RecordColumn ToColumn(const std::string& name, const PickleValue& value) {
  RecordColumn column{.name = name, .is_list = value.type == PickleValue::Type::kList};
  if (!column.is_list) {
    column.values.push_back(ToValue(value));
    return column;
  }
  for (const PickleValue* item : value.items) column.values.push_back(ToValue(*item));
  return column;
}

class FfrecordReader : public RecordReader {
 public:
  explicit FfrecordReader(const RecordContext& context)
      : damage_(context.damage),
        file_(damage_),
        pickle_(file_.data(), context.spool,
                [this](uint64_t offset, const std::string& what) { Refuse(offset, what); }) {
    if (context.note && file_.count() > 0 && file_.unchecked()) {
      context.note(Odd::kNoChecksum, "old FFRecord version: nothing proves its index right");
    }
  }

  const Record* Next() override {
    while (next_ < file_.count()) {
      record_.number = next_++;
      const FfrecordFile::Slot slot = file_.At(record_.number);
      record_.offset = slot.offset;
      record_.columns.clear();
      if (!file_.IsIntact(slot)) {
        damage_.Tell(slot.offset, fmt::format("record {} has not the CRC-32 {:08x} that the index "
                                              "says: damaged, cut, or bytes were added to the file",
                                              record_.number, slot.crc));
        continue;
      }
      Fill(slot);
      return &record_;
    }
    return nullptr;
  }

  FileWindow& file() override { return file_.data(); }

 private:
  [[noreturn]] void Refuse(uint64_t offset, const std::string& what) const {
    damage_.Refuse(offset, fmt::format("record {}: {}", record_.number, what));
  }

  void Fill(const FfrecordFile::Slot& slot) {
    if (IsPickle(file_.data(), slot)) {
      FillFromPickle(pickle_.Read(slot.offset, slot.size));
      return;
    }
    const auto magic = FfrecordFile::kPackedFolder;
    if (slot.size > magic.size() && AsText(file_.data().Read(slot.offset, magic.size())) == magic) {
      Refuse(slot.offset, "the table of a packed folder; convert the file on its own");
    }
    record_.columns.push_back({.is_media = true});
    record_.columns[0].values.push_back({.kind = RecordValue::Kind::kBytes,
                                         .place = RecordValue::Place::kShard,
                                         .offset = slot.offset,
                                         .size = slot.size});
  }

  void FillFromPickle(const PickleValue& value) {
    if (value.type != PickleValue::Type::kDict) {
      Refuse(record_.offset,
             "a pickle that is no dict like {'image': bytes, 'caption': str}; pickled tuples and "
             "pictures need a script that writes them as a tar, see `ulhff convert -`");
    }
    if (value.items.size() > 2 * kMaxKeys) {
      Refuse(record_.offset, fmt::format("a pickled dict of {} keys", value.items.size() / 2));
    }
    for (size_t i = 0; i < value.items.size(); i += 2) {
      const PickleValue& key = *value.items[i];
      // Of equal keys the last one counts, as in Python.
      if (key.type != PickleValue::Type::kText || value.Find(key.text) != value.items[i + 1]) {
        continue;
      }
      record_.columns.push_back(ToColumn(key.text, *value.items[i + 1]));
    }
  }

  const Damage& damage_;
  FfrecordFile file_;
  PickleReader pickle_;
  uint64_t next_ = 0;
  Record record_;
};

}  // namespace

std::unique_ptr<RecordReader> ReadFfrecord(const RecordContext& context) {
  return std::make_unique<FfrecordReader>(context);
}

}  // namespace ulhff
