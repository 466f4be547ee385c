// The members of a tar archive, plain or compressed, in order.
#ifndef ULHFF_CONVERTER_TAR_FILE_H_
#define ULHFF_CONVERTER_TAR_FILE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "converter/archive_input.h"
#include "converter/file_window.h"
#include "converter/record.h"
#include "converter/source.h"

struct archive_entry;

namespace ulhff {

// Where the archive itself stands: in its file, or decompressed in the spool.
struct TarBytes {
  std::string path = {};
  uint64_t offset = 0;
  uint64_t size = 0;
  bool decompressed = false;
  bool is_part = false;     // no more was decompressed than is wanted
  std::string damage = {};  // of the compressed data
};
TarBytes OpenTarBytes(const RecordContext& context);

struct TarMember {
  enum class Kind : uint8_t { kFile, kHardLink, kSymlink, kDirectory, kSpecial };
  Kind kind = Kind::kFile;
  std::string name = {};    // as stored
  std::string target = {};  // of a link
  uint64_t number = 0;      // in the archive, from 0
  uint64_t offset = 0;      // of its header in the archive
  int64_t mtime_ns = 0;
};

// Bytes of members stay where they are; only sparse ones are expanded into the spool. Throws what
// Damage throws, and std::system_error.
class TarFile {
 public:
  // All must outlive it.
  TarFile(const TarBytes& bytes, const RecordContext& context);
  TarFile(const TarFile&) = delete;
  TarFile& operator=(const TarFile&) = delete;

  // nullptr at the end. Valid until the next call.
  const TarMember* Next();
  // Where the data of the last member, a file, stand. nullopt: it is damaged, which was told, and
  // the last that can be read.
  std::optional<Locator> Data();

 private:
  // False at the end, or if there is no more to be had, and that was told.
  bool ReadHeader();
  int Open();
  void TakeHeader();
  bool IsSparse() const;
  bool IsCut();
  std::optional<Locator> Expand();
  bool IsZero(uint64_t from);
  // Tells it. Always false.
  bool Fail(uint64_t offset, const std::string& what);
  std::string LastError() const;

  const TarBytes& bytes_;
  const RecordContext& context_;
  FileWindow window_;
  ArchiveInput input_;
  ArchivePtr reader_;
  archive_entry* entry_ = nullptr;  // belongs to reader_
  TarMember member_;
  uint64_t members_ = 0;
  // Of the last member, from the archive's first byte; the header is that of the next while it is
  // read.
  uint64_t header_ = 0;
  uint64_t data_ = 0;
  bool ended_ = false;
};

// The first bytes of a file, decompressed if it is compressed, are a header of a tar.
bool LooksLikeTar(const std::string& path);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TAR_FILE_H_
