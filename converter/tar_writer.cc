// libarchive formats the headers and calls back with blocks; no exception may pass through it.
#include "converter/tar_writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <cerrno>
#include <new>
#include <stdexcept>

namespace ulhff {

namespace {

constexpr uint64_t kTarBlock = 512;
constexpr int kBytesPerWrite = 64 << 10;  // up to 256 archives are open at a time
constexpr int kRecordSize = 10240;        // the length of an archive is a multiple, as tar has it
constexpr int64_t kNsPerSecond = 1'000'000'000;

struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

}  // namespace

void TarWriter::Free::operator()(archive* writer) const {
  archive_write_fail(writer);  // what was not closed is not written either
  archive_write_free(writer);
}

TarWriter::TarWriter(const TargetDirectory& directory, bool ascii)
    : file_(directory), archive_(archive_write_new()) {
  if (!archive_) throw std::bad_alloc();
  Check(archive_write_set_format_pax_restricted(archive_.get()));
  // Else the locale would decide what the headers of other names hold. Not for all: GNU tar remarks
  // on it.
  if (!ascii) Check(archive_write_set_options(archive_.get(), "hdrcharset=BINARY"));
  Check(archive_write_set_bytes_per_block(archive_.get(), kBytesPerWrite));
  Check(archive_write_set_bytes_in_last_block(archive_.get(), kRecordSize));
  const auto write = [](archive* self, void* data, const void* bytes, size_t size) -> la_ssize_t {
    auto& writer = *static_cast<TarWriter*>(data);
    try {
      writer.file_.Write(ByteSpan(static_cast<const std::byte*>(bytes), size));
      writer.size_ += size;
      return static_cast<la_ssize_t>(size);
    } catch (...) {
      writer.error_ = std::current_exception();
      archive_set_error(self, EIO, "cannot write");
      return -1;
    }
  };
  Check(archive_write_open(archive_.get(), this, nullptr, write, nullptr));
}

TarWriter::~TarWriter() = default;

void TarWriter::Begin(const std::string& name, uint64_t size, int64_t mtime_ns) {
  const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
  if (!entry) throw std::bad_alloc();
  archive_entry_copy_pathname(entry.get(), name.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(size));
  const int64_t below = mtime_ns % kNsPerSecond < 0 ? 1 : 0;
  archive_entry_set_mtime(entry.get(), static_cast<time_t>(mtime_ns / kNsPerSecond - below), 0);
  Check(archive_write_header(archive_.get(), entry.get()));
}

void TarWriter::Write(ByteSpan bytes) {
  while (!bytes.empty()) {
    const la_ssize_t written = archive_write_data(archive_.get(), bytes.data(), bytes.size());
    if (written <= 0) Check(ARCHIVE_FATAL);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

void TarWriter::Publish(std::string_view name, bool replace) {
  Check(archive_write_close(archive_.get()));
  file_.Publish(name, replace);
}

uint64_t TarWriter::SizeOfMember(uint64_t size) {
  return kTarBlock + (size + kTarBlock - 1) / kTarBlock * kTarBlock;
}

void TarWriter::Check(int result) {
  if (error_) std::rethrow_exception(error_);
  if (result != ARCHIVE_OK)
    throw std::runtime_error(fmt::format("tar: {}", archive_error_string(archive_.get())));
}

}  // namespace ulhff
