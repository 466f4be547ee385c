// Every read must deliver what was asked for: a short one means that the file has changed.
#include "converter/source_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "converter/ulhff_file.h"
#include "ulhff/error.h"

namespace ulhff {

namespace {

constexpr size_t kSample = 4096;
constexpr size_t kHashChunk = size_t{1} << 20;

UniqueFd OpenSource(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) ThrowErrno(path);
  return fd;
}

struct stat StatOpen(const UniqueFd& fd, const std::string& path) {
  struct stat st {};
  if (::fstat(fd.get(), &st) != 0) ThrowErrno(path);
  return st;
}

FileStamp StampOf(const struct stat& st) {
  constexpr int64_t kSecond = 1'000'000'000;
  return {.mtime_ns = int64_t{st.st_mtim.tv_sec} * kSecond + st.st_mtim.tv_nsec,
          .ctime_ns = int64_t{st.st_ctim.tv_sec} * kSecond + st.st_ctim.tv_nsec};
}

[[noreturn]] void ThrowWritten(const std::string& path) {
  throw std::runtime_error(
      fmt::format("{}: changed during the conversion (its times are others); run it again when "
                  "nothing writes to the source",
                  path));
}

[[noreturn]] void ThrowChanged(const std::string& path, uint64_t expected, uint64_t found) {
  throw std::runtime_error(
      fmt::format("{}: changed during the conversion (was {} bytes, is {}); run it again when "
                  "nothing writes to the source",
                  path, expected, found));
}

}  // namespace

SourceFile::SourceFile(const FileRecord& record)
    : path_(record.path),
      offset_(record.offset),
      size_(record.size),
      to_end_(record.to_end),
      stamp_(record.stamp),
      part_(record.part) {
  if (part_.file != nullptr) return;
  fd_ = OpenSource(path_);
  CheckUnchanged();
}

void SourceFile::CheckUnchanged() const {
  const struct stat st = StatOpen(fd_, path_);
  const auto now = static_cast<uint64_t>(st.st_size);
  const uint64_t end = offset_ + size_;  // both were checked against the file by the scan
  if (now < end || (to_end_ && now != end)) ThrowChanged(path_, end, now);
  if (stamp_.ctime_ns != 0 && StampOf(st) != stamp_) ThrowWritten(path_);
}

void SourceFile::Read(uint64_t position, std::span<std::byte> out) const {
  if (part_.file != nullptr) return part_.file->Read(part_, position, out);
  const size_t got = PreadFull(fd_.get(), out, offset_ + position, path_);
  if (got < out.size()) ThrowChanged(path_, offset_ + size_, offset_ + position + got);
  if (position + out.size() == size_) CheckUnchanged();
}

void SourceFile::WillRead(uint64_t position, uint64_t size) const {
  if (position >= size_ || part_.file != nullptr) return;
  ::posix_fadvise(fd_.get(), static_cast<off_t>(offset_ + position),
                  static_cast<off_t>(std::min(size, size_ - position)), POSIX_FADV_WILLNEED);
}

Buffer ReadWhole(const FileRecord& record) {
  const SourceFile file(record);
  Buffer buffer(record.size);
  file.Read(0, buffer.span());
  return buffer;
}

uint64_t SampleHash(const FileRecord& record) {
  if (record.size == 0) return 0;
  if (record.size <= 3 * kSample) return Checksum64(ReadWhole(record).bytes());
  // A sample need not be checked: who merges reads all.
  FileRecord unchecked = record;
  unchecked.part = {};
  const SourceFile file(unchecked);
  Buffer buffer(3 * kSample);
  const auto part = [&buffer](size_t n) { return buffer.span().subspan(n * kSample, kSample); };
  file.Read(0, part(0));
  file.Read((record.size - kSample) / 2, part(1));
  file.Read(record.size - kSample, part(2));
  return Checksum64(buffer.bytes());
}

Digest128 FullHash(const FileRecord& record) {
  const SourceFile file(record);
  Buffer buffer(std::min<uint64_t>(kHashChunk, record.size));
  StreamChecksum hash;
  for (uint64_t position = 0; position < record.size;) {
    const auto chunk = buffer.span().first(std::min<uint64_t>(buffer.size, record.size - position));
    file.WillRead(position, 2 * kHashChunk);
    file.Read(position, chunk);
    hash.Update(chunk);
    position += chunk.size();
  }
  return hash.Digest();
}

bool SameBytes(const Locator& a, const Locator& b) {
  if (!SameSums(a.part, b.part)) return false;
  Buffer bytes(kHashChunk);
  Buffer others(kHashChunk);
  const uint64_t size = a.size.value();
  for (uint64_t position = 0; position < size; position += kHashChunk) {
    const uint64_t part = std::min<uint64_t>(kHashChunk, size - position);
    a.part.file->Read(a.part, position, bytes.span().first(part));
    b.part.file->Read(b.part, position, others.span().first(part));
    if (std::memcmp(bytes.data.get(), others.data.get(), part) != 0) return false;
  }
  return true;
}

namespace {

std::optional<TextBytes> ReadPart(const Locator& text, uint64_t limit) {
  const uint64_t size = text.size.value();
  if (size > limit) return std::nullopt;
  TextBytes result{.bytes = std::string(size, '\0'), .mtime_ns = text.mtime_ns.value()};
  text.part.file->Read(text.part, 0, std::as_writable_bytes(std::span(result.bytes)));
  return result;
}

}  // namespace

std::optional<TextBytes> ReadText(const StoredText& text, uint64_t limit) {
  if (text.file.part.file != nullptr) return ReadPart(text.file, limit);
  const std::string& path = text.file.path;
  const UniqueFd fd = OpenSource(path);
  const struct stat st = StatOpen(fd, path);
  const auto end = static_cast<uint64_t>(st.st_size);
  const uint64_t offset = std::min(text.file.offset, end);
  const uint64_t size = text.file.size.value_or(end - offset);
  if (size > end - offset) ThrowChanged(path, offset + size, end);
  if (size > limit) return std::nullopt;
  TextBytes result;
  result.mtime_ns = text.file.mtime_ns.value_or(StampOf(st).mtime_ns);
  result.bytes.resize(size);
  const auto out = std::as_writable_bytes(std::span(result.bytes.data(), size));
  const size_t got = PreadFull(fd.get(), out, offset, path);
  if (got < size) ThrowChanged(path, offset + size, offset + got);
  const struct stat after = StatOpen(fd, path);
  if (after.st_size != st.st_size || StampOf(after) != StampOf(st)) ThrowWritten(path);
  return result;
}

}  // namespace ulhff
