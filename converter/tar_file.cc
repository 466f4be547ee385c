// libarchive knows the dialects of headers (ustar, GNU, pax, sparse); data are left where they are.
#include "converter/tar_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "converter/interrupt.h"
#include "converter/printable.h"
#include "converter/tar_decompress.h"

namespace ulhff {
namespace {

using Kind = TarMember::Kind;

// Headers and small members in one read; of large members no more than needed.
constexpr size_t kWindow = size_t{16} << 10;
constexpr size_t kBlock = 512;

std::string OrEmpty(const char* bytes) { return bytes != nullptr ? bytes : ""; }

Kind KindOf(archive_entry* entry) {
  // A hard link may bring the data along; then it is a file like any other.
  if (archive_entry_hardlink(entry) != nullptr) {
    return archive_entry_size(entry) > 0 ? Kind::kFile : Kind::kHardLink;
  }
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
      return Kind::kFile;
    case AE_IFLNK:
      return Kind::kSymlink;
    case AE_IFDIR:
      return Kind::kDirectory;
    default:
      return Kind::kSpecial;
  }
}

int64_t TimeOf(archive_entry* entry) {
  constexpr int64_t kSecond = 1'000'000'000;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / kSecond - 1;
  return std::clamp<int64_t>(archive_entry_mtime(entry), -kMost, kMost) * kSecond +
         archive_entry_mtime_nsec(entry);
}

uint64_t Position(archive* reader) {
  return static_cast<uint64_t>(archive_filter_bytes(reader, 0));
}

}  // namespace

TarBytes OpenTarBytes(const RecordContext& context) {
  const Shard& shard = context.damage.shard();
  FileWindow file(shard.path, kWindow);
  std::optional<Decompressed> all = DecompressTar(file, context);
  if (!all) return {.path = shard.path, .size = file.size()};
  if (all->size > 0) context.spool.SetTime(shard.mtime_ns);
  return {.path = all->size > 0 ? context.spool.path() : shard.path,
          .offset = all->offset,
          .size = all->size,
          .decompressed = true,
          .is_part = all->size >= context.max_spooled,
          .damage = std::move(all->damage)};
}

TarFile::TarFile(const TarBytes& bytes, const RecordContext& context)
    : bytes_(bytes),
      context_(context),
      window_(bytes.path, kWindow),
      input_(window_, bytes.offset, bytes.size) {}

const TarMember* TarFile::Next() {
  CheckInterrupt();
  if (ended_ || !ReadHeader()) return nullptr;
  TakeHeader();
  return IsCut() ? nullptr : &member_;
}

bool TarFile::ReadHeader() {
  if (bytes_.size == 0) return Fail(0, "empty, where a tar should be");
  int code = reader_ ? archive_read_data_skip(reader_.get()) : Open();
  if (code == ARCHIVE_OK) {
    header_ = Position(reader_.get());
    code = archive_read_next_header(reader_.get(), &entry_);
  }
  input_.Rethrow();
  if (code == ARCHIVE_OK || code == ARCHIVE_WARN) return true;
  // How many zeros end it does not matter, and may be no multiple of a block.
  if (header_ < bytes_.size && IsZero(header_)) {
    ended_ = true;
    return bytes_.damage.empty() ? false : Fail(bytes_.size, "");
  }
  return Fail(header_, code == ARCHIVE_EOF ? "cut short: no zeros end it" : LastError());
}

int TarFile::Open() {
  reader_ = NewArchive();
  archive_read_support_format_tar(reader_.get());
  // What stands behind the end of an archive is another, or damage: nothing is passed over.
  archive_read_set_options(reader_.get(), "read_concatenated_archives");
  return input_.Open(reader_.get());
}

void TarFile::TakeHeader() {
  member_.kind = KindOf(entry_);
  member_.name = OrEmpty(archive_entry_pathname(entry_));
  member_.target.clear();
  if (member_.kind == Kind::kHardLink) member_.target = OrEmpty(archive_entry_hardlink(entry_));
  if (member_.kind == Kind::kSymlink) member_.target = OrEmpty(archive_entry_symlink(entry_));
  member_.number = members_++;
  member_.offset = header_;
  member_.mtime_ns = TimeOf(entry_);
  data_ = Position(reader_.get());
}

