// Callbacks: no exception may pass through libarchive, which is C.
#include "converter/archive_input.h"

#include <archive.h>

#include <algorithm>
#include <cerrno>
#include <new>

namespace ulhff {

void FreeArchive::operator()(archive* reader) const { archive_read_free(reader); }

ArchivePtr NewArchive() {
  ArchivePtr reader(archive_read_new());
  if (!reader) throw std::bad_alloc();
  return reader;
}

int ArchiveInput::Open(archive* reader) {
  archive_read_set_callback_data(reader, this);
  archive_read_set_read_callback(
      reader, [](archive* self, void* data, const void** buffer) -> la_ssize_t {
        auto& in = *static_cast<ArchiveInput*>(data);
        try {
          const uint64_t size = std::min(in.end_ - in.position_, kPiece);
          *buffer = in.file_->Read(in.position_, static_cast<size_t>(size)).data();
          in.position_ += size;
          return static_cast<la_ssize_t>(size);
        } catch (const std::exception& e) {
          in.error_ = std::current_exception();
          archive_set_error(self, EIO, "%s", e.what());
          return ARCHIVE_FATAL;
        }
      });
  archive_read_set_skip_callback(reader, [](archive*, void* data, la_int64_t wanted) -> la_int64_t {
    auto& in = *static_cast<ArchiveInput*>(data);
    const uint64_t size = std::min(in.end_ - in.position_, static_cast<uint64_t>(wanted));
    in.position_ += size;
    return static_cast<la_int64_t>(size);
  });
  return archive_read_open1(reader);
}

}  // namespace ulhff
