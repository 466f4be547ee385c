// A ULHFF file that is read as a source: every byte is checked against its sums.
#ifndef ULHFF_CONVERTER_ULHFF_FILE_H_
#define ULHFF_CONVERTER_ULHFF_FILE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "converter/source.h"
#include "ulhff/error.h"
#include "ulhff/reader.h"

namespace ulhff {

// Thread-safe. Damage is an InputError that names the file, the path in it and the offset; other
// failures are std::system_error. `part` is one of this file.
class UlhffFile {
 public:
  UlhffFile(const std::string& path, uint64_t index_cache_bytes);

  const Reader& reader() const { return reader_; }
  const std::string& path() const { return reader_.info().path; }

  // Precondition: the range lies within the part.
  void Read(const UlhffPart& part, uint64_t position, std::span<std::byte> out) const;
  uint64_t Size(const UlhffPart& part) const;
  std::string_view Extension(const UlhffPart& part) const;  // of a media
  // XXH3-64 of the stored sums of a part, which are not checked.
  uint64_t SumOfSums(const UlhffPart& part) const;

 private:
  template <typename Fn>
  auto Guard(const UlhffPart& part, Fn fn) const;
  ObjectLayout LayoutOf(const UlhffPart& part) const;

  Reader reader_;
};

// By its first bytes; false as well if it cannot be opened.
bool IsUlhffFile(const std::string& path);

// False: the parts have different bytes. True: they may have the same.
bool SameSums(const UlhffPart& a, const UlhffPart& b);

// As "FILE: byte OFFSET: what", with `inside` in the middle if it is not empty.
[[noreturn]] void ThrowDamaged(const std::string& path, std::string_view inside,
                               const FormatError& error);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_ULHFF_FILE_H_
