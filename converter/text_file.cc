// Reads text files of a source by chunk and by physical line.
#include "converter/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "converter/input_error.h"
#include "ulhff/error.h"

namespace ulhff {
namespace {

constexpr std::string_view kUtf8Bom = "\xEF\xBB\xBF";

struct Lookalike {
  std::string_view prefix;
  std::string_view what;
};
// Seen in place of annotation files; a parser's own complaint about them would help nobody.
constexpr Lookalike kLookalikes[] = {
    {"\xFF\xFE", "is UTF-16 or UTF-32 text; convert it to UTF-8 (iconv -t UTF-8)"},
    {"\xFE\xFF", "is UTF-16 text; convert it to UTF-8 (iconv -t UTF-8)"},
    {std::string_view("\0\0\xFE\xFF", 4), "is UTF-32 text; convert it to UTF-8 (iconv -t UTF-8)"},
    {"version https://git-lfs.github.com/spec/",
     "is a Git LFS pointer, not the file itself; fetch it with `git lfs pull`"},
    {"\x1F\x8B", "is compressed with gzip; unpack it first (gunzip)"},
};

UniqueFd OpenForReading(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) ThrowErrno(path);
  posix_fadvise(fd.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
  return fd;
}

}  // namespace

bool LooksBinary(const std::string& path) {
  std::array<char, 4096> bytes;
  const UniqueFd fd = OpenForReading(path);
  const size_t size = PreadFull(fd.get(), std::as_writable_bytes(std::span(bytes)), 0, path);
  const auto controls =
      std::count_if(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 &&
               std::string_view("\t\n\v\f\r\b\x1b").find(c) == std::string_view::npos;
      });
  constexpr size_t kFew = 3;  // may stand in a cell
  const auto count = static_cast<size_t>(controls);
  return count > kFew && count * 32 > size;
}

TextFile::TextFile(const std::string& path) : path_(path), fd_(OpenForReading(path)) {
  std::array<char, 64> head_bytes;
  const std::string_view head(head_bytes.data(), Read(head_bytes.data(), head_bytes.size()));
  for (const Lookalike& lookalike : kLookalikes) {
    if (head.starts_with(lookalike.prefix)) {
      throw InputError(fmt::format("{}: {}", path_, lookalike.what));
    }
  }
  offset_ = head.starts_with(kUtf8Bom) ? kUtf8Bom.size() : 0;
}

size_t TextFile::Read(char* to, size_t size) {
  const auto out = std::as_writable_bytes(std::span(to, size));
  const size_t got = PreadFull(fd_.get(), out, offset_, path_);
  offset_ += got;
  return got;
}

LineReader::LineReader(const std::string& path, uint64_t max_line_bytes, size_t chunk_bytes)
    : file_(path),
      max_line_bytes_(max_line_bytes),
      chunk_bytes_(chunk_bytes),
      buffer_(chunk_bytes) {
  line_.offset = file_.offset();
}

const TextLine* LineReader::Next() {
  line_.offset += line_.bytes.size() + line_.end.size();
  ++line_.number;
  size_t size = 0;  // bytes after begin_ that hold no LF
  const void* lf = nullptr;
  do {
    if (size > max_line_bytes_) {
      throw InputError(
          file_.path(), line_.number, line_.offset,
          fmt::format("a line of more than {} bytes; is this a text file?", max_line_bytes_));
    }
    lf = std::memchr(buffer_.data() + begin_ + size, '\n', end_ - begin_ - size);
    size = end_ - begin_;
  } while (lf == nullptr && Fill());
  if (size == 0) return nullptr;

  const char* begin = buffer_.data() + begin_;
  if (lf == nullptr) {
    line_.bytes = {begin, size};
    line_.end = {};
  } else {
    size = static_cast<size_t>(static_cast<const char*>(lf) - begin);
    const size_t end_size = size > 0 && begin[size - 1] == '\r' ? 2 : 1;
    line_.bytes = {begin, size + 1 - end_size};
    line_.end = {begin + size + 1 - end_size, end_size};
  }
  begin_ += line_.bytes.size() + line_.end.size();
  return &line_;
}

// Appends a chunk; false at the end of the file.
bool LineReader::Fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (buffer_.size() < end_ + chunk_bytes_) {
    buffer_.resize(std::max(2 * buffer_.size(), end_ + chunk_bytes_));
  }
  const size_t got = file_.Read(buffer_.data() + end_, chunk_bytes_);
  end_ += got;
  return got > 0;
}

}  // namespace ulhff
