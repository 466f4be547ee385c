// Writes one tar archive that appears under its name whole or not at all.
#ifndef ULHFF_CONVERTER_TAR_WRITER_H_
#define ULHFF_CONVERTER_TAR_WRITER_H_

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "converter/target_directory.h"
#include "ulhff/bytes.h"

struct archive;

namespace ulhff {

// ustar, with pax headers where ustar cannot say it (8 GiB and more, times before 1970). The bytes
// depend on the members only: owner 0, mode 0644, whole seconds. Errors are std::system_error for
// the file, std::runtime_error for what libarchive says.
class TarWriter {
 public:
  // `directory` must outlive it. `ascii`: all names are; else pax headers say that they are bytes.
  TarWriter(const TargetDirectory& directory, bool ascii);
  ~TarWriter();
  TarWriter(const TarWriter&) = delete;
  TarWriter& operator=(const TarWriter&) = delete;

  // Begins a member, whose `size` bytes Write then takes.
  void Begin(const std::string& name, uint64_t size, int64_t mtime_ns);
  void Write(ByteSpan bytes);
  // See TargetFile::Publish. Nothing but the destructor may follow.
  void Publish(std::string_view name, bool replace);

  uint64_t size() const { return size_; }  // of the file, as far as it is written
  // What a member of this size takes, pax headers left out.
  static uint64_t SizeOfMember(uint64_t size);

 private:
  void Check(int result);

  TargetFile file_;
  struct Free {
    void operator()(archive* writer) const;
  };
  std::unique_ptr<archive, Free> archive_;
  std::exception_ptr error_;  // of writing the file, thrown once libarchive has returned
  uint64_t size_ = 0;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_TAR_WRITER_H_
