// A ULHFF file in memory, to be damaged on purpose, with or without putting its sums right again.
#ifndef ULHFF_TESTS_FILE_IMAGE_H_
#define ULHFF_TESTS_FILE_IMAGE_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "ulhff/bytes.h"
#include "ulhff/format.h"

namespace ulhff {

class FileImage {
 public:
  explicit FileImage(const std::string& path);

  std::string& bytes() { return bytes_; }
  void Write(const std::string& path) const;

  Superblock superblock() const;
  // Stores it in slot 0 with a right checksum.
  void SetSuperblock(Superblock superblock);
  template <typename Edit>
  void EditSuperblock(const Edit& edit) {
    Superblock edited = superblock();
    edit(edited);
    SetSuperblock(edited);
  }
  // The table entry of a section, to be edited within EditSuperblock.
  static SectionEntry& Section(Superblock& superblock, SectionType type);

  std::span<std::byte> Block(uint64_t block);  // of the index, sum blocks included
  // Block `block` of a section.
  std::span<std::byte> Block(SectionType type, uint64_t block = 0);
  // Replaces a packed section's values in its first block; they must fit 64 bits each.
  void SetValues(SectionType type, std::span<const uint64_t> values);
  // Computes all sum blocks, root_sum and the checksum anew.
  void Reseal();

 private:
  std::string bytes_;
};

}  // namespace ulhff

#endif  // ULHFF_TESTS_FILE_IMAGE_H_
