// Spools keep the tail that was not written yet in memory; cursors read file and tail alike.
#include "writer_spool.h"

#include <algorithm>
#include <cerrno>

#include "error.h"

namespace ulhff {

void Spool::Append(ByteSpan bytes) {
  while (!bytes.empty()) {
    if (buffer_.size() == kBufferSize) Flush();
    const size_t n = std::min(bytes.size(), kBufferSize - buffer_.size());
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(n));
    bytes = bytes.subspan(n);
  }
}

void Spool::Flush() {
  if (!file_.valid()) file_ = OpenSpillFile(dir_);
  PwriteFull(file_.get(), buffer_, flushed_, "temporary file in " + dir_);
  flushed_ += buffer_.size();
  buffer_.clear();
}

void Spool::Cursor::Fill() {
  const Spool& spool = *spool_;
  used_ = 0;
  if (position_ >= spool.flushed_) {
    const auto from = static_cast<ptrdiff_t>(position_ - spool.flushed_);
    buffer_.assign(spool.buffer_.begin() + from, spool.buffer_.end());
    return;
  }
  buffer_.resize(std::min<uint64_t>(kBufferSize, spool.flushed_ - position_));
  const std::string what = "temporary file in " + spool.dir_;
  if (PreadFull(spool.file_.get(), buffer_, position_, what) < buffer_.size()) {
    ThrowErrno(EIO, what + ": ends early");
  }
}

void Spool::Cursor::Read(std::span<std::byte> out) {
  while (!out.empty()) {
    if (used_ == buffer_.size()) Fill();
    const size_t n = std::min(out.size(), buffer_.size() - used_);
    std::copy_n(buffer_.data() + used_, n, out.data());
    used_ += n;
    position_ += n;
    out = out.subspan(n);
  }
}

void Column::Append(uint64_t value, uint64_t times) {
  if (times == 0) return;
  if (size_ == 0) first_ = value;
  const auto append = [this](uint64_t number, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) spool_.Append(std::as_bytes(std::span(&number, 1)));
  };
  if (uniform() && value != first_) append(first_, size_);
  if (!uniform() || value != first_) append(value, times);
  size_ += times;
}

uint64_t Column::Cursor::Next() {
  if (column_->uniform()) return column_->first();
  uint64_t value = 0;
  spool_.Read(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

}  // namespace ulhff