bool TarFile::IsSparse() const { return archive_entry_sparse_count(entry_) > 0; }

// Of sparse members this is seen when they are expanded.
bool TarFile::IsCut() {
  if (member_.kind != Kind::kFile || IsSparse()) return false;
  const auto size = static_cast<uint64_t>(archive_entry_size(entry_));
  const uint64_t left = bytes_.size - std::min(data_, bytes_.size);
  if (size <= left) return false;
  Fail(member_.offset, fmt::format("cut short: '{}' has {} bytes, of which {} are there",
                                   member_.name, size, left));
  return true;
}

std::optional<Locator> TarFile::Data() {
  if (IsSparse()) return Expand();
  return Locator{bytes_.path, bytes_.offset + data_,
                 static_cast<uint64_t>(archive_entry_size(entry_))};
}

std::optional<Locator> TarFile::Expand() {
  SpooledFile& spool = context_.spool;
  const uint64_t begin = spool.size();
  const auto size = static_cast<uint64_t>(archive_entry_size(entry_));
  const auto fill = [&](uint64_t to) { spool.AppendHole(to - (spool.size() - begin)); };
  for (;;) {
    CheckInterrupt();
    const void* bytes = nullptr;
    size_t count = 0;
    la_int64_t at = 0;
    const int code = archive_read_data_block(reader_.get(), &bytes, &count, &at);
    input_.Rethrow();
    if (code == ARCHIVE_EOF) break;
    const auto offset = static_cast<uint64_t>(at);
    if (code < ARCHIVE_WARN || offset < spool.size() - begin || offset > size ||
        count > size - offset) {
      Fail(member_.offset,
           fmt::format("'{}', which is sparse: {}", Printable(member_.name), LastError()));
      return std::nullopt;
    }
    fill(offset);
    spool.Append({static_cast<const std::byte*>(bytes), count});
  }
  fill(size);
  spool.SetTime(context_.damage.shard().mtime_ns);
  return Locator{spool.path(), begin, size};
}

bool TarFile::IsZero(uint64_t from) {
  bool zero = true;
  window_.ForEach(bytes_.offset + from, bytes_.size - from, [&zero](ByteSpan bytes) {
    const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
    zero = zero && std::all_of(bytes.begin(), bytes.end(), is_zero);
  });
  return zero;
}

bool TarFile::Fail(uint64_t offset, const std::string& what) {
  ended_ = true;
  if (bytes_.is_part) return false;  // the end of a part is no damage
  std::string text = what;
  if (bytes_.decompressed) {
    text += text.empty() ? "(of the decompressed data" : " (of the decompressed data";
    if (!bytes_.damage.empty()) text += "; compressed " + bytes_.damage;
    text += ")";
  }
  context_.damage.Tell(offset, text);
  return false;
}

std::string TarFile::LastError() const {
  const char* what = archive_error_string(reader_.get());
  return what != nullptr ? what : "damaged";
}

bool LooksLikeTar(const std::string& path) {
  FileWindow file(path, kWindow);
  const std::string head = DecompressTarHead(file, kBlock);
  if (head.size() < kBlock) return false;
  // POSIX: the sum of the header's bytes, its own field taken as blanks.
  constexpr size_t kSum = 148, kSumSize = 8;
  uint64_t sum = kSumSize * ' ';
  for (size_t i = 0; i < kBlock; ++i) {
    if (i < kSum || i >= kSum + kSumSize) sum += static_cast<unsigned char>(head[i]);
  }
  uint64_t said = 0;
  for (const char digit : std::string_view{head}.substr(kSum, kSumSize)) {
    if (digit >= '0' && digit <= '7') said = said * 8 + static_cast<uint64_t>(digit - '0');
  }
  return said == sum;
}

}  // namespace ulhff
