// The index of one FFRecord file (.ffr): where its records stand and what their sums are.
#ifndef ULHFF_CONVERTER_FFRECORD_FILE_H_
#define ULHFF_CONVERTER_FFRECORD_FILE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "converter/file_window.h"
#include "converter/record.h"

namespace ulhff {

// Little-endian: u32 CRC-32 of all that follows up to the records, i64 N, u32 CRC-32 of each
// record, i64 offset of each record, the records. The last one ends where the file ends.
class FfrecordFile {
 public:
  // Begins the last record of a packed folder; its table of names follows.
  static constexpr std::string_view kPackedFolder = "piouhjgbr";

  // Tells `damage` of an index that cannot be trusted, and has no records then.
  explicit FfrecordFile(const Damage& damage);

  struct Slot {
    uint64_t offset = 0;
    uint64_t size = 0;
    uint32_t crc = 0;
  };

  // Of those that lie within the file.
  uint64_t count() const { return count_; }
  // Written by an early version, without the index's sum. Nothing says that it is right.
  bool unchecked() const { return crc_ == 0; }
  // Precondition: i < count(). Lies within the file.
  Slot At(uint64_t i);
  // Whether the record's bytes have their sum. An unchecked file may have no sums of records
  // either.
  bool IsIntact(const Slot& slot);
  FileWindow& data() { return data_; }

 private:
  static constexpr uint64_t kHeader = 12;

  bool CheckIndex(const Damage& damage);
  void CountWhole(const Damage& damage);
  uint64_t OffsetAt(uint64_t i) const {
    return kHeader + total_ * sizeof(uint32_t) + i * sizeof(uint64_t);
  }

  FileWindow data_;
  FileWindow crcs_;
  FileWindow offsets_;
  uint32_t crc_ = 0;
  uint64_t total_ = 0;  // as the header says
  uint64_t count_ = 0;
};

// The number of records, if the first bytes can be those of an FFRecord file: the format has no
// magic, but its first record stands right behind an index of known size.
std::optional<uint64_t> LooksLikeFfrecord(FileWindow& file);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_FFRECORD_FILE_H_
